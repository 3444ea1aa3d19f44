/*
 * metrics - what the server has done so far, in numbers, for those who watch it.
 *
 * Source: OpenMetrics 1.0 (https://openmetrics.io), the text format.
 */
#ifndef PAWL_SERVER_ANSWER_METRICS_H
#define PAWL_SERVER_ANSWER_METRICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/buf.h"

#define METRICS_N_BUCKETS 8

/* Since the start; from any thread. */
struct metrics {
	atomic_ullong requests[6];		/* by the first digit of their status */
	atomic_ullong times[METRICS_N_BUCKETS]; /* not over each bound; the last one has none */
	atomic_ullong total_us;
};

/* One request that was answered with that status, after so long. */
void metrics_count(struct metrics *m, unsigned status, uint64_t took_ns);

void metrics_write(const struct metrics *m, struct buf *out);

/*
 * Turns all that was written into the text format of before OpenMetrics (version 0.0.4), in which a
 * counter's family has the name of its sample.  Errors: ERR_NOMEM.
 */
int metrics_make_plain(struct buf *text, struct err *err);

/* One number, with what it is; is_total: it only grows, and its name ends in _total. */
void metrics_write_one(struct buf *out, const char *name, const char *help, bool is_total,
		       unsigned long long value);

#endif
