#include "hooks/install.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hooks/chain.h"
#include "hooks/text.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "lib/git/hooks_path.h"

#include "lib/base/banned.h"

#define HOOK_MAX_BYTES (1u << 20)
#define EDITED ".edited" /* one of ours that is not as we wrote it */

/* Runs it where it is, and stops nothing where it is not; only a regression stops a push. */
#define LINE_PRE_PUSH \
	"if command -v pawl >/dev/null 2>&1; then pawl hook run pre-push \"$@\" || " \
	"[ $? -ne 1 ] || exit 1; fi"
#define LINE_POST_COMMIT \
	"if command -v pawl >/dev/null 2>&1; then " \
	"pawl hook run post-commit </dev/null >/dev/null 2>&1 & fi"

/*
 * The name of git's section, the texts that we write, how they begin, how pawl is called, and the
 * line for a hook that is not ours to write.
 */
static const struct {
	const char *name, *section, *text, *command, *start, *call, *line;
} events[HOOK_EVENTS] = {
	{ "pre-push", "pawl", HOOK_TEXT_PRE_PUSH,
	  "sh -c 'command -v pawl >/dev/null 2>&1 || "
	  "{ echo \"pawl: nothing is compared: pawl is not in PATH\" >&2; exit 0; }; "
	  "pawl hook run pre-push \"$@\"; test $? -ne 1' pre-push",
	  "#!/bin/sh\n# pawl's pre-push hook", "pawl hook run pre-push", LINE_PRE_PUSH },
	{ "post-commit", "pawl-post-commit", HOOK_TEXT_POST_COMMIT,
	  "sh -c 'command -v pawl >/dev/null 2>&1 || exit 0; "
	  "pawl hook run post-commit </dev/null >/dev/null 2>&1 &' post-commit",
	  "#!/bin/sh\n# pawl's post-commit hook", "pawl hook run post-commit", LINE_POST_COMMIT },
};

const char *hook_event_name(enum hook_event event)
{
	return events[event].name;
}

void hook_state_release(struct hook_state *s)
{
	free(s->path);
	free(s->scope);
	free(s->chained);
	*s = (struct hook_state)HOOK_STATE_INIT;
}

/* Who wrote the hook, or whose folder it is; NULL: nobody known. */
static const char *manager_of(const char *path, const char *text)
{
	if (strstr(path, "/.husky/"))
		return "husky";
	if (strstr(text, "lefthook"))
		return "lefthook";
	if (strstr(text, "pre-commit.com") || strstr(text, "pre_commit"))
		return "pre-commit";
	return NULL;
}

/* Whether a line does that is no comment. */
static bool calls(const char *text, const char *call)
{
	const char *at, *line;

	for (at = text; (at = strstr(at, call)); at += strlen(call)) {
		for (line = at; line > text && line[-1] != '\n'; line--)
			;
		if (line[strspn(line, " \t")] != '#')
			return true;
	}
	return false;
}

/* git leaves out what is not executable; husky does not ask. */
static bool is_run(const struct hook_state *s)
{
	return s->is_executable || (s->manager && !strcmp(s->manager, "husky"));
}

static int look_at_file(struct hook_state *s, enum hook_event event, struct err *err)
{
	struct buf text = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	if (chain_find(s->path, &s->chained, err))
		return -1;
	if (file_read_whole(s->path, HOOK_MAX_BYTES, &text, &fault)) {
		struct stat st;

		/* A dangling link is there too, and must not be written through. */
		s->is_there = !lstat(s->path, &st);
		if (fault.code != ERR_ABSENT && fault.code != ERR_LIMIT) {
			*err = fault;
			goto out;
		}
	} else {
		s->is_there = true;
		s->is_ours = str_starts(buf_str(&text), events[event].start);
		s->is_current = !strcmp(buf_str(&text), events[event].text);
		s->is_executable = !access(s->path, X_OK);
	}
	s->manager = manager_of(s->path, s->is_ours ? "" : buf_str(&text));
	s->calls_us = is_run(s) && calls(buf_str(&text), events[event].call);
	result = 0;
out:
	buf_release(&text);
	return result;
}

/* What husky runs from its own folder .husky/_ is the file of that name above it. */
static void name_own_file(struct buf *path)
{
	char *own = path->failed ? NULL : strstr(path->data, "/.husky/_/");

	if (!own)
		return;
	own += strlen("/.husky/");
	memmove(own, own + 2, strlen(own + 2) + 1);
	path->len -= 2;
}

int hook_look(const struct hooks_path *where, enum hook_event event, struct hook_state *out,
	      struct err *err)
{
	struct hook_state s = HOOK_STATE_INIT;
	struct buf path = BUF_INIT;
	int result = -1;

	*out = s;
	s.configured = hooks_path_names(where, events[event].section);
	buf_addf(&path, "%s/%s", where->dir, events[event].name);
	name_own_file(&path);
	if (buf_check(&path, err) || str_set(&s.path, buf_str(&path), err) ||
	    str_set(&s.scope, where->scope, err) || look_at_file(&s, event, err))
		goto out;
	*out = s;
	s = (struct hook_state)HOOK_STATE_INIT;
	result = 0;
out:
	hook_state_release(&s);
	buf_release(&path);
	return result;
}

/* For one event alone. */
static int look_at_one(struct repo *repo, enum hook_event event, struct hook_state *out,
		       struct err *err)
{
	struct hooks_path where = HOOKS_PATH_INIT;
	int result = -1;

	*out = (struct hook_state)HOOK_STATE_INIT;
	if (!hooks_path_find(repo, &where, err))
		result = hook_look(&where, event, out, err);
	hooks_path_release(&where);
	return result;
}

/* Errors: ERR_CONFLICT where the file is not ours to change. */
static int check_may_write(struct repo *repo, enum hook_event event, const struct hook_state *s,
			   struct err *err)
{
	bool tracked = false;

	if (s->manager && !strcmp(s->manager, "husky")) {
		err_set(err, ERR_CONFLICT, "husky keeps the hooks in '%s'", s->path);
		return err_hint(err, "put this line into .husky/%s: %s", events[event].name,
				events[event].line);
	}
	if (s->scope && strcmp(s->scope, "local") != 0 && strcmp(s->scope, "worktree") != 0) {
		err_set(err, ERR_CONFLICT, "core.hooksPath is set for all repositories (%s): '%s'",
			s->scope, s->path);
		return err_hint(err, "put this line into that hook: %s", events[event].line);
	}
	if (hooks_path_is_tracked(repo, s->path, &tracked, err))
		return -1;
	if (!tracked)
		return 0;
	err_set(err, ERR_CONFLICT, "git tracks '%s'", s->path);
	return err_hint(err, "put this line into it and commit it: %s", events[event].line);
}

bool hook_is_anothers(struct repo *repo, enum hook_event event, const struct hook_state *s)
{
	struct err err = ERR_INIT;

	return !s->is_ours && check_may_write(repo, event, s, &err);
}

static int move_aside(const struct hook_state *s, struct buf *out, struct err *err)
{
	struct buf kept = BUF_INIT;
	int result = -1;

	if (!chain_keep(s->path, &kept, err) && !buf_check(&kept, err)) {
		buf_addf(out, "the hook that was there runs first: '%s'\n", buf_str(&kept));
		if (s->manager)
			buf_addf(out, "it is %s's: if %s writes it anew, install again\n",
				 s->manager, s->manager);
		result = 0;
	}
	buf_release(&kept);
	return result;
}

/* An older text of ours cannot be told from one that somebody changed: it is kept. */
static int keep_edited(const struct hook_state *s, struct buf *out, struct err *err)
{
	struct buf edited = BUF_INIT;
	int result = -1;

	buf_addf(&edited, "%s" EDITED, s->path);
	if (buf_check(&edited, err))
		goto out;
	if (rename(s->path, buf_str(&edited))) {
		err_sys(err, ERR_IO, "cannot rename '%s'", s->path);
		goto out;
	}
	buf_addf(out, "it was not as this version writes it, and is kept: '%s'\n",
		 buf_str(&edited));
	result = 0;
out:
	buf_release(&edited);
	return result;
}

/* Makes room for our file; put_back() undoes it. */
static int clear_path(const struct hook_state *s, struct buf *out, struct err *err)
{
	if (!s->is_there || (s->is_ours && s->is_current))
		return 0;
	return s->is_ours ? keep_edited(s, out, err) : move_aside(s, out, err);
}

static void put_back(const struct hook_state *s)
{
	struct buf from = BUF_INIT;

	if (!s->is_there || (s->is_ours && s->is_current))
		return;
	buf_addf(&from, "%s" EDITED, s->path);
	if (!s->is_ours)
		chain_put_back(s->path, NULL);
	else if (!buf_check(&from, NULL))
		rename(buf_str(&from), s->path);
	buf_release(&from);
}

/* The folder may be missing: git makes it from a template that need not have it. */
static int write_file(enum hook_event event, const struct hook_state *s, struct err *err)
{
	char *dir = str_dup(s->path, err), *slash;
	int result = -1;

	if (!dir)
		return -1;
	slash = strrchr(dir, '/');
	*slash = '\0';
	if (!file_make_dirs(dir, 0777, err))
		result = file_write_whole(s->path, events[event].text, strlen(events[event].text),
					  0755, err);
	free(dir);
	return result;
}

static int install_file(struct repo *repo, enum hook_event event, const struct hook_state *s,
			struct buf *out, struct err *err)
{
	if (s->is_ours && s->is_current && s->is_executable) {
		buf_addf(out, "the %s hook is installed already: '%s'\n", events[event].name,
			 s->path);
		return 0;
	}
	if (s->calls_us && !s->is_ours) {
		buf_addf(out, "'%s' runs it already, and is not changed\n", s->path);
		return 0;
	}
	if (check_may_write(repo, event, s, err) || clear_path(s, out, err) ||
	    (s->is_ours && chain_move_older(s->path, err)))
		return -1;
	if (write_file(event, s, err)) {
		put_back(s);
		return -1;
	}
	buf_addf(out, "the %s hook is installed: '%s'\n", events[event].name, s->path);
	return 0;
}

int hook_install(struct repo *repo, enum hook_event event, struct buf *out, struct err *err)
{
	struct hook_state s = HOOK_STATE_INIT;
	bool by_config;
	int result = -1;

	if (look_at_one(repo, event, &s, err) || hooks_in_config(&by_config, err))
		goto out;
	if (!by_config || s.is_ours || s.calls_us) {
		result = install_file(repo, event, &s, out, err);
	} else if (!hooks_config_set(repo, events[event].section, events[event].name,
				     events[event].command, s.configured, err)) {
		buf_addf(out, "the %s hook is installed%s: in git's configuration, hook.%s\n",
			 events[event].name, s.configured ? " already" : "", events[event].section);
		result = 0;
	}
out:
	hook_state_release(&s);
	return result;
}

static int remove_file(enum hook_event event, const struct hook_state *s, struct buf *out,
		       struct err *err)
{
	if (!s->is_current && keep_edited(s, out, err))
		return -1;
	if (s->chained) {
		if (chain_put_back(s->path, err))
			return -1;
	} else if (s->is_current && unlink(s->path)) {
		return err_sys(err, ERR_IO, "cannot remove '%s'", s->path);
	}
	buf_addf(out, "the %s hook is removed%s: '%s'\n", events[event].name,
		 s->chained ? ", the one before is back" : "", s->path);
	return 0;
}

int hook_uninstall(struct repo *repo, enum hook_event event, struct buf *out, struct err *err)
{
	struct hook_state s = HOOK_STATE_INIT;
	int result = -1;

	if (look_at_one(repo, event, &s, err))
		return -1;
	if (hooks_config_set(repo, events[event].section, events[event].name, NULL, s.configured,
			     err) ||
	    (s.is_ours && remove_file(event, &s, out, err)))
		goto out;
	if (s.configured)
		buf_addf(out, "the %s hook is removed: hook.%s of git's configuration\n",
			 events[event].name, events[event].section);
	result = 0;
out:
	hook_state_release(&s);
	return result;
}
