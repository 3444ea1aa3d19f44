/*
 * why_view - what all formats of a why report show, worked out once.
 */
#ifndef PAWL_REPORTER_WHY_VIEW_H
#define PAWL_REPORTER_WHY_VIEW_H

#include "lib/base/strv.h"
#include "lib/profile/profile_diff.h"
#include "lib/record/summary.h"
#include "reporter/why/why.h"

#define WHY_MAX_FUNCTIONS 100 /* in JSON and on the page */
#define WHY_MAX_LINES 8	      /* of a function */

struct why_line {
	struct line_delta d;
	char *base_text, *head_text; /* without blanks around it; NULL: not known */
};

struct why_function {
	const struct function_delta *d;
	double share; /* of the whole delta; NaN when there is none to speak of */
	struct why_line *lines;
	size_t n_lines, n_more; /* lines that are shown; further ones that moved */
};

struct why_view {
	const struct why_report *why;
	struct profile_diff diff;
	struct why_function *functions; /* those that moved by more than WHY_SAME of all */
	size_t n, n_more;
	double ratio;			   /* head / base of all instructions; NaN when identical */
	bool is_same;			   /* within WHY_SAME */
	bool has_own_lines;		   /* somewhere in the code of the project */
	struct layout_calibration layouts; /* of the metric below; n 0: not known */
	const char *layouts_metric; /* that decides, as far as that is known; NULL with n 0 */
	struct strv hints;
	char *sentence; /* the closing one */
};

/* Errors: ERR_NOMEM; *out is released then. */
int why_view_make(const struct why_report *why, struct why_view *out, struct err *err);
void why_view_release(struct why_view *v);

/* "instructions per iteration" or "instructions of the whole run". */
const char *why_unit(const struct why_report *why);

/* "93 %", "-20 %"; "-" for NaN. */
void why_share(double share, struct buf *out);
/* "+12.3 k"; a sign always. */
void why_delta(double delta, struct buf *out);
/* What the function is called, and its file or object. */
const char *why_name(const struct why_function *f);
const char *why_place(const struct why_function *f);

/* Whether a metric moved: it has a delta that is no "unchanged" and is not inside its interval. */
bool why_moved(const struct metric *m);

int why_text(const struct why_view *v, const struct render_options *opt, struct buf *out,
	     struct err *err);
int why_json(const struct why_view *v, const struct render_options *opt, struct buf *out,
	     struct err *err);
int why_html(const struct why_view *v, const struct render_options *opt, struct buf *out,
	     struct err *err);
int why_svg(const struct why_view *v, const struct render_options *opt, struct buf *out,
	    struct err *err);

#endif
