/* SPDX-License-Identifier: MIT */
/*
 * pawl - measure a piece of C or C++ code, by hand or under the pawl collector.
 *
 *	static void run(void *ctx, uint64_t n, struct pawl_run *r)
 *	{
 *		(void)ctx, (void)r;
 *		for (uint64_t i = 0; i < n; i++)
 *			pawl_keep(work());
 *	}
 *	static const struct pawl_bench list[] = { PAWL_BENCH("work", run) };
 *	int main(int argc, char **argv) { return pawl_main(argc, argv, list, 1); }
 *
 * Started by hand the program prints a table; started by the collector, which sets
 * PAWL_FD, it writes record lines there.  See pawl(3).
 *
 * Language: C99 and later, C++11 and later; strict C89 with -DPAWL_C89, which leaves the calls,
 * the PAWL_TIME_ macros and of pawl_keep.h what C89 can say.  gcc, clang and mingw-w64; what is
 * for MSVC has not been tried.  Link with -lpawl; it needs nothing but libc.
 * Threads:  pawl_main() and everything it calls run on the calling thread, and CPU time,
 * switches, faults and counters are those of that thread; only run is called on further
 * threads, where a benchmark asks for them, each with a pawl_run of its own.  Nothing here may
 * be called from two threads at once, except with different struct pawl_run, and the
 * pawl_timer_ calls on different timers.
 * Not promised: the layout of struct pawl_run; that a benchmark is called with the same n
 * in another version; any particular time.
 */
#ifndef PAWL_H
#define PAWL_H

#include <stddef.h>
#include <stdint.h>

#include "pawl_keep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On Windows: define PAWL_DLL in a program that links the DLL, not the static library. */
#if defined(PAWL_BUILD_DLL) && defined(_WIN32)
#define PAWL_API __declspec(dllexport)
#elif defined(PAWL_DLL) && defined(_WIN32)
#define PAWL_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define PAWL_API __attribute__((visibility("default")))
#else
#define PAWL_API
#endif

/* One measurement under way; what pawl_start(), pawl_stop() and pawl_fail() are given. */
struct pawl_run;

/*
 * The arguments that a benchmark is repeated for: a list, or a range with both ends included.
 * All 0: none.
 *
 * list, n:      so many arguments, in this order.
 * from, to:     with list NULL: from, and then on while not above to, ...
 * factor, step: ... each time times factor (2 or more, from being above 0), or plus step (1 or
 *               more); one of the two is 0.
 *
 * Limit: 10,000 arguments, no two alike.
 */
struct pawl_args {
	const int64_t *list;
	size_t n;
	int64_t from, to;
	int64_t factor, step;
};

/*
 * One benchmark.  The library only reads it, and keeps no copy beyond pawl_main().
 *
 * name:     1 to 255 bytes of UTF-8 without control characters, unique in its list.
 * setup:    may be NULL; called once, before the first run; nonzero reports the benchmark
 *           as failed with that code, and then neither run nor teardown is called.
 * run:      does the operation exactly n times, n >= 1; the loop is the benchmark's, so that
 *           the operation is inlined into it.  It is called many times between setup and
 *           teardown and must do the same work each time.
 * teardown: may be NULL; called once after a setup that returned 0.
 * ctx:      handed to all three.
 *           None of the three may be left by a C++ exception or longjmp(): teardown is then not
 *           called, see pawl_main(3).
 * items, bytes: what one operation works on, for rates; 0 when there is nothing to say.
 * args:     each argument is a benchmark of its own, named NAME/ARG, with a setup and teardown
 *           of its own; the whole name has at most 255 bytes.
 * arg:      may be NULL; *arg is the argument from before setup until after teardown.
 * threads:  0 and 1: run is called on the thread that called pawl_main().  k up to 1024: on that
 *           and k - 1 others at once, each pinned to a processor of its own where there are
 *           enough.  They start together; elapsed is from the first start to the last end, the
 *           CPU time is that of all, the iterations are those of all, and so are the errors.
 *           setup and teardown are called once.
 */
struct pawl_bench {
	const char *name;
	int (*setup)(void *ctx);
	void (*run)(void *ctx, uint64_t n, struct pawl_run *r);
	void (*teardown)(void *ctx);
	void *ctx;
	double items, bytes;
	struct pawl_args args;
	int64_t *arg;
	unsigned threads;
};

/*
 * Complete initialisers, which no compiler warns about, in C and C++: an operation alone, and one
 * between a setup and a teardown, of which each may be NULL.  For more, name the members:
 * { .name = "copy", .run = copy, .args = { .from = 1, .to = 4096, .factor = 4 } }.
 */
#define PAWL_BENCH(name, run) PAWL_BENCH_FIXTURE(name, NULL, run, NULL, NULL)
#define PAWL_BENCH_FIXTURE(name, setup, run, teardown, ctx) \
	{ \
		(name), (setup), (run), (teardown), (ctx), 0, 0, { NULL, 0, 0, 0, 0, 0 }, NULL, 1 \
	}

/*
 * The whole program: reads the options and the environment, measures, reports.
 *
 * Each benchmark: setup; the first call, alone, with n = 1 (the cold time, and the warm-up);
 * then n doubles from 1 until the elapsed time reaches the least time (250 ms).  Of that last
 * stretch the mean is elapsed / n; elapsed is the time of all calls of run, without what
 * passes between them.  The stretch is read in batches of at least 1 ms, 1000 clock steps and
 * 1000 clock overheads; batches in which the thread had the processor for less than 98 % of
 * the time or changed the processor, in which an operation failed or the clock jumped, are not
 * clean and counted, each under its cause.  The estimate is the median of the clean batches,
 * which is right beside a busy neighbour too, and throughput and rates follow from it; the
 * mean is of everything.  Where the operation itself gives the processor away in most batches
 * (it sleeps, it waits for others) they are judged by their run delay in place of their CPU
 * time.  The time of an empty operation's loop is taken off for the net time, a lower bound:
 * where the processor runs the loop beside the operation it costs less.  With --strategy
 * batches, batches run until the 95 % confidence interval of the mean of at least 11 clean
 * ones is within 1 % to either side, for the least time at most (twice that while none is
 * clean).
 *
 * Clocks: --clocks tells what there is.  Of a clock that counts ticks (--clock tsc) the frequency
 * is measured over the whole run until the result is reported; all times of one result are
 * converted by that, good for better than 0.1 parts in a million after 100 ms.
 *
 * Options: --list, --filter PATTERN (a glob over the whole name, see fnmatch(3); without any
 *          of * ? [ it is a part of the name), --strategy gmpbench|batches, --min-time 250ms,
 *          --iterations N, --clock NAME, --clocks, --details or -v, --json,
 *          --counters[=perf|self|valgrind|none], --no-counters, --shuffle[=SEED], --help,
 *          --version.
 *          --counters=valgrind starts the program again under valgrind, which simulates a
 *          processor: the same counts in every run.
 * Returns: what main should return: 0; 1 when a benchmark failed; 2 for wrong usage, a faulty
 *          list or a faulty environment; 3 when the collector went away.
 * Prints:  stdout: the table or the document; stderr: one line for wrong usage; under PAWL_FD
 *          nothing, unless that descriptor cannot be written.
 */
PAWL_API int pawl_main(int argc, char **argv, const struct pawl_bench *list, size_t count);

/*
 * Manual timing: when run calls pawl_start(), only what lies between pawl_start() and
 * pawl_stop() is timed and counted, as many times as it is called.  The clock's own overhead
 * is taken off each stretch.  For operations that last at least some hundred nanoseconds.
 * CPU time is then not reported, since reading it would disturb what is measured.
 *
 * run calls it in each of its calls, on each thread, or in none: other benchmarks are reported
 * as failed.  Only a call in which an operation fails may do without.
 *
 * Cost: with --clock tsc the two are inlined on x86 (pawl_region.h); else each is a call and a
 * reading of the clock, see --clocks.
 *
 * pawl_start() twice starts anew; pawl_stop() without pawl_start() does nothing; a stretch
 * still open when run returns is closed there.  With several threads each times its own
 * stretches, and elapsed is the mean over the threads of their sums.
 */
PAWL_API void pawl_start(struct pawl_run *r);
PAWL_API void pawl_stop(struct pawl_run *r);

#include "pawl_region.h"

/*
 * Says that one of the n operations failed.  It is counted, and its time is left out.  With
 * manual timing an open stretch is thrown away, so there one stretch should hold one operation;
 * otherwise the batch (about 1 ms) in which it happened is thrown away with all its iterations.
 */
PAWL_API void pawl_fail(struct pawl_run *r);

/* The argument of the benchmark under way; 0 where it has none. */
PAWL_API int64_t pawl_arg(const struct pawl_run *r);

/* Which of the benchmark's threads this is: from 0 up to threads - 1. */
PAWL_API unsigned pawl_thread(const struct pawl_run *r);

/*
 * Counters of the benchmark's own, told beside the times and to the collector.  pawl_add(): the
 * sum over the timed stretch, told per operation.  pawl_set(): the last value, told as it is.
 * Of several threads both are summed.  What a batch counted that pawl_fail() throws away is
 * thrown away with it; of one that only loses a stretch all operations count, the failed ones too.
 *
 * Range:  at most 16 names a benchmark, each of 1 to 63 bytes of UTF-8 without control
 *         characters and not that of a built-in counter or metric; value is finite; a name is
 *         used with one of the two calls.
 * Errors: a call outside of the range does nothing but be counted and told.
 * Cost:   a comparison of each name so far: better once a run than once an operation.
 */
PAWL_API void pawl_add(struct pawl_run *r, const char *name, double value);
PAWL_API void pawl_set(struct pawl_run *r, const char *name, double value);

/* The library's version, such as "0.1.0"; static storage. */
PAWL_API const char *pawl_version(void);

/* ---- one statement ------------------------------------------------------------------ */

enum pawl_clock { PAWL_CLOCK_WALL, PAWL_CLOCK_CPU, PAWL_CLOCK_TICKS };

/* The state of one PAWL_TIME_ statement; only the macros touch it. */
struct pawl_timer {
	uint64_t n;    /* iterations of the round that comes next */
	double per_op; /* the result */
	double min_ns; /* double until a round lasts this long */
	int state;
	uint64_t begin;
	double overhead, tick_ns, unit;
	uint64_t (*read_begin)(void);
	uint64_t (*read_end)(void);
};

/* pawl_timer_next() is 1 while another round of t->n iterations is wanted. */
PAWL_API void pawl_timer_init(struct pawl_timer *t, enum pawl_clock clock);
PAWL_API int pawl_timer_next(struct pawl_timer *t);

/*
 * PAWL_TIME_WALL(out, statement): out, a double, becomes the time of one execution of the
 * statement: one warm-up execution, then 1, 2, 4, ... executions until they last 250 ms;
 * the mean of the last round.  _WALL and _CPU (of the process) give nanoseconds, _TICKS ticks
 * of the processor's time stamp counter, which are not core cycles.
 *
 * Errors: out is negative, an error number's negative, when the clock cannot be had or the
 *         statement takes no time; the statement may then not have been executed.
 * Range:  the statement may continue, which ends one execution; it must not break, return or go
 *         elsewhere, as the round would then be shorter than it is taken for.
 * Cost:   about half a second, or two executions of a slower statement.
 */
#ifndef PAWL_C89
#define PAWL_TIME_WALL(out, ...) \
	do { \
		PAWL_TIME_FROM_(PAWL_CLOCK_WALL) __VA_ARGS__; \
		PAWL_TIME_TO_(out) \
	} while (0)
#define PAWL_TIME_CPU(out, ...) \
	do { \
		PAWL_TIME_FROM_(PAWL_CLOCK_CPU) __VA_ARGS__; \
		PAWL_TIME_TO_(out) \
	} while (0)
#define PAWL_TIME_TICKS(out, ...) \
	do { \
		PAWL_TIME_FROM_(PAWL_CLOCK_TICKS) __VA_ARGS__; \
		PAWL_TIME_TO_(out) \
	} while (0)
#else /* the statement then holds no comma outside of brackets */
#define PAWL_TIME_WALL(out, statement) \
	do { \
		PAWL_TIME_FROM_(PAWL_CLOCK_WALL) statement; \
		PAWL_TIME_TO_(out) \
	} while (0)
#define PAWL_TIME_CPU(out, statement) \
	do { \
		PAWL_TIME_FROM_(PAWL_CLOCK_CPU) statement; \
		PAWL_TIME_TO_(out) \
	} while (0)
#define PAWL_TIME_TICKS(out, statement) \
	do { \
		PAWL_TIME_FROM_(PAWL_CLOCK_TICKS) statement; \
		PAWL_TIME_TO_(out) \
	} while (0)
#endif

/* What stands before and behind the statement. */
/* clang-format off */
#define PAWL_TIME_FROM_(clock) \
	struct pawl_timer pawl_timer_; \
	pawl_timer_init(&pawl_timer_, (clock)); \
	while (pawl_timer_next(&pawl_timer_)) { \
		PAWL_COUNTER_ pawl_left_ = pawl_timer_.n; \
		while (pawl_left_) { \
			pawl_left_ = pawl_left_ - 1; \
			PAWL_HIDE_COUNTER_(pawl_left_);
#define PAWL_TIME_TO_(out) \
		} \
	} \
	(out) = pawl_timer_.per_op;
/* clang-format on */

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
