/*
 * duet - whether both commands of a pair run at once on one processor, or one after the other.
 *
 * Two that share a processor share whatever drifts while they run, and CPU time does not see that
 * they take turns.  But they also share its caches: what needs all of them alone is slowed down,
 * and a change of it is seen distorted (docs/decisions/0026-duets.md).  So it is tried.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_DUET_H
#define PAWL_COLLECTOR_SCHEDULE_DUET_H

#include <stdbool.h>

#include "collector/unit/unit.h"

#define DUET_FIRST 3 /* pairs in turn, before it is known whether to try */
#define DUET_TRIAL 5 /* pairs at once, and one in turn behind each */
#define DUET_IN_TURN (DUET_FIRST + DUET_TRIAL)
#define DUET_SHORTEST_NS 15e6 /* of a run: the processor changes hands every few ms */
#define DUET_SLOWER_MOST 1.03 /* CPU time of a pair at once over that of those in turn */
#define DUET_SPREAD_MOST 0.7  /* of pairs at once, over that of pairs in turn */
#define DUET_SPREAD_WORTH 1.2 /* in turn, over the threshold: below, the first point decides */

/*
 * Whether it may be tried: a command that works alone, gated by CPU time, on a processor of its
 * own, long enough, and each side in a folder of its own.  Chosen are pinned and gate.
 */
bool duet_may_be(const struct unit *u);

/* Whether the first pairs in turn scatter so much that another way is worth trying. */
bool duet_is_worth_trying(const struct unit *u, const struct pair in_turn[DUET_FIRST]);

/*
 * Whether pairs at once are better: they scatter less, and take no more CPU time than the pairs in
 * turn before and behind them.  Looks at no estimate.
 */
bool duet_is_better(const struct pair in_turn[DUET_IN_TURN], const struct pair at_once[DUET_TRIAL]);

#endif
