/*
 * calibrations - what comparisons of benchmarks with themselves gave, kept beside the results.
 *
 * The difference between two copies of the same code should be 0.  What it is in fact, over
 * sessions, is what this machine does to a comparison beyond the spread inside one session.
 */
#ifndef PAWL_RECORD_CALIBRATION_CALIBRATIONS_H
#define PAWL_RECORD_CALIBRATION_CALIBRATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

#define CALIBRATIONS_FEWEST 5 /* below, nothing is concluded from them */
#define CALIBRATIONS_KEPT 200 /* comparisons of one benchmark; the oldest go */

/* One benchmark. */
struct calibrated {
	char *name;
	char *metric; /* that decided in all of them; NULL: not known, of before it was kept */
	double *log_ratios; /* of each comparison, oldest first */
	size_t n_log_ratios;
	double *floors; /* the noise floor of each, as a ratio */
	size_t n_floors;
	double *halves; /* of the interval, a logarithm, at the last decision point: by all pairs */
	size_t n_halves;  /* fewer where older comparisons did not keep it */
	double threshold; /* of the newest, a ratio, and its decision points; 0: not kept */
	int n_points;
	double *false_calls; /* 1 for each that was called regressed or improved, else 0 */
	size_t n_false_calls;
	int64_t when_us;		   /* of the newest */
	struct layout_calibration layouts; /* of the newest comparison of different layouts */
	char *layouts_metric;		   /* of which metric; NULL with n 0 */
};

struct calibrations {
	struct calibrated *v;
	size_t n;
};

#define CALIBRATIONS_INIT \
	{ \
		NULL, 0 \
	}

void calibrations_release(struct calibrations *c);

/*
 * Adds what a judged A/A comparison gave for every benchmark with a delta: its estimate, its noise
 * floor, whether it was called.  A benchmark without an interval adds nothing; one that is decided
 * by another metric than before begins anew.
 * Errors: ERR_NOMEM.
 */
int calibrations_add(struct calibrations *c, const struct summary *s, struct err *err);

/*
 * Keeps what different layouts of that benchmark differ by, of one metric, in the place of what was
 * known.  Errors: ERR_NOMEM.
 */
int calibrations_keep_layouts(struct calibrations *c, const char *name, const char *metric,
			      const struct layout_calibration *layouts, struct err *err);

/* The benchmark of that name; NULL: there is none. */
const struct calibrated *calibrations_find(const struct calibrations *c, const char *name);

/*
 * In short: how many, how many false, and the ratio that 95 % of such comparisons stay below, with
 * 90 % confidence: a tolerance bound, wider the fewer they are.  It is made of their median, as one
 * disturbed comparison must not hide later regressions.  With fewer than CALIBRATIONS_FEWEST the
 * floor is 0.
 */
struct calibration calibrated_in_short(const struct calibrated *c);

/* Whether that is of what this metric differs by; c and metric may be NULL. */
bool calibrated_is_of(const struct calibrated *c, const char *metric);

/* Half of the interval that all pairs would have, a logarithm, in the median; NaN: not known. */
double calibrated_half(const struct calibrated *c);

/* What is known of layouts, as far as it is of that metric; c and metric may be NULL. */
struct layout_calibration calibrated_layouts(const struct calibrated *c, const char *metric);

/*
 * Fills the calibration of every benchmark that has one of the metric that decides.  Errors: none.
 */
void calibrations_apply(const struct calibrations *c, struct summary *s);

/* One JSON document.  Errors: ERR_NOMEM. */
int calibrations_encode(const struct calibrations *c, struct buf *out, struct err *err);

/* Errors: ERR_SYNTAX, ERR_RANGE, ERR_LIMIT, ERR_NOMEM; *out is empty then. */
int calibrations_decode(const char *json, size_t n, struct calibrations *out, struct err *err);

#endif
