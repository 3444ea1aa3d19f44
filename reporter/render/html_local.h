/*
 * html_local - the parts of the page that stand in files of their own.
 */
#ifndef PAWL_REPORTER_RENDER_HTML_LOCAL_H
#define PAWL_REPORTER_RENDER_HTML_LOCAL_H

#include "reporter/figures/rows.h"
#include "reporter/render/render.h"

/* "good", "bad", "open" or "": the class of what is said of a row. */
const char *html_class(enum row_kind kind);

/*
 * Appends, for each benchmark that has any, what explains it: notes, both distributions, its
 * history.  Of very many the worst ones, with the count of the others.  Errors: ERR_NOMEM.
 */
int html_details(const struct summary *s, const struct rows *rows, const struct render_options *opt,
		 struct buf *out, struct err *err);

/* Whether html_details() has a place "#bN" for rows->v[i], N = i. */
bool html_has_detail(const struct rows *rows, size_t i);

/* Appends what was measured and how: commits, machine, settings, surroundings.  Errors: ERR_NOMEM.
 */
int html_where(const struct summary *s, const struct rows *rows, struct buf *out, struct err *err);

#endif
