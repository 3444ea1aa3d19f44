#include "collector/run/turns.h"

#include <math.h>
#include <string.h>

#include "collector/run/launch.h"
#include "collector/run/session.h"

#include "lib/base/banned.h"

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
	else if (line->errors > 0)
		buf_addf(text, "%.0f operations failed", line->errors);
	else if (line->iterations != (double)u->iterations)
		buf_addf(text, "ran %.0f iterations instead of %llu", line->iterations,
			 (unsigned long long)u->iterations);
}

/* Moves a finished session's figures to the run. */
static int take_session(const struct process_runner *r, const struct unit *u, struct session *s,
			const struct session *other, uint64_t timeout_ns, struct run *run,
			struct err *err)
{
	struct buf text = BUF_INIT;
	struct child_result res;
	const struct line *line = &s->result;

	session_finish(s, other, timeout_ns, &res, &text);
	launch_end(r, u->pinned ? r->cpu : -1, run);
	if (!text.len)
		check_result(u, s, &text);
	if (s->has_result) {
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
	run->peak_rss_bytes = launch_peak_rss(res.max_rss_bytes);
	run->n_left = res.n_left;
	if (launch_output(run, &res, err) || launch_fail(run, &text, res.timed_out, err)) {
		buf_release(&text);
		return -1;
	}
	return 0;
}

static int start_session(const struct process_runner *r, const struct unit *u,
			 const struct side *side, unsigned padding, struct session *s,
			 struct run *run, uint64_t timeout_ns, struct err *err)
{
	struct err fault = ERR_INIT;
	struct launch l;
	int result = -1;

	if (launch_prepare(&l, r, u->config, side, err) || launch_ask(&l, "run", u->inner, err) ||
	    strv_addf(&l.env, err, "PAWL_ITERATIONS=%llu", (unsigned long long)u->iterations) ||
	    strv_addf(&l.env, err, "PAWL_SLICES=%d", u->slices) ||
	    (u->has_base && strv_add(&l.env, "PAWL_TURNS=1", err)) || launch_pad(&l, padding, err))
		goto out;
	l.spec.timeout_ns = timeout_ns;
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

/* The median over the slices of the log ratio of their times. */
static double median_log_ratio(const double *head, const double *base, int n)
{
	double d[SESSION_MAX_SLICES];
	int i, j, k = 0;

	for (i = 0; i < n; i++) {
		double value = launch_log_ratio(head[i], base[i]);

		if (!isfinite(value))
			return (double)NAN;
		for (j = k++; j > 0 && d[j - 1] > value; j--)
			d[j] = d[j - 1];
		d[j] = value;
	}
	if (!k)
		return (double)NAN;
	return k % 2 ? d[k / 2] : (d[k / 2 - 1] + d[k / 2]) / 2;
}

/* Both processes alive, one slice at a time, A B B A ...: what drifts hits both. */
static int take_turns(struct session s[2], struct err *err)
{
	int slice, i;

	for (slice = 0; slice <= SESSION_MAX_SLICES; slice++) {
		for (i = 0; i < 2; i++)
			if (session_turn(&s[slice % 2 ? 1 - i : i], err))
				return -1;
		if (s[0].ended && s[1].ended)
			return 0;
	}
	for (i = 0; i < 2; i++)
		session_give_up(&s[i], "asks for turns without end");
	return 0;
}

static void ratios_of_slices(const struct session *head, const struct session *base, struct pair *p)
{
	int n = head->n_slices;

	if (!n || n != base->n_slices) { /* they did not take turns */
		p->log_ratio_wall = launch_log_ratio(p->head.wall_ns, p->base.wall_ns);
		p->log_ratio_cpu = launch_log_ratio(p->head.cpu_ns, p->base.cpu_ns);
		return;
	}
	p->log_ratio_wall = median_log_ratio(head->slice_wall_ns, base->slice_wall_ns, n);
	if (p->head.has_helpers || p->base.has_helpers)
		p->log_ratio_cpu = launch_log_ratio(p->head.process_cpu_ns, p->base.process_cpu_ns);
	else
		p->log_ratio_cpu = median_log_ratio(head->slice_cpu_ns, base->slice_cpu_ns, n);
}

int turns_pair(const struct process_runner *r, const struct unit *u, struct pair *p,
	       struct err *err)
{
	struct session s[2]; /* [0] goes first */
	struct stage_pair from;
	int base_at = p->order ? 0 : 1, n = u->has_base ? 2 : 1, i, result = -1;
	uint64_t timeout_ns = launch_timeout_ns(u);

	session_init(&s[0]);
	session_init(&s[1]);
	if (!u->has_base)
		base_at = 1;
	if (launch_place(r, u, &from, err))
		goto out;
	for (i = 0; i < n; i++)
		if (start_session(r, u, i == base_at ? from.base : from.head, from.padding, &s[i],
				  i == base_at ? &p->base : &p->head, timeout_ns, err))
			goto out;
	/* The side that could not be started has its failure; the other one is not to blame. */
	for (i = 0; i < n; i++)
		if (!s[i].started) {
			result = 0;
			goto out;
		}
	if (n == 2 && take_turns(s, err))
		goto out;
	for (i = 0; i < n; i++)
		if (take_session(r, u, &s[i], n == 2 ? &s[1 - i] : NULL, timeout_ns,
				 i == base_at ? &p->base : &p->head, err))
			goto out;
	if (n == 2)
		ratios_of_slices(&s[1 - base_at], &s[base_at], p);
	result = 0;
out:
	session_release(&s[0]);
	session_release(&s[1]);
	return result;
}
