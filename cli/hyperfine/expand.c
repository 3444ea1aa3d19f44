#include "cli/hyperfine/expand.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/hyperfine/parameters.h"
#include "cli/ways/ways.h"
#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define SHELL_BY_ITSELF "sh"

static void command_release(struct hyperfine_command *c)
{
	free(c->line);
	free(c->name);
	free(c->prepare);
	free(c->conclude);
	free(c->setup);
	free(c->cleanup);
	strv_release(&c->parameters);
	strv_release(&c->words);
}

void hyperfine_commands_release(struct hyperfine_commands *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		command_release(&c->v[i]);
	free(c->v);
	*c = (struct hyperfine_commands)HYPERFINE_COMMANDS_INIT;
}

/* ---- putting parameters in ------------------------------------------------------------- */

/* The value of the name between braces at the start of text, and how long that is. */
static const char *value_at(const struct strv *parameters, const char *text, size_t *out_n)
{
	size_t i, n;

	for (i = 0; i + 1 < parameters->n; i += 2) {
		n = strlen(parameters->v[i]);
		if (strncmp(text + 1, parameters->v[i], n) != 0 || text[1 + n] != '}')
			continue;
		*out_n = n + 2;
		return parameters->v[i + 1];
	}
	return NULL;
}

static int put(const struct strv *parameters, const char *text, char **out, struct err *err)
{
	struct buf line = BUF_INIT;
	const char *value;
	size_t n;
	int result;

	if (!text)
		return 0;
	while (*text) {
		value = *text == '{' ? value_at(parameters, text, &n) : NULL;
		if (value)
			buf_adds(&line, value);
		else
			buf_addc(&line, *text);
		text += value ? n : 1;
	}
	result = buf_check(&line, err) || str_set(out, buf_str(&line), err) ? -1 : 0;
	buf_release(&line);
	return result;
}

/* What a shell other than sh is to run, as a line for sh. */
static int put_aside(const struct hyperfine_line *line, const struct strv *parameters,
		     const char *text, char **out, struct err *err)
{
	struct buf whole = BUF_INIT;
	char *inner = NULL;
	char *argv[2] = { NULL, NULL };
	int result = put(parameters, text, &inner, err);

	if (!result && inner && line->shell && strcmp(line->shell, "none") != 0 &&
	    strcmp(line->shell, "default") != 0) {
		argv[0] = inner;
		buf_addf(&whole, "%s -c ", line->shell);
		words_quote(argv, &whole);
		result = buf_check(&whole, err) || str_set(out, buf_str(&whole), err) ? -1 : 0;
	} else if (!result) {
		result = str_set(out, inner, err);
	}
	free(inner);
	buf_release(&whole);
	return result;
}

/* ---- what runs it ------------------------------------------------------------------------ */

/* Whether PATH, or the path itself, has such a program: else it may be a word of the shell. */
static bool is_program(const char *name)
{
	const char *path = getenv("PATH");
	struct buf file = BUF_INIT;
	bool found = false;
	size_t n;

	if (strchr(name, '/'))
		return !access(name, X_OK);
	while (path && *path && !found) {
		n = strcspn(path, ":");
		buf_reset(&file);
		buf_addf(&file, "%.*s/%s", (int)n, path, name);
		found = n && !file.failed && !access(buf_str(&file), X_OK);
		path += n + (path[n] == ':');
	}
	buf_release(&file);
	return found;
}

static bool is_directly(const char *line)
{
	struct strv words = STRV_INIT;
	bool directly = !ways_special_of(line) && !words_split(line, &words, NULL) && words.n &&
			!strchr(words.v[0], '=') && is_program(words.v[0]);

	strv_release(&words);
	return directly;
}

static int find_words(const struct hyperfine_line *line, struct hyperfine_command *c,
		      struct err *err)
{
	bool none = line->no_shell || (line->shell && !strcmp(line->shell, "none"));
	bool chosen = line->shell && !none && strcmp(line->shell, "default") != 0;
	struct err fault = ERR_INIT;

	if (!c->line[strspn(c->line, " \t\n")])
		return err_set(err, ERR_USAGE, "a command is empty");
	if (none || (!chosen && is_directly(c->line))) {
		if (words_split(c->line, &c->words, &fault))
			return err_set(err, ERR_USAGE, "'%s': %s", c->line, fault.text);
		return 0;
	}
	c->needs_shell = true;
	if (words_split(chosen ? line->shell : SHELL_BY_ITSELF, &c->words, &fault) || !c->words.n)
		return err_set(err, ERR_USAGE, "--shell '%s' is no command: %s", line->shell,
			       fault.text[0] ? fault.text : "it is empty");
	return strv_add(&c->words, "-c", err) || strv_add(&c->words, c->line, err) ? -1 : 0;
}

/* ---- all of them --------------------------------------------------------------------------- */

/* Of a list that is empty, of one, or of as many as there are. */
static const char *of_list(const struct strv *list, size_t i)
{
	return !list->n ? NULL : list->v[list->n == 1 ? 0 : i];
}

static int fill(const struct hyperfine_line *line, const char *text, size_t i,
		struct hyperfine_command *c, struct err *err)
{
	const struct strv *p = &c->parameters;
	const char *name = i < line->names.n	? line->names.v[i]
			   : line->names.n == 1 ? line->names.v[0]
						: NULL;

	return put(p, text, &c->line, err) || put(p, name ? name : text, &c->name, err) ||
			       put_aside(line, p, of_list(&line->prepare, i), &c->prepare, err) ||
			       put_aside(line, p, of_list(&line->conclude, i), &c->conclude, err) ||
			       put_aside(line, p, line->setup, &c->setup, err) ||
			       put_aside(line, p, line->cleanup, &c->cleanup, err) ||
			       find_words(line, c, err)
		       ? -1
		       : 0;
}

/* It has no parameters, and no name but itself. */
static int fill_reference(const struct hyperfine_line *line, struct hyperfine_command *c,
			  struct err *err)
{
	const struct hyperfine_line own = { .prepare = line->prepare,
					    .conclude = line->conclude,
					    .setup = line->setup,
					    .cleanup = line->cleanup,
					    .shell = line->shell,
					    .no_shell = line->no_shell };

	if (line->prepare.n > 1 || line->conclude.n > 1)
		return err_set(err, ERR_USAGE,
			       "--reference goes with one --prepare and one --conclude");
	return fill(&own, line->reference, 0, c, err);
}

static int check_numbers(const struct hyperfine_line *line, size_t n, struct err *err)
{
	const struct {
		const struct strv *list;
		const char *name;
	} all[] = { { &line->prepare, "prepare" }, { &line->conclude, "conclude" } };
	size_t i;

	for (i = 0; i < 2; i++)
		if (all[i].list->n > 1 && all[i].list->n != n)
			return err_set(err, ERR_USAGE,
				       "--%s is given once, or %zu times: once for each command",
				       all[i].name, n);
	if (line->names.n > n)
		return err_set(err, ERR_USAGE,
			       "--command-name is given %zu times for %zu command%s", line->names.n,
			       n, n == 1 ? "" : "s");
	return 0;
}

static int set_parameters(const struct hyperfine_parameter *v, size_t n, size_t row,
			  struct strv *out, struct err *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (strv_add(out, v[i].name, err) ||
		    strv_add(out, v[i].values.v[row % v[i].values.n], err))
			return -1;
		row /= v[i].values.n;
	}
	return 0;
}

static int expand_with(const struct hyperfine_line *line, const struct hyperfine_parameter *v,
		       size_t n_parameters, struct hyperfine_commands *out, struct err *err)
{
	size_t n = line->commands.n, before = line->reference != NULL, i;

	for (i = 0; i < n_parameters && n <= HYPERFINE_MOST; i++)
		n *= v[i].values.n;
	if (n + before > HYPERFINE_MOST)
		return err_set(err, ERR_USAGE, "there are more than %d commands", HYPERFINE_MOST);
	if (check_numbers(line, n, err))
		return -1;
	out->v = calloc(n + before, sizeof(*out->v));
	if (!out->v)
		return err_nomem(err);
	out->n = n + before;
	if (before && fill_reference(line, &out->v[0], err))
		return -1;
	for (i = 0; i < n; i++) {
		struct hyperfine_command *c = &out->v[before + i];

		if (set_parameters(v, n_parameters, i / line->commands.n, &c->parameters, err) ||
		    fill(line, line->commands.v[i % line->commands.n], i, c, err))
			return -1;
	}
	return 0;
}

int hyperfine_expand(const struct hyperfine_line *line, struct hyperfine_commands *out,
		     struct err *err)
{
	struct hyperfine_parameter *v = NULL;
	size_t n = 0;
	int result;

	if (hyperfine_parameters(line, HYPERFINE_MOST, &v, &n, err))
		return -1;
	result = expand_with(line, v, n, out, err);
	hyperfine_parameters_free(v, n);
	if (result)
		hyperfine_commands_release(out);
	return result;
}
