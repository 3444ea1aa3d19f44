/*
 * arena - memory for many small things that end together: one malloc() for hundreds of them.
 */
#ifndef PAWL_RECORD_READER_ARENA_H
#define PAWL_RECORD_READER_ARENA_H

#include <stddef.h>

struct arena_block;

/* Zeroed: empty. */
struct arena {
	struct arena_block *last; /* each leads to one before */
	char *next;		  /* `left` bytes from the end of a block of `size` */
	size_t size, left;
};

/* n bytes, aligned as a double is, until arena_release(); NULL without memory, nothing changed. */
void *arena_take(struct arena *a, size_t n);

/* Ends all that was taken; it is empty again. */
void arena_release(struct arena *a);

#endif
