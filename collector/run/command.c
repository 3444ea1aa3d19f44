#include "collector/run/command.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "collector/child/count.h"
#include "collector/run/aside.h"

#include "lib/base/banned.h"

/* What is known of a run however it ran. */
static void take_result(const struct child_result *res, struct run *run)
{
	run->cpu_ns = run->process_cpu_ns = (double)res->cpu_ns;
	run->system_ns = (double)res->system_ns;
	run->exit_status = res->signal ? (double)NAN : res->exit_status;
	run->has_helpers = launch_has_helpers(run->cpu_ns, res->main_cpu_ns);
	run->has_threads = launch_has_threads(res);
	run->migrations = res->migrations;
	run->n_left = res->n_left;
	run->has_unwaited = res->has_unwaited;
	run->peak_rss_bytes = launch_peak_rss(res->max_rss_bytes);
	run->voluntary_switches = (double)res->voluntary_switches;
	run->involuntary_switches = (double)res->involuntary_switches;
	run->minor_faults = (double)res->minor_faults;
	run->major_faults = (double)res->major_faults;
}

/* Keeps what it printed, or why it failed.  Errors: ERR_NOMEM. */
static int take_end(const struct child *child, const struct child_result *res,
		    const struct bench_config *config, uint64_t timeout_ns, struct run *run,
		    struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	if (res->timed_out || res->signal || (res->exit_status && !config->any_status))
		child_explain(child, res, timeout_ns, &text);
	result = launch_output(run, res, err) || launch_fail(run, &text, res->timed_out, err) ? -1
											      : 0;
	buf_release(&text);
	return result;
}

/* What is timed, and nothing else. */
static int run_timed(const struct process_runner *r, const struct bench_config *config,
		     const struct launch *l, struct child_count *count, struct run *run,
		     struct err *err)
{
	struct child child = CHILD_INIT;
	struct child_result res;
	struct err fault = ERR_INIT;
	int result = -1;

	child_count_begin(count);
	launch_begin(r, run);
	if (child_run(&l->spec, &child, &res, &fault)) {
		result = launch_fault(&run->failure, &fault, err);
		goto out;
	}
	launch_end(r, l->spec.cpu, run);
	take_result(&res, run);
	launch_wall(run, &res);
	if (!child_count_take(count, run, err))
		result = take_end(&child, &res, config, l->spec.timeout_ns, run, err);
out:
	child_release(&child);
	return result;
}

int command_run(const void *ctx, const struct process_runner *r, const struct unit *u,
		const struct side *side, const struct stage_pair *placed, struct run *run,
		struct err *err)
{
	struct launch l;
	int result = -1;

	(void)ctx;
	if (launch_prepare(&l, r, u->config, side, err) ||
	    launch_pad(&l, placed ? placed->padding : 0, err))
		goto out;
	l.spec.cpu = u->pinned ? r->cpu : -1;
	l.spec.spreads = placed && !u->pinned && r->cpu >= 0; /* -1: we have one at most */
	l.spec.timeout_ns = launch_run_limit_ns(r, u, placed != NULL);
	l.spec.digest_output = placed != NULL;
	l.spec.watch = u->watch;
	result = aside_prepare(r, u->config, side, launch_timeout_ns(u), &run->failure, err);
	if (!result && !run->failure)
		result = run_timed(r, u->config, &l, placed ? r->counters : NULL, run, err);
	result = aside_clean_up(r, u->config, side, launch_timeout_ns(u), result, &run->failure,
				err);
out:
	launch_release(&l);
	return result;
}

/* ---- both at once -------------------------------------------------------------------- */

struct half {
	struct launch launch;
	struct child child;
	struct run *run;
};

static int prepare_half(const struct process_runner *r, const struct unit *u,
			const struct stage_pair *from, bool is_base, struct pair *p,
			struct half *out, struct err *err)
{
	out->run = is_base ? &p->base : &p->head;
	if (launch_prepare(&out->launch, r, u->config, is_base ? from->base : from->head, err) ||
	    launch_pad(&out->launch, from->padding, err))
		return -1;
	out->launch.spec.cpu = r->cpu;
	out->launch.spec.timeout_ns = 2 * launch_timeout_ns(u); /* of two that share a processor */
	out->launch.spec.digest_output = true;
	return 0;
}

/* *out_started false: one could not be started, which its run tells; the other is ended. */
static int start_both(const struct process_runner *r, struct half h[2], bool *out_started,
		      struct err *err)
{
	struct err fault = ERR_INIT;
	int i;

	*out_started = false;
	for (i = 0; i < 2; i++)
		launch_begin(r, h[i].run);
	for (i = 0; i < 2; i++)
		if (child_start(&h[i].launch.spec, &h[i].child, &fault))
			return launch_fault(&h[i].run->failure, &fault, err);
	*out_started = true;
	return 0;
}

static int end_half(const struct process_runner *r, const struct bench_config *config,
		    struct half *h, const struct half *other, bool timed_out, struct err *err)
{
	struct run *run = h->run;
	struct child_result res;

	child_finish(&h->child, other->child.pid ? &other->child : NULL,
		     timed_out && !h->child.end_ns, &res);
	launch_end(r, h->launch.spec.cpu, run);
	take_result(&res, run);
	run->wall_ns = run->run_delay_ns = run->pressure_ns = (double)NAN;
	run->involuntary_switches = (double)NAN;
	if (child_count_none(r->counters, "both sides ran at once: not counted apart", run, err))
		return -1;
	return take_end(&h->child, &res, config, h->launch.spec.timeout_ns, run, err);
}

static int run_both(const struct process_runner *r, const struct bench_config *config,
		    struct half h[2], struct err *err)
{
	enum child_event event;
	bool started;
	int i;

	if (start_both(r, h, &started, err))
		return -1;
	if (!started)
		return 0;
	event = child_poll_both(&h[0].child, &h[1].child);
	if (event == CHILD_STOPPED)
		return err_stopped(err);
	for (i = 0; i < 2; i++)
		if (end_half(r, config, &h[i], &h[1 - i], event == CHILD_TIMEOUT, err))
			return -1;
	return 0;
}

int command_at_once(const struct process_runner *r, const struct unit *u, struct pair *p,
		    struct err *err)
{
	struct half h[2] = { { .child = CHILD_INIT }, { .child = CHILD_INIT } };
	struct stage_pair from;
	int i, result = -1;

	assert(u->pinned && u->has_base);
	if (r->cpu < 0)
		return str_set(&p->head.failure, "no processor was picked for both", err);
	child_count_pause(r->counters);
	if (launch_place(r, u, &from, err))
		return -1;
	p->layout = from.layout;
	for (i = 0; i < 2; i++)
		if (prepare_half(r, u, &from, i == !p->order, p, &h[i], err))
			goto out;
	if (run_both(r, u->config, h, err))
		goto out;
	p->log_ratio_wall = (double)NAN;
	p->log_ratio_cpu = launch_log_ratio(p->head.cpu_ns, p->base.cpu_ns);
	result = 0;
out:
	for (i = 0; i < 2; i++) {
		child_release(&h[i].child);
		launch_release(&h[i].launch);
	}
	return result;
}
