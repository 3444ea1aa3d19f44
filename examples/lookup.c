/* SPDX-License-Identifier: MIT */
/*
 * lookup - finding numbers in a hash table: of three sizes, and on two threads at once.
 *
 * Shows arguments (each size is a benchmark of its own), threads, and a counter of the
 * benchmark's own: how many places of the table a search looks at.
 */
#include <stdint.h>
#include <stdlib.h>

#include "include/pawl.h"

/* Places of the table, a power of 2: the argument. */
static int64_t places;

struct table {
	uint64_t *key; /* 0: free */
	uint64_t mask, filled;
};

/* A different number for every i but 0, spread over all 64 bits. */
static uint64_t number(uint64_t i)
{
	i *= 0x9e3779b97f4a7c15u;
	return i ^ i >> 32;
}

/* Looks from the number's own place on until it is there or a place is free. */
static uint64_t find(const struct table *t, uint64_t key, uint64_t *looks)
{
	uint64_t at = key & t->mask;
	for (++*looks; t->key[at] != key && t->key[at]; ++*looks)
		at = (at + 1) & t->mask;
	return at;
}

static int set_up(void *ctx)
{
	struct table *t = ctx;
	uint64_t looks = 0;
	t->mask = (uint64_t)places - 1;
	t->filled = (uint64_t)places / 4 * 3;
	t->key = calloc((size_t)places, sizeof(*t->key));
	if (!t->key)
		return 1;
	for (uint64_t i = 1; i <= t->filled; i++)
		t->key[find(t, number(i), &looks)] = number(i);
	return 0;
}

static void tear_down(void *ctx)
{
	struct table *t = ctx;
	free(t->key);
}

static void look_up(void *ctx, uint64_t n, struct pawl_run *r)
{
	const struct table *t = ctx;
	uint64_t random = pawl_thread(r), looks = 0;
	while (n--) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		pawl_keep(find(t, number((random >> 33) % t->filled + 1), &looks));
	}
	/* Once a run: in the loop it would be timed with each search. */
	pawl_add(r, "looks", (double)looks);
}

int main(int argc, char **argv)
{
	static struct table one, two;
	const struct pawl_args sizes = { .from = 1 << 10, .to = 1 << 20, .factor = 32 };
	const struct pawl_bench list[] = {
		{ .name = "lookup/one-thread",
		  .setup = set_up,
		  .run = look_up,
		  .teardown = tear_down,
		  .ctx = &one,
		  .items = 1,
		  .args = sizes,
		  .arg = &places },
		{ .name = "lookup/two-threads",
		  .setup = set_up,
		  .run = look_up,
		  .teardown = tear_down,
		  .ctx = &two,
		  .items = 1,
		  .args = sizes,
		  .arg = &places,
		  .threads = 2 },
	};
	return pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
}
