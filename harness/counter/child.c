/* SPDX-License-Identifier: MIT */
#include "harness/counter/counter.h"

#ifdef __linux__ /* else: counter/none.c */

#include "harness/counter/child.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define RETRIES 5
#define HARDWARE(name, event) \
	{ \
		name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event, MODE_USER \
	}

/*
 * The names mean what they mean in the table of passes.c.  What the kernel counts is not among
 * them: wait4() tells page faults and switches, and opening an event for them changes the kernel's
 * own code, each time.
 */
static const struct counter_event events[COUNTER_CHILD_MAX] = {
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
};

const char *pawl_counter_child_name(size_t i)
{
	return i < COUNTER_CHILD_MAX ? events[i].name : NULL;
}

/* Descriptors of the groups' leaders, one for each PMU; -1: none yet. */
struct leaders {
	int fd[COUNTER_PMUS];
};

/* Opens row i on every PMU. */
static void open_row(const struct counter_children *with, int i, struct leaders *leaders,
		     struct counter_child_event *out)
{
	int n = with->pmus.n ? with->pmus.n : 1;
	*out = (struct counter_child_event){ .n = 0 };
	for (int k = 0; k < n; k++) {
		struct counter_ask ask = { .group_fd = leaders->fd[k],
					   .pmu = with->pmus.n ? with->pmus.type[k] : 0,
					   .inherit = true,
					   .on_exec = true };
		bool both;
		int fd = pawl_counter_open(with->calls, &events[i], &ask, &both);
		if (fd < 0) {
			out->error = out->error ? out->error : fd;
			continue;
		}
		if (leaders->fd[k] < 0)
			leaders->fd[k] = fd;
		out->fd[out->n++] = fd;
		out->both = out->both || both;
	}
	out->partial = out->n < n;
	out->error = out->n ? 0 : out->error;
}

static const struct leaders no_leaders = { { -1, -1, -1, -1 } };

static void close_row(const struct counter_calls *calls, struct counter_child_event *e)
{
	for (int k = e->n - 1; k >= 0; k--)
		(void)calls->close(e->fd[k]);
	e->n = 0;
}

static void explain(const struct counter_calls *calls, int i, int error, struct counter *out)
{
	pawl_counter_set(out, COUNTER_ABSENT, "");
	out->name = events[i].name;
	out->state =
		pawl_counter_explain(error, calls->paranoid(), out->reason, sizeof(out->reason));
}

void pawl_counter_children_probe(const struct counter_calls *calls, struct counter_children *out)
{
	struct counter_child_event opened[COUNTER_CHILD_MAX];
	struct leaders leaders = no_leaders;
	memset(out, 0, sizeof(*out));
	out->calls = calls;
	pawl_counter_pmus(calls, &out->pmus);
	for (int i = 0; i < COUNTER_CHILD_MAX; i++) {
		open_row(out, i, &leaders, &opened[i]);
		out->opens[i] = opened[i].n > 0;
		out->n_open += out->opens[i];
		if (!out->opens[i])
			explain(calls, i, opened[i].error, &out->why[i]);
	}
	for (int i = COUNTER_CHILD_MAX - 1; i >= 0; i--)
		close_row(calls, &opened[i]);
}

void pawl_counter_child_open(const struct counter_children *with, struct counter_child *out)
{
	struct leaders leaders = no_leaders;
	memset(out, 0, sizeof(*out));
	out->with = with;
	for (int i = 0; i < COUNTER_CHILD_MAX; i++)
		if (with->opens[i])
			open_row(with, i, &leaders, &out->event[i]);
}

/*
 * What one event's count and times grew by.  Read singly: what it started may not have the whole
 * group.
 */
static void add_reading(const struct counter_calls *calls, struct counter_child_event *e, int k,
			struct counter_sum *sum)
{
	uint64_t got[3]; /* value, enabled, running */
	ssize_t n = -EINTR;
	for (int i = 0; i < RETRIES && n == -EINTR; i++)
		n = calls->read(e->fd[k], got, sizeof(got));
	if (n != (ssize_t)sizeof(got)) {
		sum->error = n < 0 ? (int)n : -ENODATA;
		return;
	}
	pawl_counter_sum(sum, (double)(got[0] - e->before[k][0]), 0, got[1] - e->before[k][1],
			 got[2] - e->before[k][2]);
	memcpy(e->before[k], got, sizeof(got));
}

static void take_row(struct counter_child *c, int i, struct counter *out)
{
	struct counter_child_event *e = &c->event[i];
	struct counter_sum sum = { .partial = e->partial };
	if (!c->with->opens[i]) {
		*out = c->with->why[i];
		return;
	}
	if (e->error) {
		explain(c->with->calls, i, e->error, out);
		return;
	}
	for (int k = 0; k < e->n; k++)
		add_reading(c->with->calls, e, k, &sum);
	pawl_counter_set(out, COUNTER_ABSENT,
			 e->both      ? "counts user and kernel"
			 : e->partial ? COUNTER_PARTIAL
				      : "");
	out->name = events[i].name;
	if (!sum.error && !sum.enabled)
		pawl_counter_set(out, COUNTER_ABSENT, "no program was started");
	else
		pawl_counter_conclude(&sum, 1, out);
}

void pawl_counter_child_take(struct counter_child *c, struct counter *out)
{
	for (int i = 0; i < COUNTER_CHILD_MAX; i++)
		take_row(c, i, &out[i]);
}

void pawl_counter_child_close(struct counter_child *c, struct counter *out)
{
	if (out)
		pawl_counter_child_take(c, out);
	for (int i = COUNTER_CHILD_MAX - 1; i >= 0; i--)
		close_row(c->with->calls, &c->event[i]);
}

int pawl_counter_hold(const struct counter_calls *calls)
{
	static const struct counter_event faults = { "page-faults", PERF_TYPE_SOFTWARE,
						     PERF_COUNT_SW_PAGE_FAULTS, MODE_USER };
	const struct counter_ask ask = { .group_fd = -1 };
	bool both;
	return pawl_counter_open(calls, &faults, &ask, &both);
}

#endif
