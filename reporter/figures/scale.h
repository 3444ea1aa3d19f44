/*
 * scale - numbers with units, for people.
 */
#ifndef PAWL_REPORTER_FIGURES_SCALE_H
#define PAWL_REPORTER_FIGURES_SCALE_H

#include "lib/base/buf.h"

struct scale {
	double factor;	    /* shown number = value / factor */
	const char *prefix; /* what stands for the factor: "us", "KiB", "M", "" */
	const char *unit; /* stands behind the prefix, "" when the prefix says it all; untrusted */
};

/* The scale in which a magnitude has one to three digits before the point. */
struct scale scale_of(const char *unit, double magnitude);

/* Appends "1.25 ms", "3.40 MiB", "12.3 M"; three significant digits; "-" when not finite. */
void scale_value(double value, const char *unit, struct buf *out);

/* Appends the prefix and the unit: "ms", "M op". */
void scale_unit(const struct scale *scale, struct buf *out);

#endif
