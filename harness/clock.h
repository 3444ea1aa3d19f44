/* SPDX-License-Identifier: MIT */
/*
 * clock - every clock the harness knows is one row of one table.
 *
 * A row says how to find out whether the clock is there, how to read it before and after
 * what is timed, and how long a tick is.  Opening a row measures the rest: its frequency
 * where the system does not tell, its step, what one pair of readings costs.  A clock that
 * cannot be used says why.
 *
 * To add a platform's clock: write its functions, add its row to the table in clock.c.
 */
#ifndef PAWL_HARNESS_CLOCK_H
#define PAWL_HARNESS_CLOCK_H

#include <stddef.h>
#include <stdint.h>

enum clock_kind {
	KIND_WALL,
	KIND_TICKS,   /* counts the processor's ticks; the rest count time */
	KIND_THREAD,  /* CPU time of the calling thread */
	KIND_PROCESS, /* CPU time of the process */
	KIND_SHARE,   /* user or system share of the process's CPU time */
};

struct clock_row {
	const char *name;
	enum clock_kind kind;
	int (*probe)(const char **out_reason); /* 0, or -errno and why not */
	uint64_t (*begin)(void);	       /* ticks; nothing timed may start before it */
	uint64_t (*end)(void);		       /* ticks; all that is timed is done before it */
	double hz;			       /* ticks per second; 0: measured on opening */
	const char *serialise;		       /* what keeps the timed code between the readings */
};

/* A clock in use, or a clock that is not there. */
struct clock {
	const struct clock_row *row;
	int state;		  /* 0, or -errno */
	const char *reason;	  /* why state is not 0; static storage */
	double hz;		  /* ticks per second */
	double step_ticks;	  /* smallest step seen between two readings */
	double overhead_ticks;	  /* mean of end() - begin() with nothing between */
	double calibration_ratio; /* spread of the frequency's measurements; 0 when told */
};

/* Row i of the table; NULL behind the last. */
const struct clock_row *pawl_clock_row(size_t i);

/* The row of that name; NULL when there is none. */
const struct clock_row *pawl_clock_find(const char *name);

/*
 * Opens a row.
 *
 * Errors: what probe() says; -ETIME when the clock does not advance; then out->state and
 *         out->reason say so too.
 * Cost:   well below 1 ms; 10 ms where the frequency is measured; up to 0.1 s for a clock of
 *         coarse steps.
 */
int pawl_clock_open(const struct clock_row *row, struct clock *out);

/*
 * Opens the wall clock for general use: CLOCK_MONOTONIC_RAW, which nobody slews, where
 * reading it costs less than 100 ns or less than the others; else the next wall clock of
 * the table.
 */
int pawl_clock_open_wall(struct clock *out);

/* Nanoseconds of a number of ticks, less the overhead of that many pairs of readings; >= 0. */
double pawl_clock_ns(const struct clock *clock, uint64_t ticks, uint64_t pairs);

/*
 * Mean of values[0..n) without those that an interrupt fell into: more than four times the
 * median and two steps.  The mean, since of a clock of coarse steps the median is 0 or a step.
 * Sorts the values.
 */
double pawl_clock_typical(double *values, size_t n, double step);

/* The kernel's CLOCK_MONOTONIC_RAW, or CLOCK_MONOTONIC where that is missing, in ns. */
uint64_t pawl_clock_kernel_ns(void);

#endif
