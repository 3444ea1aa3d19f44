/*
 * frame - what all pages of the dashboard share: their beginning and end, links, tables' pieces.
 *
 * Pages work without their script and ask nobody but this server for anything.  Whatever came from
 * outside is escaped here.
 */
#ifndef PAWL_SERVER_PAGE_FRAME_H
#define PAWL_SERVER_PAGE_FRAME_H

#include <stdint.h>

#include "lib/json/jtree.h"
#include "server/request.h"

/* What a page may load and where its forms may go: the Content-Security-Policy of all pages. */
#define PAGE_POLICY \
	"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " \
	"form-action 'self'; " \
	"base-uri 'none'; frame-ancestors 'none'"

#define FRAME_STYLE "/style.css"
#define FRAME_ICON "/icon.svg"

/* A step on the way to a page; what frame_project() appends is an address. */
struct crumb {
	const char *words;
	const char *address; /* NULL: the page itself */
};

/* An answer of the ledger, taken apart; the caller frees it.  Errors: ERR_NOMEM, ERR_LIMIT. */
struct jtree *frame_tree(const struct buf *json, struct err *err);

/* Begins a page: its head, the way to it, its heading.  title is raw. */
void frame_begin(struct request *r, const char *title, const struct crumb *way, size_t n);
void frame_end(struct request *r);

/* The same with the way "projects / PROJECT / LAST"; last NULL: PROJECT is the page itself. */
void frame_begin_in(struct request *r, const char *title, const char *project, const char *last);

/* Appends "/p/PROJECT" and, unless NULL, "/REST"; the name is encoded. */
void frame_project(const char *project, const char *rest, struct buf *out);

/* Appends the address of a benchmark's page. */
void frame_benchmark(const char *project, const char *benchmark, struct buf *out);

/* Appends "?NAME=VALUE", with & where out has a ? already; nothing for a value of NULL or "". */
void frame_parameter(const char *name, const char *value, struct buf *out);

/* The same, but "" is a value, as of a unit. */
void frame_parameter_even_empty(const char *name, const char *value, struct buf *out);

/* Appends raw text, escaped; NULL and "" become "-". */
void frame_text(const char *raw, struct buf *out);

/* Appends <a href="ADDRESS">words</a>; address is escaped here, words raw. */
void frame_link(const struct buf *address, const char *words, struct buf *out);

/* Opens a form that asks for a page of the project: "/p/PROJECT/REST". */
void frame_form(const char *project, const char *rest, struct buf *out);

/* Appends a labelled field of a form, of that type of HTML.  size: letters it shows. */
void frame_field(const char *type, const char *name, const char *label, const char *value, int size,
		 struct buf *out);

/* Appends what a form sends along without showing it; nothing for NULL. */
void frame_hidden(const char *name, const char *value, struct buf *out);

/* Appends <code> with the first digits of a commit id; NULL: "-". */
void frame_commit(const char *id, struct buf *out);

/* Appends the day of a time as the ledger writes it; NULL: "-". */
void frame_day(const char *time, struct buf *out);

/* Appends the commit of a JSON object, its day and its subject. */
void frame_change(const struct jtree *of, struct buf *out);

/* Appends <span class=verdict>verdict</span>; NULL or "": what none says, raw. */
void frame_verdict(const char *verdict, const char *none, struct buf *out);

/* The parameter "page", from 0; 0 where there is none.  Errors: ERR_SYNTAX. */
int frame_page(const struct request *r, size_t *out, struct err *err);

/*
 * Appends links to the page before and the one behind, of n things of which `each` fit on a page;
 * nothing when all fit.  address: of the first page, with its other parameters.
 */
void frame_pager(const struct buf *address, size_t page, size_t n, size_t each, struct buf *out);

/* A link to the page of a list that begins at that cursor; nothing for NULL. */
void frame_more(const struct buf *address, const char *cursor, struct buf *out);

/* Answers with a text that is the same until another pawld runs: browsers keep it. */
int frame_asset(struct request *r, const char *type, const char *text, struct err *err);

/* Answers with r->reply.location, where the browser is to go on. */
int frame_lead(struct request *r, struct err *err);

#endif
