#include "lib/record/reader/arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "lib/base/banned.h"

#define BLOCK_BYTES 16000
#define ALIGNMENT sizeof(double)

struct arena_block {
	struct arena_block *before;
	double bytes[];
};

/* A block of n bytes at least. */
static struct arena_block *add_block(struct arena *a, size_t n)
{
	struct arena_block *block;

	if (n > SIZE_MAX - sizeof(*block))
		return NULL;
	block = malloc(sizeof(*block) + n);
	if (!block)
		return NULL;
	block->before = a->last;
	a->last = block;
	return block;
}

void *arena_take(struct arena *a, size_t n)
{
	struct arena_block *block;
	char *taken;

	if (n > SIZE_MAX - ALIGNMENT)
		return NULL;
	n = (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (n > a->left) {
		block = add_block(a, n < BLOCK_BYTES ? BLOCK_BYTES : n);
		if (!block)
			return NULL;
		a->next = (char *)block->bytes;
		a->left = n < BLOCK_BYTES ? BLOCK_BYTES : n;
	}
	taken = a->next;
	a->next += n;
	a->left -= n;
	return taken;
}

void arena_release(struct arena *a)
{
	while (a->last) {
		struct arena_block *before = a->last->before;

		free(a->last);
		a->last = before;
	}
	*a = (struct arena){ .last = NULL };
}
