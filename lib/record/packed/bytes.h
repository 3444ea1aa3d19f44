/*
 * bytes - whole numbers of any size as few bytes: seven bits a byte, the lowest first.
 */
#ifndef PAWL_RECORD_PACKED_BYTES_H
#define PAWL_RECORD_PACKED_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/buf.h"

#define BYTES_MOST 10 /* that one takes */

/* Writes it at `to`, where there is room for BYTES_MOST: where it ends. */
static inline unsigned char *bytes_put(unsigned char *to, uint64_t value)
{
	for (; value > 127; value >>= 7)
		*to++ = (unsigned char)(value | 128);
	*to++ = (unsigned char)value;
	return to;
}

/* Whole numbers of either sign, those near 0 in few bytes. */
static inline uint64_t bytes_of_signed(int64_t value)
{
	uint64_t bits = (uint64_t)value << 1;

	return value < 0 ? ~bits : bits;
}

void bytes_add(struct buf *out, uint64_t value);
void bytes_add_signed(struct buf *out, int64_t value);
void bytes_add_fixed(struct buf *out, uint64_t value); /* 8 bytes, the lowest first */

/* Where the number ends, or NULL when there is none before end; p may be NULL. */
const unsigned char *bytes_get_long(const unsigned char *p, const unsigned char *end,
				    uint64_t *out);

/* The same.  Most are one byte. */
static inline const unsigned char *bytes_get(const unsigned char *p, const unsigned char *end,
					     uint64_t *out)
{
	if (!p || p >= end || *p > 127)
		return bytes_get_long(p, end, out);
	*out = *p;
	return p + 1;
}

static inline const unsigned char *bytes_get_signed(const unsigned char *p,
						    const unsigned char *end, int64_t *out)
{
	uint64_t bits = 0;

	p = bytes_get(p, end, &bits);
	if (p)
		*out = (int64_t)(bits & 1 ? ~(bits >> 1) : bits >> 1);
	return p;
}

const unsigned char *bytes_get_fixed(const unsigned char *p, const unsigned char *end,
				     uint64_t *out);

/* Eight of them, the first one the lowest: one load where the processor has them so. */
static inline uint64_t bytes_eight(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

/* The bits of a double, and back. */
static inline uint64_t bytes_of_double(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline double bytes_to_double(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

#endif
