/* SPDX-License-Identifier: MIT */
/*
 * clock - a row of the table of clocks, opened.
 *
 * Opening a row measures what it does not say: its frequency where it counts ticks, its step, what
 * a pair of readings costs.  A clock that cannot be used says why; one that can, but not without
 * care, carries warnings.
 *
 * Frequency: never assumed.  Of a clock that counts ticks it is measured against the system's
 * wall clock on opening, good for some parts per million, and again over all the time since
 * then by pawl_clock_settle(), good for better than 0.1 ppm after 100 ms.  Where the processor
 * or the kernel tells one, the two are compared.
 */
#ifndef PAWL_HARNESS_CLOCK_CLOCK_H
#define PAWL_HARNESS_CLOCK_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/clock/rows.h"

/*
 * So many iterations within one step of a clock take no time: of 15.6 ms, the coarsest there is,
 * that is 0.12 ns each.
 */
#define CLOCK_STILL ((uint64_t)1 << 27)

enum {
	WARN_TOLD = 1,	  /* the frequency measured is not the one that is told */
	WARN_DRIFTED = 2, /* the frequency over the whole run is not the one on opening */
	WARN_COSTLY = 4,  /* a pair of readings costs far more than it resolves */
	WARN_COARSE = 8,  /* moves in long steps */
	WARN_SETTABLE = 16,
	WARN_BOOKED = 32,
	WARN_CAUTION = 64, /* what row->caution says */
	WARN_STOPPED = 128 /* it advanced when opened, and no longer */
};

/* A clock in use, or a clock that is not there. */
struct clock {
	const struct clock_row *row;
	int state;		  /* 0, or -errno */
	const char *reason;	  /* why state is not 0; static storage */
	double hz;		  /* ticks per second, as known on opening */
	double step_ticks;	  /* smallest difference seen between two readings */
	double overhead_ticks;	  /* mean of end() - begin() with nothing between */
	double cost_ns;		  /* one begin() and end(), seen from outside */
	double calibration_ratio; /* spread of the frequency's measurements; 0: not measured */
	double told_hz;		  /* what row->told_hz says; 0: nothing */
	double settled_hz;	  /* ticks per second over the whole run; 0: not measured yet */
	double still_ns;	  /* of ROW_BOOKED: stood still so long while the process worked */
	double tick_ns;		  /* what row->tick_ns says; 0: nothing */
	unsigned warnings;	  /* WARN_ ... */
	const char *caution;	  /* row->caution's; static storage */
	/* The instant of opening, on this clock and on the one it was measured against. */
	const struct clock_row *against;
	uint64_t anchor_ticks, anchor_ns;
};

/*
 * Opens a row.  The clock is read three times before anything is measured.
 *
 * Errors: what probe() says; -ETIME when the clock does not advance, -ERANGE when it runs
 *         backwards; then out->state and out->reason say so too.
 * Cost:   well below 1 ms; 10 ms where the frequency is measured; up to 0.2 s for a clock of
 *         coarse steps.
 */
int pawl_clock_open(const struct clock_row *row, struct clock *out);

/* The same, its frequency measured against that wall clock, which works. */
int pawl_clock_open_against(const struct clock_row *row, const struct clock_row *against,
			    struct clock *out);

/*
 * The same for a clock that is read beside another, around what that one times: what a pair of
 * readings costs is not measured, and no warning is looked for.  A CPU clock is a call of the
 * kernel each time, and a suite opens two of them in each of thousands of processes.
 */
int pawl_clock_open_beside(const struct clock_row *row, struct clock *out);

/*
 * Opens the wall clock for general use: CLOCK_MONOTONIC_RAW, which nobody slews, where
 * reading it costs less than 100 ns or the others do not cost a quarter less; else the next
 * wall clock of the table.  One that may be set is taken only where no other works.
 */
int pawl_clock_open_wall(struct clock *out);

/*
 * Measures the frequency over the time since the clock was opened, into settled_hz.  Does
 * nothing for a clock whose frequency was not measured, or within 20 ms of its opening.
 * Differs it from hz by more than 50 ppm, and by more than hz was sure of, WARN_DRIFTED is
 * set and stays: a virtual machine may have moved to another processor.
 *
 * Cost: some microseconds; not to be called while something is timed.
 */
void pawl_clock_settle(struct clock *clock);

/*
 * What times that were converted by hz are multiplied by, so that they are times by settled_hz.
 * 1 where nothing was measured.  All conversions of a run go by hz, and are corrected by this
 * once, when they leave the engine; so figures that leave later are the better ones, and two
 * that left at the same time agree to the last digit.
 */
double pawl_clock_correction(const struct clock *clock);

/* So many ticks in ns, fractions too; NaN where the clock is not open. */
double pawl_clock_span_ns(const struct clock *clock, double ticks);

/* Nanoseconds of a number of ticks, less the overhead of that many pairs of readings; >= 0. */
double pawl_clock_ns(const struct clock *clock, uint64_t ticks, uint64_t pairs);

/*
 * Mean of values[0..n) without those that an interrupt fell into: more than four times the
 * median and two steps.  The mean, since of a clock of coarse steps the median is 0 or a step.
 * 0 when fewer than four are more than 0: then it is the clock's step that was seen, as of one
 * of 10 ms.  Sorts the values.
 */
double pawl_clock_typical(double *values, size_t n, double step);

/* The frequency that needs no measuring: row->hz, or that a wall clock tells; else 0. */
double pawl_clock_certain_hz(const struct clock_row *row);

/* The wall clock that ticks are measured against: the first that works; NULL: none does. */
const struct clock_row *pawl_clock_reference(void);

/* Its reading in ns. */
uint64_t pawl_clock_reference_ns(const struct clock_row *reference);

#endif
