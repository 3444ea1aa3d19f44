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

static int try_those(struct process_runner *r, struct plan *plan, const struct plan *other,
		     struct err *err)
{
	struct runner runner = process_runner_of(r);
	size_t i;

	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		if (!u->inner && !u->failure && !u->unreached && u->format == FORMAT_COMMAND &&
		    has_inner(other, u->config->name) &&
		    runner.calibrate(runner.ctx, u, &u->head, err))
			return -1;
	}
	return 0;
}

int compare_trial(struct process_runner *r, struct plan *base, struct plan *head, struct err *err)
{
	return try_those(r, base, head, err) || try_those(r, head, base, err) ? -1 : 0;
}
