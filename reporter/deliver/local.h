/*
 * local - what the files of a delivery share: the state of one call of deliver_queue().
 */
#ifndef PAWL_REPORTER_DELIVER_LOCAL_H
#define PAWL_REPORTER_DELIVER_LOCAL_H

#include "reporter/deliver/deliver.h"

#define MIN_ATTEMPT_NS 100000000ull /* less time is not worth an attempt */

struct run {
	struct store *store;
	const struct deliver_options *opt;
	const struct deliver_clock *clock;
	const struct talk *talk;
	struct delivery *out;
	char url[URL_TEXT];
	uint64_t end_ns;
	struct strv done;   /* not to be tried again by this call */
	struct strv failed; /* worth another try in a later round */
	struct strv tried;  /* in this round, and all of done: what next_entry() passes over */
	bool is_later_round;
	bool is_single;		  /* the server takes no batches, or one went wrong */
	bool is_plain;		  /* the server takes nothing compressed */
	unsigned n_failures;	  /* in a row, over all entries */
	struct post_outcome last; /* of the last failure; action POST_DELIVERED: there was none */
};

uint64_t run_left_ns(const struct run *r);

/*
 * One request, compressed unless the server has said 415 to that; then, and from then on, plain.
 * *reply, which was initialised, is what came of it.
 */
int run_post(struct run *r, const struct post_request *plain, struct post_reply *reply,
	     struct err *err);

/* What became of an entry, written down: delivered, set aside, or back into the queue. */
int run_note(struct run *r, const struct queue_entry *e, const struct post_outcome *o,
	     struct err *err);

/* Whether another entry is worth a try after that one; waits first where the server is to rest. */
bool run_goes_on(struct run *r, const struct post_outcome *o);

bool run_has_stopped(const struct run *r);

#endif
