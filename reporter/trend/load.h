/*
 * trend_load - the trends of a line of commits, out of the local store.
 */
#ifndef PAWL_REPORTER_TREND_LOAD_H
#define PAWL_REPORTER_TREND_LOAD_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/store/local/store.h"
#include "reporter/trend/trend.h"

struct trend_query {
	const char *project, *machine;
	const char *benchmark;	 /* NULL: all */
	const char *metric;	 /* NULL: the gate of the newest result */
	const struct strv *line; /* ids, oldest first, each the first parent of the next */
	size_t first;		 /* place on the line of the oldest commit to show */
	size_t limit;		 /* at most so many commits with results are shown, the newest */
	const char *tag;	 /* name of the last tag; NULL: none, no creep is summed */
	size_t tag_place;	 /* its commit's place; TREND_NOWHERE when it is not on the line */
	const char *(*accepted)(void *ctx, const char *commit, const char *benchmark);
	void *ctx; /* of accepted(), which says why the change was accepted, or NULL; may be NULL */
};

/* One trend for each benchmark, by name. */
struct trend_set {
	struct trend *v;
	size_t n, cap;
	struct strv machines; /* others that have results on the line */
	size_t n_results;     /* clean ones of this machine on the line, of any benchmark */
};

#define TREND_SET_INIT \
	{ \
		NULL, 0, 0, STRV_INIT, 0 \
	}

void trend_set_release(struct trend_set *set);

/*
 * Reads, judges and sums.  Of a commit the newest clean result counts; where that has no step,
 * the newest one that has lends it.  Comparisons of a commit with itself are passed over.
 *
 * Errors: those of store_visit() and trend_judge(); *out is then empty.
 * Cost:   two passes over the heads of the rows; of each commit wanted the points of about one
 *         result are read, or, with another metric or threshold, the benchmark itself.
 */
int trend_load(struct store *store, const struct trend_query *query, struct trend_set *out,
	       struct err *err);

#endif
