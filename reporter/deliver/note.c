/* One request, and what became of an entry. */
#include "lib/base/strv.h"
#include "reporter/deliver/coded.h"
#include "reporter/deliver/local.h"

#include "lib/base/banned.h"

#define SLICE_NS 200000000ull /* how soon a stop is seen while waiting */
#define MAX_POSTPONE_S 600    /* between two calls that try an entry again */
#define MAX_WARNINGS 3	      /* about single summaries; the count is told anyway */

uint64_t run_left_ns(const struct run *r)
{
	uint64_t now = r->clock->monotonic_ns(r->clock->ctx);

	return now < r->end_ns ? r->end_ns - now : 0;
}

static int attempt(struct run *r, struct post_request *rq, struct post_reply *reply,
		   struct err *err)
{
	uint64_t left = run_left_ns(r);

	post_reply_release(reply);
	post_reply_init(reply);
	rq->timeout_ns = left ? left : 1; /* 0 would be the transport's own limit */
	if (r->opt->transport->post(r->opt->transport->ctx, rq, reply, err))
		return -1;
	r->is_plain = r->is_plain || coded_is_refused(rq, reply);
	return 0;
}

int run_post(struct run *r, const struct post_request *plain, struct post_reply *reply,
	     struct err *err)
{
	struct post_request rq = *plain;
	struct buf frame = BUF_INIT;
	int result;

	if (!r->is_plain)
		coded_set(&rq, &frame);
	result = attempt(r, &rq, reply, err);
	if (!result && rq.coding && r->is_plain) {
		rq = *plain;
		result = attempt(r, &rq, reply, err);
	}
	buf_release(&frame);
	return result;
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

int run_note(struct run *r, const struct queue_entry *e, const struct post_outcome *o,
	     struct err *err)
{
	if (o->action == POST_DELIVERED)
		return note_delivered(r, e, err);
	if (o->action == POST_REJECT && !o->keep)
		return set_aside(r, e, o, err);
	return put_back(r, e, o, err);
}

bool run_has_stopped(const struct run *r)
{
	return r->opt->stop && *r->opt->stop;
}

/* Waits in slices, so that a stop is seen; false when there is not that much time. */
static bool wait_for(const struct run *r, uint64_t ns)
{
	uint64_t until;

	if (ns + MIN_ATTEMPT_NS > run_left_ns(r))
		return false;
	until = r->clock->monotonic_ns(r->clock->ctx) + ns;
	for (;;) {
		uint64_t now = r->clock->monotonic_ns(r->clock->ctx);

		if (now >= until || run_has_stopped(r))
			return true;
		r->clock->sleep_ns(r->clock->ctx, until - now < SLICE_NS ? until - now : SLICE_NS);
	}
}

bool run_goes_on(struct run *r, const struct post_outcome *o)
{
	if (o->action == POST_DELIVERED || (o->action == POST_REJECT && !o->keep))
		return true;
	if (o->for_all && !(o->action == POST_RETRY && r->opt->keep_trying))
		return false;
	if (o->action == POST_RETRY)
		return wait_for(r,
				post_wait_ns(r->n_failures++, o, r->clock->chance(r->clock->ctx)));
	return true;
}
