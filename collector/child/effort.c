#include "collector/child/effort.h"

#include <string.h>
#include <unistd.h>

#include "lib/base/when.h"
#include "lib/process/processes.h"

#include "lib/base/banned.h"

#define LOOK_NS 250000000u

void effort_look(struct effort_look *out)
{
	struct processes all = PROCESSES_INIT;
	uint64_t tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	size_t i;

	memset(out, 0, sizeof(*out));
	processes_look(&all);
	out->now_ns = when_monotonic_ns();
	for (i = 0; i < all.n; i++) {
		const struct process *p = &all.v[i];

		if (!p->is_ours)
			continue;
		out->cpu_ns += p->ticks * tick_ns;
		out->is_ready = out->is_ready || p->state == 'R';
		out->has_threads = out->has_threads || p->n_threads > 1;
	}
	processes_release(&all);
}

void effort_add(struct effort *e, const struct effort_look *look)
{
	uint64_t wall = look->now_ns - e->last.now_ns, worked = 0;
	bool waits;

	/* Less than before: one that worked is gone, and nobody waited for it. */
	if (look->cpu_ns > e->last.cpu_ns)
		worked = look->cpu_ns - e->last.cpu_ns;
	waits = look->is_ready || (look->has_threads && worked);
	e->ns += waits && worked < wall ? worked : wall;
	e->last = *look;
}

int effort_run(const struct child_spec *spec, uint64_t most_ns, struct child *c,
	       struct child_result *out, uint64_t *out_ns, struct err *err)
{
	struct effort effort = { .ns = 0 };
	struct effort_look look;
	enum child_event event;
	uint64_t end_ns;

	if (child_start(spec, c, err))
		return -1;
	effort.last.now_ns = c->start_ns;
	end_ns = c->deadline_ns ? c->deadline_ns : UINT64_MAX;
	do {
		uint64_t next_ns = when_monotonic_ns() + LOOK_NS;

		c->deadline_ns = next_ns < end_ns ? next_ns : end_ns;
		event = child_poll(c, false);
		if (event != CHILD_TIMEOUT)
			break;
		effort_look(&look);
		effort_add(&effort, &look);
	} while (effort.ns < most_ns && look.now_ns < end_ns);
	child_finish(c, NULL, event == CHILD_TIMEOUT, out);
	*out_ns = effort.ns;
	if (event == CHILD_STOPPED)
		return err_stopped(err);
	return 0;
}
