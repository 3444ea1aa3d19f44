/*
 * judge_apart - two results that were measured one after the other, compared.
 *
 * What moved the machine between them is in the difference too: it is shown with an interval and a
 * p value, as benchstat shows it, and may be a hint, but never a verdict.
 */
#ifndef PAWL_REPORTER_JUDGE_APART_H
#define PAWL_REPORTER_JUDGE_APART_H

#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * Puts the samples of base beside those of head, benchmark by benchmark and metric by metric, and
 * fills every delta: the ratio of the geometric means, by Student's t on the logs with one common
 * variance; where a value has no log, the difference of the means, by Student's t on the values.
 * What one of them lacks is added or removed, where that one is of everything that is configured;
 * else what the head lacks is named in its warnings.  On two machines nothing is a hint, and a
 * warning names both.
 *
 * Errors: ERR_NOMEM.
 */
int judge_apart(const struct summary *base, struct summary *head, struct err *err);

#endif
