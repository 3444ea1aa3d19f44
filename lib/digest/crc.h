/*
 * crc - CRC-64/XZ: whether bytes are still those that were written.
 *
 * Finds every damage of up to 64 bits in a row, and of any other but one in 2^64.  It is no digest:
 * somebody who wants to can make bytes that fit.
 *
 * Source: ECMA-182, reflected, as the xz file format (2009) uses it; eight bytes a step after
 *         M. E. Kounavis and F. L. Berry, IEEE Trans. Computers 57 (2008) 1550-1560.
 */
#ifndef PAWL_DIGEST_CRC_H
#define PAWL_DIGEST_CRC_H

#include <stddef.h>
#include <stdint.h>

/*
 * The CRC of what `before` is the CRC of (0: nothing), followed by bytes[0..n).
 * Cost: O(n), about a nanosecond a byte; 16 KiB of tables are made by the first call.
 */
uint64_t crc64(uint64_t before, const void *bytes, size_t n);

/* Of the bytes of words[0..n), the lowest first: the same on every machine. */
uint64_t crc64_words(const uint64_t *words, size_t n);

#endif
