#include "server/alert/courier.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "lib/base/when.h"
#include "lib/json/jtree.h"
#include "lib/store/alerts/quiet.h"
#include "lib/store/watch/watch.h"

#include "lib/base/banned.h"

/* How often it looks whether something has come. */
#define LOOK_NS 1000000000u
/* How often whether a day is over. */
#define DAYS_NS (600 * (uint64_t)1000000000u)
#define TREE_MOST (16u << 20)
#define TREE_DEPTH 4

/* One write of the courier's, done by the writer. */
struct errand {
	struct job job; /* first: the writer hands back a pointer to it */
	struct courier *courier;
	const struct message *message;
	int64_t until_us;		    /* of a claim */
	bool ours;			    /* and whether it is */
	const struct send_outcome *outcome; /* NULL: a claim */
	const struct watch *watch;	    /* what was found, instead of a message */
	const struct quiet_day *day;	    /* a day to be counted, instead of both */
	bool is_done, has_failed;
};

static void change(struct job *job, struct ledger *l)
{
	struct errand *e = (struct errand *)(void *)job;
	struct db *db = ledger_db(l);
	const struct send_outcome *o = e->outcome;
	int result;

	if (e->day) {
		result = quiet_settle(db, e->day, e->courier->gone_days, when_now_us(), &job->err);
	} else if (e->watch) {
		result = watch_settle(l, e->watch, &job->err);
	} else if (!o) {
		result = outbox_claim(db, e->message, e->until_us, &e->ours, &job->err);
	} else {
		result = outbox_settle(db, e->message,
				       &(struct settled){ o->state, o->next_us, o->rest,
							  o->fault[0] ? o->fault : NULL },
				       &job->err);
	}
	e->has_failed = result != 0;
}

static void done(struct job *job)
{
	struct errand *e = (struct errand *)(void *)job;

	pthread_mutex_lock(&e->courier->lock);
	e->is_done = true;
	pthread_cond_broadcast(&e->courier->wake);
	pthread_mutex_unlock(&e->courier->lock);
}

/* Until then, or until it is to stop. */
static void rest(struct courier *c, uint64_t ns)
{
	uint64_t until = when_monotonic_ns() + ns;
	struct timespec ts = { (time_t)(until / 1000000000u), (long)(until % 1000000000u) };

	pthread_mutex_lock(&c->lock);
	while (!atomic_load(&c->stop) && when_monotonic_ns() < until)
		pthread_cond_timedwait(&c->wake, &c->lock, &ts);
	pthread_mutex_unlock(&c->lock);
}

/* 0: written, -1: not now. */
static int run(struct courier *c, struct errand *e)
{
	memset(&e->job, 0, sizeof(e->job));
	e->courier = c;
	e->job.change = change;
	e->job.done = done;
	e->is_done = e->has_failed = false;
	if (!writer_submit(c->writer, &e->job))
		return -1;
	pthread_mutex_lock(&c->lock);
	while (!e->is_done)
		pthread_cond_wait(&c->wake, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return e->job.err.code || e->has_failed ? -1 : 0;
}

/* What came of it is written as soon as writing works: only a kill makes it be sent twice. */
static void settle(struct courier *c, const struct message *m, const struct send_outcome *o)
{
	struct errand e = { .message = m, .outcome = o };

	while (run(c, &e) && !atomic_load(&c->stop))
		rest(c, LOOK_NS);
	if (o->state == MESSAGE_DELIVERED)
		atomic_fetch_add(&c->n_delivered, 1);
	if (o->state == MESSAGE_FAILED) {
		atomic_fetch_add(&c->n_failed, 1);
		talk_warn(&c->talk, NULL, "message %s to target %lld of project '%s': %s", m->id,
			  (long long)m->target.id, m->project_name, o->fault);
	}
}

/* What one message says, read from the ledger; the tree belongs to the caller. */
static int read_message(struct ledger *l, const struct message *m, struct buf *json,
			struct letter *out, struct jtree **out_tree, struct err *err)
{
	struct db *db = ledger_db(l);

	*out = (struct letter){ .message = m, .json = json };
	if (outbox_alerts(db, m, LETTER_MOST_ALERTS, json, &out->n, err) ||
	    outbox_open(db, m, &out->n_open, err))
		return -1;
	*out_tree = jtree_parse(json->data, json->len, TREE_MOST, TREE_DEPTH, err);
	out->alerts = *out_tree;
	return *out_tree ? 0 : -1;
}

static int deliver(struct courier *c, const struct message *m, struct err *err)
{
	struct errand claim = { .message = m };
	struct buf json = BUF_INIT;
	struct jtree *tree = NULL;
	struct send_outcome outcome;
	struct letter letter;
	int result = -1;

	claim.until_us = when_now_us() + (int64_t)(c->options.timeout_ns / 500) + 1000000;
	if (run(c, &claim) || !claim.ours) {
		rest(c, LOOK_NS);
		return 0;
	}
	atomic_fetch_add(&c->n_tries, 1);
	if (read_message(c->reader, m, &json, &letter, &tree, err))
		goto out;
	result = send_letter(&letter, &c->options, when_now_us(), &outcome, err);
	/* What is given up goes first after the next start. */
	if (result)
		outcome = (struct send_outcome){ .state = MESSAGE_WAITS, .next_us = when_now_us() };
	settle(c, m, &outcome);
out:
	jtree_free(tree);
	buf_release(&json);
	return result;
}

/*
 * Looks at histories, where there is something new in one.  It takes a tenth of a processor at
 * most: however many results come, it rests longer than it works.
 */
static int watch(struct courier *c, bool *out_found, struct err *err)
{
	uint64_t began_ns = when_monotonic_ns();
	struct watch w = { .n = 0 };
	struct errand e = { .watch = &w };
	int none = watch_look(c->reader, &c->watched, &w, err);

	*out_found = !none;
	if (none)
		return none < 0 ? -1 : 0;
	if (run(c, &e))
		rest(c, LOOK_NS);
	else
		rest(c, 9 * (when_monotonic_ns() - began_ns));
	watch_release(&w);
	return 0;
}

/* Counts a day that is over, if there is one. */
static int count_day(struct courier *c, bool *out_found, struct err *err)
{
	struct quiet_day day = { .project = 0 };
	struct errand e = { .day = &day };
	uint64_t began_ns = when_monotonic_ns();
	int none;

	if (!c->gone_days || began_ns < c->gone_ns)
		return 0;
	none = quiet_look(ledger_db(c->reader), when_now_us(), &c->counted, &day, err);
	*out_found = !none;
	if (none) {
		c->gone_ns = began_ns + DAYS_NS;
		return none < 0 ? -1 : 0;
	}
	rest(c, run(c, &e) ? LOOK_NS : 9 * (when_monotonic_ns() - began_ns));
	quiet_release(&day);
	return 0;
}

static void complain(struct courier *c, const struct err *err)
{
	if (!c->failed && err->code != ERR_STOPPED && err->code != ERR_BUSY)
		talk_warn(&c->talk, err->hint, "alerts are not sent: %s", err->text);
	c->failed = true;
}

static void *courier_run(void *arg)
{
	struct courier *c = arg;

	while (!atomic_load(&c->stop)) {
		struct message m = { .project = 0 };
		struct err err = ERR_INIT;
		int64_t now_us = when_now_us(), next_us;
		int none = outbox_next(ledger_db(c->reader), now_us, &m, &next_us, &err);
		uint64_t wait_ns = LOOK_NS;
		bool found = false;

		if (!none && !deliver(c, &m, &err)) {
			c->failed = false;
			wait_ns = 0;
		} else if (none <= 0 || watch(c, &found, &err) ||
			   (!found && count_day(c, &found, &err))) {
			complain(c, &err);
		} else if (found) {
			wait_ns = 0;
		} else if (next_us - now_us < (int64_t)(LOOK_NS / 1000)) {
			wait_ns = (uint64_t)(next_us - now_us) * 1000;
		}
		message_release(&m);
		if (wait_ns)
			rest(c, wait_ns);
	}
	return NULL;
}

int courier_start(struct courier *c, const char *where, struct writer *writer,
		  const struct courier_options *options, const struct talk *talk, struct err *err)
{
	pthread_condattr_t attr;

	atomic_init(&c->stop, false);
	c->options = (struct send_options){ options->timeout_ns, options->first_ns, &c->stop };
	c->gone_days = options->gone_days;
	c->gone_ns = 0;
	c->counted = 0;
	c->writer = writer;
	c->watched = 0;
	c->talk = *talk;
	if (ledger_open(where, LEDGER_READ, &c->reader, err))
		return -1;
	pthread_mutex_init(&c->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&c->wake, &attr);
	pthread_condattr_destroy(&attr);
	errno = pthread_create(&c->thread, NULL, courier_run, c);
	if (errno) {
		ledger_close(c->reader);
		return err_sys(err, ERR_IO, "cannot start a thread");
	}
	c->running = true;
	return 0;
}

void courier_stop(struct courier *c)
{
	if (!c->running)
		return;
	atomic_store(&c->stop, true);
	pthread_mutex_lock(&c->lock);
	pthread_cond_broadcast(&c->wake);
	pthread_mutex_unlock(&c->lock);
	pthread_join(c->thread, NULL);
	c->running = false;
	ledger_close(c->reader);
	pthread_cond_destroy(&c->wake);
	pthread_mutex_destroy(&c->lock);
}
