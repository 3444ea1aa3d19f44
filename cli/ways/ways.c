#include "cli/ways/ways.h"

#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

void ways_release(struct ways *w)
{
	strv_release(&w->words[0]);
	strv_release(&w->words[1]);
	strv_release(&w->name);
	matrix_release(&w->matrix);
}

bool ways_are_commands(const struct ways *w)
{
	return w->head.command != NULL;
}

bool ways_are_given(const struct ways *w)
{
	return compare_ways_are_given(&w->base, &w->head);
}

static int check_env(const struct strv *env, const char *option, struct err *err)
{
	size_t i, n;

	for (i = 0; i < env->n; i++) {
		n = compare_way_variable(env->v[i]);
		if (n) {
			if (compare_way_is_twice(env, i))
				return err_set(err, ERR_USAGE, "--%s sets '%.*s' twice", option,
					       (int)n, env->v[i]);
			continue;
		}
		err_set(err, ERR_USAGE, "--%s takes NAME=VALUE, not '%s'", option, env->v[i]);
		return err_hint(err, "for example: --%s MALLOC_ARENA_MAX=1", option);
	}
	return 0;
}

/* Both or neither. */
static int check_both(const char *base, const char *head, const char *what, struct err *err)
{
	if (!base == !head)
		return 0;
	err_set(err, ERR_USAGE, "--%s-%s needs --%s-%s", base ? "base" : "head", what,
		base ? "head" : "base", what);
	return err_hint(err, "both sides are what is given, or neither is");
}

/* What a command or a program has no use for, which would be dropped without a word. */
static int check_alone(const struct options *o, const char *what, struct err *err)
{
	const struct {
		bool given;
		const char *name;
	} others[] = {
		{ o->args.n > 0, "a commit" },
		{ o->base.build || o->head.build, "a build" },
		{ o->working_tree, "--working-tree" },
		{ o->bisect, "--bisect" },
		{ o->reuse, "--reuse" },
		{ o->rebuild, "--rebuild" },
		{ o->submodules, "--submodules" },
		{ o->explain_build, "--explain-build" },
		{ o->explain, "--explain" },
		{ options_setting(o, "build"), "--build" },
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (!others[i].given)
			continue;
		err_set(err, ERR_USAGE, "--base-%s and %s exclude each other", what,
			others[i].name);
		return err_hint(err, "what is given is run as it is: no commit, no build");
	}
	return 0;
}

const char *ways_special_of(const char *line)
{
	const char *at = line;
	char quote = 0;

	for (; *at; at++) {
		bool begins = at == line || strchr(" \t", at[-1]);

		if (*at == '\\' && quote != '\'' && at[1])
			at++;
		else if (quote && *at == quote)
			quote = 0;
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else if ((!quote && strchr("|&;<>*?()[]{}\n", *at)) ||
			 (!quote && begins && strchr("~#", *at)) ||
			 (quote != '\'' && strchr("$`", *at)))
			return at;
	}
	return NULL;
}

/* The words of a command line, as a program gets them or as a shell is given the whole. */
static int split(const struct options *o, const char *line, const char *option, struct strv *out,
		 struct err *err)
{
	struct err fault = ERR_INIT;
	const char *special = o->shell ? NULL : ways_special_of(line);

	if (special) {
		if (*special == '\n')
			err_set(err, ERR_USAGE, "%s has more than one line", option);
		else
			err_set(err, ERR_USAGE, "%s '%s': only a shell knows what '%c' means",
				option, line, *special);
		return err_hint(err, "add --shell sh; to give it to the program as it is, put "
				     "quotes around it");
	}
	if (o->shell && words_split(o->shell, out, &fault))
		return err_set(err, ERR_USAGE, "--shell '%s': %s", o->shell, fault.text);
	if (o->shell && !out->n)
		return err_set(err, ERR_USAGE, "--shell is empty");
	if (o->shell && (strv_add(out, "-c", err) || strv_add(out, line, err)))
		return -1;
	if (!o->shell && words_split(line, out, &fault))
		return err_set(err, ERR_USAGE, "%s '%s': %s", option, line, fault.text);
	if (!out->n || !*out->v[0] || !line[strspn(line, " \t\n")])
		return err_set(err, ERR_USAGE, "%s is empty", option);
	return 0;
}

/* The first word names the benchmark, whatever runs it. */
static int name_command(const char *line, struct strv *out, struct err *err)
{
	const char *start = line + strspn(line, " \t\n");
	size_t n = strcspn(start, " \t\n;|&<>");

	return strv_addf(out, err, "%.*s", (int)(n ? n : 1), start);
}

static int set_commands(const struct options *o, struct ways *out, struct err *err)
{
	if (o->command.n) {
		err_set(err, ERR_USAGE, "--base-cmd and a command after '--' exclude each other");
		return err_hint(err, "both command lines are whole");
	}
	if (check_alone(o, "cmd", err) ||
	    split(o, o->base.command, "--base-cmd", &out->words[0], err) ||
	    split(o, o->head.command, "--head-cmd", &out->words[1], err))
		return -1;
	out->base.text = o->base.command;
	out->head.text = o->head.command;
	out->base.command = &out->words[0];
	out->head.command = &out->words[1];
	return o->shell ? name_command(o->head.command, &out->name, err)
			: strv_add(&out->name, out->words[1].v[0], err);
}

/* A program is looked for in PATH only where its name says no folder, as in a shell. */
static int set_programs(const struct options *o, struct ways *out, struct err *err)
{
	const char *const programs[] = { o->base.program, o->head.program };
	int i;

	if (o->base.command || o->shell)
		return err_set(err, ERR_USAGE, "--base-bin and %s exclude each other",
			       o->shell ? "--shell" : "--base-cmd");
	if (check_alone(o, "bin", err))
		return -1;
	for (i = 0; i < 2; i++) {
		if (!*programs[i])
			return err_set(err, ERR_USAGE, "--%s-bin is empty", i ? "head" : "base");
		if (strv_addf(&out->words[i], err, "%s%s", strchr(programs[i], '/') ? "" : "./",
			      programs[i]) ||
		    (o->command.n && strv_add_all(&out->words[i], o->command.v, err)))
			return -1;
	}
	out->base.text = o->base.program;
	out->head.text = o->head.program;
	out->base.command = &out->words[0];
	out->head.command = &out->words[1];
	out->base.is_program = out->head.is_program = true;
	return strv_add(&out->name, out->words[1].v[0], err);
}

/* A variable of builds alone would be shown as if the command had it. */
static int check_reaches(const struct strv *env, const char *option, struct err *err)
{
	size_t i;

	for (i = 0; i < env->n; i++) {
		if (compare_way_runs(env->v[i]))
			continue;
		err_set(err, ERR_USAGE, "--%s '%s' is of builds, and nothing is built", option,
			env->v[i]);
		return err_hint(err,
				"to give it to the command, write it there: env NAME=VALUE ...");
	}
	return 0;
}

/* Two builds, or two environments, of what commits have. */
static int check_commits(const struct options *o, const struct ways *w, struct err *err)
{
	const char *but = o->working_tree ? "--working-tree"
			  : o->bisect	  ? "--bisect"
			  : o->reuse	  ? "--reuse"
					  : NULL;

	if (!ways_are_given(w) || !but)
		return 0;
	err_set(err, ERR_USAGE, "two builds or environments and %s exclude each other", but);
	return err_hint(err, "commit the work first, and name the commit");
}

/* Its combinations are of variables alone; what else a side may be goes with two of them. */
static int set_matrix(const struct options *o, struct ways *out, struct err *err)
{
	const struct side_options *const sides[] = { &o->base, &o->head };
	size_t i;

	for (i = 0; i < 2; i++) {
		if (!sides[i]->command && !sides[i]->program && !sides[i]->build &&
		    !sides[i]->env.n)
			continue;
		return err_set(err, ERR_USAGE, "--matrix and --%s-%s exclude each other",
			       i ? "head" : "base",
			       sides[i]->command   ? "cmd"
			       : sides[i]->program ? "bin"
			       : sides[i]->build   ? "build"
						   : "env");
	}
	if (matrix_of(&o->matrix, &out->matrix, err))
		return -1;
	out->base.env = &out->matrix.rows[0];
	out->head.env = &out->matrix.rows[1];
	return check_commits(o, out, err);
}

int ways_of(const struct options *o, struct ways *out, struct err *err)
{
	if (o->matrix.n)
		return set_matrix(o, out, err);
	if (check_both(o->base.command, o->head.command, "cmd", err) ||
	    check_both(o->base.program, o->head.program, "bin", err) ||
	    check_env(&o->base.env, "base-env", err) || check_env(&o->head.env, "head-env", err))
		return -1;
	out->base.env = &o->base.env;
	out->head.env = &o->head.env;
	out->base.build = o->base.build;
	out->head.build = o->head.build;
	if ((o->base.program || o->base.command) && (check_reaches(&o->base.env, "base-env", err) ||
						     check_reaches(&o->head.env, "head-env", err)))
		return -1;
	if (o->base.program)
		return set_programs(o, out, err);
	if (o->base.command)
		return set_commands(o, out, err);
	if (o->shell) {
		err_set(err, ERR_USAGE, "--shell needs --base-cmd and --head-cmd");
		return err_hint(err, "a command after '--' may name one: -- sh -c '...'");
	}
	return check_commits(o, out, err);
}
