/*
 * texts - the strings of a packed result, each once, found by number.
 */
#ifndef PAWL_RECORD_PACKED_TEXTS_H
#define PAWL_RECORD_PACKED_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

struct texts {
	struct buf bytes; /* each with its NUL */
	size_t *starts;	  /* of number i, in bytes */
	size_t n, cap;
	uint32_t *slots; /* number + 1 by hash; only while they are collected */
	size_t n_slots;	 /* a power of 2 */
};

#define TEXTS_INIT \
	{ \
		BUF_INIT, NULL, 0, 0, NULL, 0 \
	}

void texts_release(struct texts *t);

/* The number of that text, which is added when it is new.  Errors: ERR_NOMEM.  Cost: O(length). */
int texts_number(struct texts *t, const char *text, size_t *out, struct err *err);

/* Number i, which must be less than n; valid until the next text is added. */
const char *texts_get(const struct texts *t, size_t i);

/*
 * Takes over bytes, which are n texts and nothing else.
 * Errors: ERR_CORRUPT they are not; ERR_NOMEM.  *bytes is left empty either way.
 */
int texts_read(struct buf *bytes, size_t n, struct texts *out, struct err *err);

#endif
