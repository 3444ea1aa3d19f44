/*
 * trend_render - a judged trend in one of the formats of one table.
 */
#ifndef PAWL_REPORTER_TREND_RENDER_H
#define PAWL_REPORTER_TREND_RENDER_H

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/parts/options.h"
#include "reporter/trend/trend.h"

/* name, what it is for */
#define TREND_FORMATS(X) \
	X(text, "for people, on a terminal") \
	X(svg, "a picture, light or dark as its viewer prefers") \
	X(html, "a page to look at, without a script") \
	X(json, "docs/schema/history-v1.json") \
	X(csv, "one row a commit, RFC 4180")

#define TREND_DECLARE(name, description) \
	int trend_##name(const struct trend *t, const struct render_options *opt, struct buf *out, \
			 struct err *err);
TREND_FORMATS(TREND_DECLARE)

/*
 * Appends the trend in that format, ended by a line break.  Of the options only colour, utf8,
 * width and verbose count, and only for text.
 *
 * Errors: ERR_USAGE for an unknown format, with those there are; ERR_NOMEM; out is then as it was.
 * Cost:   O(points).
 */
int trend_render(const char *format, const struct trend *t, const struct render_options *opt,
		 struct buf *out, struct err *err);

#endif
