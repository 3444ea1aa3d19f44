/*
 * search - one search between two commits: of the whole range, or of a side that a merge brought.
 *
 * Only commits that go on from `from` are compared with it.  What was forked before it lacks what
 * `from` has, and that would be taken for the change.  Where a merge of such a side is left, the
 * side is searched by itself, against the commit where it began.
 */
#ifndef PAWL_COLLECTOR_BISECT_SEARCH_H
#define PAWL_COLLECTOR_BISECT_SEARCH_H

#include "collector/bisect/ask.h"
#include "collector/bisect/bisect.h"
#include "collector/bisect/marks.h"

/* The caller fills what comes before `half`. */
struct search {
	const struct bisect_request *rq;
	struct bisect_answer *out;
	struct bisect_asker *ask;
	const char *from, *to;	/* whole ids; to goes on from `from` */
	double sign, share;	/* of the whole change; of the errors that are allowed, 0..1 */
	bool is_side;		/* `to` itself is still to be compared with `from` */
	double half;		/* |E| / 2 of the whole change E */
	double alpha;		/* of an interval */
	double rest;		/* of the share: for the sides below */
	struct strv good, cuts; /* from, what was found good; what to compare, best cut first */
	char bad[OID_TEXT];	/* the oldest commit found bad */
	struct marks marks;
};

void search_release(struct search *r);

/* Lists the suspects, in out.  Errors: those of the request; ERR_NOMEM. */
int search_begin(struct search *r, struct err *err);

/* Tells a decision: see struct bisect_step. */
void search_tell(struct search *r, enum bisect_kind kind, const char *base, const char *commit,
		 enum bisect_mark mark, const struct bisect_evidence *evidence, bool is_same,
		 size_t n_left);

/* Searches; half is set.  The answer is in out.  Errors: those of the request; ERR_NOMEM. */
int search(struct search *r, struct err *err);

#endif
