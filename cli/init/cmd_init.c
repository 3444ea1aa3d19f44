#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/init/again.h"
#include "cli/init/tell.h"
#include "cli/init/try.h"
#include "collector/survey/survey.h"
#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/git/default_branch.h"

#include "lib/base/banned.h"

/* A value of git's configuration: quoted where a character would end or change it. */
static void add_value(struct buf *out, const char *value)
{
	static const char escaped[] = "\"\\\n\t\b", as[] = "\"\\ntb";
	bool quoted = *value == ' ' || strpbrk(value, "\"\\;#\n\t\b\r") ||
		      (*value && value[strlen(value) - 1] == ' ');
	const char *p, *at;

	if (quoted)
		buf_addc(out, '"');
	for (p = value; *p; p++) {
		at = strchr(escaped, *p);
		if (at)
			buf_addc(out, '\\');
		buf_addc(out, at ? as[at - escaped] : *p);
	}
	if (quoted)
		buf_addc(out, '"');
}

/* [benchmark "NAME"]: quotes and backslashes are escaped there. */
static void add_section(struct buf *out, const char *name)
{
	const char *p;

	buf_adds(out, "[benchmark \"");
	for (p = name; *p; p++) {
		if (*p == '"' || *p == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	buf_adds(out, "\"]");
}

static void add_benchmark(struct buf *out, const struct surveyed *b)
{
	const char *off = b->fault ? "# " : "";
	struct buf command = BUF_INIT;

	if (b->fault)
		init_add_line("# it was tried and left out: ", b->fault, out);
	buf_adds(out, off);
	add_section(out, b->name);
	buf_addf(out, " # %s\n%s\tcommand = ", b->found_by, off);
	words_quote(b->command.v, &command);
	add_value(out, buf_str(&command));
	buf_addc(out, '\n');
	/* libpawl's is asked for. */
	if (strcmp(b->format, "pawl") != 0)
		buf_addf(out, "%s\tformat = %s\n", off, b->format);
	buf_release(&command);
}

/*
 * Written out, for 'pawl collect' builds only what the configuration tells it to; as a comment
 * where it was tried and failed.  A comment ends with its line.
 */
static void add_build(const struct survey *s, struct buf *out)
{
	if (s->build_fault)
		init_add_line("\t# this build was tried and failed: ", s->build_fault, out);
	buf_adds(out, s->build_fault ? "\t# build = " : "\tbuild = ");
	add_value(out, s->build);
	buf_addc(out, '\n');
}

static int write_config(const struct context *c, const struct survey *s, const char *branch,
			struct buf *out, struct err *err)
{
	size_t i;

	buf_addf(out,
		 "# What pawl measures in this repository; see pawl-config(5).  Commit this file.\n"
		 "[pawl]\n\tproject = ");
	add_value(out, c->project);
	buf_addc(out, '\n');
	if (s->build) {
		add_build(s, out);
	} else {
		buf_adds(out, "\t# how a commit is built:\n\t# build = make\n");
	}
	buf_adds(out, "\t# all that reaches the build and the runs, makefiles and benchmarks too;\n"
		      "\t# where none of it differs, nothing is built or measured; for example:\n"
		      "\t# sources = Makefile bench include src\n"
		      "\t# the smallest change that counts:\n"
		      "\t# threshold = 1%\n");
	if (branch)
		buf_addf(out, "# in a branch: pawl compare %s...HEAD\n", branch);
	for (i = 0; i < s->n; i++) {
		buf_addc(out, '\n');
		add_benchmark(out, &s->v[i]);
	}
	if (!s->n)
		buf_addf(out,
			 "\n# a program to measure; a section each:\n"
			 "# [benchmark \"NAME\"]\n"
			 "#\tcommand = %s\n",
			 s->others.n ? s->others.v[0] : "build/bench/NAME");
	return init_has_benchmark(s) ? buf_check(out, err) : again_add(out, err);
}

static int survey(const struct options *o, const struct context *c, struct survey *out,
		  struct err *err)
{
	const struct trees_request rq = { .repo = c->repo,
					  .config = &c->config,
					  .state_dir = c->state_dir,
					  .submodules = o->submodules,
					  .talk = c->talk };

	if (!c->state_dir) {
		err_set(err, ERR_IO, "there is no folder to build the commit in");
		return err_hint(err,
				"make the repository's folder writable, or set XDG_STATE_HOME");
	}
	return survey_make(&rq, "HEAD", out, err);
}

static const char *without_dot(const char *path)
{
	return str_starts(path, "./") ? path + 2 : path;
}

/*
 * In place of what was found, the command that was given; what the survey knows of its program is
 * kept.
 */
static int take_command(const struct bench_config *given, struct survey *s, struct err *err)
{
	struct surveyed as = { .name = given->name,
			       .command = STRV_INIT,
			       .format = "pawl",
			       .found_by = "the command given" };
	struct survey found = *s;
	struct strv command = STRV_INIT;
	size_t i;
	int result;

	for (i = 0; i < found.n; i++)
		if (!strcmp(without_dot(found.v[i].command.v[0]), without_dot(given->command.v[0])))
			as = found.v[i];
	s->v = NULL;
	s->n = 0;
	s->is_cut = false;
	s->is_given = true;
	s->is_known = as.name != given->name;
	result = strv_add_all(&command, given->command.v, err) ||
				 survey_add(s, as.name, &command, as.format, as.found_by, err)
			 ? -1
			 : 0;
	strv_release(&command);
	found.build = found.build_fault = NULL; /* still s's */
	found.other_build = found.other_fault = NULL;
	found.others = (struct strv)STRV_INIT;
	found.tests = NULL;
	survey_release(&found);
	if (!result && !s->n)
		return err_set(err, ERR_USAGE,
			       "the command holds a control character: no file can hold it");
	return result;
}

/* Where the file goes.  Errors: ERR_USAGE when there is one already. */
static int check_is_new(const struct context *c, struct buf *path, struct err *err)
{
	if (!repo_top(c->repo))
		return err_set(err, ERR_ABSENT, "a bare repository has no work tree for '%s'",
			       CONFIG_FILE);
	buf_reset(path);
	buf_addf(path, "%s/" CONFIG_FILE, repo_top(c->repo));
	if (buf_check(path, err) || !file_exists(buf_str(path)) || again_may_write(buf_str(path)))
		return buf_check(path, err);
	err_set(err, ERR_USAGE, "there is a '%s' already", CONFIG_FILE);
	return err_hint(err, "'pawl init --dry-run' shows what would be written");
}

/* What was given is written as it is, though it does not run. */
static int keep_given(const struct context *c, struct survey *s, struct err *err)
{
	if (s->v[0].fault)
		talk_warn(c->talk, NULL, "the command was tried without success: %s",
			  s->v[0].fault);
	return str_set(&s->v[0].fault, NULL, err);
}

static int init(const struct options *o, const struct context *c, struct err *err)
{
	struct survey s = SURVEY_INIT;
	struct buf path = BUF_INIT, text = BUF_INIT, answer = BUF_INIT;
	char *branch = NULL;
	int result = -1;

	if ((!o->dry_run && check_is_new(c, &path, err)) || survey(o, c, &s, err) ||
	    (o->command.n && take_command(&c->config.benchmarks[0], &s, err)) ||
	    init_try(c, o->submodules, &s, err) || (o->command.n && keep_given(c, &s, err)) ||
	    default_branch(c->repo, &branch, err) || write_config(c, &s, branch, &text, err))
		goto out;
	if (o->dry_run) {
		result = print_answer(o, &text, err);
		goto out;
	}
	init_tell(c, &s, branch, &answer);
	/* Builds take minutes: somebody may have written it meanwhile. */
	if (buf_check(&answer, err) || check_is_new(c, &path, err) ||
	    file_write_whole(buf_str(&path), text.data, text.len, 0644, err))
		goto out;
	terminal_quiet();
	printf("wrote '%s'\n", CONFIG_FILE);
	result = print_answer(o, &answer, err);
out:
	survey_release(&s);
	free(branch);
	buf_release(&path);
	buf_release(&text);
	buf_release(&answer);
	return result;
}

/* Whether the file that is there is to be written anew: nothing of it counts then. */
static bool is_again(const struct context *c)
{
	struct buf path = BUF_INIT;
	bool is;

	buf_addf(&path, "%s/" CONFIG_FILE, repo_top(c->repo) ? repo_top(c->repo) : "");
	is = !buf_check(&path, NULL) && again_may_write(buf_str(&path));
	buf_release(&path);
	return is;
}

int cmd_init(const struct options *o)
{
	struct err err = ERR_INIT;
	struct context c;
	int result;

	if (o->args.n) {
		err_set(&err, ERR_USAGE, "'pawl init' takes no argument '%s'", o->args.v[0]);
		err_hint(&err, "a command goes after '--'");
		return complain(&err);
	}
	if (context_open(o, &c, &err))
		return complain(&err);
	if (is_again(&c)) {
		context_close(&c);
		if (context_open_git(o, &c, &err))
			return complain(&err);
	}
	result = init(o, &c, &err);
	context_close(&c);
	return result ? complain(&err) : EXIT_OK;
}
