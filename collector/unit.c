#include "collector/unit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void run_release(struct run *run)
{
	size_t i;

	for (i = 0; i < run->n_counters; i++) {
		free(run->counters[i].name);
		free(run->counters[i].reason);
	}
	free(run->counters);
	free(run->failure);
	memset(run, 0, sizeof(*run));
}

void unit_side_release(struct side *s)
{
	free(s->exe);
	free(s->library_path);
	free(s->preload);
	free(s->binary_id);
	memset(s, 0, sizeof(*s));
}

void unit_release(struct unit *u)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++) {
		run_release(&u->pairs[i].head);
		run_release(&u->pairs[i].base);
	}
	free(u->pairs);
	free(u->name);
	free(u->inner);
	unit_side_release(&u->head);
	unit_side_release(&u->base);
	free(u->anchors[0]);
	free(u->anchors[1]);
	free(u->failure);
	free(u->base_failure);
	memset(u, 0, sizeof(*u));
}
