#include "cli/push/nearer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

/* Of one commit on one machine. */
struct results {
	struct summary *v;
	size_t n;
};

/* Results of one commit on one machine side by side. */
static int by_place(const void *a, const void *b)
{
	const struct store_row *x = a, *y = b;
	int order = strcmp(x->commit, y->commit);

	return order ? order : strcmp(x->machine, y->machine);
}

static void results_release(struct results *r)
{
	while (r->n)
		summary_release(&r->v[--r->n]);
	free(r->v);
	r->v = NULL;
}

/* Damaged ones are passed over here, and told where they are posted. */
static int read_results(struct store *store, const struct store_row *rows, size_t n,
			struct results *out, struct err *err)
{
	struct err fault = ERR_INIT;
	size_t i;

	*out = (struct results){ calloc(n, sizeof(*out->v)), 0 };
	if (!out->v)
		return err_nomem(err);
	for (i = 0; i < n; i++) {
		if (rows[i].dirty)
			continue;
		if (!store_get(store, rows[i].id, &out->v[out->n], &fault)) {
			out->n++;
		} else if (err_is_fatal(&fault)) {
			*err = fault;
			results_release(out);
			return -1;
		}
		err_clear(&fault);
	}
	return 0;
}

static bool is_covered(const struct summary *wide, const struct summary *near)
{
	size_t i;

	for (i = 0; i < wide->n_benchmarks; i++) {
		const struct bench *b = summary_find(near, wide->benchmarks[i].name);

		if (!b || b->status != BENCH_OK)
			return false;
	}
	return true;
}

/* Whether near was compared with a commit behind that of wide, so that it says more of its own. */
static bool is_nearer(struct repo *repo, const struct summary *near, const struct summary *wide)
{
	const char *base = wide->baseline.commit, *behind = near->baseline.commit;
	bool is_ancestor = false;

	return base && behind && strcmp(base, behind) != 0 &&
	       !walk_is_ancestor(repo, base, behind, &is_ancestor, NULL) && is_ancestor &&
	       is_covered(wide, near);
}

static int pass_over(const struct context *c, struct store *store, const struct results *r,
		     size_t *out_n, struct err *err)
{
	size_t i, k;

	for (i = 0; i < r->n; i++) {
		bool passed = false;

		for (k = 0; k < r->n && !is_nearer(c->repo, &r->v[k], &r->v[i]); k++)
			;
		if (k < r->n && store_queue_pass_over(store, r->v[i].id, &passed, err))
			return -1;
		*out_n += passed;
	}
	return 0;
}

static int look_at(const struct context *c, struct store *store, const struct store_row *rows,
		   size_t n, size_t *out_n, struct err *err)
{
	struct results all;
	int result;

	if (n < 2)
		return 0;
	if (read_results(store, rows, n, &all, err))
		return -1;
	result = pass_over(c, store, &all, out_n, err);
	results_release(&all);
	return result;
}

int push_pass_over(const struct context *c, struct store *store, size_t *out_n, struct err *err)
{
	struct store_row *rows = NULL;
	size_t n = 0, missed = 0, i, next;
	int result = 0;

	*out_n = 0;
	if (store_queue_missed(store, &missed, err))
		return -1;
	if (!missed)
		return 0;
	if (store_list(store, c->project, SIZE_MAX, &rows, &n, err))
		return -1;
	if (n)
		qsort(rows, n, sizeof(*rows), by_place);
	for (i = 0; !result && i < n; i = next) {
		for (next = i + 1; next < n && !by_place(&rows[i], &rows[next]); next++)
			;
		result = look_at(c, store, rows + i, next - i, out_n, err);
	}
	free(rows);
	return result;
}
