/* SPDX-License-Identifier: MIT */
/*
 * options - the command line and the environment of a benchmark program, checked.
 */
#ifndef PAWL_HARNESS_SESSION_OPTIONS_H
#define PAWL_HARNESS_SESSION_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/clock/clock.h"
#include "harness/engine/engine.h"
#include "harness/base/text.h"
#include "include/pawl.h"

#define OPTIONS_FAULT 512
#define OPTIONS_MIN_NS 250e6

enum action { ACTION_MEASURE, ACTION_LIST, ACTION_CLOCKS, ACTION_HELP, ACTION_VERSION };

/* What counts; 0: nothing. */
enum counting { COUNTING_NONE, COUNTING_PERF, COUNTING_SELF, COUNTING_VALGRIND };

struct options {
	enum action action;
	bool json, details;
	enum counting counters;
	enum strategy strategy;
	double min_ns;		       /* gmpbench: at least; batches: at most */
	uint64_t iterations;	       /* of STRATEGY_ITERATIONS */
	const char *filter;	       /* NULL: all */
	const struct clock_row *clock; /* NULL: the default */
	bool shuffle;
	uint64_t seed; /* of shuffle */
};

/* What the collector sets; see docs/RECORD-LINES.md. */
enum ask { ASK_ALL, ASK_LIST, ASK_CALIBRATE, ASK_RUN };

struct orders {
	int fd; /* -1: started by hand */
	enum ask ask;
	const char *benchmark;
	double min_ns; /* 0: not said */
	uint64_t iterations, slices;
	bool turns, counters;
	bool serve;  /* wait for further orders behind the first */
	bool steady; /* the same steps in every run, whatever the clocks say */
};

/* Writes the line for the user into fault[OPTIONS_FAULT].  Returns false. */
TEXT_FORMAT(2, 3) bool pawl_refuse(char *fault, const char *format, ...);

/* Both return false and a line for the user in fault[OPTIONS_FAULT] when something is wrong. */
bool pawl_options_read(int argc, char **argv, struct options *out, char *fault);

/* out->fd is set first, so that a fault of the rest can be reported there. */
bool pawl_orders_read(struct orders *out, char *fault);

/*
 * Takes an order that came behind the first: "ITERATIONS SLICES NAME"; the name stays in line.
 * False: it is none.
 */
bool pawl_orders_next(char *line, struct orders *o);

/* Whether the list can be used: pointers, names, no name twice. */
bool pawl_list_check(const struct pawl_bench *list, size_t count, char *fault);

/* Whether the filter, which may be NULL, takes the name. */
bool pawl_filter_takes(const char *filter, const char *name);

/* "250ms", "1.5s", "800us", "10ns": more than 0, at most an hour. */
bool pawl_duration_read(const char *s, double *out_ns);

/* Decimal digits and nothing else. */
bool pawl_count_read(const char *s, uint64_t *out);

extern const char pawl_help[];

#endif
