/*
 * alloc - malloc and free of mixed sizes; mostly small blocks, some of thousands of bytes.
 *
 * A step frees one of the living blocks and allocates another in its place.
 */
#include <stdlib.h>

#include "include/pawl.h"

#include "extra.h"

enum { LIVING = 512 };

static size_t size_of(uint32_t random)
{
	if (random % 64 == 0)
		return 4096 + (random >> 8) % 28672;
	if (random % 8 == 0)
		return 256 + (random >> 8) % 2048;
	return 16 + (random >> 8) % 240;
}

struct heap {
	char *living[LIVING];
	uint32_t state; /* of the sizes; goes on from operation to operation */
};

static void free_all(void *ctx)
{
	struct heap *heap = ctx;

	for (int i = 0; i < LIVING; i++) {
		free(heap->living[i]);
		heap->living[i] = NULL;
	}
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	struct heap *heap = ctx;
	uint32_t state = heap->state;

	(void)r;
	while (n--) {
		uint64_t steps = pawl_hide((uint64_t)STEPS(10));

		for (; steps; steps--) {
			char **block = &heap->living[(state >> 20) % LIVING];

			state = state * 1664525u + 1013904223u;
			free(*block);
			*block = malloc(size_of(state >> 4));
			if (*block)
				**block = 1;
		}
	}
	heap->state = state;
}

int main(int argc, char **argv)
{
	static struct heap heap;
	const struct pawl_bench list[] = { PAWL_BENCH_FIXTURE("alloc", NULL, run, free_all,
							      &heap) };

	return pawl_main(argc, argv, list, 1);
}
