#include "cli/imports.h"

#include "cli/joined.h"
#include "lib/store/local/visit.h"

#include "lib/base/banned.h"

static bool is_of_code(void *ctx, const struct store_row *row)
{
	return joined_is_other(ctx, row);
}

/* What is moved is left empty. */
static int take_new(struct summary *to, struct summary *from, struct err *err)
{
	size_t i;

	for (i = 0; i < from->n_benchmarks; i++) {
		struct bench *b = &from->benchmarks[i];

		if (!summary_find(to, b->name) && summary_take_bench(to, b, err))
			return -1;
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
