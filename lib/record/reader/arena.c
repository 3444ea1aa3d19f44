#include "lib/record/reader/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/banned.h"

#define FIRST_BYTES 1000 /* of the first block; of each further one twice as many, up to */
#define MOST_BYTES 16000
#define FEW_BYTES (MOST_BYTES / 8) /* more has a block of its own */
#define ALIGNMENT sizeof(double)

struct arena_block {
	struct arena_block *before;
	double bytes[];
};

static struct arena_block *make_block(size_t n, struct arena_block *before)
{
	struct arena_block *block = malloc(sizeof(*block) + n);

	if (block)
		block->before = before;
	return block;
}

/* Behind the last one, which stays that. */
static void *take_alone(struct arena *a, size_t n)
{
	struct arena_block *block = make_block(n, a->last ? a->last->before : NULL);

	if (!block)
		return NULL;
	if (a->last)
		a->last->before = block;
	else
		a->last = block;
	return block->bytes;
}

/* Of room bytes at least. */
static bool add_block(struct arena *a, size_t room)
{
	size_t n = a->size ? a->size : FIRST_BYTES / 2;
	struct arena_block *block;

	do
		n = n < MOST_BYTES / 2 ? 2 * n : MOST_BYTES;
	while (n < room);
	block = make_block(n, a->last);
	if (!block)
		return false;
	a->last = block;
	a->next = (char *)block->bytes;
	a->size = a->left = n;
	return true;
}

void *arena_take(struct arena *a, size_t n)
{
	void *taken;

	if (n > SIZE_MAX - sizeof(struct arena_block) - ALIGNMENT)
		return NULL;
	n = n ? (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
	if (n > FEW_BYTES)
		return take_alone(a, n);
	if (n > a->left && !add_block(a, n))
		return NULL;
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
