/*
 * routes - the one table of what pawld answers.
 */
#ifndef PAWL_SERVER_ANSWER_ROUTES_H
#define PAWL_SERVER_ANSWER_ROUTES_H

#include <string.h>

#include "server/request.h"

enum route_kind {
	ROUTE_API,
	ROUTE_BATCH,	 /* POST: of a summary a line */
	ROUTE_CODESPEED, /* POST: what clients of other servers send, see server/others */
	ROUTE_LNT,
	ROUTE_CHANGE, /* answered by the writer's thread, through its ledger; a body is ignored */
	ROUTE_PAGE,   /* for people: a refusal is a page, too */
	ROUTE_LIVE,   /* a page that nobody is to keep: it has the form of a session */
	ROUTE_EDIT,   /* POST: a form that changes something; answered by the writer's thread */
	ROUTE_FORM,   /* POST: what a form of a page sends; answered as pages are */
};

struct route {
	const char *method; /* GET also answers HEAD */
	const char *pattern;
	unsigned scope; /* 0: everybody, and answered without the ledger */
	bool tries; /* not before the writer has shown that it can store, if it has not just now */
	/* writes reply.body and 0, or -1 with *err or the reply decided; NULL: the body is a
	 * summary */
	int (*answer)(struct request *r, struct err *err);
	enum route_kind kind;
};

/* Whether it is for people, in a browser; where there is nothing, whether a browser asks. */
static inline bool route_is_page(const struct request *r)
{
	const char *accept;

	if (r->route)
		return r->route->kind >= ROUTE_PAGE;
	accept = request_header(r, "Accept");
	return accept && strstr(accept, "text/html") && r->target &&
	       strncmp(r->target, "/api/", 5) != 0;
}

/*
 * Finds r->route and r->arguments: 0, or -1 with the reply decided (404, or 405 with the
 * methods that the path knows).
 */
int route_find(struct request *r, const char *method);

/* Lets the route of a GET decide the reply; in a reader's thread where the route has a scope. */
void route_answer(struct request *r);

#endif
