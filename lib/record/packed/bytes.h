/*
 * bytes - whole numbers of any size as few bytes: seven bits a byte, the lowest first.
 */
#ifndef PAWL_RECORD_PACKED_BYTES_H
#define PAWL_RECORD_PACKED_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"

void bytes_add(struct buf *out, uint64_t value);
void bytes_add_signed(struct buf *out, int64_t value);
void bytes_add_fixed(struct buf *out, uint64_t value); /* 8 bytes, the lowest first */

/* Where the number ends, or NULL when there is none before end; p may be NULL. */
const unsigned char *bytes_get(const unsigned char *p, const unsigned char *end, uint64_t *out);
const unsigned char *bytes_get_signed(const unsigned char *p, const unsigned char *end,
				      int64_t *out);
const unsigned char *bytes_get_fixed(const unsigned char *p, const unsigned char *end,
				     uint64_t *out);

/* The bits of a double, and back. */
uint64_t bytes_of_double(double value);
double bytes_to_double(uint64_t bits);

#endif
