#include "cli/imports.h"

#include <stdlib.h>
#include <string.h>

#include "lib/store/local/visit.h"

#include "lib/base/banned.h"

static bool is_of_code(void *ctx, const struct store_row *row)
{
	const struct summary *s = ctx;

	return !strcmp(row->commit, s->commit.id) && row->dirty == s->commit.dirty &&
	       strcmp(row->id, s->id) != 0;
}

/* What is moved is left empty. */
static int take_new(struct summary *to, struct summary *from, struct err *err)
{
	size_t i;

	for (i = 0; i < from->n_benchmarks; i++) {
		struct bench *old = &from->benchmarks[i], *b;

		if (summary_find(to, old->name))
			continue;
		b = summary_add_bench(to, "", err);
		if (!b)
			return -1;
		free(b->name);
		*b = *old;
		*old = (struct bench){ .name = NULL };
	}
	return 0;
}

static int take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct summary *to = ctx, from;
	int result = 0;

	(void)row;
	if (stored_summary(stored, &from, err))
		return -1;
	if (from.imported.n)
		result = take_new(to, &from, err);
	summary_release(&from);
	return result;
}

int join_imports(const struct context *c, struct store *store, struct summary *s, struct err *err)
{
	const struct store_visitor visitor = { s, is_of_code, take };
	size_t damaged;

	return s->commit.id ? store_visit(store, c->project, s->machine.id, &visitor, &damaged, err)
			    : 0;
}
