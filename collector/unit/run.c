#include "collector/unit/run.h"

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

void pair_release(struct pair *p)
{
	run_release(&p->head);
	run_release(&p->base);
}
