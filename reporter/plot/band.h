/*
 * plot_band - a history as a picture: medians joined by a line, their intervals as a band around
 * it, and a mark at each commit that moved them.
 *
 * However many points there are, the picture stays of one size: neighbours share a place, where the
 * least and the greatest of them are drawn.
 */
#ifndef PAWL_REPORTER_PLOT_BAND_H
#define PAWL_REPORTER_PLOT_BAND_H

#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/* What its classes look like, by light and behind "prefers-color-scheme:dark"; see text/svg.h. */
#define BAND_LIGHT \
	".pawl-median{fill:none;stroke:#0969da;stroke-width:1.5;stroke-linejoin:round}" \
	".pawl-band{fill:#0969da;opacity:.16}.pawl-level{fill:#0969da}\n" \
	".pawl-regressed{fill:#cf222e;stroke:#cf222e}.pawl-improved{fill:#1a7f37;stroke:#1a7f37}" \
	"\n"
#define BAND_DARK \
	".pawl-median{stroke:#58a6ff}.pawl-band{fill:#58a6ff;opacity:.2}.pawl-level{fill:#58a6ff}" \
	"\n" \
	".pawl-regressed{fill:#ff7b72;stroke:#ff7b72}.pawl-improved{fill:#56d364;stroke:#56d364}" \
	"\n"

/* Where points are drawn, in units of the picture: left, right, top, bottom, and what the first
 * and the last point keep from left and right.  A script that draws it anew needs them. */
#define BAND_LEFT 76
#define BAND_RIGHT 948
#define BAND_TOP 34
#define BAND_BOTTOM 318
#define BAND_INSET 8

struct band_point {
	double value;	   /* NaN: none */
	double low, high;  /* its interval; NaN: not known */
	signed char moved; /* 1: for the worse, -1: for the better */
	const char
		*words; /* what the point is, raw: shown for one that moved, and for few points */
	const char *commit, *time; /* its id, and a time of which the day is shown; may be NULL */
};

struct band {
	const char *title, *metric, *unit; /* raw */
	const struct band_point *points;   /* the oldest first */
	size_t n;
	size_t of; /* results that they were chosen from; 0: they are all */
};

/*
 * Appends <svg>; nothing where no point has a value.
 * Errors: ERR_RANGE for values that span more than a double holds, ERR_NOMEM.
 * Cost:   O(n).
 */
int plot_band(const struct band *band, struct buf *out, struct err *err);

#endif
