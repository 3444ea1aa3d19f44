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
#include "lib/record/calibration/calibrations.h"

/*
 * All pairs of a unit that may have more than 200 take at most this, by its calibration, and those
 * of all units that (docs/decisions/0050-short-pairs.md).
 */
#define SCHEDULE_SHORT_NS 5e9
#define SCHEDULE_SHORT_ALL_NS 60e9

struct schedule {
	int runs_min, runs_max; /* per side; 1 <= min <= max */
	bool runs_asked;	/* runs_max holds for all units; else long ones end at 200 */
	uint64_t seed;
	struct unit *anchors; /* two, or NULL */
	const struct talk *talk;
	const struct calibrations
		*known;		  /* of this machine, as the report will see them; or NULL */
	unsigned comparisons;	  /* of as many units each, judged together; 0: one */
	bool shows_only;	  /* nothing is ever compared with these runs */
	unsigned layouts;	  /* of each side, at most, where they are drawn; 0: none are */
	uint64_t deadline_ns;	  /* CLOCK_MONOTONIC at which measuring ends; 0: none */
	uint64_t (*now_ns)(void); /* NULL: CLOCK_MONOTONIC; a test's own clock */
};

/*
 * Calibrates every unit that is not over, runs one declared warm-up of each, then rounds:
 * each round runs every open unit once (a pair when it has a base) in random order.  The anchors
 * run before a round: every half second, and where a unit has no base as often as costs a twentieth
 * of the time, in ten rounds of a session at least (docs/decisions/0028-few-anchors.md).
 *
 * A unit with a base has its decision points between runs_min and runs_max (lib/stats/points.h);
 * where nobody asked for runs_max, 200 are the most of one whose runs take long
 * (SCHEDULE_SHORT_NS). It is judged at these numbers of pairs and never in between, as the report
 * will judge it, on the metric that decides.  It closes when it is regressed, improved or unchanged
 * even as the only significant one of all units, so that judging them together later takes nothing
 * back; at the last point; and before, where not even that one could decide if the estimate
 * moved 1.5 standard errors more (docs/decisions/0042-giving-up.md).  The pairs of one layout share
 * a coin there, as they do in the report; pairs of one layout a side are widened by what layouts
 * do, as they are there, which no number of them narrows.  With more than a tenth of its pairs void
 * it goes on.  Without a base it runs 20 times, as far as runs_min and runs_max allow it.
 *
 * Benchmarks that share processes (collector/run/shared.h) are called by pairs of their own alone:
 * when those of one differ from no change, or those behind others from the rest, the ones behind
 * others are dropped, and it goes on in processes of its own.
 *
 * A command whose first pairs scatter is also tried with both sides at once on one processor
 * (docs/decisions/0026-duets.md); the pairs that ran the way that was chosen are its first ones.
 *
 * With a deadline the rounds end after the first one: from then on the unit that is decided soonest
 * by what it showed so far is run up to its next decision point
 * (docs/decisions/0023-time-where-it-decides.md).
 *
 * Half of the time until then may go by until all are calibrated; those that are not by then wait
 * until the others are decided.  Behind the deadline no pair is started, but for one of the first
 * unit.  What was measured so far stays and is judged; a unit whose turn did not come is unreached.
 *
 * A run that fails or was suspended makes its pair void: it is repeated, at most three times
 * or every tenth pair; a unit that fails more often is over, with the reason in failure.  A
 * failure before any pair was measured is not repeated: it would only fail again.  A base that
 * fails as often is given up (base_failure), its pairs are dropped and the head goes on alone;
 * where needs_base is set the unit is over instead, and failure begins with "the base: " or
 * "the head: ".  Units that only one side has (only_base, only_head) are not run.
 *
 * Where runs_max is less than any verdict takes, a warning says so.
 *
 * Errors: ERR_STOPPED with the pairs measured so far kept; ERR_IO, ERR_NOMEM.
 */
int schedule_run(struct unit *units, size_t n, const struct schedule *s,
		 const struct runner *runner, struct err *err);

/* Whether schedule_run() would run any of them. */
bool schedule_has_work(const struct unit *units, size_t n);

/* Whether it ran one that did not fail: what disturbs measuring matters only then. */
bool schedule_has_figures(const struct unit *units, size_t n);

#endif
