/*
 * results - the figures of one benchmark's results, below the picture of its history.
 */
#ifndef PAWL_SERVER_PAGE_RESULTS_H
#define PAWL_SERVER_PAGE_RESULTS_H

#include "server/page/choice.h"
#include "server/page/series.h"

#define RESULTS_PER_PAGE 100

/* What the page of a benchmark shows. */
struct history {
	struct request *r;
	struct history_query q;
	const char *since, *until; /* as asked for */
	char *machine;		   /* whose results are shown */
	size_t page;
	struct series s;     /* the newest */
	struct series drawn; /* of all, where there are too many; else it is empty */
	size_t total;	     /* all that fit; where is_cut the newest of them */
	bool is_cut;	     /* there are more, which cannot be drawn */
	struct choice choice;
	struct buf json;
	struct jtree *alerts; /* in json */
};

/* Appends a row for each result of h->page. */
void results_add(const struct history *h, struct buf *out);

#endif
