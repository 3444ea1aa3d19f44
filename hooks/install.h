/*
 * install - puts pawl's hooks where git finds them, beside what is there, and takes them away.
 *
 * A hook that is there already is kept as chained/NAME: ours hands it the same bytes and arguments
 * first, and its failure wins.  Uninstalling puts it back.  One that calls pawl by itself is left
 * as it is, and one of ours that is not as we wrote it is kept as NAME.edited.  Nothing that git
 * tracks, that other repositories share or that a hook manager writes anew is changed: the line to
 * add is told. Where git's configuration can name hooks (2.54), nothing is chained: git runs both.
 */
#ifndef PAWL_HOOKS_INSTALL_H
#define PAWL_HOOKS_INSTALL_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/git/hooks_path.h"
#include "lib/git/repo.h"

enum hook_event { HOOK_PRE_PUSH, HOOK_POST_COMMIT, HOOK_EVENTS };

/* "pre-push", "post-commit". */
const char *hook_event_name(enum hook_event event);

/* What is there for one event.  Owned strings. */
struct hook_state {
	char *path;	     /* of the hook's file; with husky of the one to edit */
	char *scope;	     /* of core.hooksPath, or NULL */
	const char *manager; /* "husky", "lefthook", "pre-commit", or NULL; static */
	bool configured;     /* git's configuration names ours */
	bool is_there, is_ours, is_current, is_executable;
	bool calls_us; /* a line of it does, whoever wrote it, and it is run */
	char *chained; /* where the one is that ours runs first, or NULL */
};

#define HOOK_STATE_INIT \
	{ \
		NULL, NULL, NULL, false, false, false, false, false, false, NULL \
	}

void hook_state_release(struct hook_state *s);

/* Looks at what is there, and changes nothing.  Errors: ERR_IO, ERR_NOMEM. */
int hook_look(const struct hooks_path *where, enum hook_event event, struct hook_state *out,
	      struct err *err);

/* Whether hook_install() would not write there, as husky, git or all repositories have it. */
bool hook_is_anothers(struct repo *repo, enum hook_event event, const struct hook_state *s);

/*
 * Installs; what was done is appended to out, a line each.  Installing twice is once.
 * Errors: ERR_CONFLICT where the file is not ours to change, with the line to add as the hint;
 *         ERR_IO, ERR_GIT, ERR_NOMEM.
 */
int hook_install(struct repo *repo, enum hook_event event, struct buf *out, struct err *err);

/* Takes ours away and puts back what was there.  Nothing to take away is no error.  Errors: as
 * above. */
int hook_uninstall(struct repo *repo, enum hook_event event, struct buf *out, struct err *err);

#endif
