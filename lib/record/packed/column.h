/*
 * column - a row of samples as few bytes, exactly.
 *
 * What is measured is a whole number of nanoseconds or events, or that divided by the iterations or
 * by a power of ten.  Where every value is such a quotient, bit for bit, the whole numbers are
 * kept: their least, what they have in common, and of each the bits above that.  Else the bits of
 * the doubles in their order are kept the same way, or every value once and which it is.
 *
 * Source: J. Goldstein, R. Ramakrishnan and U. Shaft, "Compressing relations and indexes", ICDE
 * 1998 (frame of reference).
 */
#ifndef PAWL_RECORD_PACKED_COLUMN_H
#define PAWL_RECORD_PACKED_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"

/* No column begins with this byte: another thing may stand where one is expected. */
#define COLUMN_NONE 254

/*
 * Appends x[0..n) without its length.  iterations: what values may have been divided by; 0:
 * nothing. Shape: any bits.  Memory running out is left to buf_check().  Cost: O(n), twice where
 * values repeat.
 */
void column_write(const double *x, size_t n, uint64_t iterations, struct buf *out);

/*
 * Reads n values that column_write() appended with the same iterations, into x.  Returns where they
 * end; NULL when bytes[0..end) are no such column.
 */
const unsigned char *column_read(const unsigned char *bytes, const unsigned char *end, double *x,
				 size_t n, uint64_t iterations);

#endif
