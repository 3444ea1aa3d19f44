/*
 * page - the dashboard: what people read of what the API answers to programs.
 *
 * Each writes r->reply.body, or returns -1 with *err, as the routes of the API do; all read through
 * r->reader.  A page is bounded however much there is: lists go on on the next one.
 */
#ifndef PAWL_SERVER_PAGE_PAGE_H
#define PAWL_SERVER_PAGE_PAGE_H

#include "server/request.h"

/* The projects that the visitor may see. */
int page_projects(struct request *r, struct err *err);
/* A project's benchmarks, each with its recent history. */
int page_project(struct request *r, struct err *err);
/* One benchmark's history. */
int page_benchmark(struct request *r, struct err *err);
/* Two commits side by side; without them, a form that asks for them. */
int page_compare(struct request *r, struct err *err);
/* The same by "A..B" in the path, as people write it: leads to that page. */
int page_range(struct request *r, struct err *err);
/* The runs of one result, and of the commit that ran beside it. */
int page_runs(struct request *r, struct err *err);
/* What moved lately. */
int page_regressions(struct request *r, struct err *err);

/* What regressed and how it stands; of one, the form to change that; what was sent to whom. */
int page_alerts(struct request *r, struct err *err);
int page_alert(struct request *r, struct err *err);
int page_messages(struct request *r, struct err *err);

/*
 * A picture of two words: of the parameter "benchmark" its newest verdict, without it what the
 * project's newest commit moved.
 */
int page_badge(struct request *r, struct err *err);

/* The style sheet and the icon of all pages; the same for everybody, as is the script. */
int page_style(struct request *r, struct err *err);
int page_icon(struct request *r, struct err *err);
/* What makes the picture of a history answer to pointer and keys. */
int page_script(struct request *r, struct err *err);

/*
 * The reply to a page that is an error, decided as the API's: the same for people.  Without memory
 * it stays as it is.
 */
void page_refusal(struct request *r);

#endif
