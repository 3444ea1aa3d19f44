#include "collector/unit/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void run_release(struct run *run)
{
	size_t i;

	for (i = 0; i < run->n_counters; i++) {
		free(run->counters[i].name);
		free(run->counters[i].reason);
		free(run->counters[i].unit);
	}
	free(run->counters);
	free(run->failure);
	free(run->output);
	memset(run, 0, sizeof(*run));
}

double run_whole_ns(const struct run *run)
{
	double waited = run->wall_is_net && isfinite(run->run_delay_ns) ? run->run_delay_ns : 0;

	return run->wall_ns + waited + run->late_ns;
}

void pair_release(struct pair *p)
{
	run_release(&p->head);
	run_release(&p->base);
}
