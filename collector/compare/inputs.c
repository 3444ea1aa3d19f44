#include "collector/compare/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define OLDER_BASE "compare with a base that has it"

static void release_commands(struct config *c)
{
	size_t i;

	for (i = 0; i < c->n_benchmarks; i++)
		strv_release(&c->benchmarks[i].command);
	free(c->benchmarks);
}

void compare_inputs_release(struct compare_inputs *in)
{
	if (in->is_copy)
		release_commands(&in->config);
	*in = (struct compare_inputs)COMPARE_INPUTS_INIT;
}

static bool is_there(const char *top, const char *path)
{
	bool found;

	return top && !file_is_in(top, path, &found, NULL) && found;
}

/* Where the path begins in "PATH" or "--name=PATH"; NULL: it is none below the top. */
static const char *path_in(const char *word)
{
	const char *equals = *word == '-' ? strchr(word, '=') : NULL;
	const char *path = equals ? equals + 1 : word;

	return !*path || *path == '-' || *path == '/' || str_starts(path, "..") ? NULL : path;
}

static const char *without_dot(const char *path)
{
	return str_starts(path, "./") ? path + 2 : path;
}

static bool is_input(const struct bench_config *b, const char *path)
{
	size_t i;

	for (i = 0; i < b->inputs.n; i++)
		if (!strcmp(without_dot(b->inputs.v[i]), without_dot(path)))
			return true;
	return false;
}

/* Whether the user wrote it as an absolute path, which was made relative since. */
static bool was_absolute(const struct bench_config *b, size_t word)
{
	return word < b->given.n && *b->given.v[word] == '/';
}

static int is_committed(const struct compare_request *rq, const struct compare_built *built,
			const char *path, bool *out, struct err *err)
{
	struct strv paths = STRV_INIT, entries = STRV_INIT;
	int result = -1;

	if (!strv_add(&paths, without_dot(path), err) &&
	    !tree_entries(rq->repo, built->head_commit, &paths, &entries, err)) {
		*out = entries.n && !str_starts(entries.v[0], "absent ");
		result = 0;
	}
	strv_release(&paths);
	strv_release(&entries);
	return result;
}

/* The folder whose file both sides are to be given; *out NULL: none. */
static int find_top(const struct compare_request *rq, const struct compare_built *built,
		    const struct bench_config *b, size_t word, const char **out, struct err *err)
{
	const char *path = path_in(b->command.v[word]), *top = repo_top(rq->repo);
	bool committed = false;

	*out = NULL;
	if (!path || is_there(built->base_top, path) ||
	    (!was_absolute(b, word) && !is_input(b, path)))
		return 0;
	if (is_committed(rq, built, path, &committed, err))
		return -1;
	if (committed && !is_input(b, path))
		return 0;
	top = committed && !rq->working_tree ? built->head_top : top;
	*out = is_there(top, path) ? top : NULL;
	return 0;
}

static int take_word(const struct compare_request *rq, const struct compare_built *built,
		     const struct bench_config *b, size_t word, struct strv *out, struct err *err)
{
	const char *text = b->command.v[word], *top;
	const char *path = path_in(text);

	if (find_top(rq, built, b, word, &top, err))
		return -1;
	if (!top)
		return strv_add(out, text, err);
	return strv_addf(out, err, "%.*s%s/%s", (int)(path - text), text, top, without_dot(path));
}

/* Of a program from elsewhere both sides would be the same, given the same files. */
static bool is_built(const struct compare_built *built, const struct bench_config *b)
{
	const char *program = b->command.n ? b->command.v[0] : "";

	return strchr(program, '/') && *program != '/' && is_there(built->base_top, program);
}

static int take_command(const struct compare_request *rq, const struct compare_built *built,
			const struct bench_config *b, struct strv *out, struct err *err)
{
	size_t i;

	if (!is_built(built, b))
		return b->command.n ? strv_add_all(out, b->command.v, err) : 0;
	if (strv_add(out, b->command.v[0], err))
		return -1;
	for (i = 1; i < b->command.n; i++)
		if (take_word(rq, built, b, i, out, err))
			return -1;
	return 0;
}

int compare_inputs_take(const struct compare_request *rq, const struct compare_built *built,
			struct compare_inputs *out, struct err *err)
{
	struct config copy = *rq->config;
	size_t i;

	copy.benchmarks =
		calloc(copy.n_benchmarks ? copy.n_benchmarks : 1, sizeof(*copy.benchmarks));
	if (!copy.benchmarks)
		return err_nomem(err);
	for (i = 0; i < copy.n_benchmarks; i++) {
		copy.benchmarks[i] = rq->config->benchmarks[i];
		copy.benchmarks[i].command = (struct strv)STRV_INIT;
	}
	for (i = 0; i < copy.n_benchmarks; i++)
		if (take_command(rq, built, &rq->config->benchmarks[i], &copy.benchmarks[i].command,
				 err)) {
			release_commands(&copy);
			return -1;
		}
	out->config = copy;
	out->is_copy = true;
	return 0;
}

static int tell_one(const struct compare_request *rq, const struct compare_built *built,
		    struct unit *u, struct err *err)
{
	struct buf text = BUF_INIT;
	bool committed = false;
	int result = -1;

	if (is_committed(rq, built, u->lacks, &committed, err))
		return -1;
	buf_addf(&text, "not compared: the base has no '%s', which is %s; ", without_dot(u->lacks),
		 committed ? "new in the head" : "untracked");
	if (!is_built(built, u->config))
		buf_addf(&text, "%s" OLDER_BASE, committed ? "" : "git add and commit it, then ");
	else if (committed)
		buf_addf(&text, "to run both sides with it: 'input = %s' in .pawlconfig",
			 without_dot(u->lacks));
	else
		buf_addf(&text,
			 "to run both sides with it, name it by its absolute path or write "
			 "'input = %s' into .pawlconfig; for later commits: git add %s",
			 without_dot(u->lacks), without_dot(u->lacks));
	if (!buf_check(&text, err))
		result = str_set(&u->not_compared, buf_str(&text), err);
	buf_release(&text);
	return result;
}

int compare_inputs_tell(const struct compare_request *rq, const struct compare_built *built,
			struct plan *plan, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = 0;
	size_t i;

	for (i = 0; i < plan->n && !result; i++) {
		struct unit *u = &plan->units[i];

		if (u->lacks) {
			result = tell_one(rq, built, u, err);
		} else if (u->only_head && !u->inner && rq->partial) {
			buf_addf(&text, "not compared: the base has no '%s'; " OLDER_BASE,
				 u->config->command.v[0]);
			result = buf_check(&text, err) ||
				 str_set(&u->not_compared, buf_str(&text), err);
		}
	}
	buf_release(&text);
	return result ? -1 : 0;
}
