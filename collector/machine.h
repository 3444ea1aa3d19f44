/*
 * machine - what measures here, what surrounds it, and what will add noise.
 */
#ifndef PAWL_COLLECTOR_MACHINE_H
#define PAWL_COLLECTOR_MACHINE_H

#include <stdint.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * Fills the machine's facts.  What the system does not tell is "unknown", never a guess.
 * The id is made of what does not drift: machine id, processor, architecture, cores.
 */
int machine_describe(struct machine *out, struct err *err);

/* Load and pressure now; steal is filled by environment_end(). */
struct environment_mark {
	double steal_ticks, total_ticks;
};
void environment_begin(struct environment *env, struct environment_mark *out);

/* Steal since the mark, and the warnings, each with its cure. */
int environment_end(struct environment *env, const struct environment_mark *mark,
		    const struct machine *machine, struct err *err);

/* Ticks that the hypervisor took from all processors since boot; 0 where not told. */
double machine_steal_ticks(void);

/* CLOCK_BOOTTIME - CLOCK_MONOTONIC: grows when the machine sleeps. */
uint64_t machine_sleep_skew_ns(void);

/*
 * The processor to pin benchmarks to: an isolated one if there is any, else the last one
 * that we may use (the first ones serve most interrupts); -1 when there is only one.
 */
int machine_pick_cpu(void);

#endif
