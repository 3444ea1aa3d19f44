#include "collector/extent/executed.h"

#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "collector/extent/executed_local.h"

#include "lib/base/banned.h"

void executed_release(struct executed *e)
{
	strv_release(&e->files);
	strv_release(&e->asked);
	strv_release(&e->outside);
}

/* One that only one of the runs entered, by its name. */
static int tell_other(const struct parts *p, const struct entries *e, const bool *again,
		      struct err *err)
{
	const uint64_t *found;
	size_t i;

	for (i = 0; i < p->n; i++) {
		found = entry_of(e, p->v[i].address);
		if (found && e->hit[found - e->v] != again[found - e->v])
			break;
	}
	return err_set(err, ERR_ABSENT, "each run executes other functions ('%s')",
		       i < p->n ? p->v[i].name : "?");
}

/* Where it depends on clocks which functions run, all do. */
static void add_harness(const struct parts *p, const struct entries *e, bool *hit)
{
	const uint64_t *found;
	size_t i;

	for (i = 0; i < p->n; i++) {
		found = entry_of(e, p->v[i].address);
		if (p->v[i].is_harness && p->v[i].kind == PART_FUNCTION && found)
			hit[found - e->v] = true;
	}
}

/*
 * Who comes into a function elsewhere than at its entry is what is known to: its own far part, or
 * a place that a table or a jump names.  Else nobody knows what else is come into so.
 */
static int check_inside(const struct parts *p, const struct entries *e, const bool *inside,
			struct err *err)
{
	bool *marked = calloc(p->n + 1, sizeof(*marked));
	const uint64_t *found;
	int result = -1;
	size_t i;

	if (!marked)
		return err_nomem(err);
	for (i = 0; i < p->n; i++) {
		found = p->v[i].kind == PART_FUNCTION ? entry_of(e, p->v[i].address) : NULL;
		marked[i] = p->v[i].always || (found && e->hit[found - e->v]);
	}
	if (parts_close_over(p, marked, err))
		goto out;
	for (i = 0; i < p->n; i++) {
		found = p->v[i].kind == PART_FUNCTION ? entry_of(e, p->v[i].address) : NULL;
		if (found && inside[found - e->v] && !marked[i]) {
			err_set(err, ERR_ABSENT, "it comes into '%s' elsewhere than at its entry",
				p->v[i].name);
			goto out;
		}
	}
	result = 0;
out:
	free(marked);
	return result;
}

int executed_take_asked(const struct named_files *named, const char *tree, struct executed *out,
			struct err *err)
{
	struct named_files elsewhere = NAMED_FILES_INIT;
	size_t i;
	int result = 0;

	if (named->is_full)
		return err_set(err, ERR_ABSENT, "it asks for more files than can be seen");
	for (i = 0; !result && i < named->paths.n; i++) {
		const char *path = named->paths.v[i], *below = tree ? str_below(path, tree) : NULL;

		result = below ? strv_add(&out->asked, below, err)
			       : strv_add(&elsewhere.paths, path, err);
	}
	if (!result)
		result = named_files_states(&elsewhere, &out->outside, err);
	named_files_release(&elsewhere);
	return result;
}

/* Once more; it must come out the same. */
static int record_twice(const struct executed_way *way, const struct parts *p,
			const struct entries *e, struct executed *out, struct err *err)
{
	struct named_files asked = NAMED_FILES_INIT;
	struct record_request rq = { .entries = e->v, .n = e->n, .start = p->entry };
	struct record_request same = rq;
	bool *again = calloc(e->n + 1, sizeof(*again)), *inside = calloc(e->n + 1, sizeof(*again));
	int result = -1;

	if (!again || !inside) {
		err_nomem(err);
		goto out;
	}
	asked.everywhere = way->tree != NULL;
	rq.named = same.named = &asked;
	same.passed = e->hit;
	same.ends = e->ends;
	same.inside = inside;
	if (way->run(way->ctx, false, &rq, e->hit, err) ||
	    way->run(way->ctx, true, &same, again, err) ||
	    executed_take_asked(&asked, way->tree, out, err))
		goto out;
	if (asked.is_of_image || !asked.n_told) {
		err_set(err, ERR_ABSENT,
			asked.n_told ? "it looks at how it lies in memory"
				     : "it is not seen which files it asks for");
		goto out;
	}
	out->is_fleeting = asked.is_more;
	add_harness(p, e, e->hit);
	add_harness(p, e, again);
	result = memcmp(again, e->hit, e->n * sizeof(*again)) ? tell_other(p, e, again, err)
							      : check_inside(p, e, inside, err);
out:
	named_files_release(&asked);
	free(again);
	free(inside);
	return result;
}

static int find(const char *path, const struct executed_way *way, const struct parts *p,
		const struct entries *e, struct executed *out, struct err *err)
{
	struct err fault = ERR_INIT;

	if (executed_load(path, e, out))
		return 0;
	if (!record_twice(way, p, e, out, &fault) && !way->files(way->ctx, &out->files, &fault)) {
		executed_store(path, e, out);
		return 0;
	}
	if (fault.code == ERR_CHILD || fault.code == ERR_REFUSED || fault.code == ERR_IO)
		fault.code = ERR_ABSENT;
	*err = fault;
	return -1;
}

int executed_find(const char *path, const struct executed_way *way, const struct parts *p,
		  struct executed *out, struct err *err)
{
	struct entries e = { NULL, NULL, NULL, 0 };
	const uint64_t *found;
	size_t i;
	int result = -1;

	if (entries_of(p, &e, err))
		goto out;
	result = find(path, way, p, &e, out, err);
	for (i = 0; !result && i < p->n; i++) {
		found = entry_of(&e, p->v[i].address);
		out->runs[i] = p->v[i].kind == PART_FUNCTION && found && e.hit[found - e.v];
	}
out:
	entries_release(&e);
	return result;
}
