/*
 * shared - columns that several benchmarks of a result have alike: what was recorded of a round.
 */
#ifndef PAWL_RECORD_PACKED_SHARED_H
#define PAWL_RECORD_PACKED_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

struct shared_column {
	uint64_t key;
	const double *x; /* of a benchmark, while they are collected */
	size_t n;
	size_t start; /* among the bytes; SIZE_MAX: it was met once */
};

struct shared {
	struct shared_column *slots; /* only while they are collected */
	size_t n_slots, n_used;
	struct buf bytes;		 /* the columns, written */
	const unsigned char *read, *end; /* the same, read */
};

#define SHARED_INIT \
	{ \
		NULL, 0, 0, BUF_INIT, NULL, NULL \
	}

void shared_release(struct shared *s);

/* Takes note of x[0..n), which must stay.  Errors: ERR_NOMEM.  Cost: O(n). */
int shared_note(struct shared *s, const double *x, size_t n, struct err *err);

/*
 * Where x[0..n) is among the bytes, when it was noted more than once; it is appended the first
 * time.  Cost: O(n).
 */
bool shared_find(struct shared *s, const double *x, size_t n, size_t *out_start);

/* Reads what lies there into x[0..n); false when that is no column. */
bool shared_read(const struct shared *s, size_t start, double *x, size_t n);

#endif
