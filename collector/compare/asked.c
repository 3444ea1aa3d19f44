#include "collector/compare/asked.h"

#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "collector/code/loader.h"
#include "collector/compare/alike.h"
#include "collector/compare/extent_run.h"

#include "lib/base/banned.h"

/* One side where it was built, and what it asked for there. */
struct place {
	struct side side;
	struct strv names; /* sorted, without those of its loader */
	bool seen, opens_self;
};

/* Its own objects are of the code that is the same, unless it asks for them itself. */
static bool is_of_loader(const struct loader *l, const struct named_files *asked, const char *path)
{
	if (strv_has(&l->at->objects, path))
		return asked->has_started && !strv_has(l->late, path);
	return loader_asks(l, path);
}

static int take_names(const struct named_files *asked, struct place *p, struct err *err)
{
	struct bundle own;
	const struct loader l = { &own, &own, &asked->paths, &asked->late };
	size_t i;
	int result = 0;

	memset(&own, 0, sizeof(own));
	if (bundle_of(p->side.exe, p->side.library_path, &own, NULL))
		p->seen = false;
	for (i = 0; !result && p->seen && i < asked->paths.n; i++)
		if (!is_of_loader(&l, asked, asked->paths.v[i]))
			result = strv_add(&p->names, asked->paths.v[i], err);
	strv_sort(&p->names);
	bundle_release(&own);
	return result;
}

static int see(struct extent_run *run, struct place *p, struct err *err)
{
	struct named_files asked = NAMED_FILES_INIT;
	bool ended_well = false;
	int result;

	asked.everywhere = true;
	result = extent_run_look(run, &asked, &ended_well, err);
	p->seen = ended_well && asked.n_told && !asked.is_full;
	p->opens_self = asked.opens_self;
	if (!result && p->seen)
		result = take_names(&asked, p, err);
	named_files_release(&asked);
	return result;
}

static void place_release(struct place *p)
{
	side_release(&p->side);
	strv_release(&p->names);
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

/* Static; NULL: both do the same.  *out_file: of which file that is; NULL: of none. */
static const char *judge(const struct place *base, const struct place *head, const char **out_file)
{
	*out_file = NULL;
	if (!base->seen || !head->seen)
		return "it cannot be seen which files they ask for";
	*out_file = first_other(&base->names, &head->names);
	if (*out_file)
		return "both sides ask for files of other names";
	if ((!base->opens_self && !head->opens_self) || alike_file(base->side.exe, head->side.exe))
		return NULL;
	*out_file = head->side.exe;
	return "it reads its own file, and that differs";
}

static int look(const struct extent_request *rq, struct unit *u, struct err *err)
{
	struct place base, head;
	struct extent_run one = {
		.runner = rq->runner, .unit = u, .side = &base.side, .until_ns = rq->until_ns
	};
	struct extent_run two = one;
	const char *why, *file;
	int result = -1;

	memset(&base, 0, sizeof(base));
	memset(&head, 0, sizeof(head));
	talk_progress(rq->talk, 0, 0, "looking at which files %s opens", u->name);
	two.side = &head.side;
	two.as = &one.probe; /* what it opens in a late iteration, both must come to */
	if (side_as_built(&u->base, &base.side, err) || side_as_built(&u->head, &head.side, err) ||
	    see(&one, &base, err) || (base.seen && see(&two, &head, err)))
		goto out;
	why = judge(&base, &head, &file);
	result = why ? unit_let_measure(u, why, file, err) : 0;
out:
	extent_run_release(&one);
	extent_run_release(&two);
	place_release(&base);
	place_release(&head);
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
