/*
 * alerts - how what regressed stands, beside the changes and histories that it is of.
 */
#ifndef PAWL_SERVER_PAGE_ALERTS_H
#define PAWL_SERVER_PAGE_ALERTS_H

#include "lib/json/jtree.h"
#include "lib/store/alerts/alerts.h"
#include "server/request.h"

/*
 * A project's alerts, or those of a benchmark (NULL: all), in that state (0: any), the newest 500
 * first, as the ledger has them; "next" where there are more.
 */
int alerts_read(struct request *r, const char *benchmark, enum alert_state state, struct buf *json,
		struct jtree **out, struct err *err);

/* Of a list of alerts that of the same series and commit as row, an object with these; or NULL. */
const struct jtree *alerts_find(const struct jtree *list, const struct jtree *row);

/* The first of a list that is of the benchmark, and of the branch and the machine unless NULL; or
 * NULL. */
const struct jtree *alerts_first(const struct jtree *list, const char *benchmark,
				 const char *branch, const char *machine);

/* Appends "+4.95 % 58300e6 main, open", the last a link to its page. */
void alerts_add_brief(const char *project, const struct jtree *alert, struct buf *out);

/* Appends "open, Ann: why", a link to its page; nothing for NULL. */
void alerts_add_state(const char *project, const struct jtree *alert, struct buf *out);

/* Appends a heading and a table of them; nothing where there is none. */
void alerts_add_section(const char *project, const struct jtree *list, struct buf *out);

/* Appends where the rest is, of a benchmark (NULL: all), unless alerts_read() gave all of them. */
void alerts_add_rest(const char *project, const char *benchmark, const struct jtree *root,
		     struct buf *out);

#endif
