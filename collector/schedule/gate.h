/*
 * gate - which metric decides about a benchmark: CPU time, or wall time where that is the truth.
 *
 * CPU time does not see neighbours, and finds a quarter of the effect that wall time needs.
 * But it does not see waiting either, and it adds up threads: there wall time decides.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_GATE_H
#define PAWL_COLLECTOR_SCHEDULE_GATE_H

#include "collector/unit/unit.h"

enum gate { GATE_CPU, GATE_WALL };

/* Share of the wall time spent waiting, beyond which wall time decides. */
#define GATE_WAITING 0.01

/*
 * Decides from all runs of both sides so far, whatever way they moved:
 * wall when the configuration says so, when the process used more CPU time than its
 * main thread (threads), when either side waited of its own accord for more than GATE_WAITING
 * of its time, or when the CPU time of a run is not known; else cpu.
 */
enum gate gate_of(const struct unit *u);

/* The metric's name ("cpu", or what the configuration names) and why; static or config's text. */
const char *gate_metric(const struct unit *u, const char **out_why);

#endif
