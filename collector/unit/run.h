/*
 * run - what one run of a benchmark gave, and the two of a pair.
 */
#ifndef PAWL_COLLECTOR_UNIT_RUN_H
#define PAWL_COLLECTOR_UNIT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/digest/digest.h"
#include "lib/record/line.h"

/* What one process run gave, times per iteration in ns; NaN: not known. */
struct run {
	double wall_ns, cpu_ns, process_cpu_ns;
	double whole_cpu_ns; /* of another harness: of all that its process did; 0: not known */
	bool wall_is_net;    /* wall_ns is without run_delay_ns */
	bool is_watched;     /* run_delay_ns is of all that worked */
	double late_ns; /* that wall_ns is without, because its end, or a stop, was seen so late */
	double unsure_ns; /* by which wall_ns may be too long: its end was seen too late */
	bool has_threads; /* other threads than the first one ran what was measured */
	bool has_helpers; /* other threads or processes worked for it */
	bool wants_wall;  /* its harness was asked to go by wall time, or by one of its own */
	double peak_rss_bytes;
	/* run_delay_ns: of the main thread; of all that worked, where they were watched. */
	double run_delay_ns, voluntary_switches, involuntary_switches; /* of the whole run */
	double minor_faults, major_faults;
	double steal_ticks;		/* of all processors while it ran */
	double start_ns;		/* since the collection began */
	uint64_t sleep_skew_ns;		/* how long the machine had slept in all at the start */
	struct counter_value *counters; /* owned */
	size_t n_counters;
	char *failure; /* why it gave nothing, or NULL; owned */
	bool timed_out;
	bool suspended;	     /* the machine slept meanwhile: void */
	int processors;	     /* that it might use at its end; 0: not known */
	bool lost_processor; /* they became fewer meanwhile: void */
	int n_left;	     /* processes that it left behind and that were ended */
	bool has_unwaited;   /* processes that nobody waited for: their switches are not counted */
	char *output;	     /* digest of what it printed to stdout; "": nothing; NULL: not known */
	bool output_was_cut; /* it is not known: the program opened its stdout anew */
	double migrations;   /* moved from one processor to another; NaN: not known */
	double pressure_ns;  /* some process of the machine waited for a processor; NaN */
	double frequency_hz; /* of its processor at the end; NaN: not told */
	double system_ns;    /* of cpu_ns, of a command */
	double exit_status;  /* of a command that may have any; NaN: a signal ended it */
};

void run_release(struct run *run);

/* What a clock on the wall saw of it: waiting for a processor, and what its end was seen late by,
 * too. */
double run_whole_ns(const struct run *run);

/* One pair, or one run of the head alone. */
struct pair {
	struct run head, base;
	int order;			      /* 1: the base went first */
	unsigned layout;		      /* of both sides; 0: as they were built */
	double log_ratio_wall, log_ratio_cpu; /* head over base; NaN without a base */
	bool is_behind;			      /* other benchmarks ran in its processes before */
};

void pair_release(struct pair *p);

#endif
