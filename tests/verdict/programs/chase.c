/*
 * chase - follows pointers through memory larger than the caches; each step waits for memory.
 *
 * One cycle through all nodes in random order (S. Sattolo, Inf. Proc. Letters 22 (1986) 315-317).
 * An operation goes on where the last one stopped: from the same start it would soon run in
 * the cache.
 */
#include <stdlib.h>

#include "include/pawl.h"

#include "extra.h"

enum { NODES = 1 << 20 }; /* of a cache line each: 64 MiB */

struct node {
	struct node *next;
	char rest[64 - sizeof(struct node *)];
};

struct cycle {
	struct node *nodes, *at;
};

static int set_up(void *ctx)
{
	struct cycle *c = ctx;
	uint64_t state = 1;

	c->nodes = aligned_alloc(64, NODES * sizeof(*c->nodes));
	if (!c->nodes)
		return 1;
	for (uint32_t i = 0; i < NODES; i++)
		c->nodes[i].next = &c->nodes[i];
	for (uint32_t i = NODES - 1; i > 0; i--) {
		struct node *kept = c->nodes[i].next;
		uint32_t other;

		state = state * 6364136223846793005u + 1442695040888963407u;
		other = (uint32_t)((state >> 32) * i >> 32);
		c->nodes[i].next = c->nodes[other].next;
		c->nodes[other].next = kept;
	}
	c->at = c->nodes;
	return 0;
}

static void tear_down(void *ctx)
{
	struct cycle *c = ctx;

	free(c->nodes);
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	struct cycle *c = ctx;
	struct node *at = c->at;

	(void)r;
	while (n--)
		for (uint64_t steps = pawl_hide((uint64_t)STEPS(1)); steps; steps--)
			at = at->next;
	c->at = at;
}

int main(int argc, char **argv)
{
	static struct cycle cycle;
	const struct pawl_bench list[] = { PAWL_BENCH_FIXTURE("chase", set_up, run, tear_down,
							      &cycle) };

	return pawl_main(argc, argv, list, 1);
}
