#include "server/work/writer.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

#define PROBE_NS 1000000000u
#define LATELY_NS 1000000000u

/* After one that failed. */
#define FOLD_PAUSE_NS 10000000000u

/* Between two looks at all messages. */
#define DROP_PAUSE_NS (6 * 3600000000000u)

/*
 * A step of what is not urgent, between two batches.  Its failure is no fault of a summary: what is
 * not folded is read all the same.
 */
static void fold(struct writer *w)
{
	struct err err = ERR_INIT;

	w->folding = w->folding && !atomic_load(&w->refusing);
	if (atomic_load(&w->refusing) || when_monotonic_ns() < w->fold_ns)
		return;
	if (!ledger_fold(w->ledger, &w->folding, &err)) {
		w->fold_failed = false;
		return;
	}
	w->fold_ns = when_monotonic_ns() + FOLD_PAUSE_NS;
	w->folding = false;
	if (!w->fold_failed)
		talk_warn(&w->talk, err.hint, "points are not folded: %s", err.text);
	w->fold_failed = true;
}

/* A step through the messages, and in the end a rest. */
static void drop_messages(struct writer *w)
{
	struct err err = ERR_INIT;
	int result;

	w->dropping = !atomic_load(&w->refusing) && when_monotonic_ns() >= w->drop_ns;
	if (!w->dropping)
		return;
	result = outbox_drop(ledger_db(w->ledger), when_now_us() - OUTBOX_KEEP_US, &w->dropped,
			     &err);
	if (result)
		talk_warn(&w->talk, err.hint, "old messages are not dropped: %s", err.text);
	w->dropping = !result && w->dropped.project;
	if (!w->dropping)
		w->drop_ns = when_monotonic_ns() + DROP_PAUSE_NS;
}

static void wait_for_work(struct writer *w)
{
	uint64_t until = when_monotonic_ns() + PROBE_NS;
	struct timespec ts = { (time_t)(until / 1000000000u), (long)(until % 1000000000u) };

	if (w->first || w->folding || w->dropping)
		return;
	if (atomic_load(&w->refusing))
		pthread_cond_timedwait(&w->wake, &w->lock, &ts);
	else
		pthread_cond_wait(&w->wake, &w->lock);
}

/* Takes up to WRITER_BATCH jobs off the queue. */
static size_t take(struct writer *w, struct job **jobs)
{
	size_t n = 0;

	while (w->first && n < WRITER_BATCH) {
		jobs[n] = w->first;
		w->first = jobs[n++]->next;
	}
	if (!w->first)
		w->last = &w->first;
	w->n -= n;
	return n;
}

/*
 * What is stored is the best of trials; a batch of trials alone writes what is of no use.  One of
 * changes alone shows nothing: most are smaller than any summary, and may fit where none does.
 */
static int store_or_try(struct writer *w, struct job **jobs, size_t n, struct err *err)
{
	struct post *posts[WRITER_BATCH];
	size_t i, n_posts = 0, n_trials = 0;
	int result;

	for (i = 0; i < n; i++)
		if (jobs[i]->trial)
			n_trials++;
		else if (!jobs[i]->change)
			posts[n_posts++] = &jobs[i]->post;
	if (!n_posts && !n_trials)
		return 0;
	result = n_posts ? ledger_post(w->ledger, posts, n_posts, err)
			 : ledger_probe(w->ledger, err);
	if (result)
		return -1;
	atomic_store(&w->worked_ns, when_monotonic_ns());
	atomic_fetch_add(&w->n_batches, 1);
	return 0;
}

static void store(struct writer *w, struct job **jobs, size_t n)
{
	struct err err = ERR_INIT;
	size_t i;

	if (atomic_load(&w->refusing)) {
		err_set(&err, ERR_BUSY, "the ledger cannot be written at the moment");
	} else if (store_or_try(w, jobs, n, &err)) {
		atomic_store(&w->refusing, true);
		talk_warn(&w->talk, err.hint, "%s; summaries are refused until it works again",
			  err.text);
	}
	for (i = 0; i < n; i++) {
		jobs[i]->err = err;
		if (!err.code && jobs[i]->change)
			jobs[i]->change(jobs[i], w->ledger);
		else if (!err.code && !jobs[i]->trial)
			atomic_fetch_add(&w->n_results[jobs[i]->post.result], 1);
		jobs[i]->done(jobs[i]);
	}
}

/*
 * Whether writing works again.  The ledger is opened afresh: after a failed sync the old
 * handle's pages may be marked clean although they never reached the disk.
 */
static void probe(struct writer *w)
{
	struct ledger *fresh = NULL;
	struct err err = ERR_INIT;

	if (ledger_open(w->where, LEDGER_WRITE, &fresh, &err))
		return;
	if (ledger_probe(fresh, &err)) {
		ledger_close(fresh);
		return;
	}
	ledger_close(w->ledger);
	w->ledger = fresh;
	atomic_store(&w->worked_ns, when_monotonic_ns());
	atomic_store(&w->refusing, false);
	talk_note(&w->talk, "the ledger can be written again");
}

static void *writer_run(void *arg)
{
	struct writer *w = arg;
	struct job *jobs[WRITER_BATCH];
	bool stopping = false;
	size_t n;

	do {
		pthread_mutex_lock(&w->lock);
		if (!w->stopping)
			wait_for_work(w);
		n = take(w, jobs);
		stopping = w->stopping && !w->first;
		pthread_mutex_unlock(&w->lock);
		if (n)
			store(w, jobs, n);
		if (!stopping) {
			fold(w);
			drop_messages(w);
		}
		if (!n && atomic_load(&w->refusing) && !stopping)
			probe(w);
	} while (!stopping);
	return NULL;
}

int writer_start(struct writer *w, const char *where, const struct talk *talk, struct err *err)
{
	pthread_condattr_t attr;

	memset(w, 0, sizeof(*w));
	w->last = &w->first;
	w->where = where;
	w->talk = *talk;
	atomic_init(&w->refusing, false);
	if (ledger_open(where, LEDGER_WRITE, &w->ledger, err))
		return -1;
	w->folding = true; /* what was left */
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&w->wake, &attr);
	pthread_condattr_destroy(&attr);
	errno = pthread_create(&w->thread, NULL, writer_run, w);
	if (errno) {
		ledger_close(w->ledger);
		return err_sys(err, ERR_IO, "cannot start a thread");
	}
	w->running = true;
	return 0;
}

void writer_stop(struct writer *w)
{
	if (!w->running)
		return;
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	pthread_cond_signal(&w->wake);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	w->running = false;
	ledger_close(w->ledger);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
}

bool writer_submit(struct writer *w, struct job *job)
{
	bool taken;

	job->next = NULL;
	pthread_mutex_lock(&w->lock);
	taken = w->n < WRITER_MAX_QUEUE && !w->stopping && !atomic_load(&w->refusing);
	if (taken) {
		*w->last = job;
		w->last = &job->next;
		w->n++;
		pthread_cond_signal(&w->wake);
	}
	pthread_mutex_unlock(&w->lock);
	if (!taken)
		err_set(&job->err, ERR_BUSY, "the ledger cannot be written at the moment");
	return taken;
}

bool writer_refuses(struct writer *w)
{
	return atomic_load(&w->refusing);
}

size_t writer_waiting(struct writer *w)
{
	size_t n;

	pthread_mutex_lock(&w->lock);
	n = w->n;
	pthread_mutex_unlock(&w->lock);
	return n;
}

bool writer_worked_lately(struct writer *w)
{
	uint64_t worked_ns = atomic_load(&w->worked_ns);

	return worked_ns && !atomic_load(&w->refusing) &&
	       when_monotonic_ns() - worked_ns < LATELY_NS;
}
