/* SPDX-License-Identifier: MIT */
#include "harness/counter/passes.h"

#ifdef __linux__ /* else: counter/none.c */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/counter/perf.h"

#define KERNEL_REPEATS 3 /* of the pass with the kernel's counts, which ticks add to */

#define CACHE(cache, result) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define HARDWARE(name, event, mode) \
	{ \
		name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event, mode \
	}

/*
 * Passes in which events share the counters; at most COUNTER_GROUP rows name the same one.  No
 * event stands twice in a pass: some processors count it in one place only.
 */
enum pass { PASS_WORK, PASS_KERNEL, PASS_FAULTS, PASS_L1, PASS_CACHE, PASS_LLC, PASS_N };

static const struct row {
	struct counter_event event;
	enum pass pass;
} rows[COUNTER_MAX] = {
	{ HARDWARE("cycles", CPU_CYCLES, MODE_USER), PASS_WORK },
	{ HARDWARE("instructions", INSTRUCTIONS, MODE_USER), PASS_WORK },
	{ HARDWARE("branches", BRANCH_INSTRUCTIONS, MODE_USER), PASS_WORK },
	{ HARDWARE("branch-misses", BRANCH_MISSES, MODE_USER), PASS_WORK },
	{ HARDWARE("kernel-instructions", INSTRUCTIONS, MODE_KERNEL), PASS_KERNEL },
	/* Needs no counter of the processor, and is not to wait for one. */
	{ { "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, MODE_USER },
	  PASS_FAULTS },
	{ { "l1d-reads", PERF_TYPE_HW_CACHE, CACHE(L1D, ACCESS), MODE_USER }, PASS_L1 },
	{ { "l1d-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, MISS), MODE_USER }, PASS_L1 },
	{ HARDWARE("cache-references", CACHE_REFERENCES, MODE_USER), PASS_CACHE },
	{ HARDWARE("cache-misses", CACHE_MISSES, MODE_USER), PASS_CACHE },
	{ { "llc-loads", PERF_TYPE_HW_CACHE, CACHE(LL, ACCESS), MODE_USER }, PASS_LLC },
	{ { "llc-misses", PERF_TYPE_HW_CACHE, CACHE(LL, MISS), MODE_USER }, PASS_LLC },
};

/* What all passes have in common. */
struct measuring {
	const struct counter_calls *calls;
	struct counter_how how;
	struct counter_pmus pmus;
	const struct counter_work *work;
	struct counter *out;
};

/* The groups of a pass, one for each PMU, linked where they hold something. */
struct pass_groups {
	struct counter_group group[COUNTER_PMUS];
	struct counter_group *first;
	bool partial[COUNTER_MAX]; /* only some of the PMUs took the row */
};

const char *pawl_counter_name(size_t i)
{
	return i < COUNTER_MAX ? rows[i].event.name : NULL;
}

/* Opens row i into one group.  Returns 0 or -errno. */
static int group_add(const struct measuring *m, struct counter_group *g, int i, uint32_t pmu)
{
	const struct counter_event *event = &rows[i].event;
	g->self = m->how.self && event->type != PERF_TYPE_SOFTWARE;
	struct counter_ask ask = { .group_fd = g->n ? g->fd[0] : -1,
				   .pmu = pmu,
				   .grouped = true,
				   .inherit = m->how.inherit,
				   .self = g->self };
	bool both;
	int fd = pawl_counter_open(m->calls, event, &ask, &both);
	if (fd < 0)
		return fd;
	g->fd[g->n] = fd;
	g->page[g->n] = g->self ? m->calls->map(fd) : NULL;
	g->event[g->n++] = i;
	if (both)
		(void)snprintf(m->out[i].reason, COUNTER_REASON, "counts user and kernel");
	return 0;
}

/* Opens row i on every PMU.  Returns 0 when one of them took it, else -errno of the first. */
static int pass_add(const struct measuring *m, struct pass_groups *p, int i)
{
	int n = rows[i].event.type == PERF_TYPE_SOFTWARE || !m->pmus.n ? 1 : m->pmus.n;
	int taken = 0, error = 0;
	for (int k = 0; k < n; k++) {
		int result = group_add(m, &p->group[k], i, m->pmus.n ? m->pmus.type[k] : 0);
		if (result == 0)
			taken++;
		else if (error == 0)
			error = result;
	}
	p->partial[i] = taken && taken < n;
	if (p->partial[i])
		(void)snprintf(m->out[i].reason, COUNTER_REASON, COUNTER_PARTIAL);
	return taken ? 0 : error;
}

static bool pass_is_empty(const struct pass_groups *p)
{
	for (int k = 0; k < COUNTER_PMUS; k++)
		if (p->group[k].n)
			return false;
	return true;
}

/* With self-reading the times are those of the whole pass. */
static void add_times(struct counter_group *g, uint64_t before[][2])
{
	for (int k = 0; g; g = g->next, k++) {
		uint64_t now[GROUP_VALUES + COUNTER_GROUP] = { 0 };
		pawl_group_read(g, now);
		g->sum[GROUP_ENABLED] = now[GROUP_ENABLED] - before[k][0];
		g->sum[GROUP_RUNNING] = now[GROUP_RUNNING] - before[k][1];
	}
}

static void note_times(struct counter_group *g, uint64_t out[][2])
{
	for (int k = 0; g; g = g->next, k++) {
		uint64_t now[GROUP_VALUES + COUNTER_GROUP] = { 0 };
		pawl_group_read(g, now);
		out[k][0] = now[GROUP_ENABLED];
		out[k][1] = now[GROUP_RUNNING];
	}
}

/* Turns the sums of the groups into values per iteration. */
static void report(const struct pass_groups *p, uint64_t n, struct counter *out)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		struct counter_sum sum = { .partial = p->partial[i] };
		bool counted = false, by_call = false;
		for (const struct counter_group *g = p->first; g; g = g->next) {
			for (int k = 0; k < g->n; k++) {
				if (g->event[k] != i)
					continue;
				counted = true;
				by_call = by_call || g->by_call;
				pawl_counter_sum(&sum, (double)g->sum[GROUP_VALUES + k],
						 (double)g->empty[GROUP_VALUES + k] *
							 (double)g->regions,
						 g->sum[GROUP_ENABLED], g->sum[GROUP_RUNNING]);
				sum.error = sum.error ? sum.error : g->error;
			}
		}
		if (!counted)
			continue;
		if (by_call && !out[i].reason[0])
			(void)snprintf(out[i].reason, COUNTER_REASON,
				       "read by a system call: not to be had from user space");
		pawl_counter_conclude(&sum, n, &out[i]);
	}
}

/* Counts the work once. */
static void count(const struct measuring *m, struct pass_groups *p)
{
	uint64_t times[COUNTER_PMUS][2], n = 0;
	const char *fault;
	pawl_group_start(p->first);
	if (p->first->self)
		note_times(p->first, times);
	fault = m->work->run(m->work->arg, p->first, &n);
	if (p->first->self)
		add_times(p->first, times);
	pawl_group_stop(p->first);
	if (!fault) {
		report(p, n, m->out);
		return;
	}
	for (const struct counter_group *g = p->first; g; g = g->next)
		for (int i = 0; i < g->n; i++)
			pawl_counter_set(&m->out[g->event[i]], COUNTER_ABSENT, fault);
}

/* Counts again and keeps the least of the kernel's counts; of the others the first. */
static void count_again(const struct measuring *m, struct pass_groups *p)
{
	struct counter before[COUNTER_MAX];
	memcpy(before, m->out, sizeof(before));
	count(m, p);
	for (int i = 0; i < COUNTER_MAX; i++) {
		const struct counter *now = &m->out[i];
		if (rows[i].event.mode == MODE_USER || now->state != COUNTER_OK ||
		    now->value >= before[i].value)
			m->out[i] = before[i];
	}
}

static bool has_kernel_counts(const struct pass_groups *p)
{
	for (const struct counter_group *g = p->first; g; g = g->next)
		for (int i = 0; i < g->n; i++)
			if (rows[g->event[i]].event.mode == MODE_KERNEL)
				return true;
	return false;
}

/* Whether it is refused whatever is counted, and whatever is open beside it. */
static bool is_for_good(int error)
{
	return error == -ENOENT || error == -EOPNOTSUPP || error == -ENODEV || error == -ENOSYS ||
	       error == -EACCES || error == -EPERM;
}

/* Says why row i is not counted. */
static void refuse(const struct measuring *m, int i, int error)
{
	struct counter_memory *memory = m->how.memory;
	struct counter *c = &m->out[i];
	c->state = pawl_counter_explain(error, m->calls->paranoid(), c->reason, COUNTER_REASON);
	if (!memory || !is_for_good(error))
		return;
	memory->refused[i] = true;
	memory->said[i] = *c;
}

/* Counts the events of a pass; those the group has no room for come back in *alone. */
static void count_pass(const struct measuring *m, const bool *wanted, bool *alone)
{
	struct pass_groups p;
	memset(&p, 0, sizeof(p));
	for (int k = 0; k < COUNTER_PMUS; k++)
		p.group[k].calls = m->calls;
	for (int i = 0; i < COUNTER_MAX; i++) {
		bool first = pass_is_empty(&p);
		int error = wanted[i] ? pass_add(m, &p, i) : 0;
		if (error == -EINVAL && !first)
			alone[i] = true;
		else if (error)
			refuse(m, i, error);
	}
	for (int k = COUNTER_PMUS - 1; k >= 0; k--) {
		p.group[k].next = p.first;
		if (p.group[k].n)
			p.first = &p.group[k];
	}
	if (p.first)
		count(m, &p);
	for (int i = 1; i < KERNEL_REPEATS && has_kernel_counts(&p); i++)
		count_again(m, &p);
	pawl_group_close(p.first);
}

/* What was said to the same question is not asked again. */
static void remember(struct measuring *m)
{
	struct counter_memory *memory = m->how.memory;
	if (memory && memory->is_asked && memory->inherit == m->how.inherit) {
		m->pmus = memory->pmus;
		return;
	}
	pawl_counter_pmus(m->calls, &m->pmus);
	if (memory)
		*memory = (struct counter_memory){ .is_asked = true,
						   .inherit = m->how.inherit,
						   .pmus = m->pmus };
}

static bool is_refused(const struct measuring *m, int i)
{
	return m->how.memory && m->how.memory->refused[i];
}

void pawl_counters_measure(const struct counter_calls *calls, const struct counter_how *how,
			   const struct counter_work *work, struct counter *out)
{
	struct measuring m = { calls, *how, { { 0 }, 0 }, work, out };
	bool alone[COUNTER_MAX] = { false };
	/* The page of an event tells nothing of what its copies in other threads count. */
	m.how.self = how->self && !how->inherit;
	remember(&m);
	for (int i = 0; i < COUNTER_MAX; i++) {
		out[i].name = rows[i].event.name;
		pawl_counter_set(&out[i], COUNTER_ABSENT, "");
		if (is_refused(&m, i))
			out[i] = how->memory->said[i];
	}
	for (int pass = 0; pass < PASS_N; pass++) {
		bool wanted[COUNTER_MAX];
		for (int i = 0; i < COUNTER_MAX; i++)
			wanted[i] = rows[i].pass == (enum pass)pass && !is_refused(&m, i);
		count_pass(&m, wanted, alone);
	}
	for (int i = 0; i < COUNTER_MAX; i++) {
		bool wanted[COUNTER_MAX] = { false }, ignored[COUNTER_MAX];
		wanted[i] = alone[i];
		if (alone[i])
			count_pass(&m, wanted, ignored);
	}
}

#endif
