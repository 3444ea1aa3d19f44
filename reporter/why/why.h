/*
 * why - what two builds of a benchmark do differently: the counters that moved, then the
 * functions and lines by what they add to the difference of the instructions.
 */
#ifndef PAWL_REPORTER_WHY_WHY_H
#define PAWL_REPORTER_WHY_WHY_H

#include "lib/profile/profile.h"
#include "lib/record/calibration/calibrations.h"
#include "reporter/parts/options.h"

struct why_report_side {
	const char *commit;	       /* id or name; its first digits are shown */
	const char *top;	       /* tree where sources are looked up; NULL: no source text */
	const struct profile *profile; /* after profile_strip(); NULL when identical */
};

/* Texts may hold any bytes.  Everything must outlive the call. */
struct why_report {
	const char *benchmark;
	bool per_iteration; /* else of the whole process */
	bool identical;	    /* the same machine code: there are no profiles */
	struct why_report_side base, head;
	const struct bench *counters; /* of a comparison of the two, or NULL */
	/* Of this benchmark on this machine, or NULL: what its layouts differ by. */
	const struct calibrated *known;
};

/* A difference of all instructions below this ratio is none. */
#define WHY_SAME 1e-4

/* name, what it is for */
#define WHY_FORMATS(X) \
	X(text, "for people, on a terminal") \
	X(json, "one document, pawl.why/1") \
	X(html, "a page with the picture and all tables, no script") \
	X(svg, "the picture alone")

/*
 * Appends the report in that format, ended by a line break.
 *
 * Shape:  opt may be NULL: RENDER_OPTIONS_INIT; verbose shows more functions.
 * Errors: ERR_USAGE an unknown format, ERR_NOMEM; out is then as it was.
 */
int why_render(const char *format, const struct why_report *why, const struct render_options *opt,
	       struct buf *out, struct err *err);

#endif
