/*
 * plot - two samples side by side as cumulative distributions: which share of the runs was at
 * or below a value.
 *
 * Source: the empirical distribution function, see A. W. van der Vaart, "Asymptotic
 * Statistics" (1998), chapter 19.
 */
#ifndef PAWL_REPORTER_PLOT_PLOT_H
#define PAWL_REPORTER_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/* Texts may hold any bytes and are made harmless; none is NULL. */
struct plot_cdf {
	const char *title;     /* "deflate/6" */
	const char *metric;    /* "cpu" */
	const char *unit;      /* "ns", "bytes", "1", ... */
	const char *base_name; /* "0f1e2d3", may be "" */
	const char *head_name;
	const double *base; /* any order; values that are not finite are left out */
	const double *head;
	size_t n_base, n_head; /* one of them may be 0 */
};

struct plot_text_options {
	int width;  /* columns in all; 0: 80; less than 20 is taken as 20 */
	int height; /* rows of the curve's area; 0: 13; less than 3 is taken as 3 */
	bool utf8;  /* false: ASCII */
	bool colour;
};

/*
 * Appends the plot for a terminal: base as a light line, head as a heavy one; in ASCII base as
 * "o", head as "*", both as "@".  When a few values lie so far off that the others would be
 * squeezed, the axis ends before them and a line says how many they are.
 *
 * Errors: ERR_ABSENT when there is no value at all, ERR_RANGE when the values span more than a
 *         double holds, ERR_NOMEM.
 * Cost:   O(n log n).
 */
int plot_cdf_text(const struct plot_cdf *plot, const struct plot_text_options *opt, struct buf *out,
		  struct err *err);

/*
 * Appends the same as a complete SVG file of 720 by 420, light or dark as its viewer prefers.
 * Errors and cost as above.
 */
int plot_cdf_svg(const struct plot_cdf *plot, struct buf *out, struct err *err);

/*
 * The same as an element of a page that has PLOT_CDF_LIGHT in its style sheet, PLOT_CDF_DARK behind
 * "prefers-color-scheme:dark", and what text/svg.h has for both.
 */
int plot_cdf_element(const struct plot_cdf *plot, struct buf *out, struct err *err);

#define PLOT_CDF_LIGHT \
	".pawl-base{stroke:#0969da}.pawl-base-dot{fill:none;stroke:#0969da}\n" \
	".pawl-head{stroke:#bc4c00}.pawl-head-dot{fill:#bc4c00;stroke:#bc4c00}\n"
#define PLOT_CDF_DARK \
	".pawl-base{stroke:#58a6ff}.pawl-base-dot{fill:none;stroke:#58a6ff}\n" \
	".pawl-head{stroke:#ffa657}.pawl-head-dot{fill:#ffa657;stroke:#ffa657}\n"

#endif
