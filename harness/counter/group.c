/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness: readings stand around what is counted. */
#include "harness/counter/passes.h"

#ifdef __linux__ /* else: counter/none.c */

#include "harness/counter/perf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/counter/self.h"

#define UNKNOWN __builtin_nan("")
#define EMPTY_PASSES 16
#define RETRIES 5
#define NEARLY_ALL 0.999

void pawl_group_read(struct counter_group *g, uint64_t *out)
{
	size_t size = (size_t)(GROUP_VALUES + g->n) * sizeof(uint64_t);
	ssize_t got = -EINTR;
	for (int i = 0; i < RETRIES && got == -EINTR; i++)
		got = g->calls->read(g->fd[0], out, size);
	if (got < 0 && g->error == 0)
		g->error = (int)got;
	else if (got >= 0 && (size_t)got != size && g->error == 0)
		g->error = -ENODATA; /* 0 bytes: the kernel could not keep the group scheduled */
}

/* All of the group or nothing.  The times are not in it: they move with the system calls. */
static bool read_self(const struct counter_group *g, uint64_t *out)
{
	for (int i = 0; i < g->n; i++)
		if (!g->page[i] || !pawl_self_read(g->calls, g->page[i], &out[GROUP_VALUES + i]))
			return false;
	out[GROUP_ENABLED] = 0;
	out[GROUP_RUNNING] = 0;
	return true;
}

static void read_values(struct counter_group *g, uint64_t *out)
{
	if (g->self) {
		if (read_self(g, out))
			return;
		g->by_call++;
	}
	pawl_group_read(g, out);
}

void pawl_group_begin(struct counter_group *g)
{
	for (; g; g = g->next)
		read_values(g, g->begun);
}

void pawl_group_end(struct counter_group *g)
{
	for (; g; g = g->next) {
		uint64_t now[GROUP_VALUES + COUNTER_GROUP] = { 0 };
		read_values(g, now);
		for (int i = GROUP_ENABLED; i < GROUP_VALUES + g->n; i++)
			g->sum[i] += now[i] - g->begun[i];
		g->regions++;
	}
}

static void clear(struct counter_group *g)
{
	for (; g; g = g->next) {
		memset(g->sum, 0, sizeof(g->sum));
		g->regions = 0;
	}
}

/* What the reading itself counts: the least of some readings of nothing.  Less than 0 it is not. */
static void measure_empty(struct counter_group *first)
{
	uint64_t most = 1;
	for (struct counter_group *g = first; g; g = g->next)
		memset(g->empty, 0xff, sizeof(g->empty));
	for (int pass = 0; pass < EMPTY_PASSES && most > 0; pass++) {
		most = 0;
		clear(first);
		pawl_group_begin(first);
		pawl_group_end(first);
		for (struct counter_group *g = first; g; g = g->next)
			for (int i = GROUP_VALUES; i < GROUP_VALUES + g->n; i++) {
				if (g->sum[i] < g->empty[i])
					g->empty[i] = g->sum[i];
				most |= g->empty[i];
			}
	}
	clear(first);
}

void pawl_group_start(struct counter_group *first)
{
	for (struct counter_group *g = first; g; g = g->next) {
		g->error = g->calls->control(g->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
		g->by_call = 0;
	}
	measure_empty(first);
}

void pawl_group_stop(struct counter_group *g)
{
	for (; g; g = g->next)
		(void)g->calls->control(g->fd[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}

void pawl_group_close(struct counter_group *g)
{
	for (; g; g = g->next) {
		for (int i = 0; i < g->n; i++)
			if (g->page[i])
				g->calls->unmap(g->page[i]);
		/* The leader last: closing it first would make leaders of its siblings. */
		for (int i = g->n - 1; i >= 0; i--)
			(void)g->calls->close(g->fd[i]);
		g->n = 0;
	}
}

void pawl_counter_set(struct counter *c, enum counter_state state, const char *reason)
{
	c->state = state;
	c->simulated = false;
	c->value = UNKNOWN;
	(void)snprintf(c->reason, sizeof(c->reason), "%s", reason);
}

void pawl_counter_sum(struct counter_sum *sum, double value, double overhead, uint64_t enabled,
		      uint64_t running)
{
	sum->value += value;
	sum->overhead += overhead;
	sum->share += enabled ? (double)running / (double)enabled : 0;
	sum->enabled = sum->enabled || enabled;
	sum->n++;
}

void pawl_counter_conclude(const struct counter_sum *sum, uint64_t n, struct counter *out)
{
	double value = sum->value, overhead = sum->overhead;
	/* Nothing was scheduled: the kernel says so by no bytes, or by no time. */
	int error = sum->error || sum->share > 0 ? sum->error : -ENODATA;
	if (error && !sum->error && sum->partial) {
		pawl_counter_set(out, COUNTER_STARVED,
				 COUNTER_PARTIAL ", and on those it never ran, or others use them");
		return;
	}
	if (error) {
		pawl_counter_set(out, COUNTER_ABSENT, "");
		out->state = pawl_counter_explain_read(error, out->reason, sizeof(out->reason));
		return;
	}
	out->state = COUNTER_OK;
	/* Several PMUs are read one after the other: their shares do not add up exactly. */
	if (sum->share < (sum->n > 1 ? NEARLY_ALL : 1)) {
		value /= sum->share;
		out->state = COUNTER_SCALED;
	}
	out->value = value > overhead ? (value - overhead) / (double)n : 0;
}

#endif
