/*
 * range - "A..B", "A...B" or "A", as git writes them.
 */
#ifndef PAWL_CLI_RANGE_H
#define PAWL_CLI_RANGE_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

struct range {
	char *from, *to; /* revisions; to NULL: a single revision was named, which is `from` */
};

#define RANGE_INIT \
	{ \
		NULL, NULL \
	}

void range_release(struct range *r);

/*
 * What is left out beside the dots is HEAD.  Of "A...B" the beginning is the commit that both have
 * in common.  Errors: those of walk_merge_base(); ERR_NOMEM.
 */
int range_parse(struct repo *repo, const char *text, struct range *out, struct err *err);

/*
 * The commit of a revision; out[0..OID_TEXT).  A whole id is taken as it is, here or not, without
 * the library that would look it up: who names a commit so, as a hook does, need not wait for that.
 * Errors: ERR_ABSENT an unknown revision; ERR_GIT.
 */
int range_commit(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err);

/*
 * Likewise the commit that is the head of BASE, BASE..HEAD or BASE HEAD.
 * Errors: those of range_parse() and range_commit().
 */
int range_head(struct repo *repo, const struct strv *words, char out[OID_TEXT], struct err *err);

/*
 * After a fault with HEAD~1, which nobody had typed: where HEAD is the first commit, *err says that
 * instead, without a cure.  Whether it does.
 */
bool range_tell_first(struct repo *repo, struct err *err);

#endif
