/*
 * walk - goes through the points that a history shows, in its order (place.h).
 *
 * Points lie in order of arrival, so those of one commit are gathered first.
 */
#ifndef PAWL_STORE_HISTORY_WALK_H
#define PAWL_STORE_HISTORY_WALK_H

#include "lib/store/history/choose.h"
#include "lib/store/ledger/place.h"
#include "lib/store/points/merge.h"

struct walk {
	struct ledger *l;
	int64_t project;
	const struct history_query *q; /* branch, since and until are looked at */
	const struct chosen *c;
	/* 0: taken; 1: it is not wanted any more, nor what follows; -1: failed. */
	int (*take)(void *ctx, const struct ledger_point *p, struct err *err);
	void *ctx;
	bool is_stopped;	  /* take gave 1 */
	struct ledger_point last; /* the one that was taken last, when n > 0 */
	size_t n;		  /* points that were taken */
	struct place gone;	  /* nothing up to here is left, whatever fails behind it */
};

/*
 * Calls w->take for each point behind that place; its fields up to ctx are given, the rest zero.
 * Within one transaction.
 * Errors: those of take, merge_next(), runs_find().
 * Cost:   that of the stream; memory for the points of one commit.
 */
int walk_points(struct walk *w, const struct place *behind, struct err *err);

/*
 * Where the most newest runs of its branch begin, at since or later; *all: there are no others, and
 * *out_t is since.
 */
int walk_last_of_branch(const struct walk *w, size_t most, int64_t since, int64_t *out_t, bool *all,
			struct err *err);

#endif
