/*
 * history - stored summaries of ancestors, the nearest first.
 */
#ifndef PAWL_RECORD_HISTORY_H
#define PAWL_RECORD_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"

struct history {
	struct summary *v;
	size_t n;
};

#define HISTORY_INIT \
	{ \
		NULL, 0 \
	}

void history_release(struct history *h);

/* Takes over *s and leaves it empty; on failure *s stays the caller's.  Errors: ERR_NOMEM. */
int history_add(struct history *h, struct summary *s, struct err *err);

/* The nearest ancestor that measured or identified the benchmark, and its entry; NULL if none. */
const struct bench *history_find(const struct history *h, const char *name,
				 const struct summary **out_summary);

/* Whether both are parts of one run of a suite, or both of none, of one commit. */
bool history_same_run(const struct summary *a, const struct summary *b);

/*
 * Whether there is a result of a whole suite, or every part of one run: only then a benchmark
 * that none of them has is a new one.
 * Cost: O(n^2) in the parts.
 */
bool history_is_whole(const struct history *h);

#endif
