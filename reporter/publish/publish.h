/*
 * publish - one comment on a pull request, written or updated, and a commit status.
 *
 * The comment is found by its mark in the first line, and by who wrote it: anybody may write that
 * line.  Each attempt looks for it first, so that a lost answer leaves no second one.
 */
#ifndef PAWL_REPORTER_PUBLISH_PUBLISH_H
#define PAWL_REPORTER_PUBLISH_PUBLISH_H

#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "reporter/deliver/deliver.h"
#include "reporter/publish/exchange.h"
#include "reporter/publish/picture.h"

#define PUBLISH_STATUS_TEXT 140 /* bytes of a status' description */

struct publish_request {
	struct exchange exchange;
	struct forge_place place; /* number 0: the one that is open for the commit is looked for */
	const char *author;	  /* who the token is; NULL: the server is asked */
	const char *author_else;  /* where it does not say; NULL: nobody */
	const char *label;	  /* as in publish_mark() */
	const struct buf *comment;
	const struct picture *picture; /* for a forge that takes files; NULL, or empty: none */
	const char *link;	       /* of a status: where all reports are; NULL */
	const char *state;	       /* of the commit; NULL: no status is wanted */
	const char *state_name;	       /* what it is called there */
	const struct buf *state_line;
	uint64_t budget_ns; /* for all attempts */
	const struct deliver_clock *clock;
	const struct talk *talk;
};

enum publish_done { PUBLISH_CREATED, PUBLISH_UPDATED, PUBLISH_SAME };

struct publish_result {
	enum publish_done done;
	uint64_t number; /* of the pull request */
};

/*
 * Errors: ERR_ABSENT no open pull request has the commit, or more than one has; ERR_NET,
 *         ERR_REFUSED as exchange(); ERR_STOPPED, ERR_NOMEM.
 */
int publish(const struct publish_request *rq, struct publish_result *out, struct err *err);

/* Whether there is a picture, and this forge takes one. */
bool publish_has_picture(const struct publish_request *rq);

/* The body of a request, as JSON.  Errors: ERR_NOMEM. */
int publish_comment_json(const struct buf *comment, struct buf *out, struct err *err);
int publish_status_json(const struct publish_request *rq, struct buf *out, struct err *err);

#endif
