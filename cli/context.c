/*
 * context - opens what a command works on; complains where it cannot.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/passed_over.h"
#include "cli/range.h"
#include "collector/child/env.h"
#include "collector/compare/names.h"
#include "collector/tag.h"
#include "lib/base/file.h"
#include "lib/digest/digest.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

static int exit_of(const struct err *err)
{
	/* Whatever failed then: a git, say, which the terminal's Ctrl-C has ended too. */
	if (stop_signal && err->code != ERR_NONE)
		return 128 + stop_signal;
	switch (err->code) {
	case ERR_USAGE:
	case ERR_CONFIG:
	case ERR_RANGE:
		return EXIT_USAGE;
	case ERR_CHILD:
	case ERR_TIMEOUT:
		return EXIT_FAILED;
	case ERR_LATER:
	case ERR_STOPPED:
	case ERR_NONE:
	case ERR_ABSENT:
	case ERR_SYNTAX:
	case ERR_LIMIT:
	case ERR_IO:
	case ERR_FULL:
	case ERR_NOMEM:
	case ERR_GIT:
	case ERR_STORE:
	case ERR_CORRUPT:
	case ERR_NEWER:
	case ERR_BUSY:
	case ERR_CONFLICT:
	case ERR_NET:
	case ERR_REFUSED:
	default:
		return EXIT_ENVIRONMENT;
	}
}

int complain(const struct err *err)
{
	terminal_line("pawl: error", err->text);
	if (err->hint[0])
		terminal_line("hint", err->hint);
	else if (err->code == ERR_FULL)
		terminal_line("hint", "no space, or no further file: see 'df' and 'df -i'");
	return exit_of(err);
}

void context_close(struct context *c)
{
	repo_close(c->repo);
	config_release(&c->config);
	free(c->state_dir);
	free(c->store_path);
	free(c->project);
	calibrations_release(&c->known);
	memset(c, 0, sizeof(*c));
}

/* 1: results can be kept there, 0: they cannot; a fault that says nothing of the folder is an
 * error. */
static int usable(const struct context *c, const char *dir, struct err *err)
{
	struct err fault = ERR_INIT;
	struct stat st;

	if (!c->only_looks && file_make_dirs(dir, 0700, &fault))
		return fault.code == ERR_NOMEM ? err_nomem(err) : 0;
	/* A link planted in the repository must not send our files elsewhere. */
	if (lstat(dir, &st) || !S_ISDIR(st.st_mode))
		return 0;
	return !access(dir, R_OK | W_OK | X_OK);
}

static const char *const folders[] = { "bisect",   "cache", "comparisons", "log",
				       "receipts", "run",   "trees" };

/*
 * Nor must one below it: files would be written, run and removed where it leads.  All commands say
 * so, as who plants one there may have touched the rest too.
 */
static int refuse_links(const char *dir, bool in_repository, struct err *err)
{
	struct buf path = BUF_INIT;
	struct stat st;
	size_t i;
	int result = 0;

	for (i = 0; !result && i < sizeof(folders) / sizeof(folders[0]); i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", dir, folders[i]);
		if (buf_check(&path, err)) {
			result = -1;
		} else if (!lstat(buf_str(&path), &st) && !S_ISDIR(st.st_mode)) {
			result = err_set(err, ERR_IO, "cannot use '%s': it is %s", buf_str(&path),
					 S_ISLNK(st.st_mode) ? "a symbolic link" : "not a folder");
			err_hint(err, "remove it: pawl makes that folder itself%s",
				 in_repository ? "; to keep everything on another disk, put a link "
						 "in place of '.git/pawl' and set XDG_STATE_HOME"
					       : "");
		}
	}
	buf_release(&path);
	return result;
}

/* Below what the user keeps the state of programs in; empty: nowhere. */
static void add_own_dir(const char *name, struct buf *out)
{
	const char *home = getenv("HOME"), *state = getenv("XDG_STATE_HOME");

	if (state && *state)
		buf_addf(out, "%s/pawl/%.16s", state, name);
	else if (home && *home)
		buf_addf(out, "%s/.local/state/pawl/%.16s", home, name);
}

/* Of what is in no repository; results are of commits, so there is no store of them. */
static int find_own_state_dir(struct context *c, struct err *err)
{
	struct buf dir = BUF_INIT;
	int result;

	add_own_dir("commands", &dir);
	result = buf_check(&dir, err);
	if (!result && dir.len)
		result = usable(c, buf_str(&dir), err);
	if (result > 0)
		result = refuse_links(buf_str(&dir), false, err) ||
					 str_set(&c->state_dir, buf_str(&dir), err)
				 ? -1
				 : 0;
	buf_release(&dir);
	return result;
}

static bool is_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/*
 * A folder of the user's own for this repository, put into dir, which names the one that cannot be
 * used.  1: it is told; 0: there is none either, and that is told.
 */
static int find_elsewhere(const struct context *c, struct buf *dir, struct err *err)
{
	const char *common = repo_common_dir(c->repo);
	bool was_link = is_link(buf_str(dir));
	char id[DIGEST_HEX];
	int result;

	if (digest_of(common, strlen(common), id, err))
		return -1;
	buf_reset(dir);
	add_own_dir(id, dir);
	if (buf_check(dir, err))
		return -1;
	result = dir->len ? usable(c, buf_str(dir), err) : 0;
	if (result > 0)
		talk_note(c->talk, "%s; results are kept in '%s'",
			  was_link ? "'.git/pawl' is a symbolic link, which is not followed"
				   : "the repository cannot be written",
			  buf_str(dir));
	else if (!result)
		talk_warn(c->talk, "make the repository's folder writable, or set XDG_STATE_HOME",
			  "no folder for results can be written: nothing will be stored");
	return result;
}

/* <common dir>/pawl; else a folder of the user's own for this repository; else none. */
static int find_state_dir(struct context *c, struct err *err)
{
	struct buf dir = BUF_INIT;
	bool in_repository;
	int result = -1, found;

	buf_addf(&dir, "%s/pawl", repo_common_dir(c->repo));
	if (buf_check(&dir, err) || (found = usable(c, buf_str(&dir), err)) < 0)
		goto out;
	in_repository = found;
	if (!in_repository)
		found = find_elsewhere(c, &dir, err);
	if (found <= 0) {
		result = found;
		goto out;
	}
	if ((!c->only_looks && refuse_links(buf_str(&dir), in_repository, err)) ||
	    str_set(&c->state_dir, buf_str(&dir), err))
		goto out;
	buf_adds(&dir, "/results.db");
	result = buf_check(&dir, err) || str_set(&c->store_path, buf_str(&dir), err) ? -1 : 0;
out:
	buf_release(&dir);
	return result;
}

/* What the options say of every benchmark. */
static int apply_to_commands(const struct options *o, struct context *c, struct err *err)
{
	const struct {
		const char *key, *value, *option;
	} all[] = {
		{ "prepare", o->prepare, "--prepare" },
		{ "cleanup", o->cleanup, "--cleanup" },
		{ "stdin", o->input, "--stdin" },
		{ "warmup", o->warmup, "--warmup" },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].value &&
		    config_set_all(&c->config, all[i].key, all[i].value, all[i].option, err))
			return -1;
	return 0;
}

static int apply_options(const struct options *o, struct context *c, struct err *err)
{
	size_t i;

	for (i = 0; i + 1 < o->settings.n; i += 2)
		if (config_set(&c->config, o->settings.v[i], o->settings.v[i + 1],
			       "the command line", err))
			return -1;
	if (o->require_push)
		c->config.require_push = true;
	if (o->command.n && config_set_command(&c->config, o->command.v, err))
		return -1;
	if (apply_to_commands(o, c, err) || child_env_also(&c->config.env, err))
		return -1;
	return compare_make_relative(&c->config, c->repo ? repo_top(c->repo) : NULL, err);
}

static int name_project(struct context *c, struct err *err)
{
	if (c->config.project)
		return str_set(&c->project, c->config.project, err);
	return c->repo ? repo_project_name(c->repo, &c->project, err)
		       : tag_folder(&c->project, err);
}

/* With anywhere, a repository is looked for and need not be there. */
static int open_repo(struct context *c, bool anywhere, struct err *err)
{
	if (!repo_open(".", &c->repo, err))
		return 0;
	if (!anywhere || err->code == ERR_NOMEM)
		return -1;
	if (err->code != ERR_ABSENT)
		talk_warn(c->talk, err->hint[0] ? err->hint : NULL,
			  "the configuration of this repository is not used: %s", err->text);
	err_clear(err);
	c->repo = NULL;
	return 0;
}

enum opening { IN_REPO, ANYWHERE, BY_GIT_ALONE };

/* The work tree's configuration, or what the head itself has. */
static int load_config(const struct options *o, enum opening by, struct context *c, struct err *err)
{
	char head[OID_TEXT], id[OID_TEXT];

	if (by == BY_GIT_ALONE)
		return config_load_git(c->repo, c->talk, &c->config, err);
	if (!o->committed || o->working_tree || !c->repo)
		return config_load(c->repo, c->talk, &c->config, err);
	if (range_head(c->repo, &o->args, head, err) ||
	    config_load_committed(c->repo, head, c->talk, &c->config, err))
		return -1;
	/* A commit that is not here has none, either. */
	return c->config.n_benchmarks || !repo_resolve(c->repo, head, id, err) ? 0 : -1;
}

static int open_with(const struct options *o, enum opening by, struct context *c, struct err *err)
{
	config_init(&c->config);
	if (open_repo(c, by == ANYWHERE, err) || load_config(o, by, c, err) ||
	    apply_options(o, c, err) ||
	    (c->repo ? find_state_dir(c, err) : find_own_state_dir(c, err)) ||
	    name_project(c, err)) {
		context_close(c);
		return -1;
	}
	return 0;
}

static int open_anew(const struct options *o, enum opening by, struct context *c, struct err *err)
{
	memset(c, 0, sizeof(*c));
	c->talk = terminal_talk(o);
	return open_with(o, by, c, err);
}

int context_open(const struct options *o, struct context *out, struct err *err)
{
	return open_anew(o, IN_REPO, out, err);
}

int context_open_anywhere(const struct options *o, struct context *out, struct err *err)
{
	return open_anew(o, ANYWHERE, out, err);
}

int context_open_git(const struct options *o, struct context *out, struct err *err)
{
	return open_anew(o, BY_GIT_ALONE, out, err);
}

void context_sweep(const struct context *c)
{
	struct buf path = BUF_INIT;
	size_t i;

	if (c->state_dir)
		file_drop_left_overs(c->state_dir);
	for (i = 0; c->state_dir && i < sizeof(folders) / sizeof(folders[0]); i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", c->state_dir, folders[i]);
		if (!path.failed)
			file_drop_left_overs(buf_str(&path));
	}
	buf_release(&path);
}

int context_look(const struct options *o, struct context *out)
{
	memset(out, 0, sizeof(*out));
	out->only_looks = true;
	return open_with(o, IN_REPO, out, NULL);
}

int run_with_store(const struct options *o, enum store_mode mode,
		   int (*run)(const struct options *o, const struct context *c, struct store *store,
			      struct err *err))
{
	struct err err = ERR_INIT;
	struct store *store = NULL;
	struct context c;
	int status = -1;

	if (context_open(o, &c, &err))
		return complain(&err);
	if (!c.store_path) {
		err_set(&err, ERR_ABSENT, "there is no store of results");
	} else if (!store_open(c.store_path, mode, &store, &err)) {
		status = run(o, &c, store, &err);
		passed_over_tell(c.talk, store);
	} else if (err.code == ERR_ABSENT) {
		err_set(&err, ERR_ABSENT, "no result is stored yet: there is no '%s'",
			c.store_path);
		err_hint(&err, "run 'pawl collect' first");
	}
	store_close(store);
	context_close(&c);
	return status < 0 ? complain(&err) : status;
}
