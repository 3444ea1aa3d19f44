/*
 * machine - what measures here, what surrounds it, and what will add noise.
 */
#ifndef PAWL_COLLECTOR_MACHINE_MACHINE_H
#define PAWL_COLLECTOR_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * Fills the machine's facts.  What the system does not tell is "unknown", never a guess.
 * The id is made of what does not drift: machine id, processor, architecture, cores.  Machines of
 * one PAWL_POOL have it in place of their own id: those that are alike in the rest count as one.
 */
int machine_describe(struct machine *out, struct err *err);

/* Load and pressure now; steal is filled by environment_end(). */
struct environment_mark {
	double steal_ticks, total_ticks;
};
void environment_begin(struct environment *env, struct environment_mark *out);

/* Steal since the mark, and where anything was measured the warnings, each with its cure. */
int environment_end(struct environment *env, const struct environment_mark *mark,
		    const struct machine *machine, bool measured, struct err *err);

/* Ticks that the hypervisor took from all processors since boot; 0 where not told. */
double machine_steal_ticks(void);

/* CLOCK_BOOTTIME - CLOCK_MONOTONIC: grows when the machine sleeps. */
uint64_t machine_sleep_skew_ns(void);

/* ns in which some process of the machine waited for a processor, since boot; NaN: not told. */
double machine_pressure_ns(void);

/* How fast that processor runs just now; NaN: not told, or cpu is -1. */
double machine_frequency_hz(int cpu);

/* How many processors we may use now; 0: not told. */
int machine_processors(void);

/* What the processors had done when a look at them began. */
struct machine_look {
	struct buf stat;
	uint64_t began_ns; /* 0: not yet */
};

#define MACHINE_LOOK_INIT \
	{ \
		BUF_INIT, 0 \
	}

/* Begins to look, so that other work can be done meanwhile. */
void machine_look_begin(struct machine_look *out);
void machine_look_release(struct machine_look *look);

/*
 * The processor to pin benchmarks to: an isolated one if there is any, else the quietest of those
 * that we may use (of the fast kind, where there are two) since the look began; -1 when there is
 * only one.  Where each has work to do, one is as good as another: it is not waited for.
 * Cost: without an isolated one what is left of 0.03 s since the look began; begins one if need be.
 */
int machine_pick_cpu(struct machine_look *look);

/*
 * The quietest processor of those marked, between two readings of /proc/stat: the one with the
 * fewest ticks of work, interrupts and steal.  One tick more is no difference, and of equals the
 * last is taken (the first ones serve most interrupts).  -1 when no marked one is in both texts.
 */
int machine_quietest(const char *before, const char *after, const bool *may, int n);

/* Marks the processors of a list such as "2-3,6" that are below n; how many it marked. */
int machine_mark_list(const char *list, bool *out, int n);

#endif
