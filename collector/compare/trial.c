#include "collector/compare/trial.h"

#include <string.h>

#include "lib/base/banned.h"

static bool has_inner(const struct plan *plan, const char *section)
{
	size_t i;

	for (i = 0; i < plan->n; i++)
		if (plan->units[i].inner && !strcmp(plan->units[i].config->name, section))
			return true;
	return false;
}

static bool is_tried(const struct unit *u, const struct plan *other)
{
	return !u->inner && !u->failure && !u->unreached && u->format == FORMAT_COMMAND &&
	       has_inner(other, u->config->name);
}

static int try_one(struct process_runner *r, uint64_t until_ns, struct unit *u, struct err *err)
{
	struct runner runner = process_runner_of(r);

	u->unreached = !runner_until(r, until_ns);
	if (u->unreached)
		return 0;
	return runner.calibrate(runner.ctx, u, &u->head, err);
}

static int try_those(struct process_runner *r, uint64_t until_ns, struct plan *plan,
		     const struct plan *other, struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++)
		if (is_tried(&plan->units[i], other) && try_one(r, until_ns, &plan->units[i], err))
			return -1;
	return 0;
}

int compare_trial(const struct process_runner *r, uint64_t until_ns, struct plan *base,
		  struct plan *head, struct err *err)
{
	struct process_runner own = *r;

	return try_those(&own, until_ns, base, head, err) ||
			       try_those(&own, until_ns, head, base, err)
		       ? -1
		       : 0;
}
