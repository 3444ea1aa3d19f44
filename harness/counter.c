/* SPDX-License-Identifier: MIT */
#include "harness/counter.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/run.h"

#define UNKNOWN __builtin_nan("")
#define EMPTY_PASSES 16
#define RETRIES 5
#define ENABLED 1 /* places in a group's reading */
#define RUNNING 2
#define VALUES 3

#define CACHE(cache, result) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Passes in which events share the counters; at most COUNTER_GROUP rows name the same one. */
enum pass { PASS_WORK, PASS_KERNEL, PASS_L1, PASS_CACHE, PASS_LLC, PASS_N };

static const struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
	bool of_kernel; /* counts the kernel's part only; the others the user's only */
	enum pass pass;
} events[COUNTER_MAX] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false, PASS_WORK },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false, PASS_WORK },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, false, PASS_WORK },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, false, PASS_WORK },
	{ "kernel-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, true,
	  PASS_KERNEL },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false, PASS_KERNEL },
	{ "l1d-reads", PERF_TYPE_HW_CACHE, CACHE(L1D, ACCESS), false, PASS_L1 },
	{ "l1d-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, MISS), false, PASS_L1 },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, false,
	  PASS_CACHE },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, false, PASS_CACHE },
	{ "llc-loads", PERF_TYPE_HW_CACHE, CACHE(LL, ACCESS), false, PASS_LLC },
	{ "llc-misses", PERF_TYPE_HW_CACHE, CACHE(LL, MISS), false, PASS_LLC },
};

const char *pawl_counter_name(size_t i)
{
	return i < COUNTER_MAX ? events[i].name : NULL;
}

static int open_attr(const struct counter_calls *calls, struct perf_event_attr *attr, int group_fd)
{
	uint32_t asked = attr->size;
	int fd = -EINTR;
	for (int i = 0; i < RETRIES && (fd == -EINTR || fd == -E2BIG); i++) {
		fd = calls->open(attr, group_fd);
		/* An older kernel writes the size that it knows. */
		if (fd == -E2BIG && (attr->size == asked || attr->size == 0))
			break;
		asked = attr->size;
	}
	return fd;
}

/*
 * Opens one event.  EINVAL may mean that the counters cannot tell user from kernel, so that
 * they are asked for both.  A refusal of kernel counting may hide that there is no such event,
 * so the event is looked for without the kernel before the refusal is believed.
 */
static int open_event(const struct counter_calls *calls, const struct event *event, int group_fd,
		      bool *out_both)
{
	struct perf_event_attr attr;
	int fd, second;
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = event->type;
	attr.config = event->config;
	attr.disabled = group_fd < 0;
	attr.exclude_hv = 1;
	attr.exclude_kernel = !event->of_kernel;
	attr.exclude_user = event->of_kernel;
	attr.read_format =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	*out_both = false;
	fd = open_attr(calls, &attr, group_fd);
	if (fd == -EINVAL && !event->of_kernel) {
		attr.exclude_hv = 0;
		attr.exclude_kernel = 0;
		second = open_attr(calls, &attr, group_fd);
		*out_both = second >= 0;
		return second >= 0 || second == -EACCES ? second : fd;
	}
	if ((fd == -EACCES || fd == -EPERM) && event->of_kernel) {
		attr.exclude_user = 0;
		attr.exclude_kernel = 1;
		second = open_attr(calls, &attr, group_fd);
		if (second >= 0)
			(void)calls->close(second);
		else
			fd = second;
	}
	return fd;
}

static void group_read(struct counter_group *g, uint64_t *out)
{
	size_t size = (size_t)(VALUES + g->n) * sizeof(uint64_t);
	ssize_t got = -EINTR;
	for (int i = 0; i < RETRIES && got == -EINTR; i++)
		got = g->calls->read(g->fd[0], out, size);
	if (got < 0 && g->error == 0)
		g->error = (int)got;
	else if (got >= 0 && (size_t)got != size && g->error == 0)
		g->error = -ENODATA; /* 0 bytes: the kernel could not keep the group scheduled */
}

void pawl_group_begin(struct counter_group *g)
{
	group_read(g, g->begun);
}

void pawl_group_end(struct counter_group *g)
{
	uint64_t now[VALUES + COUNTER_GROUP] = { 0 };
	group_read(g, now);
	for (int i = ENABLED; i < VALUES + g->n; i++)
		g->sum[i] += now[i] - g->begun[i];
	g->regions++;
}

static void group_clear(struct counter_group *g)
{
	memset(g->sum, 0, sizeof(g->sum));
	g->regions = 0;
}

/* What the reading itself counts: the least of some readings of nothing. */
static void measure_empty(struct counter_group *g, uint64_t *out)
{
	for (int i = 0; i < VALUES + COUNTER_GROUP; i++)
		out[i] = UINT64_MAX;
	for (int pass = 0; pass < EMPTY_PASSES; pass++) {
		group_clear(g);
		pawl_group_begin(g);
		pawl_group_end(g);
		for (int i = VALUES; i < VALUES + g->n; i++)
			if (g->sum[i] < out[i])
				out[i] = g->sum[i];
	}
	group_clear(g);
}

static void set(struct counter *c, enum counter_state state, const char *reason)
{
	c->state = state;
	c->value = UNKNOWN;
	(void)snprintf(c->reason, sizeof(c->reason), "%s", reason);
}

/* Turns the sums of a group into values per iteration. */
static void report(const struct counter_group *g, const uint64_t *empty, uint64_t n,
		   struct counter *out)
{
	uint64_t enabled = g->sum[ENABLED], running = g->sum[RUNNING];
	for (int i = 0; i < g->n; i++) {
		struct counter *c = &out[g->event[i]];
		double value = (double)g->sum[VALUES + i];
		double overhead = (double)empty[VALUES + i] * (double)g->regions;
		if (g->error == -ENODATA || (g->error == 0 && running == 0)) {
			set(c, COUNTER_STARVED, "never scheduled: others use the counters");
			continue;
		}
		if (g->error) {
			char text[COUNTER_REASON];
			(void)snprintf(text, sizeof(text), "reading failed: %s",
				       strerror(-g->error));
			set(c, COUNTER_ABSENT, text);
			continue;
		}
		if (running < enabled) {
			value *= (double)enabled / (double)running;
			c->state = COUNTER_SCALED;
		} else {
			c->state = COUNTER_OK;
		}
		c->value = value > overhead ? (value - overhead) / (double)n : 0;
	}
}

/* Counts over one call of run with n iterations; n becomes those that did not fail. */
static void count(struct counter_group *g, const struct pawl_bench *bench, uint64_t n,
		  struct counter *out)
{
	struct pawl_run r;
	uint64_t empty[VALUES + COUNTER_GROUP];
	memset(&r, 0, sizeof(r));
	r.group = g;
	g->error = g->calls->control(g->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	measure_empty(g, empty);
	/* A benchmark with manual timing overwrites what is begun here, and says so. */
	pawl_group_begin(g);
	bench->run(bench->ctx, n, &r);
	if (!r.manual || r.open)
		pawl_group_end(g);
	(void)g->calls->control(g->fd[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	if (r.spoiled || r.thrown >= n)
		for (int i = 0; i < g->n; i++)
			set(&out[g->event[i]], COUNTER_ABSENT,
			    "operations failed while it was counted");
	else
		report(g, empty, n - r.thrown, out);
}

static void group_close(struct counter_group *g)
{
	/* The leader last: closing it first would make leaders of its siblings. */
	for (int i = g->n - 1; i >= 0; i--)
		(void)g->calls->close(g->fd[i]);
	g->n = 0;
}

/* Opens row i into the group.  Returns 0 or -errno. */
static int group_add(struct counter_group *g, int i, struct counter *out)
{
	bool both;
	int fd = open_event(g->calls, &events[i], g->n ? g->fd[0] : -1, &both);
	if (fd < 0)
		return fd;
	g->fd[g->n] = fd;
	g->event[g->n++] = i;
	if (both)
		(void)snprintf(out[i].reason, sizeof(out[i].reason), "counts user and kernel");
	return 0;
}

/* Counts the events of a pass; those the group has no room for come back in *alone. */
static void count_pass(const struct counter_calls *calls, const struct pawl_bench *bench,
		       uint64_t n, const bool *wanted, bool *alone, struct counter *out)
{
	struct counter_group g;
	memset(&g, 0, sizeof(g));
	g.calls = calls;
	for (int i = 0; i < COUNTER_MAX; i++) {
		int error = wanted[i] ? group_add(&g, i, out) : 0;
		if (error == -EINVAL && g.n)
			alone[i] = true;
		else if (error)
			out[i].state = pawl_counter_explain(error, calls->paranoid(), out[i].reason,
							    COUNTER_REASON);
	}
	if (g.n)
		count(&g, bench, n, out);
	group_close(&g);
}

void pawl_counters_measure(const struct counter_calls *calls, const struct pawl_bench *bench,
			   uint64_t n, struct counter *out)
{
	bool alone[COUNTER_MAX] = { false };
	for (int i = 0; i < COUNTER_MAX; i++) {
		out[i].name = events[i].name;
		set(&out[i], COUNTER_ABSENT, "");
	}
	for (int pass = 0; pass < PASS_N; pass++) {
		bool wanted[COUNTER_MAX];
		for (int i = 0; i < COUNTER_MAX; i++)
			wanted[i] = events[i].pass == (enum pass)pass;
		count_pass(calls, bench, n, wanted, alone, out);
	}
	for (int i = 0; i < COUNTER_MAX; i++) {
		bool wanted[COUNTER_MAX] = { false }, ignored[COUNTER_MAX];
		wanted[i] = alone[i];
		if (alone[i])
			count_pass(calls, bench, n, wanted, ignored, out);
	}
}
