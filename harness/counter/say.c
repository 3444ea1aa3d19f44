/* SPDX-License-Identifier: MIT */
#include "harness/counter/counter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *pawl_counter_state_name(enum counter_state state)
{
	switch (state) {
	case COUNTER_OK:
		return "ok";
	case COUNTER_SCALED:
		return "scaled";
	case COUNTER_STARVED:
		return "starved";
	case COUNTER_ABSENT:
		return "absent";
	case COUNTER_FORBIDDEN:
		return "forbidden";
	}
	return "absent";
}

const struct counter *pawl_counter_valued(const struct counter *counters, const char *name)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		const struct counter *c = &counters[i];
		if (c->name && strcmp(c->name, name) == 0)
			return c->state == COUNTER_OK || c->state == COUNTER_SCALED ? c : NULL;
	}
	return NULL;
}

enum counter_state pawl_counter_explain(int error, int paranoid, char *out_reason, size_t size)
{
	enum counter_state state = COUNTER_ABSENT;
	switch (-error) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		(void)snprintf(out_reason, size, "this processor or VM does not offer the event");
		break;
	case ENOSYS:
		(void)snprintf(out_reason, size, "this system has no perf_event_open");
		break;
	case EACCES:
		state = COUNTER_FORBIDDEN;
		if (paranoid >= 0)
			(void)snprintf(out_reason, size,
				       "kernel.perf_event_paranoid is %d: user counting needs at "
				       "most 2, kernel counting 1, or CAP_PERFMON",
				       paranoid);
		else
			(void)snprintf(out_reason, size,
				       "not permitted: needs kernel.perf_event_paranoid of at "
				       "most 2, for the kernel 1, or CAP_PERFMON");
		break;
	case EPERM:
		state = COUNTER_FORBIDDEN;
		(void)snprintf(out_reason, size,
			       "a filter forbids perf_event_open: in a container add "
			       "CAP_PERFMON and a seccomp profile that allows it");
		break;
	case EMFILE:
	case ENFILE:
		(void)snprintf(out_reason, size, "too many open files: raise ulimit -n");
		break;
	case EINVAL:
		(void)snprintf(out_reason, size,
			       "this processor's counters refuse the event as asked for");
		break;
	case E2BIG:
		(void)snprintf(out_reason, size,
			       "this kernel's perf_event_open is another one: it names no size");
		break;
	case EBUSY:
		(void)snprintf(out_reason, size, "another user holds the counters");
		break;
	case ESRCH:
		(void)snprintf(out_reason, size, "what was to be counted has ended");
		break;
	case EINTR:
		(void)snprintf(out_reason, size, "signals interrupted it again and again");
		break;
	default:
		(void)snprintf(out_reason, size, "perf_event_open: %s", strerror(-error));
	}
	return state;
}

enum counter_state pawl_counter_explain_read(int error, char *out_reason, size_t size)
{
	switch (-error) {
	case ENODATA:
		(void)snprintf(out_reason, size, "never scheduled: others use the counters");
		return COUNTER_STARVED;
	case ECHILD:
		(void)snprintf(out_reason, size,
			       "a thread that was started does not count the same events: its "
			       "counts cannot be added");
		return COUNTER_ABSENT;
	case EINTR:
		(void)snprintf(out_reason, size,
			       "reading failed: signals interrupted it again "
			       "and again");
		return COUNTER_ABSENT;
	default:
		(void)snprintf(out_reason, size, "reading failed: %s", strerror(-error));
		return COUNTER_ABSENT;
	}
}
