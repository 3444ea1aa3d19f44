#include "collector/compare/asked.h"

#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "collector/compare/extent_run.h"

#include "lib/base/banned.h"

/* Sorted. */
static int see(struct extent_run *run, struct named_files *out, bool *out_seen, struct err *err)
{
	bool ended_well = false;
	int result;

	out->everywhere = true;
	result = extent_run_look(run, out, &ended_well, err);
	*out_seen = ended_well && out->n_told && !out->is_full;
	strv_sort(&out->paths);
	return result;
}

/* The first name that only one of them has, or NULL. */
static const char *first_other(const struct strv *a, const struct strv *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n; i++)
		if (strcmp(a->v[i], b->v[i]) != 0)
			return a->v[i];
	return i < a->n ? a->v[i] : i < b->n ? b->v[i] : NULL;
}

static int look(const struct extent_request *rq, struct unit *u, struct err *err)
{
	struct extent_run one = {
		.runner = rq->runner, .unit = u, .side = &u->base, .until_ns = rq->until_ns
	};
	struct extent_run two = one;
	struct named_files base = NAMED_FILES_INIT, head = NAMED_FILES_INIT;
	bool base_seen = false, head_seen = false, is_seen;
	const char *other, *why;
	int result = -1;

	talk_progress(rq->talk, 0, 0, "looking at which files %s opens", u->name);
	two.side = &u->head;
	two.as = &one.probe; /* what it opens in a late iteration, both must come to */
	if (see(&one, &base, &base_seen, err) || (base_seen && see(&two, &head, &head_seen, err)))
		goto out;
	is_seen = base_seen && head_seen;
	other = is_seen ? first_other(&base.paths, &head.paths) : NULL;
	why = !is_seen ? "it cannot be seen which files they ask for"
	      : other  ? "both sides ask for files of other names"
		       : NULL;
	result = why ? unit_let_measure(u, why, other, err) : 0;
out:
	extent_run_release(&one);
	extent_run_release(&two);
	named_files_release(&base);
	named_files_release(&head);
	return result;
}

int compare_asked(const struct extent_request *rq, struct plan *plan, struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		if (u->identical && !u->failure && u->base.exe && look(rq, u, err))
			return -1;
	}
	return 0;
}
