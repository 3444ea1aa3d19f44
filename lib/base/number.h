/*
 * number - text to number and back, without locale and without silent wrap.
 */
#ifndef PAWL_BASE_NUMBER_H
#define PAWL_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_TEXT 40 /* room for any number printed here */

/* The whole of text as a decimal number; false for anything else, sign and blanks included. */
bool number_u64(const char *text, uint64_t *out);

/* The whole of text as a finite decimal fraction, rounded as strtod does; false for anything else.
 */
bool number_double(const char *text, double *out);

/* "2%" or "0.02" -> 0.02; false outside [0, 10]. */
bool number_ratio(const char *text, double *out);

/* "250ms", "60s", "2m", "1h", "15us", "80ns" -> ns; a bare number is seconds; false else. */
bool number_duration_ns(const char *text, uint64_t *out);

/* "64k", "1MiB", "2G", "4096" -> bytes (powers of 1024); false else. */
bool number_bytes(const char *text, uint64_t *out);

/* "true yes on 1" / "false no off 0" (any case); false for anything else. */
bool number_bool(const char *text, bool *out);

/*
 * The shortest of 15, 16 or 17 significant digits that reads back as the very
 * same double, in JSON's form.  value must be finite.  Returns out.
 */
const char *number_print(double value, char out[NUMBER_TEXT]);

/* In decimal.  Returns out.  Cost: a third of snprintf()'s. */
const char *number_print_whole(int64_t value, char out[NUMBER_TEXT]);

/* The same; they return how many bytes that are. */
size_t number_write(double value, char out[NUMBER_TEXT]);
size_t number_write_whole(int64_t value, char out[NUMBER_TEXT]);

/* A duration for people: "250 ms", "1.50 s", "12.3 us", three significant digits.  Returns out. */
const char *number_print_ns(double ns, char out[NUMBER_TEXT]);

#endif
