/*
 * timeunit - units of time, by the names that benchmark programs give them.
 */
#ifndef PAWL_BASE_TIMEUNIT_H
#define PAWL_BASE_TIMEUNIT_H

#include <stdbool.h>

/* Nanoseconds of "ps", "ns", "us", "ms", "s" and their long names; 0 for what is no unit of time.
 */
double time_unit_ns(const char *unit);

/* Whether a value of the unit is a time: one of those names, or a time of something, "us/op". */
bool time_unit_is(const char *unit);

#endif
