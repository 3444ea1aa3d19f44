/*
 * courier - the thread that sends what waits in the outbox, one message after the other, and looks
 * for steps in histories, and for branches that are gone, when nothing does.
 *
 * It reads by itself and writes through the writer: a try is on the disk before it begins, and what
 * came of it afterwards.  Killed between, the message is sent again, with the same id.
 */
#ifndef PAWL_SERVER_ALERT_COURIER_H
#define PAWL_SERVER_ALERT_COURIER_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/talk.h"
#include "server/alert/send.h"
#include "server/work/writer.h"

struct courier {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool running;
	atomic_bool stop;
	atomic_ullong n_delivered, n_failed, n_tries; /* since the start */
	struct send_options options;
	struct writer *writer;
	struct ledger *reader; /* the thread's own, as is what follows */
	int64_t watched;       /* the project whose histories were looked at last */
	int64_t counted;       /* the one whose day was counted last */
	unsigned gone_days;    /* 0: no branch is ever gone */
	uint64_t gone_ns;      /* when days are looked at again */
	bool failed;	       /* the outbox could not be read, and that was said */
	struct talk talk;
};

struct courier_options {
	uint64_t first_ns;   /* shortest pause before a message is sent again */
	uint64_t timeout_ns; /* longest time for sending one */
	unsigned gone_days;  /* see lib/store/alerts/quiet.h; 0: never */
};

/* writer and talk's ctx must outlive it. */
int courier_start(struct courier *c, const char *where, struct writer *writer,
		  const struct courier_options *options, const struct talk *talk, struct err *err);

/* Gives up what is under way, which is sent again after the next start.  Before writer_stop(). */
void courier_stop(struct courier *c); /* accepts one that never started */

#endif
