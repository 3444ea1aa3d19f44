#include "collector/run/child_count.h"

#include <stdlib.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

void child_count_begin(struct child_count *c, const struct counter_children *with)
{
	c->open = with != NULL;
	if (with)
		pawl_counter_child_open(with, &c->events);
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

int child_count_take(struct child_count *c, struct run *run, struct err *err)
{
	struct counter got[COUNTER_CHILD_MAX];
	size_t i;

	if (!c->open)
		return 0;
	pawl_counter_child_close(&c->events, got);
	c->open = false;
	run->counters = calloc(COUNTER_CHILD_MAX, sizeof(*run->counters));
	if (!run->counters)
		return err_nomem(err);
	run->n_counters = COUNTER_CHILD_MAX;
	for (i = 0; i < COUNTER_CHILD_MAX; i++) {
		struct counter_value *to = &run->counters[i];

		to->state = state_of(got[i].state);
		to->value = got[i].value;
		if (str_set(&to->name, got[i].name, err) ||
		    str_set(&to->reason, got[i].reason[0] ? got[i].reason : NULL, err))
			return -1;
	}
	return 0;
}

void child_count_release(struct child_count *c)
{
	if (c->open)
		pawl_counter_child_close(&c->events, NULL);
	c->open = false;
}
