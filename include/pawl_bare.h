/* SPDX-License-Identifier: MIT */
/*
 * pawl_bare - measure C or C++ code where there is no operating system and no C library.
 *
 *	static int run(void *ctx, uint32_t n)
 *	{
 *		(void)ctx;
 *		while (n--)
 *			work();
 *		return 0;
 *	}
 *	struct pawl_bare_counter c;
 *	struct pawl_bare_result r;
 *	pawl_bare_systick(&c, 25000000);
 *	if (pawl_bare_open(&c) == PAWL_BARE_OK)
 *		pawl_bare_run(&c, NULL, run, NULL, &r);
 *
 * Header only; needs <stdint.h> and <stddef.h>, and of the compiler's own library at most the
 * soft floating point and 64-bit division (-lgcc).  It prints nothing and allocates nothing:
 * the caller is given a structure, and pawl_bare_text() makes a line of it.  See pawl_bare(3).
 *
 * Language: C99 and later, C++11 and later, gcc and clang, -ffreestanding or hosted.
 * Threads:  one at a time; what interrupts the code under test is part of its time, unless
 *           PAWL_BARE_LOCK and PAWL_BARE_UNLOCK say how to keep interrupts away.
 * Not promised: that an operation longer than the counter's period is noticed, unless the
 *           counter has a guard.
 *
 * Macros to define before the first include, all optional: PAWL_BARE_LOCK(),
 * PAWL_BARE_UNLOCK(): around every stretch that is timed.  PAWL_BARE_FENCE(): what completes
 * earlier instructions, "dsb; isb" or "fence" on processors that reorder; a compiler barrier
 * otherwise.  PAWL_BARE_PATIENCE: readings until a counter that stands still is given up.
 * PAWL_BARE_LOAD32(address), PAWL_BARE_STORE32(address, value): one bus access.
 */
#ifndef PAWL_BARE_H
#define PAWL_BARE_H

#include <stddef.h>
#include <stdint.h>

#include "pawl_bare_stats.h"

#ifndef PAWL_BARE_LOCK
#define PAWL_BARE_LOCK() ((void)0)
#endif
#ifndef PAWL_BARE_UNLOCK
#define PAWL_BARE_UNLOCK() ((void)0)
#endif
#ifndef PAWL_BARE_FENCE
#define PAWL_BARE_FENCE() __asm__ __volatile__("" : : : "memory")
#endif
#ifndef PAWL_BARE_PATIENCE
#define PAWL_BARE_PATIENCE 100000
#endif
#ifndef PAWL_BARE_LOAD32
#define PAWL_BARE_LOAD32(address) (*(const volatile uint32_t *)(address))
#endif
#ifndef PAWL_BARE_STORE32
#define PAWL_BARE_STORE32(address, value) (*(volatile uint32_t *)(address) = (value))
#endif

enum pawl_bare_state {
	PAWL_BARE_OK,
	PAWL_BARE_CLOSED,
	PAWL_BARE_ABSENT,
	PAWL_BARE_DEAD,
	PAWL_BARE_MISFIT,
	PAWL_BARE_WRAPPED,
	PAWL_BARE_FAST,
	PAWL_BARE_ERRORS
};

/* What a state means, for people; static storage. */
static inline const char *pawl_bare_reason(enum pawl_bare_state state)
{
	switch (state) {
	case PAWL_BARE_OK:
		return "ok";
	case PAWL_BARE_CLOSED:
		return "the counter was not opened";
	case PAWL_BARE_ABSENT:
		return "this processor has no such counter";
	case PAWL_BARE_DEAD:
		return "the counter does not advance";
	case PAWL_BARE_MISFIT:
		return "the counter goes the other way, or beyond its largest value";
	case PAWL_BARE_WRAPPED:
		return "what was timed lasts longer than the counter's period";
	case PAWL_BARE_FAST:
		return "no number of operations takes a time that can be measured";
	case PAWL_BARE_ERRORS:
		return "the operation failed in every sample";
	}
	return "no such state";
}

/*
 * A counter.  Fill it by one of the functions below, or read, last, down and hz by hand for
 * anything else; then open it.
 */
struct pawl_bare_counter {
	uint64_t (*read)(const struct pawl_bare_counter *c); /* 0..last */
	uintptr_t address;	    /* of a memory-mapped counter; else for read's own use */
	uint64_t mask;		    /* the bits of a memory-mapped counter */
	uint64_t last;		    /* its period is last + 1 ticks */
	int down;		    /* whether it counts down */
	uint64_t hz;		    /* ticks per second; 0: not known */
	enum pawl_bare_state state; /* below: set by pawl_bare_open() */
	uint64_t step;		    /* ticks: the smallest step seen */
	uint64_t overhead_q8;	    /* 1/256 ticks: what timing nothing costs */
	/* Another open counter, of a longer period: tells whether this one went round.  Both
	 * need their hz.  NULL: nobody looks. */
	const struct pawl_bare_counter *guard;
};

/* ---- reading -------------------------------------------------------------------------- */

static inline uint64_t pawl_bare_read_word(const struct pawl_bare_counter *c)
{
	return PAWL_BARE_LOAD32(c->address) & c->mask;
}

/* The upper half did not change while the lower one was read: no value that never was. */
static inline uint64_t pawl_bare_read_halves(const struct pawl_bare_counter *c)
{
	uint32_t high = PAWL_BARE_LOAD32(c->address + 4), low, again;
	for (;;) {
		low = PAWL_BARE_LOAD32(c->address);
		again = PAWL_BARE_LOAD32(c->address + 4);
		if (again == high)
			return ((uint64_t)high << 32 | low) & c->mask;
		high = again;
	}
}

/* A counter that a function of the program reads; it may use c->address as it likes. */
static inline void pawl_bare_by(struct pawl_bare_counter *c,
				uint64_t (*read)(const struct pawl_bare_counter *c), unsigned bits,
				int down, uint64_t hz)
{
	c->read = read;
	c->address = 0;
	c->last = c->mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
	c->down = down;
	c->hz = hz;
	c->state = PAWL_BARE_CLOSED;
	c->step = c->overhead_q8 = 0;
	c->guard = NULL;
}

/*
 * A memory-mapped counter of 1 to 64 bits at an address that is a multiple of 4.  More than
 * 32 bits: the lower half at the address, the upper half behind it.  Of one that starts again
 * before all bits are set (a reload value), set last afterwards.
 */
static inline void pawl_bare_mapped(struct pawl_bare_counter *c, uintptr_t address, unsigned bits,
				    int down, uint64_t hz)
{
	pawl_bare_by(c, bits > 32 ? pawl_bare_read_halves : pawl_bare_read_word, bits, down, hz);
	c->address = address;
}

/* Ticks from one reading to a later one, less than a period apart. */
static inline uint64_t pawl_bare_elapsed(const struct pawl_bare_counter *c, uint64_t from,
					 uint64_t to)
{
	uint64_t a = c->down ? to : from, b = c->down ? from : to;
	return b >= a ? b - a : b + (c->last - a) + 1;
}

/* ---- timing --------------------------------------------------------------------------- */

/* The operation, n times, n >= 1; nonzero: it failed, and its time does not count. */
typedef int pawl_bare_operation(void *ctx, uint32_t n);

/* One stretch.  Never inlined, so that timing nothing costs the same as timing something. */
static __attribute__((noinline, unused)) uint64_t pawl_bare_stretch(
	const struct pawl_bare_counter *c, pawl_bare_operation *run, void *ctx, uint32_t n,
	int *out_error)
{
	uint64_t from, to;
	PAWL_BARE_LOCK();
	PAWL_BARE_FENCE();
	from = c->read(c);
	PAWL_BARE_FENCE();
	*out_error = run(ctx, n);
	PAWL_BARE_FENCE();
	to = c->read(c);
	PAWL_BARE_FENCE();
	PAWL_BARE_UNLOCK();
	return pawl_bare_elapsed(c, from, to);
}

static __attribute__((noinline, unused)) int pawl_bare_nothing(void *ctx, uint32_t n)
{
	(void)ctx;
	(void)n;
	return 0;
}

/*
 * Finds out whether the counter advances, its step, and what timing nothing costs: of eight
 * means of 64 stretches the smallest, since interrupts only add.
 *
 * Returns: the state, which is also kept in c->state: PAWL_BARE_OK; _DEAD when it took fewer
 *          than two steps in PAWL_BARE_PATIENCE readings; _MISFIT when its steps are half a
 *          period or it exceeds last; _ABSENT stays as it is.
 */
static inline enum pawl_bare_state pawl_bare_open(struct pawl_bare_counter *c)
{
	uint64_t before, smallest = 0, least = 0;
	uint32_t reads, steps = 0, i;
	int error, misfit = 0;
	if (c->state == PAWL_BARE_ABSENT)
		return c->state;
	before = c->read(c);
	for (reads = 0; reads < PAWL_BARE_PATIENCE && steps < 16; reads++) {
		uint64_t now = c->read(c), step = pawl_bare_elapsed(c, before, now);
		misfit |= now > c->last;
		if (step != 0 && (steps++ == 0 || step < smallest))
			smallest = step;
		before = now;
	}
	c->state = steps < 2			      ? PAWL_BARE_DEAD
		   : misfit || smallest > c->last / 2 ? PAWL_BARE_MISFIT
						      : PAWL_BARE_OK;
	c->step = smallest;
	for (i = 0; c->state == PAWL_BARE_OK && i < 8; i++) {
		uint64_t sum = 0;
		for (reads = 0; reads < 64; reads++)
			sum += pawl_bare_stretch(c, pawl_bare_nothing, NULL, 1, &error);
		least = i == 0 || sum < least ? sum : least;
	}
	c->overhead_q8 = least * 4;
	return c->state;
}

/*
 * Measures a counter's frequency against another one of known frequency, over that many ticks
 * of the other.  Both are open.  Either may wrap any number of times, but is read all the
 * time, so its period must be longer than a few readings.
 *
 * Returns: PAWL_BARE_OK, and c->hz is set, to within one step of each counter;
 *          _CLOSED when one of them is not open or the other's hz is 0; _DEAD when the other
 *          stopped.
 */
static inline enum pawl_bare_state pawl_bare_calibrate(struct pawl_bare_counter *c,
						       const struct pawl_bare_counter *other,
						       uint64_t other_ticks)
{
	uint64_t ticks = 0, passed = 0, c_before, other_before;
	uint32_t idle = 0;
	if (c->state != PAWL_BARE_OK || other->state != PAWL_BARE_OK || other->hz == 0)
		return PAWL_BARE_CLOSED;
	other_before = other->read(other);
	c_before = c->read(c);
	while (passed < other_ticks || passed == 0) {
		uint64_t other_now = other->read(other), c_now = c->read(c);
		uint64_t step = pawl_bare_elapsed(other, other_before, other_now);
		if (step == 0 && ++idle >= PAWL_BARE_PATIENCE)
			return PAWL_BARE_DEAD;
		idle = step ? 0 : idle;
		passed += step;
		ticks += pawl_bare_elapsed(c, c_before, c_now);
		other_before = other_now;
		c_before = c_now;
	}
	c->hz = (uint64_t)((double)ticks / (double)passed * (double)other->hz + 0.5);
	return PAWL_BARE_OK;
}

/* ---- a benchmark ---------------------------------------------------------------------- */

/* What to do; all 0, or NULL instead of it: the defaults. */
struct pawl_bare_plan {
	uint32_t n; /* operations a sample, below 2^31; 0: doubled from 1 until they take min_ticks
		     */
	uint64_t min_ticks; /* 0: 1000 steps and 100 overheads; at most an eighth of the period */
	uint32_t samples;   /* 0: 100 */
	int slope;	    /* a sample is what 2n operations take longer than n: nothing that is
			     * the same for both, such as the call, is in it; it may be negative */
};

struct pawl_bare_result {
	enum pawl_bare_state state;
	uint32_t n;	 /* operations a sample */
	uint32_t errors; /* calls that failed; they are not in the figures */
	double first;	 /* ticks of the very first operation, alone: cold; 0: failed */
	struct pawl_bare_spread ticks; /* per operation; max is the worst sample, and with n = 1
					* the worst case seen */
	double p99;		       /* 99 % quantile of the samples */
	int p99_is_exact;	       /* 0: estimated, see pawl_bare_stats.h */
};

/* One stretch without the overhead, in ticks; *io_state says what is wrong with it. */
static inline double pawl_bare_net(const struct pawl_bare_counter *c, pawl_bare_operation *run,
				   void *ctx, uint32_t n, enum pawl_bare_state *io_state)
{
	const struct pawl_bare_counter *guard = c->guard;
	uint64_t from = guard ? guard->read(guard) : 0;
	int error = 0;
	double ticks = (double)pawl_bare_stretch(c, run, ctx, n, &error);
	if (error)
		*io_state = PAWL_BARE_ERRORS;
	else if (guard &&
		 (double)pawl_bare_elapsed(guard, from, guard->read(guard)) * (double)c->hz >
			 ((double)c->last + 1) * (double)guard->hz)
		*io_state = PAWL_BARE_WRAPPED;
	ticks -= (double)c->overhead_q8 / 256;
	return ticks > 0 ? ticks : 0;
}

/* Doubles n until it takes least ticks; 0 with *io_state when that cannot be. */
static inline uint32_t pawl_bare_find_n(const struct pawl_bare_counter *c, uint64_t least,
					pawl_bare_operation *run, void *ctx,
					enum pawl_bare_state *io_state)
{
	uint32_t n;
	if (least == 0)
		least = c->step * 1000 + c->overhead_q8 / 256 * 100;
	if (least > c->last / 8)
		least = c->last / 8;
	for (n = 1; n < (uint32_t)1 << 31; n *= 2) {
		double ticks = pawl_bare_net(c, run, ctx, n, io_state);
		if (*io_state != PAWL_BARE_OK)
			return 0;
		if (ticks >= (double)least)
			return n;
	}
	*io_state = PAWL_BARE_FAST;
	return 0;
}

/*
 * Measures: the first call alone, then n where the plan does not give it, then the samples.
 *
 * Returns: the state, which is also kept in out->state: what pawl_bare_open() found;
 *          _WRAPPED when the counter's guard says so; _FAST when 2^30 operations were still
 *          too short; _ERRORS when it failed while n was looked for, or in every sample.  The
 * figures hold only with _OK.
 */
static inline enum pawl_bare_state pawl_bare_run(const struct pawl_bare_counter *c,
						 const struct pawl_bare_plan *plan,
						 pawl_bare_operation *run, void *ctx,
						 struct pawl_bare_result *out)
{
	struct pawl_bare_tail tail;
	uint32_t samples = plan && plan->samples ? plan->samples : 100;
	enum pawl_bare_state state = c->state;
	out->n = plan ? plan->n : 0;
	out->errors = 0;
	out->first = out->p99 = 0;
	out->p99_is_exact = 0;
	pawl_bare_spread_clear(&out->ticks);
	pawl_bare_tail_clear(&tail, 990);
	if (state == PAWL_BARE_OK)
		out->first = pawl_bare_net(c, run, ctx, 1, &state);
	if (state == PAWL_BARE_ERRORS) {
		out->errors++;
		out->first = 0;
		state = PAWL_BARE_OK;
	}
	if (state == PAWL_BARE_OK && out->n == 0)
		out->n = pawl_bare_find_n(c, plan ? plan->min_ticks : 0, run, ctx, &state);
	for (; samples > 0 && state == PAWL_BARE_OK; samples--) {
		double ticks = pawl_bare_net(c, run, ctx, out->n, &state);
		if (plan && plan->slope && state == PAWL_BARE_OK)
			ticks = pawl_bare_net(c, run, ctx, out->n * 2, &state) - ticks;
		if (state == PAWL_BARE_ERRORS) {
			out->errors++;
			state = PAWL_BARE_OK;
			continue;
		}
		pawl_bare_spread_add(&out->ticks, ticks / out->n);
		pawl_bare_tail_add(&tail, ticks / out->n);
	}
	if (state == PAWL_BARE_OK && out->ticks.n == 0)
		state = PAWL_BARE_ERRORS;
	out->p99 = pawl_bare_tail_value(&tail, &out->p99_is_exact);
	out->state = state;
	return state;
}

#include "pawl_bare_cpu.h"
#include "pawl_bare_text.h"

#endif
