#include "collector/run/turns.h"

#include <math.h>
#include <string.h>

#include "collector/run/launch.h"
#include "collector/run/session.h"
#include "collector/run/shared.h"

#include "lib/base/banned.h"

static bool has_empty_slice(const struct session *s)
{
	int i;

	for (i = 0; i < s->n_slices; i++)
		if (!isfinite(s->slice_wall_ns[i]))
			return true;
	return false;
}

/* What is wrong with a complete answer: nothing is added to text when nothing is. */
static void check_result(const struct unit *u, const struct session *s, struct buf *text)
{
	const struct line *line = &s->result;

	if (!s->has_result)
		buf_adds(text, "ended without a result record");
	else if (line->type != LINE_RESULT)
		buf_adds(text, "answered with another record than a result");
	else if (u->inner && strcmp(line->name, u->inner))
		buf_addf(text, "answered for benchmark '%s'", line->name);
	else if (line->iterations != (double)u->iterations)
		buf_addf(text, "ran %.0f iterations instead of %llu", line->iterations,
			 (unsigned long long)u->iterations);
	else if (has_empty_slice(s))
		buf_adds(text, "ran a slice without iterations");
}

/* What the program said of its run. */
static void take_figures(struct session *s, struct run *run)
{
	const struct line *line = &s->result;

	if (!s->has_result)
		return;
	run->wall_ns = line->wall_ns / line->iterations;
	run->cpu_ns = line->cpu_ns / line->iterations;
	run->process_cpu_ns = line->process_cpu_ns / line->iterations;
	/* Threads of the operation are all in cpu_ns; the rest is their waiting. */
	run->has_threads = line->threads > 1;
	run->has_helpers =
		!run->has_threads && launch_has_helpers(run->process_cpu_ns, run->cpu_ns);
	run->run_delay_ns = line->run_delay_ns;
	run->voluntary_switches = line->voluntary_switches;
	run->involuntary_switches = line->involuntary_switches;
	run->minor_faults = line->minor_faults;
	run->major_faults = line->major_faults;
	run->migrations = line->migrations;
	run->counters = line->counters;
	run->n_counters = line->n_counters;
	s->result.counters = NULL;
	s->result.n_counters = 0;
}

/* In front of how it ended, which is no more than what follows from them. */
static void add_errors(const struct session *s, struct buf *text)
{
	struct buf first = BUF_INIT;

	if (!s->has_result || !(s->result.errors > 0))
		return;
	buf_addf(&first, "%.0f operation%s failed%s%s", s->result.errors,
		 s->result.errors == 1 ? "" : "s", text->len ? "; " : "", buf_str(text));
	buf_release(text);
	*text = first;
}

/* Moves a finished session's figures to the run. */
static int take_session(const struct process_runner *r, const struct unit *u, struct session *s,
			const struct session *other, struct run *run, struct err *err)
{
	struct buf text = BUF_INIT;
	struct child_result res;

	session_finish(s, other, launch_timeout_ns(u), &res, &text);
	launch_end(r, u->pinned ? r->cpu : -1, run);
	add_errors(s, &text);
	if (!text.len)
		check_result(u, s, &text);
	take_figures(s, run);
	run->peak_rss_bytes = launch_peak_rss(res.max_rss_bytes);
	run->n_left = res.n_left;
	if (launch_output(run, &res, err) || launch_fail(run, &text, res.timed_out, err)) {
		buf_release(&text);
		return -1;
	}
	return 0;
}

static int start_session(const struct process_runner *r, const struct unit *u,
			 const struct side *side, unsigned padding, bool shares, struct session *s,
			 struct run *run, struct err *err)
{
	struct err fault = ERR_INIT;
	struct launch l;
	int result = -1;

	if (launch_prepare(&l, r, u->config, side, err) || launch_ask(&l, "run", u->inner, err) ||
	    strv_addf(&l.env, err, "PAWL_ITERATIONS=%llu", (unsigned long long)u->iterations) ||
	    strv_addf(&l.env, err, "PAWL_SLICES=%d", u->slices) ||
	    (u->has_base && strv_add(&l.env, "PAWL_TURNS=1", err)) ||
	    (shares && strv_add(&l.env, "PAWL_SERVE=1", err)) || launch_pad(&l, padding, err))
		goto out;
	l.spec.timeout_ns = launch_timeout_ns(u);
	l.spec.cpu = u->pinned ? r->cpu : -1;
	l.spec.digest_output = true;
	launch_begin(r, run);
	if (session_start(s, &l.spec, &fault))
		result = launch_fault(&run->failure, &fault, err);
	else
		result = session_step(s, err);
out:
	launch_release(&l);
	return result;
}

static bool is_over(const struct session *s)
{
	return s->ended || s->idle;
}

/* Both processes alive, one slice at a time, A B B A ...: what drifts hits both. */
static int take_turns(struct session *first, struct session *second, struct err *err)
{
	struct session *s[2] = { first, second };
	int slice, i;

	for (slice = 0; slice <= SESSION_MAX_SLICES; slice++) {
		for (i = 0; i < 2; i++)
			if (session_turn(s[slice % 2 ? 1 - i : i], err))
				return -1;
		if (is_over(first) && is_over(second))
			return 0;
	}
	for (i = 0; i < 2; i++)
		session_give_up(s[i], "asks for turns without end");
	return 0;
}

/* Whether what only a whole process tells is known of a run, and is nothing. */
static bool is_quiet(const struct run *run)
{
	return !run->failure && isnan(run->peak_rss_bytes) && run->output && !*run->output &&
	       !run->n_left;
}

/*
 * Who may share a process with whom: those of the same programs, started in the same way; the
 * warm-ups among themselves, since of these it is not known yet who prints, and what.  *out stays
 * empty where it runs alone.
 */
static int share_key(const struct process_runner *r, const struct unit *u, struct buf *out,
		     struct err *err)
{
	bool quiet = true;

	if (!r->shared || !u->inner || u->alone || shared_most(u->run_ns) < 2)
		return 0;
	if (u->has_warm_up && shared_ask_quiet(r->shared, u, &quiet, err))
		return -1;
	if (!quiet)
		return 0;
	buf_addf(out, "%d %p %d %s %s", u->has_warm_up, (const void *)u->config, u->pinned,
		 u->head.exe, u->head.dir ? u->head.dir : "");
	if (u->has_base)
		buf_addf(out, " %s %s", u->base.exe, u->base.dir ? u->base.dir : "");
	if (!shared_may(r->shared, buf_str(out)))
		buf_reset(out);
	return buf_check(out, err);
}

/* Whether it has run, well, and waits for another order. */
static bool has_answered(const struct unit *u, const struct session *s)
{
	struct buf text = BUF_INIT;
	bool good = s->idle && !s->message;

	if (good)
		check_result(u, s, &text);
	good = good && !text.len;
	buf_release(&text);
	return good;
}

static bool have_answered(const struct unit *u, const struct shared_pair *live)
{
	return has_answered(u, &live->s[0]) && (live->n == 1 || has_answered(u, &live->s[1]));
}

/*
 * Moves the figures of processes that go on to their runs.  What is known only of a whole process
 * is left out; who shares one prints nothing (share_key()).
 */
static int take_answers(const struct process_runner *r, const struct unit *u,
			struct shared_pair *live, struct pair *p, struct err *err)
{
	struct run *run[2] = { &p->head, &p->base };
	int i;

	for (i = 0; i < live->n; i++) {
		launch_end(r, u->pinned ? r->cpu : -1, run[i]);
		take_figures(&live->s[i], run[i]);
		run[i]->peak_rss_bytes = (double)NAN;
		if (str_set(&run[i]->output, "", err))
			return -1;
	}
	if (live->n == 2)
		session_ratios(&live->s[0], &live->s[1], p);
	return 0;
}

/* Asks both sides of processes that run already, in their order. */
static int order_pair(const struct process_runner *r, const struct unit *u,
		      struct shared_pair *live, struct pair *p, struct err *err)
{
	struct run *run[2] = { &p->head, &p->base };
	int k, first = live->n == 2 && p->order;

	for (k = 0; k < live->n; k++) {
		int i = k ? 1 - first : first;

		launch_begin(r, run[i]);
		if (session_order(&live->s[i], u->inner, u->iterations, u->slices,
				  launch_timeout_ns(u), err))
			return -1;
	}
	return live->n == 2 ? take_turns(&live->s[first], &live->s[1 - first], err) : 0;
}

/* Starts a process for each side and runs it once.  *out_started: all of them are there. */
static int start_pair(const struct process_runner *r, const struct unit *u, bool shares,
		      struct shared_pair *live, struct pair *p, bool *out_started, struct err *err)
{
	struct run *run[2] = { &p->head, &p->base };
	int k, first = u->has_base && p->order;
	struct stage_pair from;

	if (launch_place(r, u, &from, err))
		return -1;
	live->layout = p->layout = from.layout;
	*out_started = true;
	for (k = 0; k < live->n; k++) {
		int i = k ? 1 - first : first;

		if (start_session(r, u, i ? from.base : from.head, from.padding, shares,
				  &live->s[i], run[i], err))
			return -1;
		*out_started = *out_started && live->s[i].started;
	}
	return *out_started && live->n == 2 ? take_turns(&live->s[first], &live->s[1 - first], err)
					    : 0;
}

/* Ends the processes and takes what they said. */
static int end_pair(const struct process_runner *r, const struct unit *u, struct shared_pair *live,
		    struct pair *p, struct err *err)
{
	struct run *run[2] = { &p->head, &p->base };
	int k, first = u->has_base && p->order;

	for (k = 0; k < live->n; k++) {
		int i = k ? 1 - first : first;

		if (session_dismiss(&live->s[i], err) ||
		    take_session(r, u, &live->s[i], live->n == 2 ? &live->s[1 - i] : NULL, run[i],
				 err))
			return -1;
	}
	if (live->n == 2)
		session_ratios(&live->s[0], &live->s[1], p);
	/* Who was loud in its first run is loud, whatever it is later. */
	if (!r->shared || u->n_pairs || !is_quiet(&p->head) ||
	    (live->n == 2 && !is_quiet(&p->base)))
		return 0;
	return shared_found_quiet(r->shared, u, err);
}

static int keep(const struct process_runner *r, const struct unit *u, const char *key,
		struct shared_pair **live, struct pair *p, struct err *err)
{
	struct shared_pair *kept = *live;

	if (take_answers(r, u, kept, p, err))
		return -1;
	*live = NULL;
	return shared_keep(r->shared, kept, key, u, shared_most(u->run_ns), err);
}

/*
 * A warm-up chooses the metric: what may be of a thread that another one left is looked at again in
 * a process of its own.
 */
static bool is_doubtful(const struct unit *u, const struct shared_pair *live)
{
	int i;

	for (i = 0; i < live->n && !u->has_warm_up; i++) {
		const struct line *line = &live->s[i].result;

		if (line->voluntary_switches > 0 ||
		    (!(line->threads > 1) &&
		     launch_has_helpers(line->process_cpu_ns, line->cpu_ns)))
			return true;
	}
	return false;
}

/* In processes that run already, where there are some.  *out_done: it was good. */
static int pair_in_shared(const struct process_runner *r, const struct unit *u, const char *key,
			  struct pair *p, bool *out_done, struct err *err)
{
	struct shared_pair *live = shared_take(r->shared, key, u);
	int result = 0;

	if (!live)
		return 0;
	result = order_pair(r, u, live, p, err);
	*out_done = !result && have_answered(u, live) && !is_doubtful(u, live);
	if (*out_done) {
		p->is_behind = true;
		p->layout = live->layout;
		result = keep(r, u, key, &live, p, err);
	} else if (!result) { /* it may not be to blame: it runs again, in processes of its own */
		run_release(&p->head);
		run_release(&p->base);
	}
	shared_pair_free(live);
	return result;
}

/* In new processes, which others may share afterwards where there is a key. */
static int pair_in_new(const struct process_runner *r, const struct unit *u, const char *key,
		       struct pair *p, struct err *err)
{
	struct shared_pair *live = shared_pair_new(u->has_base ? 2 : 1, err);
	bool started;
	int result = -1;

	if (!live || start_pair(r, u, *key, live, p, &started, err))
		goto out;
	/* The side that could not be started has its failure; the other one is not to blame. */
	if (!started)
		result = 0;
	else if (*key && have_answered(u, live))
		result = keep(r, u, key, &live, p, err);
	else
		result = end_pair(r, u, live, p, err);
out:
	shared_pair_free(live);
	return result;
}

int turns_pair(const struct process_runner *r, const struct unit *u, struct pair *p,
	       struct err *err)
{
	struct buf key = BUF_INIT;
	bool done = false;
	int result = -1;

	if (!share_key(r, u, &key, err) &&
	    !(key.len && pair_in_shared(r, u, buf_str(&key), p, &done, err)))
		result = done ? 0 : pair_in_new(r, u, buf_str(&key), p, err);
	buf_release(&key);
	return result;
}
