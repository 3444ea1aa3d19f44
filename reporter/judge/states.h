/*
 * judge_states - whether a change is another one where the machine is slow.
 *
 * A processor that shares its core with another one's work is slow in its own way: what waits for
 * memory or for one unit of the core is slowed more than the rest.  Then one change has two sizes,
 * and a comparison shows the one of the state that it met: comparisons of the same two builds
 * differ by more than their intervals say.  Where pairs met both states, they can be held apart.
 */
#ifndef PAWL_REPORTER_JUDGE_STATES_H
#define PAWL_REPORTER_JUDGE_STATES_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"

/* Of the quickest and of the slowest third of the pairs: what a run took, and the change. */
struct states {
	bool differ;
	bool or_layout; /* no layout was met in both thirds: it may be that, and not the machine */
	double quick, slow;		/* unit of the metric, the median of both sides */
	double quick_ratio, slow_ratio; /* head over base */
};

/*
 * They differ where the thirds lie STATES_APART apart, their changes by the threshold and more, and
 * the 98 % intervals of these have nothing in common: by luck in 1 of 1,000.  Each side must be
 * slower, by half of that at least: where one alone is, its own times fall apart, and the other
 * side knows nothing of it.  Where layouts were drawn, the same ones must show it in both thirds.
 * Of times alone, of 24 pairs and more.  Errors: ERR_NOMEM.
 */
#define STATES_APART 1.1
int judge_states(const struct bench *b, const struct metric *m, struct states *out,
		 struct err *err);

#endif
