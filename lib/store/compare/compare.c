/* Two commits side by side, from what was recorded for each. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/compare/beside.h"
#include "lib/store/points/point.h"

#include "lib/base/banned.h"

static void write_value(struct jsonw *w, const char *key, const struct cell *c, const char *status)
{
	double ci[2];

	jsonw_key(w, key);
	if (!c && !status) {
		jsonw_null(w);
		return;
	}
	jsonw_object(w);
	jsonw_kstring(w, "status", c ? "ok" : status);
	if (c) {
		ci[0] = c->low;
		ci[1] = c->high;
		jsonw_knumber(w, "median", c->v);
		jsonw_knumbers(w, "ci", ci, 2);
		jsonw_kinteger(w, "n", c->n);
		jsonw_kstring(w, "id", c->id);
	}
	jsonw_object_end(w);
}

static void write_recorded(struct jsonw *w, const struct cell *head)
{
	double ci[2] = { head->ratio_low, head->ratio_high };

	jsonw_object(w);
	jsonw_knumber(w, "ratio", head->ratio);
	if (isfinite(head->ratio))
		jsonw_knumbers(w, "ci", ci, 2);
	jsonw_kstring(w, "verdict", ledger_verdict(head->verdict));
	jsonw_kbool(w, "suspect", (head->flags & POINT_SUSPECT) != 0);
	jsonw_kstring(w, "how", head->how);
	jsonw_object_end(w);
}

/* Identical code has none, nor has what was compared by difference. */
static bool is_verdict_without_ratio(int64_t verdict)
{
	return verdict == VERDICT_IDENTICAL || verdict == VERDICT_REGRESSED ||
	       verdict == VERDICT_IMPROVED || verdict == VERDICT_UNCHANGED;
}

/* A verdict only where one was recorded for these two commits; never made up here. */
static void write_delta(struct jsonw *w, const struct cell *base, const struct cell *head)
{
	jsonw_key(w, "delta");
	if (head && head->against_base &&
	    (isfinite(head->ratio) || is_verdict_without_ratio(head->verdict))) {
		write_recorded(w, head);
	} else if (head && base && base->v > 0 && isfinite(head->v / base->v)) {
		jsonw_object(w);
		jsonw_knumber(w, "ratio", head->v / base->v);
		jsonw_kstring(w, "verdict", NULL);
		jsonw_kstring(w, "how", "stored");
		jsonw_object_end(w);
	} else {
		jsonw_null(w);
	}
}

/* What the recorded change is of, and not what is stored for the base; it is in head's document. */
static void write_beside(struct jsonw *w, const struct cell *head)
{
	const double unknown[2] = { (double)NAN, (double)NAN };

	jsonw_key(w, "base");
	jsonw_object(w);
	jsonw_kstring(w, "status", "ok");
	jsonw_knumber(w, "median", head->beside.v);
	jsonw_knumbers(w, "ci", unknown, 2);
	jsonw_kinteger(w, "n", head->beside.n);
	jsonw_object_end(w);
}

/* The metrics of one benchmark and machine: those of base[0..n_base) and head[0..n_head). */
struct group {
	const char *benchmark, *machine;
	const struct cell *base, *head;
	size_t n_base, n_head;
	const char *base_status, *head_status;
};

static void write_metric(struct jsonw *w, const struct group *g, const struct cell *base,
			 const struct cell *head, const struct cell *shown)
{
	jsonw_object(w);
	jsonw_kstring(w, "name", shown->metric);
	jsonw_kstring(w, "unit", shown->unit);
	jsonw_kstring(w, "better", shown->higher ? "higher" : "lower");
	jsonw_kbool(w, "gate", (shown->flags & POINT_GATE) != 0);
	if (head && head->beside.is_there && isfinite(head->beside.v))
		write_beside(w, head);
	else
		write_value(w, "base", base, g->base_status);
	write_value(w, "head", head, g->head_status);
	write_delta(w, base, head);
	jsonw_object_end(w);
}

static void write_group(struct jsonw *w, const struct group *g)
{
	size_t i = 0, j = 0;

	assert((g->base || !g->n_base) && (g->head || !g->n_head));
	jsonw_object(w);
	jsonw_kstring(w, "name", g->benchmark);
	jsonw_kstring(w, "machine", g->machine);
	jsonw_key(w, "metrics");
	jsonw_array(w);
	while (i < g->n_base || j < g->n_head) {
		int order = i == g->n_base   ? 1
			    : j == g->n_head ? -1
					     : cell_order(&g->base[i], &g->head[j]);

		if (order < 0)
			write_metric(w, g, &g->base[i], NULL, &g->base[i]);
		else if (order > 0)
			write_metric(w, g, NULL, &g->head[j], &g->head[j]);
		else
			write_metric(w, g, &g->base[i], &g->head[j], &g->head[j]);
		i += order <= 0;
		j += order >= 0;
	}
	jsonw_array_end(w);
	jsonw_object_end(w);
}

static int order_groups(const struct cell *a, const struct cell *b)
{
	int order = strcmp(a->benchmark, b->benchmark);

	return order ? order : strcmp(a->machine, b->machine);
}

/* How many cells from at on belong to the benchmark and machine of `like`. */
static size_t count_group(const struct ledger_side *side, size_t at, const struct cell *like)
{
	size_t n = 0;

	while (at + n < side->n_cells && !order_groups(&side->cells[at + n], like))
		n++;
	return n;
}

/* Walks both sorted sides at once. */
static void write_groups(struct jsonw *w, const struct ledger_side *b, const struct ledger_side *h)
{
	size_t i = 0, j = 0;

	assert((b->cells || !b->n_cells) && (h->cells || !h->n_cells));
	while (i < b->n_cells || j < h->n_cells) {
		bool by_base = j == h->n_cells ||
			       (i < b->n_cells && order_groups(&b->cells[i], &h->cells[j]) < 0);
		const struct cell *first = by_base ? &b->cells[i] : &h->cells[j];
		struct group g = {
			.benchmark = first->benchmark,
			.machine = first->machine,
			.base = b->cells ? b->cells + i : NULL,
			.head = h->cells ? h->cells + j : NULL,
			.n_base = count_group(b, i, first),
			.n_head = count_group(h, j, first),
			.base_status = ledger_side_status(b, first->benchmark, first->machine),
			.head_status = ledger_side_status(h, first->benchmark, first->machine),
		};

		write_group(w, &g);
		i += g.n_base;
		j += g.n_head;
	}
}

/* What failed on a side when it was measured last. */
static void write_failures(struct jsonw *w, const char *key, const struct ledger_side *side)
{
	size_t i;

	jsonw_key(w, key);
	jsonw_array(w);
	for (i = 0; i < side->n_outcomes; i++) {
		const struct outcome *o = &side->outcomes[i];

		jsonw_object(w);
		jsonw_kstring(w, "name", o->benchmark);
		jsonw_kstring(w, "machine", o->machine);
		jsonw_kstring(w, "status", o->status);
		jsonw_object_end(w);
	}
	jsonw_array_end(w);
}

/* Writes a commit's head; *out_sha (may be NULL) is for the caller to free. */
static int write_commit(struct ledger *l, struct jsonw *w, const char *key, int64_t project,
			const struct ledger_side *side, char **out_sha, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT sha, parent, subject, committed_us FROM vcs_commit"
		     " WHERE project_id=?1 AND commit_id=?2",
		     "ii", project, side->commit))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		jsonw_key(w, key);
		jsonw_object(w);
		jsonw_kstring(w, "commit", db_text(st, 0));
		jsonw_kstring(w, "parent", db_is_null(st, 1) ? NULL : db_text(st, 1));
		jsonw_kstring(w, "subject", db_is_null(st, 2) ? NULL : db_text(st, 2));
		ledger_write_time(w, "time", db_integer(st, 3));
		jsonw_kbool(w, "untrusted", side->apart != 0);
		step = out_sha ? str_set(out_sha, db_text(st, 0), err) : 0;
		if (!step)
			step = ledger_write_parts(l, w, project, side->commit, err);
		jsonw_object_end(w);
	}
	db_end(st);
	return step;
}

static int find_head(struct ledger *l, int64_t project, const char *prefix, bool untrusted,
		     struct ledger_side *out, struct err *err)
{
	struct err mine = ERR_INIT;

	if (!ledger_find_commit(l, project, 0, prefix, &out->commit, &mine))
		return 0;
	if (untrusted && mine.code == ERR_ABSENT) {
		out->apart = 1;
		return ledger_find_commit(l, project, 1, prefix, &out->commit, err);
	}
	if (err)
		*err = mine;
	return -1;
}

static int compare(struct ledger *l, int64_t project, struct ledger_side *b, struct ledger_side *h,
		   struct jsonw *w, struct err *err)
{
	char *base_sha = NULL;
	int result = -1;

	if (write_commit(l, w, "base", project, b, &base_sha, err) ||
	    write_commit(l, w, "head", project, h, NULL, err) ||
	    ledger_side_read(l, project, NULL, b, err) ||
	    ledger_side_read(l, project, base_sha, h, err) || beside_read(l, project, h, err))
		goto out;
	jsonw_key(w, "benchmarks");
	jsonw_array(w);
	write_groups(w, b, h);
	jsonw_array_end(w);
	write_failures(w, "base_failures", b);
	write_failures(w, "head_failures", h);
	result = 0;
out:
	free(base_sha);
	return result;
}

int ledger_compare(struct ledger *l, const char *project, const char *base, const char *head,
		   bool untrusted, struct buf *out, struct err *err)
{
	struct ledger_side b = { .cells = NULL }, h = { .cells = NULL };
	struct jsonw w;
	int64_t id;
	int result = -1;

	if (db_begin_read(&l->db, err))
		return -1;
	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", project);
	if (ledger_find_project(l, project, &id, err) ||
	    ledger_find_commit(l, id, 0, base, &b.commit, err) ||
	    find_head(l, id, head, untrusted, &h, err) || compare(l, id, &b, &h, &w, err))
		goto out;
	jsonw_object_end(&w);
	result = buf_check(out, err);
out:
	db_rollback(&l->db);
	ledger_side_release(&b);
	ledger_side_release(&h);
	return result;
}
