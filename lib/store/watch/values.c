#include "lib/store/watch/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

enum { COMMIT, ID, VALUE, VERDICT, RATIO, COLUMNS };

/* What a history is read by: its columns, and the row. */
struct columns {
	const struct jtree *lists[COLUMNS], *at[COLUMNS];
};

void values_release(struct values *v)
{
	free(v->x);
	free(v->at);
	*v = (struct values){ .n = 0 };
}

static void columns_open(struct columns *c, const struct jtree *points)
{
	static const char *const names[] = { "commit", "id", "value", "verdict", "ratio" };
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		c->lists[i] = jtree_get(points, names[i]);
		c->at[i] = jtree_first(c->lists[i]);
	}
}

static bool columns_has(const struct columns *c)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		if (!c->at[i])
			return false;
	return true;
}

static void columns_next(struct columns *c)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		c->at[i] = jtree_after(c->lists[i], c->at[i]);
}

/* What was measured side by side there decides, not the history. */
static void take_verdict(const char *verdict, double ratio, struct value *out)
{
	bool same = verdict && !strcmp(verdict, "identical");
	double change = same ? 0 : log(ratio);

	if (verdict && (!strcmp(verdict, "regressed") || !strcmp(verdict, "improved")))
		out->measured = out->changed = true;
	if (same || (verdict && !strcmp(verdict, "unchanged")))
		out->measured = true;
	if (!isfinite(change))
		return;
	out->n_ratio++;
	out->ratio = out->n_ratio == 1 ? change
				       : out->ratio + (change - out->ratio) / (double)out->n_ratio;
}

static void gather(struct values *v, struct columns *c)
{
	const char *last = NULL;
	size_t n_same = 0;

	for (; columns_has(c); columns_next(c)) {
		const char *commit = jtree_text(c->at[COMMIT]), *id = jtree_text(c->at[ID]);
		double x = jtree_number(c->at[VALUE]);

		/* A level of 0 has no ratio to another one. */
		if (!isfinite(x) || x <= 0 || !commit || !id)
			continue;
		if (!last || strcmp(last, commit) != 0) {
			v->at[v->n++] = (struct value){ id, commit, (double)NAN, 0, false, false };
			last = commit;
			n_same = 0;
		}
		n_same++;
		v->x[v->n - 1] += (log(x) - v->x[v->n - 1]) / (double)n_same;
		take_verdict(jtree_text(c->at[VERDICT]), jtree_number(c->at[RATIO]),
			     &v->at[v->n - 1]);
	}
}

int values_read(const struct jtree *root, struct values *out, struct err *err)
{
	struct columns c;
	size_t n;

	columns_open(&c, jtree_get(root, "points"));
	n = jtree_count(c.lists[VALUE]);
	out->x = calloc(n + 1, sizeof(*out->x));
	out->at = calloc(n + 1, sizeof(*out->at));
	if (!out->x || !out->at)
		return err_nomem(err);
	gather(out, &c);
	return 0;
}

size_t values_find(const struct values *v, const char *commit)
{
	size_t i;

	for (i = 0; i < v->n && strcmp(v->at[i].commit, commit) != 0; i++)
		;
	return i;
}
