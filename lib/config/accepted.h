/*
 * accepted - changes in speed that the project has accepted, from a committed file.
 *
 *   [accept "FULLCOMMITID"]
 *           benchmark = deflate/6
 *           change = +6.1%
 *           metric = peak-rss
 *           because = the new table is worth it
 *           subject = ...
 *           authored = 2026-11-20T10:00:00Z
 *
 * .pawlaccepted at the top of the work tree, in git's configuration syntax.  Each `benchmark` opens
 * an entry, the keys behind it belong to it; a section may hold several, and a commit have several
 * sections.  A benchmark that ends with '*' stands for all whose names begin so, one that ends with
 * '\*' for the name that ends with a '*'.
 *
 * A change is how much worse the benchmark gets at most: the ratio head / base less 1 where less is
 * better, base / head less 1 where more is better.  It is one of the metric that decides: without
 * `metric` of a time, be it CPU or wall time.
 */
#ifndef PAWL_CONFIG_ACCEPTED_H
#define PAWL_CONFIG_ACCEPTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/git/repo.h"

#define ACCEPTED_FILE ".pawlaccepted"
#define ACCEPTED_BECAUSE_MAX 1000 /* bytes */
#define ACCEPTED_CHANGE_MAX 1e6	  /* a larger one is not written as a number */
#define ACCEPTED_CHANGE_TEXT 32

struct accepted_change {
	char *commit;	     /* hex, whole */
	char *benchmark;     /* as str_is_named() takes it */
	char *metric;	     /* what got worse; NULL: a time */
	char *because;	     /* one line */
	char *subject;	     /* of the commit, one line; NULL: not said */
	int64_t authored_us; /* whole seconds; INT64_MIN: not said */
	double change;	     /* 0.061 is 6.1 %; INFINITY: of any size, also where none is said */
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

/* The same of the file that a commit has.  Errors: also ERR_GIT. */
int accepted_load_committed(struct repo *repo, const char *commit, struct accepted *out,
			    struct err *err);

/*
 * "6.1%", "+6.1%", "0.061", "any"; a number without '%' is at most 1, so that nobody accepts 600 %
 * by "6".  False for anything else.
 */
bool accepted_change_parse(const char *text, double *out);

/* "+6.1%" or "any"; returns out. */
const char *accepted_change_print(double change, char out[ACCEPTED_CHANGE_TEXT]);

/*
 * Appends one change to the file; what stands there stays as it is, comments included.  line is not
 * read.  Errors: those of accepted_read(); ERR_USAGE for a benchmark's name that cannot be one,
 * for a reason that is empty or too long, or a size that is none; ERR_IO, ERR_FULL.  The file is
 * untouched then.
 */
int accepted_add(const char *path, const struct accepted_change *change, struct err *err);

/* What is accepted between two commits. */
struct allowance {
	const struct accepted_change *last; /* in the file; NULL: nothing */
	double ratio;			    /* product of all (1 + change), >= 1; may be INFINITY */
	size_t n;			    /* commits; those behind one of any size do not count */
};

/*
 * What is accepted of the commits that head has and base has not, for a benchmark and a metric
 * (NULL: a time; ACCEPTED_ANY_METRIC); out->last is
 * valid until accepted_release().  Of several entries for one commit the last one counts.
 *
 * What a later commit between both takes back (reverted.h) is not accepted: it is not there.  Nor
 * is what base has under another id, by its subject, its author's time and its patch (patch.h), as
 * it was picked: base has that cost already; of what was amended it may have had none. A commit
 * that was rebased or picked is known by its subject and its author's time, as long as head does
 * not have the one that was accepted; where that was taken back, by its patch, too.  A base that is not here
 * is taken as the parent of head.  base NULL: nothing is accepted.
 *
 * Errors: ERR_ABSENT an unknown head; ERR_GIT, ERR_NOMEM.
 * Cost:   nothing for a benchmark that no change names; else a few git commands.
 */
#define ACCEPTED_ANY_METRIC "*"
int accepted_sum(const struct accepted *a, struct repo *repo, const char *base, const char *head,
		 const char *benchmark, const char *metric, struct allowance *out, struct err *err);

/* As accepted_sum(), but only the change accepted last, of whatever size and metric; *out NULL:
 * none. */
int accepted_find(const struct accepted *a, struct repo *repo, const char *base, const char *head,
		  const char *benchmark, const struct accepted_change **out, struct err *err);

#endif
