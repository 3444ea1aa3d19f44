#include "collector/child/count.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define OF_RUN 3

void child_count_init(const struct counter_calls *calls, struct child_count *out)
{
	memset(out, 0, sizeof(*out));
	pawl_counter_children_probe(calls, &out->with);
}

void child_count_begin(struct child_count *c)
{
	struct counter ignored[COUNTER_CHILD_MAX];

	if (!c || !c->with.n_open)
		return;
	if (c->open) { /* what was started since the last run was counted too */
		pawl_counter_child_take(&c->events, ignored);
	} else {
		c->held_fd = pawl_counter_hold(c->with.calls);
		pawl_counter_child_open(&c->with, &c->events);
	}
	c->open = true;
}

static enum metric_state state_of(enum counter_state state)
{
	switch (state) {
	case COUNTER_OK:
		return METRIC_OK;
	case COUNTER_SCALED:
		return METRIC_SCALED;
	case COUNTER_STARVED:
		return METRIC_STARVED;
	case COUNTER_FORBIDDEN:
		return METRIC_FORBIDDEN;
	case COUNTER_ABSENT:
		break;
	}
	return METRIC_ABSENT;
}

static int set(struct counter_value *to, const char *name, enum metric_state state, double value,
	       const char *reason, struct err *err)
{
	to->state = state;
	to->value = value;
	return str_set(&to->name, name, err) || str_set(&to->reason, reason, err) ? -1 : 0;
}

/* What the kernel told of the process, under the names that its events have. */
static int add_of_run(struct run *run, const char *why_no_switches,
		      struct counter_value out[OF_RUN], struct err *err)
{
	double switches = run->voluntary_switches + run->involuntary_switches;
	bool switched = !isnan(switches), moved = !isnan(run->migrations);

	return set(&out[0], "page-faults", METRIC_OK, run->minor_faults + run->major_faults, NULL,
		   err) ||
			       set(&out[1], "context-switches",
				   switched ? METRIC_OK : METRIC_ABSENT, switches,
				   switched ? NULL : why_no_switches, err) ||
			       set(&out[2], "cpu-migrations", moved ? METRIC_OK : METRIC_ABSENT,
				   run->migrations,
				   moved ? NULL : "this kernel does not tell it of a process", err)
		       ? -1
		       : 0;
}

static int add_all(const struct counter got[COUNTER_CHILD_MAX], const char *why_none,
		   struct run *run, struct err *err)
{
	size_t i;

	run->counters = calloc(COUNTER_CHILD_MAX + OF_RUN, sizeof(*run->counters));
	if (!run->counters)
		return err_nomem(err);
	run->n_counters = COUNTER_CHILD_MAX + OF_RUN;
	for (i = 0; i < COUNTER_CHILD_MAX; i++)
		if (set(&run->counters[i], got[i].name, state_of(got[i].state), got[i].value,
			got[i].reason[0] ? got[i].reason : NULL, err))
			return -1;
	return add_of_run(run, why_none, run->counters + COUNTER_CHILD_MAX, err);
}

int child_count_take(struct child_count *c, struct run *run, struct err *err)
{
	struct counter got[COUNTER_CHILD_MAX];

	if (!c)
		return 0;
	if (c->open)
		pawl_counter_child_take(&c->events, got);
	else
		memcpy(got, c->with.why, sizeof(got));
	return add_all(got, "not known", run, err);
}

int child_count_none(const struct child_count *c, const char *why, struct run *run, struct err *err)
{
	struct counter got[COUNTER_CHILD_MAX];
	size_t i;

	if (!c)
		return 0;
	memcpy(got, c->with.why, sizeof(got));
	for (i = 0; i < COUNTER_CHILD_MAX; i++) {
		if (!c->with.opens[i])
			continue;
		got[i].name = pawl_counter_child_name(i);
		got[i].state = COUNTER_ABSENT;
		got[i].value = (double)NAN;
		snprintf(got[i].reason, sizeof(got[i].reason), "%s", why);
	}
	return add_all(got, why, run, err);
}

void child_count_pause(struct child_count *c)
{
	if (!c || !c->open)
		return;
	pawl_counter_child_close(&c->events, NULL);
	if (c->held_fd >= 0)
		(void)c->with.calls->close(c->held_fd);
	c->open = false;
}
