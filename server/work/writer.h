/*
 * writer - the one thread that writes: takes what has piled up, stores it in one
 * transaction, and only then lets the answers go out.
 */
#ifndef PAWL_SERVER_WORK_WRITER_H
#define PAWL_SERVER_WORK_WRITER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/talk.h"
#include "lib/store/alerts/outbox.h"
#include "lib/store/ledger/ledger.h"

#define WRITER_MAX_QUEUE 4096
#define WRITER_BATCH 256

/* One summary on its way into the ledger; the caller's until writer_submit(). */
struct job {
	struct post post;
	bool trial; /* there is no post: whether one could be stored is what is asked */
	/* There is no post either: instead, in the writer's thread.  NULL: a post. */
	void (*change)(struct job *job, struct ledger *l);
	struct err err; /* filled when it was not stored; code ERR_NONE: look at post.result */
	/* Called by the writer's thread when the outcome is known; the job is the caller's again.
	 */
	void (*done)(struct job *job);
	struct job *next;
};

struct writer {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct job *first, **last;
	size_t n;
	bool running, stopping;
	_Atomic uint64_t worked_ns;  /* when a summary was stored, or could be; 0: never */
	atomic_ullong n_batches;     /* transactions */
	atomic_ullong n_results[4];  /* by enum post_result */
	atomic_bool refusing;	     /* storing failed; until a probe passes nothing is taken */
	struct ledger *ledger;	     /* the thread's own, as is what follows */
	bool folding;		     /* there is more to be folded */
	bool fold_failed;	     /* and that was told */
	uint64_t fold_ns;	     /* not before */
	struct outbox_place dropped; /* messages were looked at up to here */
	bool dropping;		     /* there are more */
	uint64_t drop_ns;	     /* not before */
	const char *where;
	struct talk talk;
};

/* where and talk's ctx must outlive the writer.  talk is used from the writer's thread. */
int writer_start(struct writer *w, const char *where, const struct talk *talk, struct err *err);

/* Stores what is queued, then ends the thread; accepts one that never started. */
void writer_stop(struct writer *w);

/*
 * Takes a job; false when the queue is full or storing does not work at the moment: then
 * done is not called and job->err says why.
 */
bool writer_submit(struct writer *w, struct job *job);

bool writer_refuses(struct writer *w);

/* Jobs that wait. */
size_t writer_waiting(struct writer *w);

/* Whether a summary was or could be stored in the last second, and no fault came since. */
bool writer_worked_lately(struct writer *w);

#endif
