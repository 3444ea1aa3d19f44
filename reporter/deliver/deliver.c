#include "reporter/deliver/deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/record/ulid.h"
#include "reporter/deliver/coded.h"

#include "lib/base/banned.h"

#define SLICE_NS 200000000ull	    /* how soon a stop is seen while waiting */
#define MAX_POSTPONE_S 600	    /* between two calls that try an entry again */
#define MAX_WARNINGS 3		    /* about single summaries; the count is told anyway */
#define MIN_ATTEMPT_NS 100000000ull /* less time is not worth an attempt */

static uint64_t real_monotonic_ns(void *ctx)
{
	(void)ctx;
	return when_monotonic_ns();
}

static int64_t real_wall_us(void *ctx)
{
	(void)ctx;
	return when_now_us();
}

static void real_sleep_ns(void *ctx, uint64_t ns)
{
	const struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	(void)ctx;
	nanosleep(&t, NULL); /* a signal ends it early, which is welcome */
}

/* Without random bytes all senders wait the same: worse, not wrong. */
static double real_chance(void *ctx)
{
	uint32_t bits;

	(void)ctx;
	if (random_bytes(&bits, sizeof(bits), NULL))
		return 0.5;
	return bits / 4294967296.0;
}

const struct deliver_clock deliver_clock = { real_monotonic_ns, real_wall_us, real_sleep_ns,
					     real_chance, NULL };

/* One call's state. */
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
	bool is_plain;		  /* the server takes nothing compressed */
	unsigned n_failures;	  /* in a row, over all entries */
	struct post_outcome last; /* of the last failure; action POST_DELIVERED: there was none */
};

static bool has_stopped(const struct run *r)
{
	return r->opt->stop && *r->opt->stop;
}

static uint64_t left_ns(const struct run *r)
{
	uint64_t now = r->clock->monotonic_ns(r->clock->ctx);

	return now < r->end_ns ? r->end_ns - now : 0;
}

/* Waits in slices, so that a stop is seen; false when there is not that much time. */
static bool wait_for(const struct run *r, uint64_t ns)
{
	uint64_t until;

	if (ns + MIN_ATTEMPT_NS > left_ns(r))
		return false;
	until = r->clock->monotonic_ns(r->clock->ctx) + ns;
	for (;;) {
		uint64_t now = r->clock->monotonic_ns(r->clock->ctx);

		if (now >= until || has_stopped(r))
			return true;
		r->clock->sleep_ns(r->clock->ctx, until - now < SLICE_NS ? until - now : SLICE_NS);
	}
}

/* The time before which the entry is not due again: doubled with each attempt, jittered. */
static int64_t next_try_us(const struct run *r, const struct queue_entry *e)
{
	int64_t now = r->clock->wall_us(r->clock->ctx);
	int64_t most_s =
		e->attempts < 9 ? 1 << (e->attempts < 0 ? 0 : e->attempts) : MAX_POSTPONE_S;
	int64_t wait_us = (int64_t)((double)most_s * 1e6 * r->clock->chance(r->clock->ctx));
	int64_t asked_us = r->last.asked ? (int64_t)(r->last.wait_ns / 1000) : 0;

	if (r->last.keep)
		return now;
	return now + (asked_us > wait_us ? asked_us : wait_us);
}

static int attempt(struct run *r, struct post_request *rq, struct post_outcome *out,
		   struct err *err)
{
	uint64_t left = left_ns(r);
	struct post_reply reply;
	int result;

	post_reply_init(&reply);
	rq->timeout_ns = left ? left : 1; /* 0 would be the transport's own limit */
	result = r->opt->transport->post(r->opt->transport->ctx, rq, &reply, err);
	if (!result) {
		post_classify(rq, &reply, r->clock->wall_us(r->clock->ctx), out);
		r->is_plain = r->is_plain || coded_is_refused(rq, &reply);
	}
	post_reply_release(&reply);
	return result;
}

/* Compressed; plain where the server has said that it takes nothing else. */
static int post_document(struct run *r, const struct queue_entry *e, struct post_outcome *out,
			 struct err *err)
{
	const struct post_request plain = {
		.url = r->url, .token = r->opt->token, .id = e->id, .body = e->json, .n_body = e->n
	};
	struct post_request rq = plain;
	struct buf frame = BUF_INIT;
	int result;

	if (!r->is_plain)
		coded_set(&rq, &frame);
	result = attempt(r, &rq, out, err);
	if (!result && rq.coding && r->is_plain) {
		rq = plain;
		result = attempt(r, &rq, out, err);
	}
	buf_release(&frame);
	return result;
}

static int post_entry(struct run *r, const struct queue_entry *e, struct post_outcome *out,
		      struct err *err)
{
	if (e->n <= POST_MAX_BODY)
		return post_document(r, e, out, err);
	*out = (struct post_outcome){ .action = POST_REJECT };
	snprintf(out->why, sizeof(out->why), "document of %zu bytes, the server accepts %u", e->n,
		 POST_MAX_BODY);
	snprintf(out->cure, sizeof(out->cure), "collect fewer benchmarks in one go");
	return 0;
}

/* Refused for good: out of the queue, with a warning. */
static int set_aside(struct run *r, const struct queue_entry *e, const struct post_outcome *o,
		     struct err *err)
{
	if (store_queue_reject(r->store, e->id, o->why, err))
		return -1;
	if (++r->out->rejected > MAX_WARNINGS)
		return 0;
	talk_warn(r->talk, o->cure, "summary %s is set aside: %s", e->id, o->why);
	return 0;
}

/* Stays in the queue; whether it comes round again in this call is up to what failed. */
static int put_back(struct run *r, const struct queue_entry *e, const struct post_outcome *o,
		    struct err *err)
{
	struct strv *list = o->action == POST_RETRY ? &r->failed : &r->done;

	r->last = *o;
	if (strv_add(&r->tried, e->id, err))
		return -1;
	if (!strv_has(list, e->id) && strv_add(list, e->id, err))
		return -1;
	return store_queue_retry(r->store, e->id, next_try_us(r, e), o->why, err);
}

static int note_delivered(struct run *r, const struct queue_entry *e, struct err *err)
{
	r->n_failures = 0;
	r->out->delivered++;
	if (!r->done.n)
		r->last = (struct post_outcome){ .action = POST_DELIVERED };
	return store_queue_done(r->store, e->id, err);
}

/* One entry.  *out_go_on tells whether another one is worth a try. */
static int send_one(struct run *r, const struct queue_entry *e, bool *out_go_on, struct err *err)
{
	struct post_outcome o;

	*out_go_on = true;
	if (post_entry(r, e, &o, err))
		return -1;
	if (o.action == POST_DELIVERED)
		return note_delivered(r, e, err);
	if (o.action == POST_REJECT && !o.keep)
		return set_aside(r, e, &o, err);
	if (put_back(r, e, &o, err))
		return -1;
	if (o.for_all && !(o.action == POST_RETRY && r->opt->keep_trying))
		*out_go_on = false;
	else if (o.action == POST_RETRY)
		*out_go_on = wait_for(
			r, post_wait_ns(r->n_failures++, &o, r->clock->chance(r->clock->ctx)));
	return 0;
}

/*
 * A later round: what failed was given a later time, but its wait is behind us, so the time
 * is not asked.  What another call put off is passed over unless everything is wanted.
 */
static int next_failed(struct run *r, struct queue_entry *out, struct err *err)
{
	for (;;) {
		if (store_queue_next(r->store, INT64_MAX, &r->tried, out, err))
			return -1;
		if (r->opt->all || strv_has(&r->failed, out->id))
			return 0;
		if (strv_add(&r->done, out->id, err) || strv_add(&r->tried, out->id, err)) {
			queue_entry_release(out);
			return -1;
		}
		queue_entry_release(out);
	}
}

/* The next entry of this round, else the first of a new one; ERR_ABSENT when all are done. */
static int next_entry(struct run *r, struct queue_entry *out, struct err *err)
{
	int64_t now = r->opt->all ? INT64_MAX : r->clock->wall_us(r->clock->ctx);

	if (!r->is_later_round && !store_queue_next(r->store, now, &r->tried, out, err))
		return 0;
	if (r->is_later_round && !next_failed(r, out, err))
		return 0;
	if (err->code != ERR_ABSENT || r->tried.n == r->done.n)
		return -1;
	err_clear(err);
	r->is_later_round = true;
	strv_release(&r->tried);
	if (r->done.n && strv_add_all(&r->tried, r->done.v, err))
		return -1;
	return next_failed(r, out, err);
}

static int send_all(struct run *r, struct err *err)
{
	bool go_on = true;

	while (go_on && left_ns(r) >= MIN_ATTEMPT_NS) {
		struct queue_entry e = { .json = NULL };
		int result;

		if (has_stopped(r))
			return err_set(err, ERR_STOPPED, "stopped while posting");
		if (next_entry(r, &e, err)) {
			if (err->code != ERR_ABSENT)
				return -1;
			err_clear(err);
			return 0;
		}
		talk_progress(r->talk, (double)r->out->delivered, 0, "posting %s", e.id);
		result = send_one(r, &e, &go_on, err);
		queue_entry_release(&e);
		if (result)
			return -1;
	}
	return 0;
}

/* The lock's descriptor; -1 with ERR_BUSY when somebody else sends. */
static int take_lock(const char *path, struct err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return err_sys(err, ERR_IO, "cannot open '%s'", path);
	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno == EINTR)
			continue;
		err_sys(err, errno == EWOULDBLOCK ? ERR_BUSY : ERR_IO, "cannot lock '%s'", path);
		close(fd);
		return -1;
	}
	return fd;
}

static const char *plural(size_t n)
{
	return n == 1 ? "summary" : "summaries";
}

/* The one line, from what was counted and what failed last. */
static void tell(const struct run *r)
{
	struct delivery *d = r->out;
	struct buf line = BUF_INIT;
	const char *why = r->last.why, *cure = "";

	if (d->left && d->busy)
		why = "another pawl is posting";
	else if (d->left && !*why)
		why = "not due yet, or out of time";
	if (d->delivered)
		buf_addf(&line, "posted %zu %s to %s", d->delivered, plural(d->delivered),
			 r->opt->server);
	if (d->rejected)
		buf_addf(&line, "%sthe server refused %zu %s", line.len ? "; " : "", d->rejected,
			 plural(d->rejected));
	if (d->left)
		buf_addf(&line, "%s%zu %s still queued: %s", line.len ? "; " : "", d->left,
			 plural(d->left), why);
	if (d->left)
		cure = r->last.cure[0] ? r->last.cure : "try again: pawl push";
	else if (d->rejected)
		cure = "mend what is reported, then type: pawl push --again";
	snprintf(d->text, sizeof(d->text), "%s", buf_str(&line));
	snprintf(d->cure, sizeof(d->cure), "%s", cure);
	buf_release(&line);
}

int deliver_queue(struct store *store, const struct deliver_options *opt, const struct talk *talk,
		  struct delivery *out, struct err *err)
{
	struct run r = { .store = store, .opt = opt, .talk = talk, .out = out };
	struct err fault = ERR_INIT;
	struct url url;
	size_t rejected; /* by earlier calls too: not told */
	int lock = -1, result = -1;

	memset(out, 0, sizeof(*out));
	r.clock = opt->clock ? opt->clock : &deliver_clock;
	r.end_ns = r.clock->monotonic_ns(r.clock->ctx) + opt->budget_ns;
	if (url_parse(opt->server, &url, &fault))
		goto out;
	url_print(&url, URL_API, r.url);
	lock = take_lock(opt->lock_path, &fault);
	out->busy = lock < 0 && fault.code == ERR_BUSY;
	if (out->busy)
		result = 0;
	else if (lock >= 0)
		result = send_all(&r, &fault);
out:
	if (store_queue_count(store, &out->left, &rejected, result ? NULL : &fault))
		result = -1;
	if (!result)
		tell(&r);
	if (result && err)
		*err = fault;
	if (lock >= 0)
		close(lock);
	strv_release(&r.done);
	strv_release(&r.failed);
	strv_release(&r.tried);
	return result;
}
