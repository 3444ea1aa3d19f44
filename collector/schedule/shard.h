/*
 * shard - which part of a suite one of several parallel jobs measures.
 *
 * A benchmark's part follows from its name and from the results of earlier commits alone, never
 * from what this job found: jobs with the same earlier results agree without talking to each other,
 * and one that cannot list a program does not move the benchmarks of the others.  Those with a
 * known time are dealt out, the longest first, each to the part that has least to do; all others go
 * by a digest of their name.  Where the jobs had different results, their `split` differs.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_SHARD_H
#define PAWL_COLLECTOR_SCHEDULE_SHARD_H

#include "collector/unit/units.h"
#include "lib/git/repo.h"
#include "lib/record/summary.h"
#include "lib/store/local/store.h"

/* What one benchmark took, and whose it is. */
struct shard_time {
	char *name;
	double ns; /* of all its runs together */
	int index; /* 1..count */
};

struct shard_split {
	struct shard_time *v; /* by name */
	size_t n;
	int count;
	char id[17]; /* over v; "" when nothing is known */
};

#define SHARD_SPLIT_INIT \
	{ \
		NULL, 0, 0, "" \
	}

void shard_split_release(struct shard_split *split);

/* "2/5".  Errors: ERR_USAGE. */
int shard_parse(const char *text, struct shard *out, struct err *err);

/*
 * Takes what is known of the summary's benchmarks; a name that is there already keeps its time.
 * Errors: ERR_NOMEM.
 */
int shard_learn(struct shard_split *split, const struct summary *s, struct err *err);

/* Deals out what was learned.  Errors: ERR_NOMEM.  Cost: O(n log n + n count). */
int shard_deal(struct shard_split *split, int count, struct err *err);

/* Whose benchmark it is: 1..count.  Errors: ERR_NOMEM, then 0. */
int shard_of(const struct shard_split *split, const char *name, struct err *err);

/*
 * Learns from the nearest first-parent ancestors of the commit that have results, of any machine,
 * and deals out.  The commit's own results do not count: a part that was measured before would
 * move the others.  store NULL: there is nothing to learn.
 *
 * Errors: ERR_GIT, ERR_STORE, ERR_NOMEM.
 */
int shard_find(struct repo *repo, struct store *store, const char *project, const char *commit,
	       int count, struct shard_split *out, struct err *err);

/*
 * Leaves in the plan what is this part's.  A program that could not be asked for its benchmarks
 * stays in every part: nobody knows whose they are.
 */
int shard_keep(const struct shard_split *split, int index, struct plan *plan, struct err *err);

#endif
