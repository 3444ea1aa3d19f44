/*
 * runner_process - the runner that starts real processes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collector/child/count.h"
#include "collector/run/as_built.h"
#include "collector/run/command.h"
#include "collector/run/foreign_run.h"
#include "collector/run/launch.h"
#include "collector/run/runner.h"
#include "collector/run/session.h"
#include "collector/run/shared.h"
#include "collector/run/turns.h"
#include "lib/base/number.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define SLICES 10
#define SLICE_NS 500000.0 /* at least: a turn costs some tens of microseconds */

static int run_pair(const struct process_runner *r, const struct unit *u, struct pair *p,
		    struct err *err)
{
	p->log_ratio_wall = p->log_ratio_cpu = (double)NAN;
	if (u->format == FORMAT_COMMAND)
		return u->at_once ? command_at_once(r, u, p, err)
				  : launch_pair(r, u, command_run, NULL, p, err);
	child_count_pause(r->counters);
	if (u->format != FORMAT_PAWL)
		return foreign_run_pair(r, u, p, err);
	return turns_pair(r, u, p, err);
}

static int process_pair(void *ctx, const struct unit *u, struct pair *p, struct err *err)
{
	return run_pair(ctx, u, p, err) || as_built_check(ctx, u, run_pair, p, err) ? -1 : 0;
}

static bool is_calibrated(const struct session *s)
{
	return s->has_result && s->result.type == LINE_CALIBRATION && !s->message;
}

/*
 * Doubling ends somewhere between that and twice of it, and takes twice as long in all.  Where N is
 * worked out from the time of an iteration, a quarter of a run tells it well enough.
 */
static unsigned long long doubled_to_ns(const struct process_runner *r)
{
	return r->fits ? r->min_time_ns / 4 : r->min_time_ns;
}

/* Of a libpawl executable, with one answer. */
struct question {
	const char *what, *inner; /* inner may be NULL */
	bool shares; /* if the answer was good, the process waits for another order, where it can */
	uint64_t timeout_ns;
};

static int ask(const struct process_runner *r, const struct bench_config *config,
	       const struct side *side, const struct question *q, struct session *s,
	       struct buf *why, struct err *err)
{
	struct child_result res;
	struct launch l;
	int result = -1;

	session_init(s);
	if (launch_prepare(&l, r, config, side, err) || launch_ask(&l, q->what, q->inner, err) ||
	    strv_addf(&l.env, err, "PAWL_MIN_TIME_NS=%llu", doubled_to_ns(r)) ||
	    (q->shares && strv_add(&l.env, "PAWL_SERVE=1", err)))
		goto out;
	l.spec.env = l.env.v;
	l.spec.timeout_ns = q->timeout_ns;
	if (session_start(s, &l.spec, err) || session_step(s, err) ||
	    (!(q->shares && is_calibrated(s)) && session_dismiss(s, err)))
		goto out;
	if (!s->idle)
		session_finish(s, NULL, q->timeout_ns, &res, why);
	result = 0;
out:
	launch_release(&l);
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
	if (command_run(NULL, r, u, side, NULL, &run, err))
		goto out;
	if (run.failure) {
		result = fail_unit(u, run.failure, run.timed_out, err);
		goto out;
	}
	u->iterations = 1;
	u->slices = 1;
	u->run_ns = run_whole_ns(&run);
	result = 0;
out:
	run_release(&run);
	return result;
}

/*
 * Of an iteration, without what it waited for a processor: a stretch of half a millisecond that
 * waited for ten would make runs of a twentieth.  It may have waited between the readings of the
 * clock, too, so that it is its CPU time at least.  Where doubling has found N, a run is as long as
 * it found it.
 */
static double time_of_one(const struct process_runner *r, const struct line *line)
{
	double own = line->wall_ns - line->run_delay_ns;

	if (!r->fits || line->threads > 1 || !isfinite(own))
		own = line->wall_ns;
	return fmax(own, fmin(line->cpu_ns, line->wall_ns)) / line->iterations;
}

/* As many as last the time that is asked for, and as many for each thread. */
static uint64_t iterations_for(const struct process_runner *r, const struct line *line)
{
	double threads = line->threads > 1 ? line->threads : 1;
	double n = ceil((double)r->min_time_ns / time_of_one(r, line) / threads);

	return (uint64_t)(threads * (n >= 1 && n < 1e15 ? n : 1));
}

static int slices_of(const struct unit *u)
{
	double most = fmin((double)u->iterations, floor(u->run_ns / SLICE_NS));

	return most < SLICES ? (int)fmax(most, 1) : SLICES;
}

/* Who may share a process for it: see shared.h.  Empty: it is asked alone. */
static int calibration_key(const struct process_runner *r, const struct unit *u,
			   const struct side *side, struct buf *out, struct err *err)
{
	if (!r->shared || !u->inner || shared_most((double)r->min_time_ns) < 2)
		return 0;
	buf_addf(out, "calibrate %p %s %s", (const void *)u->config, side->exe,
		 side->dir ? side->dir : "");
	if (!shared_may(r->shared, buf_str(out)))
		buf_reset(out);
	return buf_check(out, err);
}

/* A process that runs already and has calibrated it; NULL: there is none. */
static int calibrate_in_shared(const struct process_runner *r, const struct unit *u,
			       const char *key, uint64_t timeout_ns, struct shared_pair **out,
			       struct err *err)
{
	struct shared_pair *live = *key ? shared_take(r->shared, key, u) : NULL;
	int result = 0;

	if (live)
		result = session_order(&live->s[0], u->inner, 1, 1, timeout_ns, err);
	if (live && (result || !live->s[0].idle || !is_calibrated(&live->s[0]))) {
		shared_pair_free(live);
		live = NULL;
	}
	*out = live;
	return result;
}

static void take_calibration(const struct process_runner *r, const struct line *line,
			     struct unit *u)
{
	double per_iteration = time_of_one(r, line);

	/* Keep the N of the stored baseline while it still makes a run of a fitting length. */
	if (!u->iterations ||
	    per_iteration * (double)u->iterations < 0.5 * (double)r->min_time_ns ||
	    per_iteration * (double)u->iterations > 4 * (double)r->min_time_ns)
		u->iterations = r->fits ? iterations_for(r, line) : (uint64_t)line->iterations;
	u->run_ns = per_iteration * (double)u->iterations;
	u->slices = slices_of(u);
}

static int calibrate_session(const struct process_runner *r, struct unit *u,
			     const struct side *side, struct err *err)
{
	struct shared_pair *live = NULL;
	struct err fault = ERR_INIT;
	struct buf why = BUF_INIT, key = BUF_INIT;
	struct question q = { .what = "calibrate",
			      .inner = u->inner,
			      .timeout_ns = launch_limit_ns(r, launch_timeout_ns(u) +
								       4 * r->min_time_ns) };
	struct session *s;
	int result = -1;

	if (calibration_key(r, u, side, &key, err) ||
	    calibrate_in_shared(r, u, buf_str(&key), q.timeout_ns, &live, err) ||
	    (!live && !(live = shared_pair_new(1, err))))
		goto out;
	s = &live->s[0];
	q.shares = key.len > 0;
	if (!s->idle && ask(r, u->config, side, &q, s, &why, &fault)) {
		result = launch_fault(&u->failure, &fault, err);
		goto out;
	}
	if (!why.len && !is_calibrated(s))
		buf_adds(&why, "ended without a calibration record");
	if (why.len) {
		result = fail_unit(u, buf_str(&why), s->timed_out, err);
		goto out;
	}
	take_calibration(r, &s->result, u);
	result = 0;
	if (s->idle) {
		result = shared_keep(r->shared, live, buf_str(&key), u,
				     shared_most((double)r->min_time_ns), err);
		live = NULL;
	}
out:
	shared_pair_free(live);
	buf_release(&key);
	buf_release(&why);
	return result;
}

static int calibrate(const struct process_runner *r, struct unit *u, const struct side *side,
		     struct err *err)
{
	if (u->format == FORMAT_COMMAND)
		return calibrate_command(r, u, side, err);
	child_count_pause(r->counters);
	if (u->format != FORMAT_PAWL)
		return foreign_run_calibrate(r, u, side, err);
	return calibrate_session(r, u, side, err);
}

/* Whether the other side took so little that time is not all that was short. */
static bool is_stuck(const struct process_runner *r, double other_ns)
{
	return other_ns > 0 && r->most_ns > RUNNER_LEAST_NS &&
	       (double)r->most_ns >= RUNNER_STUCK * other_ns;
}

static int tell_stuck(const struct process_runner *r, struct unit *u, double other_ns,
		      struct err *err)
{
	char most[NUMBER_TEXT], other[NUMBER_TEXT], text[200];

	snprintf(text, sizeof(text),
		 "did not end within the %s of the budget; a run of the base takes %s",
		 number_print_ns((double)r->most_ns, most), number_print_ns(other_ns, other));
	return str_set(&u->failure, text, err);
}

/* What was ended because the budget is short has not failed. */
static int process_calibrate(void *ctx, struct unit *u, const struct side *side, struct err *err)
{
	const struct process_runner *r = ctx;
	uint64_t timeout_ns = launch_timeout_ns(u);
	double other_ns = u->run_ns;

	if (calibrate(r, u, side, err))
		return -1;
	if (!u->failure || !u->timed_out || launch_limit_ns(r, timeout_ns) == timeout_ns)
		return 0;
	if (is_stuck(r, other_ns))
		return tell_stuck(r, u, other_ns, err);
	u->timed_out = false;
	u->unreached = true;
	return str_set(&u->failure, NULL, err);
}

bool runner_until(struct process_runner *r, uint64_t until_ns)
{
	uint64_t now = until_ns ? when_monotonic_ns() : 0;

	r->most_ns = until_ns > now ? until_ns - now : 0;
	return !until_ns || r->most_ns;
}

uint64_t runner_most_ns(uint64_t budget_ns)
{
	return !budget_ns || budget_ns > RUNNER_LEAST_NS ? budget_ns : RUNNER_LEAST_NS;
}

struct runner process_runner_of(struct process_runner *ctx)
{
	return (struct runner){ process_calibrate, process_pair, ctx };
}

struct runner process_runner_sharing(struct process_runner *ctx)
{
	ctx->shared = shared_open();
	return process_runner_of(ctx);
}

void process_runner_end(struct process_runner *ctx)
{
	shared_close(ctx->shared);
	ctx->shared = NULL;
	child_count_pause(ctx->counters);
}

int runner_list(const struct process_runner *r, const struct bench_config *config,
		const struct side *side, struct strv *out, bool *out_speaks, struct err *err)
{
	struct session s;
	struct buf why = BUF_INIT;
	const struct question list = { "list", NULL, false, launch_list_limit_ns(r, config) };
	int result = -1;

	if (ask(r, config, side, &list, &s, &why, err))
		goto out;
	*out_speaks = s.has_hello;
	/* Asked, a plain command does what it does when it is measured; but behind "prepare". */
	if (why.len &&
	    (s.has_hello || (s.timed_out && !config->prepare && !launch_list_is_cut(r, config)))) {
		err_set(err, s.timed_out ? ERR_TIMEOUT : ERR_CHILD, "%s", buf_str(&why));
		goto out;
	}
	result = s.names.n ? strv_add_all(out, s.names.v, err) : 0;
out:
	session_release(&s);
	buf_release(&why);
	return result;
}
