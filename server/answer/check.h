/*
 * check - whether a summary is a result of a commit, and what it tells of its samples fits them.
 *
 * Whoever posts computes the figures, and histories show them: one that contradicts its samples is
 * a fault of the client, or no measurement at all.
 */
#ifndef PAWL_SERVER_ANSWER_CHECK_H
#define PAWL_SERVER_ANSWER_CHECK_H

#include "lib/base/err.h"
#include "lib/record/summary.h"

#define CHECK_MOST_BRANCH 2000 /* bytes of its name */

/*
 * It has no sides: two builds or commands held against each other are no result of a commit.
 * Each metric that has samples: n is their number, mean, median, min, max and stddev are theirs;
 * the p99 is theirs by some definition, and the throughput of a time in ns between those of the
 * slowest and the fastest.  Without samples, too: mean, median and p99 lie between min and max. The
 * mean lies within its interval, however that was made.  A figure may differ by rounding: a
 * millionth. A delta is not looked at: slices, layouts and earlier sessions have a part in it.
 *
 * The name of the branch is one that every store can find again.
 *
 * Errors: ERR_RANGE, "benchmarks[2].metrics[0].median: ..."; ERR_NOMEM.
 */
int check_figures(const struct summary *s, struct err *err);

#endif
