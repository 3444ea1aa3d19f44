/*
 * fork - where a commit leaves what a remote is known to have.
 *
 * By the git command and the remote-tracking branches alone: nothing is fetched.
 */
#ifndef PAWL_GIT_FORK_H
#define PAWL_GIT_FORK_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

/*
 * Appends for each whole id the commit that it leads to (a tag: peeled), or "" where it leads to
 * none or is not here; an empty id gives "".  Errors: ERR_GIT, ERR_LIMIT, ERR_NOMEM.  Cost: one git
 * command for all of them.
 */
int commits_of(struct repo *repo, const struct strv *ids, struct strv *out, struct err *err);

#define FORK_TIPS 64	 /* branches of a remote that are looked at, the newest */
#define FORK_HEADS 20000 /* ids of one call */

struct fork {
	struct repo *repo;
	struct strv tips;     /* commits of the remote's branches */
	struct strv unpushed; /* of the heads, those that no branch of the remote has; sorted */
};

#define FORK_INIT \
	{ \
		NULL, STRV_INIT, STRV_INIT \
	}

/*
 * remote: its name; what is none (a URL), or has no branches here, stands for all remotes.
 * heads: whole ids of commits that are here; those behind the first FORK_HEADS are taken for known.
 *
 * Errors: ERR_GIT, ERR_LIMIT, ERR_NOMEM.  Cost: two git commands, the second of which walks what
 *         the remote has not.
 */
int fork_open(struct repo *repo, const char *remote, const struct strv *heads, struct fork *out,
	      struct err *err);
void fork_close(struct fork *f);

/*
 * The nearest commit that both the head and the remote have; the head itself when it is known.
 * Errors: ERR_ABSENT nothing in common; ERR_GIT, ERR_NOMEM.  Cost: one git command for an unknown
 * head.
 */
int fork_point(const struct fork *f, const char *head, char out[OID_TEXT], struct err *err);

#endif
