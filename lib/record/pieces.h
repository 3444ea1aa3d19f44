/*
 * pieces - a long array of a JSON document apart from the rest, one element at a time.
 *
 * A tree of a whole document takes ten times its bytes, and two thirds of the time of reading it:
 * where nearly all of it is one array, only the tree of one element need be there at a time.
 * Taken apart, a document is accepted exactly when it is as a whole.
 */
#ifndef PAWL_RECORD_PIECES_H
#define PAWL_RECORD_PIECES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/scan.h"

struct pieces {
	struct buf rest;     /* the document with the array empty; without one, nothing */
	struct scan element; /* before the next one; p == NULL: there is none */
};

#define PIECES_INIT \
	{ \
		BUF_INIT, \
		{ \
			NULL, NULL \
		} \
	}

void pieces_release(struct pieces *p);

/*
 * Takes apart the array that is the member of that quoted key.  False where that cannot be done,
 * as when there is no such array, the document is broken around it, or there is no memory: it is
 * then to be read as a whole, which says what is wrong.
 */
bool pieces_open(const char *json, size_t n, const char *key, struct pieces *out);

/* The next element, which lies in the document; false behind the last. */
bool pieces_next(struct pieces *p, const char **out, size_t *out_n);

#endif
