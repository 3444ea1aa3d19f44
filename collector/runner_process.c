/*
 * runner_process - the runner that starts real processes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector/child_env.h"
#include "collector/machine.h"
#include "collector/runner.h"
#include "collector/session.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define SLICES 10
#define DEFAULT_TIMEOUT_NS 60000000000u
#define SUSPENDED_NS 1000000000u

/* One side made ready to start: what child_spec points to. */
struct launch {
	struct strv env;
	struct child_spec spec;
};

static uint64_t timeout_of(const struct unit *u)
{
	double guess = 10 * u->run_ns;

	if (u->config->timeout_ns)
		return u->config->timeout_ns;
	return guess > (double)DEFAULT_TIMEOUT_NS ? (uint64_t)guess : DEFAULT_TIMEOUT_NS;
}

static int prepare(struct launch *l, const struct process_runner *r,
		   const struct bench_config *config, const struct side *side, struct err *err)
{
	memset(l, 0, sizeof(*l));
	if (child_env_of_side(side, &l->env, err))
		return -1;
	l->spec.exe = side->exe;
	l->spec.env = l->env.v;
	l->spec.argv = config->command.v;
	l->spec.dir = r->top;
	l->spec.cpu = r->cpu;
	l->spec.output_fd = -1;
	return 0;
}

/* Adds what docs/RECORD-LINES.md says the collector sets. */
static int ask(struct launch *l, const char *what, const char *inner, struct err *err)
{
	l->spec.record = true;
	if (strv_addf(&l->env, err, "PAWL_FD=%d", CHILD_RECORD_FD) ||
	    strv_addf(&l->env, err, "PAWL_ASK=%s", what) ||
	    (inner && strv_addf(&l->env, err, "PAWL_BENCHMARK=%s", inner)))
		return -1;
	return 0;
}

static void start_clock(const struct process_runner *r, struct run *run)
{
	run->start_ns = (double)(when_monotonic_ns() - r->epoch_ns);
	run->steal_ticks = machine_steal_ticks();
	run->sleep_skew_ns = machine_sleep_skew_ns();
}

static void stop_clock(struct run *run)
{
	run->steal_ticks = machine_steal_ticks() - run->steal_ticks;
	run->suspended = machine_sleep_skew_ns() > run->sleep_skew_ns + SUSPENDED_NS;
}

/* Takes why a run failed; text may be empty: then it did not. */
static int keep_failure(struct run *run, struct buf *text, bool timed_out, struct err *err)
{
	if (!text->len)
		return 0;
	run->timed_out = timed_out;
	run->failure = buf_detach(text);
	return run->failure ? 0 : err_nomem(err);
}

/* A program that cannot be started failed; it does not stop the others. */
static int keep_start_failure(char **failure, const struct err *fault, struct err *err)
{
	if (fault->code != ERR_CHILD && fault->code != ERR_REFUSED) {
		*err = *fault;
		return -1;
	}
	return str_set(failure, fault->text, err);
}

/* ---- plain commands ------------------------------------------------------------------ */

static int run_command(const struct process_runner *r, const struct unit *u,
		       const struct side *side, struct run *run, struct err *err)
{
	struct launch l;
	struct child child = CHILD_INIT;
	struct child_result res;
	struct buf text = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	if (prepare(&l, r, u->config, side, err))
		goto out;
	l.spec.timeout_ns = timeout_of(u);
	start_clock(r, run);
	if (child_run(&l.spec, &child, &res, &fault)) {
		result = keep_start_failure(&run->failure, &fault, err);
		goto out;
	}
	stop_clock(run);
	run->wall_ns = (double)res.wall_ns;
	run->cpu_ns = run->process_cpu_ns = (double)res.cpu_ns;
	run->peak_rss_bytes = (double)res.max_rss_bytes;
	run->run_delay_ns = res.run_delay_ns;
	run->voluntary_switches = (double)res.voluntary_switches;
	run->involuntary_switches = (double)res.involuntary_switches;
	run->minor_faults = (double)res.minor_faults;
	run->major_faults = (double)res.major_faults;
	if (res.timed_out || res.signal || res.exit_status)
		child_explain(&child, &res, l.spec.timeout_ns, &text);
	result = keep_failure(run, &text, res.timed_out, err);
out:
	buf_release(&text);
	child_release(&child);
	strv_release(&l.env);
	return result;
}

static double log_ratio(double head, double base)
{
	return head > 0 && base > 0 ? log(head / base) : (double)NAN;
}

static int pair_of_commands(const struct process_runner *r, const struct unit *u, struct pair *p,
			    struct err *err)
{
	int i;

	for (i = 0; i < 2; i++) {
		bool is_base = i == !p->order;

		if (is_base && !u->has_base)
			continue;
		if (run_command(r, u, is_base ? &u->base : &u->head, is_base ? &p->base : &p->head,
				err))
			return -1;
	}
	if (u->has_base) {
		p->log_ratio_wall = log_ratio(p->head.wall_ns, p->base.wall_ns);
		p->log_ratio_cpu = log_ratio(p->head.cpu_ns, p->base.cpu_ns);
	}
	return 0;
}

/* ---- libpawl executables ------------------------------------------------------------- */

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
static int take_session(const struct unit *u, struct session *s, const struct session *other,
			uint64_t timeout_ns, struct run *run, struct err *err)
{
	struct buf text = BUF_INIT;
	struct child_result res;
	const struct line *line = &s->result;

	session_finish(s, other, timeout_ns, &res, &text);
	stop_clock(run);
	if (!text.len)
		check_result(u, s, &text);
	if (s->has_result) {
		run->wall_ns = line->wall_ns / line->iterations;
		run->cpu_ns = line->cpu_ns / line->iterations;
		run->process_cpu_ns = line->process_cpu_ns / line->iterations;
		run->run_delay_ns = line->run_delay_ns;
		run->voluntary_switches = line->voluntary_switches;
		run->involuntary_switches = line->involuntary_switches;
		run->minor_faults = line->minor_faults;
		run->major_faults = line->major_faults;
		run->counters = line->counters;
		run->n_counters = line->n_counters;
		s->result.counters = NULL;
		s->result.n_counters = 0;
	}
	run->peak_rss_bytes = (double)res.max_rss_bytes;
	if (keep_failure(run, &text, res.timed_out, err)) {
		buf_release(&text);
		return -1;
	}
	return 0;
}

static int start_session(const struct process_runner *r, const struct unit *u,
			 const struct side *side, struct session *s, struct run *run,
			 uint64_t timeout_ns, struct err *err)
{
	struct err fault = ERR_INIT;
	struct launch l;
	int result = -1;

	if (prepare(&l, r, u->config, side, err) || ask(&l, "run", u->inner, err) ||
	    strv_addf(&l.env, err, "PAWL_ITERATIONS=%llu", (unsigned long long)u->iterations) ||
	    strv_addf(&l.env, err, "PAWL_SLICES=%d", u->slices) ||
	    (u->has_base && strv_add(&l.env, "PAWL_TURNS=1", err)))
		goto out;
	l.spec.env = l.env.v;
	l.spec.timeout_ns = timeout_ns;
	start_clock(r, run);
	if (session_start(s, &l.spec, &fault))
		result = keep_start_failure(&run->failure, &fault, err);
	else
		result = session_step(s, err);
out:
	strv_release(&l.env);
	return result;
}

/* The median over the slices of the log ratio of their times. */
static double median_log_ratio(const double *head, const double *base, int n)
{
	double d[SESSION_MAX_SLICES];
	int i, j, k = 0;

	for (i = 0; i < n; i++) {
		double value = log_ratio(head[i], base[i]);

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
		p->log_ratio_wall = log_ratio(p->head.wall_ns, p->base.wall_ns);
		p->log_ratio_cpu = log_ratio(p->head.cpu_ns, p->base.cpu_ns);
		return;
	}
	p->log_ratio_wall = median_log_ratio(head->slice_wall_ns, base->slice_wall_ns, n);
	if (p->head.process_cpu_ns > 1.05 * p->head.cpu_ns ||
	    p->base.process_cpu_ns > 1.05 * p->base.cpu_ns)
		p->log_ratio_cpu = log_ratio(p->head.process_cpu_ns, p->base.process_cpu_ns);
	else
		p->log_ratio_cpu = median_log_ratio(head->slice_cpu_ns, base->slice_cpu_ns, n);
}

static int pair_of_sessions(const struct process_runner *r, const struct unit *u, struct pair *p,
			    struct err *err)
{
	struct session s[2]; /* [0] goes first */
	int base_at = p->order ? 0 : 1, n = u->has_base ? 2 : 1, i, result = -1;
	uint64_t timeout_ns = timeout_of(u);

	session_init(&s[0]);
	session_init(&s[1]);
	if (!u->has_base)
		base_at = 1;
	for (i = 0; i < n; i++)
		if (start_session(r, u, i == base_at ? &u->base : &u->head, &s[i],
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
		if (take_session(u, &s[i], n == 2 ? &s[1 - i] : NULL, timeout_ns,
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

/* ---- the interface ------------------------------------------------------------------- */

static int process_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	p->log_ratio_wall = p->log_ratio_cpu = (double)NAN;
	if (u->format == FORMAT_COMMAND)
		return pair_of_commands(ctx, u, p, err);
	return pair_of_sessions(ctx, u, p, err);
}

/* Runs a libpawl executable with a question that has one answer. */
static int question(const struct process_runner *r, const struct bench_config *config,
		    const struct side *side, const char *what, const char *inner,
		    uint64_t timeout_ns, struct session *s, struct buf *why, struct err *err)
{
	struct child_result res;
	struct launch l;
	int result = -1;

	session_init(s);
	if (prepare(&l, r, config, side, err) || ask(&l, what, inner, err) ||
	    strv_addf(&l.env, err, "PAWL_MIN_TIME_NS=%llu", (unsigned long long)r->min_time_ns))
		goto out;
	l.spec.env = l.env.v;
	l.spec.timeout_ns = timeout_ns;
	if (session_start(s, &l.spec, err) || session_step(s, err))
		goto out;
	session_finish(s, NULL, timeout_ns, &res, why);
	result = 0;
out:
	strv_release(&l.env);
	return result;
}

static int fail_unit(struct unit *u, const char *text, bool timed_out, struct err *err)
{
	u->timed_out = timed_out;
	return str_set(&u->failure, text, err);
}

static int calibrate_command(const struct process_runner *r, struct unit *u,
			     const struct side *side, struct err *err)
{
	struct run run;
	int result = -1;

	memset(&run, 0, sizeof(run));
	if (run_command(r, u, side, &run, err))
		goto out;
	if (run.failure) {
		result = fail_unit(u, run.failure, run.timed_out, err);
		goto out;
	}
	u->iterations = 1;
	u->slices = 1;
	u->run_ns = run.wall_ns;
	result = 0;
out:
	run_release(&run);
	return result;
}

static int calibrate_session(const struct process_runner *r, struct unit *u,
			     const struct side *side, struct err *err)
{
	struct session s;
	struct err fault = ERR_INIT;
	struct buf why = BUF_INIT;
	uint64_t timeout_ns = timeout_of(u) + 4 * r->min_time_ns;
	double per_iteration;
	int result = -1;

	if (question(r, u->config, side, "calibrate", u->inner, timeout_ns, &s, &why, &fault)) {
		result = keep_start_failure(&u->failure, &fault, err);
		goto out;
	}
	if (!why.len && (!s.has_result || s.result.type != LINE_CALIBRATION))
		buf_adds(&why, "ended without a calibration record");
	if (why.len) {
		result = fail_unit(u, buf_str(&why), s.timed_out, err);
		goto out;
	}
	per_iteration = s.result.wall_ns / s.result.iterations;
	/* Keep the N of the stored baseline while it still makes a run of a fitting length. */
	if (!u->iterations ||
	    per_iteration * (double)u->iterations < 0.5 * (double)r->min_time_ns ||
	    per_iteration * (double)u->iterations > 4 * (double)r->min_time_ns)
		u->iterations = (uint64_t)s.result.iterations;
	u->slices = u->iterations < SLICES ? (int)u->iterations : SLICES;
	u->run_ns = per_iteration * (double)u->iterations;
	result = 0;
out:
	session_release(&s);
	buf_release(&why);
	return result;
}

static int process_calibrate(void *ctx, struct unit *u, const struct side *side, struct err *err)
{
	if (u->format == FORMAT_COMMAND)
		return calibrate_command(ctx, u, side, err);
	return calibrate_session(ctx, u, side, err);
}

struct runner process_runner_of(struct process_runner *ctx)
{
	return (struct runner){ process_calibrate, process_pair, ctx };
}

int runner_list(const struct process_runner *r, const struct bench_config *config,
		const struct side *side, struct strv *out, bool *out_speaks, struct err *err)
{
	struct session s;
	struct buf why = BUF_INIT;
	uint64_t timeout_ns = config->timeout_ns ? config->timeout_ns : DEFAULT_TIMEOUT_NS;
	int result = -1;

	if (question(r, config, side, "list", NULL, timeout_ns, &s, &why, err))
		goto out;
	*out_speaks = s.has_hello;
	if (s.has_hello && why.len) {
		err_set(err, s.timed_out ? ERR_TIMEOUT : ERR_CHILD, "%s", buf_str(&why));
		goto out;
	}
	result = s.names.n ? strv_add_all(out, s.names.v, err) : 0;
out:
	session_release(&s);
	buf_release(&why);
	return result;
}
