/*
 * schedule - who runs when: rounds over all benchmarks in random order, pairs in coin order.
 *
 * Order beats test: measured block by block, identical programs differ "significantly" in
 * four of ten comparisons; interleaved in random order in one of twenty, as they should.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_SCHEDULE_H
#define PAWL_COLLECTOR_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/run/runner.h"
#include "collector/unit/unit.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"

struct schedule {
	int runs_min, runs_max; /* per side; 1 <= min <= max */
	double confidence;
	uint64_t seed;
	struct unit *anchors; /* two, or NULL */
	const struct talk *talk;
	uint64_t deadline_ns;	  /* CLOCK_MONOTONIC at which measuring ends; 0: none */
	uint64_t (*now_ns)(void); /* NULL: CLOCK_MONOTONIC; a test's own clock */
};

/*
 * Calibrates every unit that is not over, runs one declared warm-up of each, then rounds:
 * each round runs every open unit once (a pair when it has a base) in random order, and
 * the anchors before them (every half second, where every unit has a base).  A unit closes at
 * runs_max, or from runs_min on when its interval is narrow enough (half-width <= half its
 * threshold) and at most a tenth of its pairs were void: the rule looks at the spread, never at the
 * sign.
 *
 * A unit with looks is judged when it has exactly as many pairs as one of them says, at the level
 * of a look, and never in between.  It closes when it is unchanged; when it is regressed or
 * improved even as the only one flagged of all units; and at the last look.  Where that one leaves
 * a change that is called by itself alone, and confirm_at is set, it closes at confirm_at, which
 * is added to its looks (for a unit without looks, runs_max becomes the first one).
 *
 * Behind the deadline no pair is started, but the first round always runs.  What was measured so
 * far stays and is judged; a unit without any pair failed.
 *
 * A run that fails or was suspended makes its pair void: it is repeated, at most three times
 * or every tenth pair; a unit that fails more often is over, with the reason in failure.  A
 * failure before any pair was measured is not repeated: it would only fail again.  A base that
 * fails as often is given up (base_failure), its pairs are dropped and the head goes on alone;
 * where needs_base is set the unit is over instead, and failure begins with "the base: " or
 * "the head: ".  Units that only one side has (only_base, only_head) are not run.
 *
 * Errors: ERR_STOPPED with the pairs measured so far kept; ERR_IO, ERR_NOMEM.
 */
int schedule_run(struct unit *units, size_t n, const struct schedule *s,
		 const struct runner *runner, struct err *err);

/* Whether schedule_run() would run any of them. */
bool schedule_has_work(const struct unit *units, size_t n);

#endif
