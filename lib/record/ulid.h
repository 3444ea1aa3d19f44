/*
 * ulid - ids that sort by the time they were made.
 *
 * Source: the ULID specification (github.com/ulid/spec): 48 bits of milliseconds,
 * 80 random bits, 26 characters of Crockford's base 32.
 */
#ifndef PAWL_RECORD_ULID_H
#define PAWL_RECORD_ULID_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

#define ULID_TEXT 27   /* 26 characters and the NUL */
#define ULID_RANDOM 10 /* bytes behind the time */

/*
 * A new id; within one process each is greater than the one before, also when
 * the clock steps back.  Not thread-safe.  Errors: ERR_IO without random bytes.
 */
int ulid_new(char out[ULID_TEXT], struct err *err);

/* The id of that time (ms since 1970, 48 bits of it) and those bits: the same for the same. */
void ulid_of(uint64_t ms, const unsigned char bits[ULID_RANDOM], char out[ULID_TEXT]);

/* Whether text is 26 characters of the alphabet, the first 0..7. */
bool ulid_is_valid(const char *text);

/* n bytes from the system's random source.  Errors: ERR_IO. */
int random_bytes(void *out, unsigned n, struct err *err);

#endif
