/*
 * fixture.h - what the tests know about the output of tests/helpers/fixture.c.
 */
#ifndef PAWL_TESTS_FIXTURE_H
#define PAWL_TESTS_FIXTURE_H

#include <stdint.h>

/* Byte i of the output of "fixture print": printable, without a short period. */
static inline char fixture_byte(uint64_t i)
{
	return (char)('0' + ((i ^ i >> 6 ^ i >> 12 ^ i >> 18) & 63));
}

#endif
