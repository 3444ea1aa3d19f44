/*
 * render - a summary as text, in one of the formats of one table.
 *
 * A new format is one row in RENDER_FORMATS and one file reporter/render/NAME.c that defines
 * render_NAME().
 */
#ifndef PAWL_REPORTER_RENDER_RENDER_H
#define PAWL_REPORTER_RENDER_RENDER_H

#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "reporter/parts/options.h"

#define RENDER_LIMIT (900u << 10)     /* a job summary on GitHub: 1 MiB, else all is lost */
#define RENDER_LIMIT_COMMENT 65536u   /* a comment on GitHub */
#define RENDER_MARK "<!-- pawl -->\n" /* first line of a comment: to find it by */
#define RENDER_LIMIT_LEAST 16384u     /* a smaller limit is taken as this */

/* name, what it is for */
#define RENDER_FORMATS(X) \
	X(text, "for people, on a terminal") \
	X(json, "the summary document, docs/schema/summary-v1.json") \
	X(markdown, "for job summaries and comments of GitHub, GitLab, Gitea") \
	X(comment, "the same within the limit of a comment, with a mark to find it by") \
	X(csv, "one row a metric, RFC 4180") \
	X(html, "a page to look at, without a script") \
	X(junit, "JUnit XML, for GitLab, Jenkins and others") \
	X(openmetrics, "for Prometheus") \
	X(metrics, "GitLab's metrics report: only what moved") \
	X(codequality, "GitLab's code quality report") \
	X(annotations, "lines that a job of GitHub Actions shows as annotations") \
	X(badge, "a picture of two words, badge.svg") \
	X(porcelain, "stable lines for scripts, as --porcelain")

#define RENDER_DECLARE(name, description) \
	int render_##name(const struct summary *s, const struct render_options *opt, \
			  struct buf *out, struct err *err);
RENDER_FORMATS(RENDER_DECLARE)

struct render_format {
	const char *name;
	const char *description;
	int (*fn)(const struct summary *s, const struct render_options *opt, struct buf *out,
		  struct err *err);
};

/* The i-th format, for a help text; NULL behind the last. */
const struct render_format *render_format_at(size_t i);

/* NULL when there is none of that name. */
const struct render_format *render_format_find(const char *name);

/*
 * Appends the summary in that format, ended by a line break.
 *
 * Shape:  opt may be NULL: RENDER_OPTIONS_INIT.  The summary may hold any bytes in its texts
 *         and NaN in its numbers.
 * Errors: ERR_USAGE for an unknown format, ERR_ABSENT when opt->benchmark is to be plotted and
 *         is not in the summary, ERR_NOMEM; out is then as it was.
 * Cost:   O(size of the summary), O(n log n) in benchmarks, metrics and samples.
 */
int render(const char *format, const struct summary *s, const struct render_options *opt,
	   struct buf *out, struct err *err);

#endif
