/*
 * unit - one benchmark to be measured, on one or two sides, and what its runs gave.
 */
#ifndef PAWL_COLLECTOR_UNIT_UNIT_H
#define PAWL_COLLECTOR_UNIT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/unit/run.h"
#include "collector/unit/side.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/record/calibration/calibrations.h"
#include "lib/record/summary.h"
#include "lib/stats/verdict.h"

/* The time that decides about it. */
enum gate { GATE_CPU, GATE_WALL };

/* What cures a program that repeats its work until a time is over. */
#define UNIT_CURE_WORK "let it do a fixed amount of work"
#define UNIT_CURE_CLOCK UNIT_CURE_WORK "; if it does, 'format = command' in its section says so"

struct unit {
	const struct bench_config *config;
	char *name;	/* of the result */
	char *inner;	/* its name inside a libpawl executable or another harness's, or NULL */
	char *selector; /* what another harness picks it by; NULL: it runs all it has */
	bool timed;	/* another harness chooses the iterations of each run itself */
	enum bench_format format;
	struct side head, base;
	bool has_base;	     /* base is runnable and differs from head */
	bool identical;	     /* same code on both sides, or what it executes: nothing is run */
	uint64_t iterations; /* N, frozen; 0: not calibrated */
	int slices;
	bool pinned;	 /* to one processor: it works alone on both sides */
	bool at_once;	 /* both sides of a pair run together on that processor */
	bool alone;	 /* it shares its processes with no other benchmark any more */
	double run_ns;	 /* expected time of one run */
	bool alarms;	 /* its program calls alarm(): it may repeat its work until that rings */
	bool rings_told; /* that it does: before its pairs */
	double pair_ns;	 /* what a pair takes in all, the mean of the last ones; 0: none yet */
	struct pair *pairs;
	size_t n_pairs;
	double forecast;      /* of n_pairs when it closes, for the time left; 0: none yet */
	enum gate gate;	      /* of the first n_gated pairs, which are in no figure */
	const char *gate_why; /* static */
	int n_gated;
	bool works[2];	     /* the head, the base: without waiting, as one of those showed */
	int n_looked[2];     /* runs of the head, the base that the gate saw */
	int n_unwaited[2];   /* of those: which gave the processor up at most to end */
	int n_seemed[2];     /* watched runs that seemed not to wait */
	bool is_stolen;	     /* the hypervisor took a processor during one of those */
	bool gives_up_often; /* in one that waited it left the processor more often than to start
				and end */
	bool watch;	     /* look at what its helpers waited for: a calibration run */
	bool is_unwatched;   /* that made it fail: never again */
	struct pair warm_up; /* the declared one before them: in no figure */
	bool has_warm_up;
	double *anchors[2]; /* ns of the two anchors in the round of pair i */
	uint64_t n_void;
	uint64_t n_left; /* processes left behind, of all runs */
	char *failure;	 /* set: the unit is over */
	bool timed_out;
	bool absent;		      /* failed because its executable is not there */
	char *base_failure;	      /* why the base was given up, or NULL */
	bool needs_base;	      /* a comparison: when the base fails, the unit is over */
	bool only_base;		      /* the head does not have it any more: nothing is run */
	bool only_head;		      /* the base did not have it: nothing is run in a comparison */
	char *lacks;		      /* only_head: the file of its command that the base lacks */
	char *not_compared;	      /* then, for people: why not, and the cure */
	struct code_changes changes;  /* what changed in its code, and what it executes of that */
	char *one_layout;	      /* why it ran in one layout alone, or NULL */
	struct looks looks;	      /* its decision points */
	struct judgement judged;      /* at the last of them so far; n 0: none yet */
	struct layout_spread layouts; /* likewise */
	const struct calibrated *known; /* on this machine, or NULL */
	struct calibration in_short;	/* of it; n 0: none */
	struct work_count work;		/* counted apart from the timing */
	bool ready;			/* it was calibrated, and may run pairs */
	size_t planned;	   /* its place among those planned, while they are put in order */
	bool unreached;	   /* the time was over before its turn: nothing of it was measured */
	uint64_t asked_ns; /* so long its program was asked for its benchmarks */
	bool done;
};

void unit_release(struct unit *u);

/* Whether a run is all that the command does: nothing in it can be picked or counted. */
bool unit_is_whole(const struct unit *u);

/* Whether its program may repeat its work until an alarm rings: it has one, and takes long enough.
 */
bool unit_rings(const struct unit *u);

/* Warns that it may. */
void unit_tell_alarm(const struct unit *u, const struct talk *talk);

/*
 * Lets one that is identical be measured all the same; why, and the file (or NULL) that showed it,
 * go to its changes.  Errors: ERR_NOMEM.
 */
int unit_let_measure(struct unit *u, const char *why, const char *file, struct err *err);

#endif
