/*
 * walk - which commits lie between two, where to cut when bisecting, and the last tag.
 *
 * By the git command: it knows the graph best (commit-graph files, shallow borders).
 */
#ifndef PAWL_GIT_WALK_H
#define PAWL_GIT_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

/*
 * Appends the ids of the commits that `to` has and `from` has not, oldest first, at most max (0:
 * all; the newest stay).  from NULL: down to the root.  first_parent: only the main line. Errors:
 * ERR_ABSENT an unknown revision; ERR_GIT, ERR_LIMIT, ERR_NOMEM.
 */
int walk_between(struct repo *repo, const char *from, const char *to, bool first_parent, size_t max,
		 struct strv *out, struct err *err);

/*
 * The commits that could be the first bad one: ancestors of bad (itself included) that no good one
 * has, best cut first (what halves the rest), as `git rev-list --bisect-all` puts them.  on_path:
 * of these, those alone that go on from good->v[0]; the other good ones go on from it, too.
 * Errors: as walk_between().
 */
int walk_bisect(struct repo *repo, const struct strv *good, const char *bad, bool on_path,
		struct strv *out, struct err *err);

/* Whether `ancestor` is an ancestor of, or the same as, `commit`.  Errors: ERR_ABSENT, ERR_GIT. */
int walk_is_ancestor(struct repo *repo, const char *ancestor, const char *commit, bool *out,
		     struct err *err);

/*
 * The nearest tag on the first-parent line below commit (not at it): its commit and name; free()
 * the name.  Errors: ERR_ABSENT there is none; ERR_GIT, ERR_NOMEM.
 */
int walk_last_tag(struct repo *repo, const char *commit, char out[OID_TEXT], char **out_name,
		  struct err *err);

/*
 * The newest of n commits, oldest first, that has a tag: its place and the tag's name; free() it.
 * Errors: ERR_ABSENT none has; ERR_GIT, ERR_NOMEM.  Cost: one git, however long the history is.
 */
int walk_tag_among(struct repo *repo, const struct strv *ids, size_t n, size_t *out,
		   char **out_name, struct err *err);

/*
 * The nearest commit that both have: where `git diff A...B` starts.
 * Errors: ERR_ABSENT an unknown revision, or none in common, with the cure; ERR_GIT, ERR_NOMEM.
 */
int walk_merge_base(struct repo *repo, const char *a, const char *b, char out[OID_TEXT],
		    struct err *err);

/* "Name <mail>" of a commit's author, by the mail map; free() it.  Errors: as walk_between(). */
int walk_author(struct repo *repo, const char *commit, char **out, struct err *err);

#endif
