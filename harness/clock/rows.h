/* SPDX-License-Identifier: MIT */
/*
 * clock_rows - every clock the harness knows is one row of one table.
 *
 * A row says how to find out whether the clock is there, how to read it before and after what is
 * timed, and how long a tick is.
 *
 * The table is made of one a platform, each in a file of its own.  A file compiles everywhere; what
 * its platform lacks is a row whose probe says so.  Each table ends with a row without a name;
 * rows.c puts them in order of preference, and that is where a new one is named.
 */
#ifndef PAWL_HARNESS_CLOCK_ROWS_H
#define PAWL_HARNESS_CLOCK_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum clock_kind {
	KIND_WALL,
	KIND_TICKS,   /* counts at a constant rate, which is measured */
	KIND_CYCLES,  /* counts what a core does, cycles or instructions: not time */
	KIND_THREAD,  /* CPU time of the calling thread */
	KIND_PROCESS, /* CPU time of the process */
	KIND_SHARE,   /* user or system share of the process's CPU time */
};

enum {
	ROW_SETTABLE =
		1,	/* the date: jumps when somebody sets it; taken only for want of another */
	ROW_BOOKED = 2, /* CPU time that the kernel books by its own ticks: stands still between */
};

/* Rows are written with designated initialisers: what a row does not name is 0. */
struct clock_row {
	const char *name;
	enum clock_kind kind;
	int (*probe)(const char **out_reason); /* 0, or -errno and why not */
	uint64_t (*begin)(void);	       /* ticks; nothing timed may start before it */
	uint64_t (*end)(void);		       /* ticks; all that is timed is done before it */
	uint64_t form;			       /* of pawl_region.h, when it reads this clock too */
	double hz;			       /* ticks per second, where that is certain; else 0 */
	const char *serialise;		       /* what keeps the timed code between the readings */
	unsigned flags;			       /* ROW_ ... */
	/*
	 * Ticks per second as the processor or the kernel tells them, 0 when they do not; may be
	 * NULL.  Believed of a wall clock whose hz is 0; of ticks only compared with what is
	 * measured.
	 */
	double (*told_hz)(void);
	double (*tick_ns)(void); /* the tick that user and system time are split by; may be NULL */
	const char *(*caution)(void); /* what to beware of on this machine, or NULL; may be NULL */
};

/* Row i of the table; NULL behind the last. */
const struct clock_row *pawl_clock_row(size_t i);

/* The row of that name; NULL when there is none. */
const struct clock_row *pawl_clock_find(const char *name);

/* "wall", "ticks", ... */
const char *pawl_clock_kind_name(enum clock_kind kind);

extern const struct clock_row pawl_clock_posix[];
extern const struct clock_row pawl_clock_hrtime[];
extern const struct clock_row pawl_clock_x86[];
extern const struct clock_row pawl_clock_arm64[];
extern const struct clock_row pawl_clock_riscv[];
extern const struct clock_row pawl_clock_mach[];
extern const struct clock_row pawl_clock_windows[];

#endif
