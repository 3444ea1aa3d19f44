/*
 * unit - one benchmark to be measured, on one or two sides, and what its runs gave.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_UNIT_H
#define PAWL_COLLECTOR_SCHEDULE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/digest.h"
#include "lib/config/config.h"
#include "lib/record/line.h"
#include "lib/record/summary.h"

/* One side's executable: the file that runs, found and identified. */
struct side {
	char *exe;	    /* absolute path of the file that is executed */
	char *library_path; /* folder of cached shared objects, or NULL */
	char *preload;	    /* cached objects that an old-style RPATH would hide, or NULL */
	char *binary_id;    /* code identity, or NULL when it has none (a script) */
	char *dir;	    /* where it runs; NULL: where the runner says */
	bool stays;	    /* it looks for files beside itself: it must not be moved */
};

/* What one process run gave, times per iteration in ns; NaN: not known. */
struct run {
	double wall_ns, cpu_ns, process_cpu_ns;
	bool has_threads; /* other threads than the first one ran what was measured */
	bool has_helpers; /* other threads or processes worked for it */
	double peak_rss_bytes;
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
	char *output;	     /* digest of what it printed to stdout; "": nothing; NULL: not known */
	double migrations;   /* moved from one processor to another; NaN: not known */
	double pressure_ns;  /* some process of the machine waited for a processor; NaN */
	double frequency_hz; /* of its processor at the end; NaN: not told */
};

void run_release(struct run *run);

/* One pair, or one run of the head alone. */
struct pair {
	struct run head, base;
	int order;			      /* 1: the base went first */
	double log_ratio_wall, log_ratio_cpu; /* head over base; NaN without a base */
};

#define UNIT_CONFIRMS 2 /* times the pairs of the last look confirm what it suspects */

struct unit {
	const struct bench_config *config;
	char *name;	/* of the result */
	char *inner;	/* its name inside a libpawl executable or another harness's, or NULL */
	char *selector; /* what another harness picks it by; NULL: it runs all it has */
	bool timed;	/* another harness chooses the iterations of each run itself */
	enum bench_format format;
	struct side head, base;
	bool has_base;	     /* base is runnable and differs from head */
	bool identical;	     /* same code on both sides: nothing is run */
	uint64_t iterations; /* N, frozen; 0: not calibrated */
	int slices;
	bool pinned;	/* to one processor: it works alone on both sides */
	double run_ns;	/* expected time of one run */
	double pair_ns; /* what the last pair took in all, for the time left; 0: none yet */
	struct pair *pairs;
	size_t n_pairs;
	struct pair warm_up; /* the declared one before them: in no figure */
	bool has_warm_up;
	double *anchors[2]; /* ns of the two anchors in the round of pair i */
	uint64_t n_void;
	uint64_t n_left; /* processes left behind, of all runs */
	char *failure;	 /* set: the unit is over */
	bool timed_out;
	bool absent;		/* failed because its executable is not there */
	char *base_failure;	/* why the base was given up, or NULL */
	bool needs_base;	/* a comparison: when the base fails, the unit is over */
	bool only_base;		/* the head does not have it any more: nothing is run */
	bool only_head;		/* the base did not have it: nothing is run in a comparison */
	struct looks looks;	/* n 0: by the spread, from runs_min to runs_max */
	unsigned confirm_at;	/* where to look once more at a last suspicion, in pairs; 0: not */
	struct work_count work; /* counted apart from the timing */
	bool done;
};

void unit_release(struct unit *u);

/* Whether a run is all that the command does: nothing in it can be picked or counted. */
bool unit_is_whole(const struct unit *u);
void unit_side_release(struct side *s);

/* Copies every text of a side over another's.  Errors: ERR_NOMEM: release it all the same. */
int unit_side_copy(const struct side *from, struct side *to, struct err *err);

#endif
