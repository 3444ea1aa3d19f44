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
#include "reporter/deliver/batch.h"
#include "reporter/deliver/local.h"

#include "lib/base/banned.h"

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

static int post_entry(struct run *r, const struct queue_entry *e, struct post_outcome *out,
		      struct err *err)
{
	const struct post_request rq = {
		.url = r->url, .token = r->opt->token, .id = e->id, .body = e->json, .n_body = e->n
	};
	struct post_reply reply;
	int result;

	if (e->n > POST_MAX_BODY) {
		*out = (struct post_outcome){ .action = POST_REJECT };
		snprintf(out->why, sizeof(out->why), "document of %zu bytes, the server accepts %u",
			 e->n, POST_MAX_BODY);
		snprintf(out->cure, sizeof(out->cure), "collect fewer benchmarks in one go");
		return 0;
	}
	post_reply_init(&reply);
	result = run_post(r, &rq, &reply, err);
	if (!result)
		post_classify(&rq, &reply, r->clock->wall_us(r->clock->ctx), out);
	post_reply_release(&reply);
	return result;
}

/* One entry.  *out_go_on tells whether another one is worth a try. */
static int send_one(struct run *r, const struct queue_entry *e, bool *out_go_on, struct err *err)
{
	struct post_outcome o;

	if (post_entry(r, e, &o, err) || run_note(r, e, &o, err))
		return -1;
	*out_go_on = run_goes_on(r, &o);
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

	while (go_on && run_left_ns(r) >= MIN_ATTEMPT_NS) {
		struct queue_entry e = { .json = NULL };
		int result;

		if (run_has_stopped(r))
			return err_set(err, ERR_STOPPED, "stopped while posting");
		if (!r->is_single && !r->is_later_round) {
			talk_progress(r->talk, (double)r->out->delivered, 0, "posting");
			if (batch_send(r, &go_on, err))
				return -1;
			continue;
		}
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
