/*
 * ids - what git answers in ids of commits, one a line.
 *
 * Internal to lib/git.  args are git's words, NULL-terminated: options and whole ids alone.
 */
#ifndef PAWL_GIT_IDS_H
#define PAWL_GIT_IDS_H

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

/*
 * Appends the id that each line of the answer starts with.
 * Errors: ERR_GIT, also for what is no id; those of git_answer(); ERR_NOMEM.
 */
int ids_list(struct repo *repo, const char *const *args, struct strv *out, struct err *err);

/*
 * The first id of `git merge-base`, "" where it finds none.
 * Errors: ERR_GIT for what is no id; those of git_capture(); ERR_NOMEM.
 */
int ids_merge_base(struct repo *repo, const char *const *args, char out[OID_TEXT], struct err *err);

/* All of them, of `git merge-base --all`; errors: the same. */
int ids_merge_bases(struct repo *repo, const char *const *args, struct strv *out, struct err *err);

#endif
