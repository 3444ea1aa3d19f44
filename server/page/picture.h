/*
 * picture - a history drawn, with what the script of the pages needs to draw it anew, and the
 * script itself.
 */
#ifndef PAWL_SERVER_PAGE_PICTURE_H
#define PAWL_SERVER_PAGE_PICTURE_H

#include "server/page/series.h"

#define PICTURE_SCRIPT "/plot.js"
/* Of more points the picture stays as it is: the page would be too large. */
#define PICTURE_MOST 2000

struct picture {
	const struct series *s; /* what is drawn, one at least */
	const char *project, *benchmark;
	size_t of;	  /* results that it stands for */
	const char *part; /* the address that shows each of a part, which since and until are added
			     to; NULL: each is drawn */
};

/* Appends it.  Errors: those of plot_band(). */
int picture_add(const struct picture *p, struct buf *out, struct err *err);

#endif
