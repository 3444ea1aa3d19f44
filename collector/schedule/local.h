/*
 * schedule_local - what the files of schedule share.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_LOCAL_H
#define PAWL_COLLECTOR_SCHEDULE_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "collector/schedule/schedule.h"
#include "collector/unit/unit.h"

/*
 * The log-ratios of the pairs, or the logs of the times when there is no base, of the metric that
 * gates, as far as they are finite.  out has room for u->n_pairs; returns how many.
 */
size_t schedule_values(const struct unit *u, double *out);

/* The most pairs that the unit can come to. */
size_t schedule_most(const struct unit *u, const struct schedule *s);

/* Closes the unit when it has pairs enough.  n_run: how many units are judged together. */
void schedule_close(struct unit *u, const struct schedule *s, size_t n_run);

/* Shows which pair of which unit comes next.  done_ns, left_ns: of all units. */
void schedule_show(const struct unit *u, const struct schedule *s, double done_ns, double left_ns);

#endif
