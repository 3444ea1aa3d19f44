/*
 * units - of a history, what else its metric was measured in: the unit that came first stays the
 * one that is shown, so the pages say where newer results are.
 */
#ifndef PAWL_SERVER_PAGE_UNITS_H
#define PAWL_SERVER_PAGE_UNITS_H

#include "server/page/series.h"

/* Appends a line for each, with a link to it. */
void units_add_lines(const struct series *s, const char *project, const char *benchmark,
		     struct buf *out);

/* Appends "newer in ms", a link, of the one with the newest results; nothing where none is newer.
 */
void units_add_newer(const struct series *s, const char *project, const char *benchmark,
		     struct buf *out);

#endif
