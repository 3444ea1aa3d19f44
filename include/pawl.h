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
 *	static const struct pawl_bench list[] = { { "work", 0, run, 0, 0, 1, 0 } };
 *	int main(int argc, char **argv) { return pawl_main(argc, argv, list, 1); }
 *
 * Started by hand the program prints a table; started by the collector, which sets
 * PAWL_FD, it writes record lines there.  See pawl(3).
 *
 * Language: C99 and later, C++11 and later, gcc and clang.  Link with -lpawl; it needs
 * nothing but libc.
 * Threads:  pawl_main() and everything it calls run on the calling thread, and CPU time,
 * switches, faults and counters are those of that thread.  Nothing here may be called from
 * two threads at once, except the pawl_timer_ calls on different timers.
 * Not promised: the layout of struct pawl_run; that a benchmark is called with the same n
 * in another version; any particular time.
 */
#ifndef PAWL_H
#define PAWL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PAWL_API __attribute__((visibility("default")))

/* One measurement under way; what pawl_start(), pawl_stop() and pawl_fail() are given. */
struct pawl_run;

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
 * items, bytes: what one operation works on, for rates; 0 when there is nothing to say.
 */
struct pawl_bench {
	const char *name;
	int (*setup)(void *ctx);
	void (*run)(void *ctx, uint64_t n, struct pawl_run *r);
	void (*teardown)(void *ctx);
	void *ctx;
	double items, bytes;
};

/*
 * The whole program: reads the options and the environment, measures, reports.
 *
 * Each benchmark: setup; the first call, alone, with n = 1 (the cold time, and the warm-up);
 * then n doubles from 1 until the elapsed time reaches the least time (250 ms).  Of that last
 * stretch the mean is elapsed / n and the throughput 1 / mean.  The stretch is read in
 * batches of at least 1 ms, 1000 clock steps and 1000 clock overheads; batches in which the
 * thread had the processor for less than 98 % of the time, or changed the processor, are
 * left out of the second, clean estimate and counted.
 *
 * Clocks: --clocks tells what there is.  Of a clock that counts ticks (--clock tsc) the frequency
 * is measured over the whole run until the result is reported; all times of one result are
 * converted by that, good for better than 0.1 parts in a million after 100 ms.
 *
 * Options: --list, --filter PATTERN (a glob over the whole name, see fnmatch(3); without any
 *          of * ? [ it is a part of the name), --min-time 250ms, --clock NAME, --clocks,
 *          --json, --counters, --no-counters, --help, --version.
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
 * pawl_start() twice starts anew; pawl_stop() without pawl_start() does nothing; a stretch
 * still open when run returns is closed there.
 */
PAWL_API void pawl_start(struct pawl_run *r);
PAWL_API void pawl_stop(struct pawl_run *r);

/*
 * Says that one of the n operations failed.  It is counted, and its time is left out.  With
 * manual timing an open stretch is thrown away, so there one stretch should hold one operation;
 * otherwise the batch (about 1 ms) in which it happened is thrown away with all its iterations.
 */
PAWL_API void pawl_fail(struct pawl_run *r);

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
 * Cost:   about half a second, or two executions of a slower statement.
 */
#define PAWL_TIME_WALL(out, ...) PAWL_TIME_BY_(PAWL_CLOCK_WALL, out, __VA_ARGS__)
#define PAWL_TIME_CPU(out, ...) PAWL_TIME_BY_(PAWL_CLOCK_CPU, out, __VA_ARGS__)
#define PAWL_TIME_TICKS(out, ...) PAWL_TIME_BY_(PAWL_CLOCK_TICKS, out, __VA_ARGS__)

#define PAWL_TIME_BY_(clock, out, ...) \
	do { \
		struct pawl_timer pawl_timer_; \
		pawl_timer_init(&pawl_timer_, (clock)); \
		while (pawl_timer_next(&pawl_timer_)) { \
			uint64_t pawl_left_ = pawl_timer_.n; \
			do { \
				__VA_ARGS__; \
				__asm__ __volatile__("" : "+r"(pawl_left_)); \
			} while (--pawl_left_); \
		} \
		(out) = pawl_timer_.per_op; \
	} while (0)

/* ---- optimisation barriers: no instruction of their own ------------------------------- */

/*
 * pawl_keep(v):       the value v is used: the compiler must compute it.  Numbers stay in the
 *                     kind of register they are in; of a pointer, what it points to is used too.
 * pawl_keep_obj(o):   all of the object o (a variable, structure or array) is used.
 * x = pawl_hide(x):   the compiler no longer knows the value of x, so it can neither compute
 *                     with it beforehand nor move what depends on it out of the loop.
 * pawl_clobber():     all memory whose address went elsewhere may have been read and changed.
 *
 * Range: keep and hide take arithmetic types up to 64 bits, long double (keep only) and
 *        pointers to non-volatile objects.  Integers smaller than int come back as int.
 */
#define pawl_clobber() __asm__ __volatile__("" : : : "memory")
#define pawl_keep_obj(o) __asm__ __volatile__("" : : "m"(o))

/* The register class of a double; a general register would cost a move each way. */
#if defined(__SSE2__)
#define PAWL_REAL_ "x"
#elif defined(__aarch64__)
#define PAWL_REAL_ "w"
#elif defined(__riscv_flen) && __riscv_flen >= 64
#define PAWL_REAL_ "f"
#else
#define PAWL_REAL_ "m"
#endif

/* A value wider than a register has to go through memory. */
#if defined(__LP64__) || defined(__x86_64__)
#define PAWL_WIDE_ "r"
#else
#define PAWL_WIDE_ "m"
#endif

#define PAWL_BARRIER_(suffix, type, class) \
	static inline void pawl_keep_##suffix(type v) \
	{ \
		__asm__ __volatile__("" : : class(v)); \
	} \
	static inline type pawl_hide_##suffix(type v) \
	{ \
		__asm__ __volatile__("" : "+" class(v)); \
		return v; \
	}

PAWL_BARRIER_(int, int, "r")
PAWL_BARRIER_(uint, unsigned int, "r")
PAWL_BARRIER_(long, long, "r")
PAWL_BARRIER_(ulong, unsigned long, "r")
PAWL_BARRIER_(wide, int64_t, PAWL_WIDE_)
PAWL_BARRIER_(uwide, uint64_t, PAWL_WIDE_)
PAWL_BARRIER_(float, float, PAWL_REAL_)
PAWL_BARRIER_(double, double, PAWL_REAL_)

static inline void pawl_keep_long_double(long double v)
{
	__asm__ __volatile__("" : : "m"(v));
}

static inline void pawl_keep_pointer(const void *v)
{
	__asm__ __volatile__("" : : "r"(v) : "memory");
}

static inline void *pawl_hide_pointer(const void *v)
{
	void *out;
	__asm__ __volatile__("" : "=r"(out) : "0"(v) : "memory");
	return out;
}

#ifdef __cplusplus
} /* extern "C" */

#define PAWL_OVERLOAD_(suffix, type) \
	static inline void pawl_keep(type v) \
	{ \
		pawl_keep_##suffix(v); \
	} \
	static inline type pawl_hide(type v) \
	{ \
		return static_cast<type>(pawl_hide_##suffix(v)); \
	}

PAWL_OVERLOAD_(int, int)
PAWL_OVERLOAD_(uint, unsigned int)
PAWL_OVERLOAD_(long, long)
PAWL_OVERLOAD_(ulong, unsigned long)
PAWL_OVERLOAD_(wide, long long)
PAWL_OVERLOAD_(uwide, unsigned long long)
PAWL_OVERLOAD_(float, float)
PAWL_OVERLOAD_(double, double)

static inline void pawl_keep(long double v)
{
	pawl_keep_long_double(v);
}
template <typename T> static inline void pawl_keep(T *v)
{
	pawl_keep_pointer(v);
}
template <typename T> static inline T *pawl_hide(T *v)
{
	return static_cast<T *>(pawl_hide_pointer(v));
}
#else
/* clang-format off */
#define PAWL_SELECT_(v, call, other) \
	__extension__ _Generic((v), \
		_Bool: call##_int, char: call##_int, signed char: call##_int, \
		unsigned char: call##_int, short: call##_int, unsigned short: call##_int, \
		int: call##_int, unsigned int: call##_uint, \
		long: call##_long, unsigned long: call##_ulong, \
		long long: call##_wide, unsigned long long: call##_uwide, \
		float: call##_float, double: call##_double, other \
		default: call##_pointer)(v)
/* clang-format on */
#define pawl_keep(v) PAWL_SELECT_(v, pawl_keep, PAWL_ALSO_KEEP_)
#define pawl_hide(v) PAWL_SELECT_(v, pawl_hide, )
#define PAWL_ALSO_KEEP_ long double : pawl_keep_long_double,
#endif

#endif
