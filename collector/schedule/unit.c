#include "collector/schedule/unit.h"

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

void unit_side_release(struct side *s)
{
	free(s->exe);
	free(s->library_path);
	free(s->preload);
	free(s->binary_id);
	free(s->dir);
	memset(s, 0, sizeof(*s));
}

bool unit_is_whole(const struct unit *u)
{
	return u->format != FORMAT_PAWL && !u->selector;
}

int unit_side_copy(const struct side *from, struct side *to, struct err *err)
{
	to->stays = from->stays;
	return str_set(&to->exe, from->exe, err) ||
			       str_set(&to->library_path, from->library_path, err) ||
			       str_set(&to->preload, from->preload, err) ||
			       str_set(&to->binary_id, from->binary_id, err) ||
			       str_set(&to->dir, from->dir, err)
		       ? -1
		       : 0;
}

void unit_release(struct unit *u)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++) {
		run_release(&u->pairs[i].head);
		run_release(&u->pairs[i].base);
	}
	run_release(&u->warm_up.head);
	run_release(&u->warm_up.base);
	free(u->pairs);
	free(u->name);
	free(u->inner);
	free(u->selector);
	unit_side_release(&u->head);
	unit_side_release(&u->base);
	free(u->anchors[0]);
	free(u->anchors[1]);
	free(u->failure);
	free(u->base_failure);
	free(u->work.how);
	free(u->work.reason);
	memset(u, 0, sizeof(*u));
}
