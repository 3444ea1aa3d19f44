#include "collector/run/launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "collector/child/env.h"
#include "collector/code/stage.h"
#include "collector/pool/pool.h"
#include "collector/machine/around.h"
#include "collector/machine/machine.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define SUSPENDED_NS 1000000000u

void launch_release(struct launch *l)
{
	strv_release(&l->env);
	free(l->input);
	l->input = NULL;
}

/* A relative file is the side's own. */
static int set_input(struct launch *l, const char *path, struct err *err)
{
	if (!path)
		return 0;
	l->input = *path == '/' ? str_dup(path, err) : path_join(l->spec.dir, path, err);
	l->spec.input = l->input;
	return l->input ? 0 : -1;
}

uint64_t launch_timeout_ns(const struct unit *u)
{
	double guess = 10 * u->run_ns;

	if (u->config->timeout_ns)
		return u->config->timeout_ns;
	return guess > (double)LAUNCH_TIMEOUT_NS ? (uint64_t)guess : LAUNCH_TIMEOUT_NS;
}

uint64_t launch_limit_ns(const struct process_runner *r, uint64_t timeout_ns)
{
	return r->most_ns && r->most_ns < timeout_ns ? r->most_ns : timeout_ns;
}

uint64_t launch_run_limit_ns(const struct process_runner *r, const struct unit *u, bool is_placed)
{
	return is_placed ? launch_timeout_ns(u) : launch_limit_ns(r, launch_timeout_ns(u));
}

static uint64_t list_timeout_ns(const struct bench_config *config)
{
	return config->timeout_ns ? config->timeout_ns : LAUNCH_TIMEOUT_NS;
}

uint64_t launch_list_limit_ns(const struct process_runner *r, const struct bench_config *config)
{
	return launch_limit_ns(r, list_timeout_ns(config));
}

bool launch_list_is_cut(const struct process_runner *r, const struct bench_config *config)
{
	return launch_list_limit_ns(r, config) < list_timeout_ns(config);
}

/*
 * A leak sanitizer cannot work while its program is traced, and would call it failed.  It is off in
 * every run: no program can tell those from the others.
 */
static int add_sanitizer(struct strv *env, struct err *err)
{
	static const char off[] = "LSAN_OPTIONS=detect_leaks=0";
	const char *theirs = strv_value(env, "LSAN_OPTIONS");
	struct strv own = STRV_INIT, all = STRV_INIT;
	int result = -1;

	if (!theirs)
		return strv_add(env, off, err);
	if (strv_addf(&own, err, "LSAN_OPTIONS=%s:detect_leaks=0", theirs) ||
	    child_env_over(env, &own, &all, err))
		goto out;
	strv_release(env);
	*env = all;
	all = (struct strv)STRV_INIT;
	result = 0;
out:
	strv_release(&own);
	strv_release(&all);
	return result;
}

int launch_prepare(struct launch *l, const struct process_runner *r,
		   const struct bench_config *config, const struct side *side, struct err *err)
{
	memset(l, 0, sizeof(*l));
	if (child_env_of_side(side, &l->env, err) || add_sanitizer(&l->env, err))
		return -1;
	l->spec.exe = side->exe;
	l->spec.env = l->env.v;
	l->spec.argv = side->words.n ? side->words.v : config->command.v;
	l->spec.dir = side->dir ? side->dir : r->top;
	l->spec.cpu = -1;
	l->spec.limits = &config->limits;
	l->spec.output_fd = -1;
	return set_input(l, config->input, err);
}

int launch_ask(struct launch *l, const char *what, const char *inner, struct err *err)
{
	l->spec.record = true;
	if (strv_addf(&l->env, err, "PAWL_FD=%d", CHILD_RECORD_FD) ||
	    strv_addf(&l->env, err, "PAWL_ASK=%s", what) ||
	    (inner && strv_addf(&l->env, err, "PAWL_BENCHMARK=%s", inner)))
		return -1;
	return 0;
}

int launch_pad(struct launch *l, unsigned bytes, struct err *err)
{
	if (bytes && strv_addf(&l->env, err, "PAWL_LAYOUT=%0*d", (int)bytes, 0))
		return -1;
	l->spec.env = l->env.v;
	return 0;
}

bool launch_has_helpers(double process_ns, double thread_ns)
{
	return process_ns > LAUNCH_HELPERS * thread_ns;
}

bool launch_has_threads(const struct child_result *res)
{
	return launch_has_helpers(res->threads_cpu_ns, res->main_cpu_ns);
}

void launch_wall(struct run *run, const struct child_result *res)
{
	double wall = (double)res->wall_ns;

	run->run_delay_ns = res->run_delay_ns;
	run->unsure_ns = res->unsure_ns;
	run->late_ns = res->late_ns;
	run->is_watched = res->watched;
	run->wall_is_net = !run->has_helpers && !run->has_threads && res->run_delay_ns < wall;
	run->wall_ns = run->wall_is_net ? wall - res->run_delay_ns : wall;
}

double launch_peak_rss(uint64_t bytes)
{
	static uint64_t ours; /* it only grows */
	struct rusage now;

	if (bytes > ours) {
		if (getrusage(RUSAGE_SELF, &now))
			return (double)NAN;
		ours = (uint64_t)now.ru_maxrss * 1024;
	}
	return bytes > ours ? (double)bytes : (double)NAN;
}

/* Of all runs: one reading serves many short ones. */
static struct around around;

void launch_begin(const struct process_runner *r, struct run *run)
{
	uint64_t now = when_monotonic_ns();

	around_look(&around, r->cpu, now);
	run->start_ns = (double)(now - r->epoch_ns);
	run->steal_ticks = around.steal_ticks;
	run->pressure_ns = around.pressure_ns;
	run->processors = machine_processors();
	run->migrations = run->frequency_hz = (double)NAN;
	run->sleep_skew_ns = machine_sleep_skew_ns();
}

void launch_end(const struct process_runner *r, int cpu, struct run *run)
{
	int processors = machine_processors();

	around_look(&around, r->cpu, when_monotonic_ns());
	run->steal_ticks = around.steal_ticks - run->steal_ticks;
	run->pressure_ns = around.pressure_ns - run->pressure_ns;
	run->frequency_hz = cpu >= 0 ? around.frequency_hz : (double)NAN;
	run->lost_processor = processors < run->processors;
	run->processors = processors;
	run->suspended = machine_sleep_skew_ns() > run->sleep_skew_ns + SUSPENDED_NS;
}

int launch_output(struct run *run, const struct child_result *res, struct err *err)
{
	run->output_was_cut = res->was_reopened;
	return str_set(&run->output, res->has_output ? res->output : NULL, err);
}

int launch_fail(struct run *run, struct buf *text, bool timed_out, struct err *err)
{
	if (!text->len)
		return 0;
	run->timed_out = timed_out;
	run->failure = buf_detach(text);
	return run->failure ? 0 : err_nomem(err);
}

int launch_fault(char **failure, const struct err *fault, struct err *err)
{
	if (fault->code != ERR_CHILD && fault->code != ERR_REFUSED) {
		*err = *fault;
		return -1;
	}
	return str_set(failure, fault->text, err);
}

double launch_log_ratio(double head, double base)
{
	return head > 0 && base > 0 ? log(head / base) : (double)NAN;
}

/* Nothing but a copy can be of another layout. */
static int draw_layout(const struct process_runner *r, const struct unit *u, struct pool_draw *out,
		       struct err *err)
{
	unsigned uses[LAYOUT_MOST + 1] = { 0 };
	const struct pool_job job = { &u->head, &u->base, uses, 2 * u->run_ns };
	size_t i;

	*out = (struct pool_draw){ 0, NULL, NULL };
	if (!r->pool || !r->stage || !r->stage->dir || !u->has_base)
		return 0;
	for (i = 0; i < u->n_pairs; i++)
		if (u->pairs[i].layout <= LAYOUT_MOST)
			uses[u->pairs[i].layout]++;
	if (pool_draw(r->pool, &job, out, err))
		return -1;
	if (!u->n_pairs && !u->has_warm_up) /* what the first one in a layout is compared with */
		*out = (struct pool_draw){ 0, NULL, NULL };
	return 0;
}

int launch_place(const struct process_runner *r, const struct unit *u, struct stage_pair *out,
		 struct err *err)
{
	struct stage_job job = { .name = u->name,
				 .pair = u->n_pairs,
				 .head = &u->head,
				 .base = u->has_base ? &u->base : NULL };
	struct pool_draw draw;

	if (draw_layout(r, u, &draw, err))
		return -1;
	job.layout = draw.number;
	job.base_instead = draw.base;
	job.head_instead = draw.head;
	return stage_place(r->stage, &job, out, err);
}

int launch_pair(const struct process_runner *r, const struct unit *u, launch_run_fn *run,
		const void *ctx, struct pair *p, struct err *err)
{
	struct stage_pair from;
	int i;

	if (launch_place(r, u, &from, err))
		return -1;
	p->layout = from.layout;
	for (i = 0; i < 2; i++) {
		bool is_base = i == !p->order;

		if (is_base && !u->has_base)
			continue;
		if (run(ctx, r, u, is_base ? from.base : from.head, &from,
			is_base ? &p->base : &p->head, err))
			return -1;
	}
	if (u->has_base) {
		p->log_ratio_wall = launch_log_ratio(p->head.wall_ns, p->base.wall_ns);
		p->log_ratio_cpu = launch_log_ratio(p->head.cpu_ns, p->base.cpu_ns);
	}
	return 0;
}
