/*
 * accepted - changes in speed that the project has accepted, from a committed file.
 *
 *   [accept "FULLCOMMITID"]
 *           benchmark = deflate/6
 *           because = the new table is worth it
 *           subject = ...
 *           authored = 2026-11-20T10:00:00Z
 *
 * .pawlaccepted at the top of the work tree, in git's configuration syntax.  Each `benchmark` opens
 * an entry, the keys behind it belong to it; a section may hold several, and a commit have several
 * sections.  A benchmark that ends with '*' stands for all whose names begin so.
 */
#ifndef PAWL_CONFIG_ACCEPTED_H
#define PAWL_CONFIG_ACCEPTED_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/git/repo.h"

#define ACCEPTED_FILE ".pawlaccepted"
#define ACCEPTED_BECAUSE_MAX 1000 /* bytes */

struct accepted_change {
	char *commit;	     /* hex, whole */
	char *benchmark;     /* name, or the begin of names and a '*' */
	char *because;	     /* one line */
	char *subject;	     /* of the commit, one line; NULL: not said */
	int64_t authored_us; /* whole seconds; INT64_MIN: not said */
	int line;	     /* in the file */
};

struct accepted {
	struct accepted_change *v;
	size_t n;
};

#define ACCEPTED_INIT \
	{ \
		NULL, 0 \
	}

void accepted_release(struct accepted *a);

/*
 * Reads a file, or that of a repository's work tree; where there is none, nothing is accepted.
 * Errors: ERR_CONFIG with file, line and cure; ERR_IO; ERR_NOMEM.  *out is untouched then.
 */
int accepted_read(const char *path, struct accepted *out, struct err *err);
int accepted_load(struct repo *repo, struct accepted *out, struct err *err);

/*
 * Appends one change to the file; what stands there stays as it is, comments included.  line is not
 * read.  Errors: those of accepted_read(); ERR_USAGE for a benchmark's name that cannot be one, or
 * for a reason that is empty or too long; ERR_IO, ERR_FULL.  The file is untouched then.
 */
int accepted_add(const char *path, const struct accepted_change *change, struct err *err);

/*
 * The change accepted last, of a commit that head has and base has not, for a benchmark; *out NULL
 * when there is none, valid until accepted_release().
 *
 * A commit that was rebased or picked is known by its subject and its author's time, as long as
 * head does not have the one that was accepted.  A base that is not here is taken as the parent of
 * head.  base NULL: nothing is accepted.
 *
 * Errors: ERR_ABSENT an unknown head; ERR_GIT, ERR_NOMEM.
 * Cost:   nothing for a benchmark that no change names; else a few git commands.
 */
int accepted_find(const struct accepted *a, struct repo *repo, const char *base, const char *head,
		  const char *benchmark, const struct accepted_change **out, struct err *err);

#endif
