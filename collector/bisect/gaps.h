/*
 * gaps - in which order the commits of a range are measured: what halves a gap first.
 *
 * Places 0..n-1 are commits, oldest first.  A gap lies between two that were chosen, one after the
 * other; to measure it is to run both side by side.  What was measured is split at its middle: gaps
 * that moved first, then the widest, the earliest of equals, and those of the same machine code
 * last, as something may have come and gone between.  Pure: no I/O.
 */
#ifndef PAWL_COLLECTOR_BISECT_GAPS_H
#define PAWL_COLLECTOR_BISECT_GAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

enum gap {
	GAP_UNKNOWN, /* not measured */
	GAP_SAME,    /* the same machine code at both ends */
	GAP_QUIET,   /* nothing moved that could be told */
	GAP_MOVED
};

struct gap_place {
	bool is_in, is_gone;
	size_t next;	 /* the chosen place after it; 0: none */
	enum gap found;	 /* in the gap up to there */
	size_t was_next; /* up to there it went before it was split, the last time; 0: never */
	enum gap was;	 /* and that was found in it */
};

struct gaps {
	struct gap_place *v;
	size_t n;
};

#define GAPS_INIT \
	{ \
		NULL, 0 \
	}

void gaps_release(struct gaps *g);

/* One gap, from the first of n >= 2 places to the last.  Errors: ERR_NOMEM. */
int gaps_init(size_t n, struct gaps *out, struct err *err);

/* Every place chosen: the gaps are those of neighbours, the earliest first.  Errors: ERR_NOMEM. */
int gaps_init_all(size_t n, struct gaps *out, struct err *err);

/* The gap to be measured next; false: every place is chosen or gone, and all gaps are measured. */
bool gaps_next(struct gaps *g, size_t *out_from, size_t *out_to);

/* What the gap that begins there turned out to be. */
void gaps_found(struct gaps *g, size_t from, enum gap found);

/* A commit that cannot be measured: the gaps on its sides become one, or begin or end elsewhere. */
void gaps_drop(struct gaps *g, size_t place);

/* How many gaps are measured, and the width of the widest of all; 1: they are of neighbours. */
size_t gaps_count(const struct gaps *g, size_t *out_widest);

/* How many of them turned out to be that. */
size_t gaps_count_of(const struct gaps *g, enum gap found);

#endif
