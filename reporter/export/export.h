/*
 * export - a result in the forms that other trackers take, and where those are posted.
 *
 * A new form is one row in export.c and one file reporter/export/NAME.c.  What a form cannot say
 * (baselines, intervals, verdicts) is left out; samples are kept where it can hold them.
 */
#ifndef PAWL_REPORTER_EXPORT_EXPORT_H
#define PAWL_REPORTER_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "reporter/deliver/post.h"

/* How a document gets to the server that takes its form. */
struct export_target {
	const char *method; /* "POST" or "PUT" */
	/* What is put behind an address that names no path of its own. */
	int (*path)(const struct summary *s, struct buf *out, struct err *err);
	const char *query; /* likewise; NULL: none */
	const char *content_type;
	const char *header; /* that carries the token */
	const char *scheme; /* in front of the token, with its blank */
	/* The body that holds the document; NULL: the document itself. */
	int (*wrap)(const struct summary *s, const struct buf *document, struct buf *out,
		    struct err *err);
	const char *moved_with; /* stands in its answer 301 to what it took; NULL: none is */
};

struct export_format {
	const char *name;
	const char *description;
	bool is_stream;	    /* documents of several commits may stand one behind the other */
	bool needs_samples; /* it has no place for what was summed up elsewhere */
	/* Appends the document.  Errors: ERR_RANGE, ERR_NOMEM. */
	int (*encode)(const struct summary *s, bool is_first, struct buf *out, struct err *err);
	const struct export_target *target; /* NULL: nobody takes it over the network */
};

/* The i-th form; NULL behind the last. */
const struct export_format *export_format_at(size_t i);

/* Errors: ERR_USAGE with those there are. */
const struct export_format *export_format_find(const char *name, struct err *err);

/* How many benchmarks have figures, and no samples for a form that needs them. */
size_t export_left_out(const struct export_format *format, const struct summary *s);

/* What is about to be sent; owned. */
struct export_request {
	struct buf url, query, body;
	const struct export_target *target;
};

#define EXPORT_REQUEST_INIT \
	{ \
		BUF_INIT, BUF_INIT, BUF_INIT, NULL \
	}

void export_request_release(struct export_request *rq);

/*
 * Makes the request that brings the result to the address, which is taken as it is when it names a
 * path or a query, and completed by the form's own otherwise.
 *
 * Errors: ERR_CONFIG for an address that cannot be read; ERR_USAGE for a form without a target;
 * those of encode().
 */
int export_prepare(const struct export_format *format, const char *address, const struct summary *s,
		   struct export_request *out, struct err *err);

/* The request as text, for a look before it is sent; token: whether there is one, never shown. */
void export_show(const struct export_request *rq, bool has_token, struct buf *out);

/*
 * Sends it once.  A token that holds a ':' is user and password (Basic); NULL: none.
 *
 * Errors: ERR_NET with what the server said, shortened, and a cure; those of transport.post().
 */
int export_send(const struct transport *transport, const struct export_request *rq,
		const char *token, struct err *err);

#endif
