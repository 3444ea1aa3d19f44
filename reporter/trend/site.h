/*
 * trend_site - the first page of a static site: every benchmark in a line, with its history as a
 * small picture, and a link to a page of its own.  No script, nothing fetched: it works from a
 * file.
 */
#ifndef PAWL_REPORTER_TREND_SITE_H
#define PAWL_REPORTER_TREND_SITE_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/trend/load.h"

#define SITE_INDEX "index.html"
#define SITE_NEWEST "newest.html" /* the report of the newest result */

/*
 * Appends the name of the file that a benchmark's page is written to: letters, digits and a few
 * signs as they are, other bytes as _XX; a long name ends in a digest.  Two names never share one.
 * Errors: ERR_NOMEM.
 */
int site_page(const char *benchmark, struct buf *out, struct err *err);

/*
 * Appends the index of the set.  has_newest: there is a SITE_NEWEST to link to.
 * Errors: those of trend_scene_make(); ERR_NOMEM.
 */
int site_index(const struct trend_set *set, const char *project, bool has_newest, struct buf *out,
	       struct err *err);

#endif
