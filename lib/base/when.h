/*
 * when - points in time, always UTC; durations come from a monotonic clock elsewhere.
 */
#ifndef PAWL_BASE_WHEN_H
#define PAWL_BASE_WHEN_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define WHEN_ISO 32 /* room for when_iso() */
#define WHEN_DAY_US INT64_C(86400000000)

/* Microseconds since 1970-01-01T00:00:00Z, may be negative. */
int64_t when_now_us(void);

/* Whether a is the earlier one, as of files' times. */
bool when_is_before(const struct timespec *a, const struct timespec *b);

/* Nanoseconds of CLOCK_MONOTONIC: for deadlines and durations. */
uint64_t when_monotonic_ns(void);

/*
 * "2026-11-20T10:00:00Z", with milliseconds when with_ms; fractions are cut towards the
 * past.  Years 0..9999; a time outside them is written as 1970.  Returns out.
 */
const char *when_iso(int64_t us, bool with_ms, char out[WHEN_ISO]);

#define WHEN_HEADER 40 /* room for when_header() */

/*
 * "Fri, 20 Nov 2026 10:00:00 ZONE", as headers have it: "GMT" in HTTP (RFC 9110, 5.6.7), "+0000" in
 * mail (RFC 5322, 3.3).  Years 0..9999; a time outside them is written as 1970.  Returns out.
 */
const char *when_header(int64_t us, const char *zone, char out[WHEN_HEADER]);

/*
 * Reads "YYYY-MM-DDTHH:MM:SS[.fraction](Z|+hh:mm|-hh:mm)"; false for anything else, a day
 * that its month does not have included.  A leap second (:60) is the second after it.
 */
bool when_parse(const char *text, int64_t *out_us);

#endif
