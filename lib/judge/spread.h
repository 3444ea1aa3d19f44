/*
 * spread - by how much the same code in different layouts differs, of pairs that ran two of them.
 *
 * Each pair is of two layouts of one program that have nothing in common, and several pairs are of
 * the same two: a cluster.  Their logarithms differ by two draws of the layout, so that the spread
 * of one layout is the variance between clusters over 2 (lib/stats/clusters.h).
 */
#ifndef PAWL_JUDGE_SPREAD_H
#define PAWL_JUDGE_SPREAD_H

#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * Of metric m (of b), whose pairs were drawn apart (compare_request.layouts_apart); n is 0 where
 * that cannot be told: no layouts, too few, no ratios.  Errors: ERR_NOMEM.
 */
int spread_of_layouts(const struct bench *b, const struct metric *m, struct layout_calibration *out,
		      struct err *err);

#endif
