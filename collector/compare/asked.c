#include "collector/compare/asked.h"

#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "collector/compare/extent_run.h"

#include "lib/base/banned.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted. */
static int see(const struct extent_request *rq, const struct unit *u, const struct side *side,
	       struct named_files *out, bool *out_seen, struct err *err)
{
	struct extent_run run = { .runner = rq->runner,
				  .unit = u,
				  .side = side,
				  .is_short = !unit_is_whole(u),
				  .until_ns = rq->until_ns };
	const uint64_t none = 0;
	bool ended_well = false;
	struct record_request names = { .entries = &none, .named = out, .ended_well = &ended_well };
	const struct executed_way way = extent_run_way(&run);
	struct err fault = ERR_INIT;
	int result = 0;

	out->everywhere = true;
	if (way.run(way.ctx, false, &names, NULL, &fault) && err_is_fatal(&fault)) {
		*err = fault;
		result = -1;
	}
	*out_seen = ended_well && out->n_told && !out->is_full;
	if (out->paths.n)
		qsort(out->paths.v, out->paths.n, sizeof(*out->paths.v), by_text);
	extent_run_release(&run);
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

static int let_measure(struct unit *u, const char *name, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	u->identical = false;
	u->has_base = true;
	if (name)
		buf_addf(&text, "both sides ask for files of other names ('%s')", name);
	else
		buf_adds(&text, "it cannot be seen which files they ask for");
	if (!buf_check(&text, err))
		result = str_set(&u->changes.why, buf_str(&text), err);
	buf_release(&text);
	return result;
}

static int look(const struct extent_request *rq, struct unit *u, struct err *err)
{
	struct named_files base = NAMED_FILES_INIT, head = NAMED_FILES_INIT;
	bool base_seen = false, head_seen = false;
	const char *other;
	int result = -1;

	talk_progress(rq->talk, 0, 0, "looking at which files %s opens", u->name);
	if (see(rq, u, &u->base, &base, &base_seen, err) ||
	    see(rq, u, &u->head, &head, &head_seen, err))
		goto out;
	other = first_other(&base.paths, &head.paths);
	result = !base_seen || !head_seen ? let_measure(u, NULL, err)
		 : other		  ? let_measure(u, other, err)
					  : 0;
out:
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
