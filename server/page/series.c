#include "server/page/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "server/page/frame.h"

#include "lib/base/banned.h"

void series_release(struct series *s)
{
	free(s->points);
	jtree_free(s->root);
	buf_release(&s->json);
	*s = (struct series)SERIES_INIT;
}

/* A text of the ledger that is not empty. */
static const char *text_of(const struct jtree *v)
{
	const char *text = jtree_text(v);

	return text && *text ? text : NULL;
}

enum { COMMIT, TIME, VALUE, LOW, HIGH, N, VERDICT, RATIO, MACHINE, ID, SUSPECT, N_COLUMNS };

static void take(const struct jtree *const at[N_COLUMNS], struct series_point *out)
{
	*out = (struct series_point){ .commit = text_of(at[COMMIT]),
				      .time = text_of(at[TIME]),
				      .machine = text_of(at[MACHINE]),
				      .id = text_of(at[ID]),
				      .verdict = text_of(at[VERDICT]),
				      .value = jtree_number(at[VALUE]),
				      .low = jtree_number(at[LOW]),
				      .high = jtree_number(at[HIGH]),
				      .ratio = jtree_number(at[RATIO]),
				      .suspect = jtree_is_true(at[SUSPECT]) };
	if (!jtree_whole(at[N], &out->n))
		out->n = 0;
}

static int take_points(struct series *s, struct err *err)
{
	static const char *const names[N_COLUMNS] = {
		"commit",  "time",  "value",   "low", "high",	 "n",
		"verdict", "ratio", "machine", "id",  "suspect",
	};
	const struct jtree *points = jtree_get(s->root, "points"), *columns[N_COLUMNS];
	const struct jtree *at[N_COLUMNS];
	size_t i, k, n;

	for (k = 0; k < N_COLUMNS; k++) {
		columns[k] = jtree_get(points, names[k]);
		at[k] = jtree_first(columns[k]);
	}
	n = jtree_count(columns[VALUE]);
	s->points = calloc(n + 1, sizeof(*s->points));
	if (!s->points)
		return err_nomem(err);
	for (i = 0; i < n; i++) {
		take(at, &s->points[i]);
		for (k = 0; k < N_COLUMNS; k++)
			at[k] = jtree_after(columns[k], at[k]);
	}
	s->n = n;
	return 0;
}

/* Both are in the same order. */
static void take_changes(struct series *s)
{
	const struct jtree *changes = jtree_get(s->root, "change_points");
	const struct jtree *change = jtree_first(changes);
	size_t i;

	for (i = 0; i < s->n && change; i++) {
		const char *id = text_of(jtree_get(change, "id"));

		if (!id || !s->points[i].id || strcmp(id, s->points[i].id))
			continue;
		s->points[i].moved = true;
		s->points[i].base = text_of(jtree_get(change, "base"));
		change = jtree_after(changes, change);
	}
}

/* Levels of two machines are no history. */
static void keep_newest_machine(struct series *s)
{
	const char *machine = s->n ? s->points[s->n - 1].machine : NULL;
	size_t i, kept = 0;

	if (!machine)
		return;
	for (i = 0; i < s->n; i++)
		if (s->points[i].machine && !strcmp(s->points[i].machine, machine))
			s->points[kept++] = s->points[i];
	s->n = kept;
}

int series_read(struct ledger *l, const struct history_query *q, struct series *out,
		struct err *err)
{
	struct history_query asked = *q;
	struct series s = SERIES_INIT;
	const char *better;
	int64_t of;

	asked.with_outcome = !q->px;
	asked.columns = (1u << HISTORY_COLUMNS) - 1;
	if (ledger_history(l, &asked, &s.json, err))
		goto fail;
	s.root = frame_tree(&s.json, err);
	if (!s.root || take_points(&s, err))
		goto fail;
	s.metric = text_of(jtree_get(s.root, "metric"));
	s.unit = text_of(jtree_get(s.root, "unit"));
	s.unit = s.unit ? s.unit : "";
	better = text_of(jtree_get(s.root, "better"));
	s.higher = better && !strcmp(better, "higher");
	s.outcome = jtree_get(s.root, "outcome");
	if (jtree_kind(s.outcome) != JTREE_OBJECT)
		s.outcome = NULL;
	take_changes(&s);
	if (jtree_whole(jtree_get(jtree_get(s.root, "thinned"), "of"), &of))
		s.of = (size_t)of;
	if (!q->machine)
		keep_newest_machine(&s);
	*out = s;
	return 0;
fail:
	series_release(&s);
	return -1;
}

const char *series_verdict(const struct series_point *p)
{
	return p->verdict && p->suspect ? "suspect" : p->verdict;
}

const char *series_newest(const struct series *s)
{
	if (s->outcome)
		return jtree_text(jtree_get(s->outcome, "status"));
	return s->n ? series_verdict(&s->points[s->n - 1]) : NULL;
}

int series_moved(const struct series_point *p)
{
	if (!p->moved || !p->verdict)
		return 0;
	return strcmp(p->verdict, "regressed") ? -1 : 1;
}

const struct series_point *series_last_move(const struct series *s)
{
	size_t i;

	for (i = s->n; i > 0; i--)
		if (s->points[i - 1].moved)
			return &s->points[i - 1];
	return NULL;
}

void series_change(double ratio, const char *unit, struct buf *out)
{
	cell_delta(&(struct delta){ .ratio = ratio }, unit, out);
}

void series_interval(const struct series_point *p, const char *unit, struct buf *out)
{
	double size = fmax(fabs(p->low), fabs(p->high));
	struct scale scale = scale_of(unit, size);
	int decimals;

	if (!isfinite(size)) {
		buf_addc(out, '-');
		return;
	}
	size /= scale.factor;
	decimals = size < 10 ? 3 : size < 100 ? 2 : 1;
	buf_addf(out, "[%.*f, %.*f] ", decimals, p->low / scale.factor, decimals,
		 p->high / scale.factor);
	scale_unit(&scale, out);
}
