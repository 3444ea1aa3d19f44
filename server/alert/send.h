/*
 * send - one message to one target, once, and what its answer means.
 */
#ifndef PAWL_SERVER_ALERT_SEND_H
#define PAWL_SERVER_ALERT_SEND_H

#include <stdatomic.h>

#include "lib/net/outward.h"
#include "server/alert/letter.h"

#define SEND_MOST_AGE_US ((int64_t)3 * 24 * 3600 * 1000000) /* then it is given up */
#define SEND_MOST_PAUSE_US ((int64_t)3600 * 1000000)

struct send_options {
	uint64_t timeout_ns;	 /* of one try */
	uint64_t first_ns;	 /* the shortest pause between two */
	const atomic_bool *stop; /* may be NULL */
};

struct send_outcome {
	enum message_state state; /* MESSAGE_WAITS: again at next_us */
	int64_t next_us;
	bool rest;	 /* the target is not to be tried before, with whatever */
	char fault[300]; /* one line, no secret in it; "" when delivered */
};

/*
 * Sends it.  Any fault but being stopped is the outcome's.
 *
 * A pause is half of the message's age, or what the server asks for, at most an hour; after three
 * days it has failed, and at once where the answer says that this message will never be taken.
 * Errors: ERR_STOPPED, ERR_NOMEM.
 */
int send_letter(const struct letter *l, const struct send_options *opt, int64_t now_us,
		struct send_outcome *out, struct err *err);

/* What an answer means; a pure function. */
void send_judge(bool is_mail, const struct outward_reply *reply, int64_t made_us, int64_t now_us,
		uint64_t first_ns, struct send_outcome *out);

#endif
