/*
 * gate - which metric decides about a benchmark: CPU time, or wall time where that is the truth.
 *
 * CPU time does not see neighbours, and finds a quarter of the effect that wall time needs.
 * But it does not see waiting either, and it adds up threads: there wall time decides.
 *
 * It is chosen once, from pairs that are in no figure, and kept: what was looked at to choose it is
 * not what it is used for, and a neighbour that comes later does not change it.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_GATE_H
#define PAWL_COLLECTOR_SCHEDULE_GATE_H

#include "collector/unit/unit.h"

/* Share of the wall time spent waiting, beyond which wall time decides. */
#define GATE_WAITING 0.01

/*
 * So many pairs in a row have to wait: a program that waits does so always, a disturbed one not.  A
 * command of which half of six runs or more gave the processor up at most to end has not waited,
 * however long it was off the processor.
 */
#define GATE_PAIRS 3
#define GATE_PAIRS_WATCHED 5 /* of a program with helpers, which is disturbed more easily */
#define GATE_PAIRS_STOLEN 10 /* what a hypervisor takes looks like waiting, in half of the runs */
#define GATE_PAIRS_MOST 12   /* with those that do not tell, because we were late */

/*
 * Of a program with helpers, in so many ns at most: on a busy machine, where a parent and its
 * helper wait for a processor at the same time, one run in seven tells (10 others on 2 processors).
 */
#define GATE_PAIRS_MOST_WATCHED 48
#define GATE_WATCHED_NS 2e9

/*
 * Looks at one more calibration pair (of the head alone where there is no base).  Wall time
 * decides when on either side the CPU time is not known, threads worked, or the program waited of
 * its own accord for more than GATE_WAITING of its time; else CPU time.  A side that was once seen
 * to work without waiting does not wait: u->works.  Where the waiting may be that of its helpers
 * for a processor, u->watch asks the runner to look.
 */
void gate_see(struct unit *u, const struct pair *p);

/* Whether no further pair can change what was chosen. */
bool gate_is_sure(const struct unit *u);

/* Whether one more is worth its time after so many. */
bool gate_wants_more(const struct unit *u, unsigned n_seen);

/*
 * What was chosen, or what the configuration names where that is a time; wall time where the CPU
 * time of a measured run is not known.
 */
enum gate gate_of(const struct unit *u);

/* The metric's name ("cpu", or what the configuration names) and why; static or config's text. */
const char *gate_metric(const struct unit *u, const char **out_why);

#endif
