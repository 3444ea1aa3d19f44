/* A machine for the tests of pawl_bare.h: a bus of 32-bit words, and a counter that advances
 * when it is read and when the operation works. */
#ifndef PAWL_TESTS_UNIT_INCLUDE_BARE_FIXTURE_H
#define PAWL_TESTS_UNIT_INCLUDE_BARE_FIXTURE_H

#include <stdint.h>

static uint32_t fake_load(uintptr_t address);
static void fake_store(uintptr_t address, uint32_t value);
#define PAWL_BARE_LOAD32(address) fake_load(address)
#define PAWL_BARE_STORE32(address, value) fake_store((address), (value))
#define PAWL_BARE_PATIENCE 1000
#include "include/pawl_bare.h"

static struct {
	uint64_t now;	   /* ticks since it was switched on */
	uint64_t per_read; /* ticks that a reading takes */
	uint64_t cost;	   /* ticks that an operation takes */
	uint64_t stops_at; /* where it stops; 0: never */
	uint32_t calls;
	uint32_t fails_from, fails_to; /* calls that fail: from..to-1 */
} fake;

static inline void fake_reset(uint64_t per_read, uint64_t cost)
{
	fake.now = fake.stops_at = 0;
	fake.per_read = per_read;
	fake.cost = cost;
	fake.calls = fake.fails_from = fake.fails_to = 0;
}

static inline uint64_t fake_read(const struct pawl_bare_counter *c)
{
	fake.now += fake.per_read;
	if (fake.stops_at && fake.now > fake.stops_at)
		fake.now = fake.stops_at;
	return (c->down ? 0 - fake.now : fake.now) & c->mask;
}

static inline int fake_work(void *ctx, uint32_t n)
{
	uint32_t call = fake.calls++;
	(void)ctx;
	fake.now += fake.cost * n;
	return call >= fake.fails_from && call < fake.fails_to;
}

#endif
