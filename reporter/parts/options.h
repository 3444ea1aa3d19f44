/*
 * options - how what is shown should look, for every format and every kind of report.
 */
#ifndef PAWL_REPORTER_PARTS_OPTIONS_H
#define PAWL_REPORTER_PARTS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct trend_set;

struct render_options {
	bool colour;	       /* text: ANSI colours; meaning is never by colour alone */
	bool utf8;	       /* text: false gives ASCII only */
	int width;	       /* text: columns; 0: as wide as it needs to be */
	bool verbose;	       /* every metric, how each was judged, the surroundings */
	bool strict;	       /* --strict: the closing sentence says what inconclusive costs */
	bool plot;	       /* text, markdown: the distributions of one benchmark */
	const char *benchmark; /* which one to plot; NULL: the first of the table with samples */
	size_t limit;	       /* markdown: most bytes; 0: RENDER_LIMIT */
	const struct trend_set *history; /* html: of this summary's benchmarks; NULL: none */
	const char *home;		 /* html: file that the page links back to; NULL: none */
};

#define RENDER_OPTIONS_INIT \
	{ \
		false, true, 0, false, false, false, NULL, 0, NULL, NULL \
	}

#endif
