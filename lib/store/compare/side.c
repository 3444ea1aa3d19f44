#include "lib/store/compare/side.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/ledger/names.h"
#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

static void release_cell(struct cell *c)
{
	free(c->names);
	free(c->how);
}

static void release_outcome(struct outcome *o)
{
	free(o->benchmark);
	free(o->machine);
	free(o->status);
}

void ledger_side_release(struct ledger_side *side)
{
	size_t i;

	for (i = 0; i < side->n_cells; i++)
		release_cell(&side->cells[i]);
	for (i = 0; i < side->n_outcomes; i++)
		release_outcome(&side->outcomes[i]);
	free(side->cells);
	free(side->outcomes);
}

/* One more element of size bytes at the end of *array, zeroed; NULL without memory. */
static void *grow(void **array, size_t *n, size_t size, struct err *err)
{
	/* The capacity is the next power of two. */
	if (!(*n & (*n - 1))) {
		void *grown = realloc(*array, (*n ? 2 * *n : 1) * size);

		if (!grown) {
			err_nomem(err);
			return NULL;
		}
		*array = grown;
	}
	return memset((char *)*array + size * (*n)++, 0, size);
}

static int order_names(const char *bench_a, const char *machine_a, const char *bench_b,
		       const char *machine_b)
{
	int order = strcmp(bench_a, bench_b);

	return order ? order : strcmp(machine_a, machine_b);
}

int cell_order(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	int order = order_names(x->benchmark, x->machine, y->benchmark, y->machine);

	if (!order)
		order = strcmp(x->metric, y->metric);
	if (!order)
		order = strcmp(x->unit, y->unit);
	return order ? order : x->higher - y->higher;
}

static int order_series(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	return (x->series > y->series) - (x->series < y->series);
}

static bool is_newer(struct measured a, struct measured b)
{
	return a.at != b.at ? a.at > b.at : a.run > b.run;
}

static bool is_skipped(const struct outcome *o)
{
	return !strcmp(o->status, "skipped");
}

/* Of one benchmark and machine the newest first, those that were skipped behind the others. */
static int order_outcomes(const void *a, const void *b)
{
	const struct outcome *x = a, *y = b;
	int order = order_names(x->benchmark, x->machine, y->benchmark, y->machine);

	order = order ? order : is_skipped(x) - is_skipped(y);
	if (order)
		return order;
	return is_newer(y->measured, x->measured) - is_newer(x->measured, y->measured);
}

struct names {
	const char *benchmark, *machine;
};

static int order_cell_of(const void *key, const void *cell)
{
	const struct names *x = key;
	const struct cell *y = cell;

	return order_names(x->benchmark, x->machine, y->benchmark, y->machine);
}

static int order_outcome_of(const void *key, const void *outcome)
{
	const struct names *x = key;
	const struct outcome *y = outcome;

	return order_names(x->benchmark, x->machine, y->benchmark, y->machine);
}

const char *ledger_side_status(const struct ledger_side *side, const char *benchmark,
			       const char *machine)
{
	struct names key = { benchmark, machine };
	const struct outcome *found = NULL;

	if (side->n_outcomes)
		found = bsearch(&key, side->outcomes, side->n_outcomes, sizeof(*found),
				order_outcome_of);
	return found ? found->status : NULL;
}

/* That of the first n cells, sorted by series; NULL: none has it. */
static struct cell *find_series(const struct ledger_side *side, size_t n, int64_t series)
{
	struct cell key = { .series = series };

	return n ? bsearch(&key, side->cells, n, sizeof(key), order_series) : NULL;
}

/* One run of the commit. */
struct run {
	int64_t project, run;
	int64_t base; /* the commit that is asked for; 0: none */
	const char *id;
	struct measured measured;
	size_t n_before; /* cells that runs before it gave */
};

/* What the series is, in one piece of memory. */
static int name_cell(struct cell *c, const struct series_names *n, struct err *err)
{
	c->names = malloc(n->n_bytes);
	if (!c->names)
		return err_nomem(err);
	memcpy(c->names, n->benchmark, n->n_bytes);
	c->benchmark = c->names;
	c->machine = c->names + (n->machine - n->benchmark);
	c->metric = c->names + (n->metric - n->benchmark);
	c->unit = c->names + (n->unit - n->benchmark);
	c->higher = n->higher;
	return 0;
}

static int lost_series(const struct run *run, int64_t series, struct err *err)
{
	err_set(err, ERR_CORRUPT, "a point of run %lld is of series %lld, which is lost",
		(long long)run->run, (long long)series);
	return err_hint(err, "pawld fsck --store STORE");
}

static int read_cell(const struct run *run, const struct sheet *sheet,
		     const struct series_names *names, struct cell *c, struct err *err)
{
	struct ledger_point p;
	const char *how;
	size_t n_how;

	if (sheet_read(sheet, &p, &how, &n_how, err))
		return -1;
	c->series = p.series;
	c->n = p.n;
	c->v = p.v;
	c->low = p.low;
	c->high = p.high;
	c->flags = p.flags;
	c->verdict = p.verdict;
	c->ratio = p.ratio;
	c->ratio_low = p.ratio_low;
	c->ratio_high = p.ratio_high;
	c->newest = run->measured;
	c->run = run->run;
	c->against_base = p.base && p.base == run->base;
	strncpy(c->id, run->id, sizeof(c->id) - 1);
	if (n_how) {
		c->how = strndup(how, n_how);
		if (!c->how)
			return err_nomem(err);
	}
	return name_cell(c, names, err);
}

/* Those series of the sheet that no run before it had, and whose benchmark is not hidden. */
static int add_cells(struct ledger *l, struct ledger_side *side, const struct run *run,
		     const struct strv *hidden, struct sheet *sheet, struct err *err)
{
	while (sheet_next(sheet)) {
		struct series_names names;
		void *cells = side->cells;
		struct cell *c;
		int found;

		c = find_series(side, run->n_before, sheet->series);
		if (c && !is_newer(run->measured, c->newest))
			continue;
		found = names_find(l, run->project, sheet->series, &names, err);
		if (found <= 0)
			return found < 0 ? -1 : lost_series(run, sheet->series, err);
		if (strv_has(hidden, names.benchmark))
			continue;
		if (c) {
			c->newest = run->measured;
			continue;
		}
		c = grow(&cells, &side->n_cells, sizeof(*c), err);
		side->cells = cells;
		if (!c || read_cell(run, sheet, &names, c, err))
			return -1;
	}
	if (side->n_cells > run->n_before)
		qsort(side->cells, side->n_cells, sizeof(*side->cells), order_series);
	return 0;
}

static int add_outcomes(struct ledger *l, struct ledger_side *side, const struct run *run,
			struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT o.benchmark, e.machine, o.status FROM outcome AS o"
		     " JOIN run AS r ON r.project_id=o.project_id AND r.run_id=o.run_id"
		     " JOIN env AS e ON e.project_id=r.project_id AND e.env_id=r.env_id"
		     " WHERE o.project_id=?1 AND o.run_id=?2 AND " IS_SHOWN_OF("o.benchmark"),
		     "ii", run->project, run->run))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		void *outcomes = side->outcomes;
		struct outcome *o = grow(&outcomes, &side->n_outcomes, sizeof(*o), err);

		side->outcomes = outcomes;
		if (!o || str_set(&o->benchmark, db_text(st, 0), err) ||
		    str_set(&o->machine, db_text(st, 1), err) ||
		    str_set(&o->status, db_text(st, 2), err)) {
			step = -1;
			break;
		}
		o->measured = run->measured;
	}
	db_end(st);
	return step;
}

/* The statement's row, of which run is the head. */
static int add_run(struct ledger *l, struct ledger_side *side, const struct run *run,
		   struct db_query *st, struct err *err)
{
	struct strv hidden = STRV_INIT;
	struct sheet sheet;
	size_t n;
	const void *bytes = db_bytes(st, 3, &n);
	int result = db_row_check(st, err) ||
				     sheet_open(&sheet, run->project, run->run, db_integer(st, 1),
						bytes, n, err) ||
				     hidden_benchmarks(l, run->project, run->run, &hidden, err) ||
				     add_cells(l, side, run, &hidden, &sheet, err) ||
				     add_outcomes(l, side, run, err)
			     ? -1
			     : 0;

	strv_release(&hidden);
	return result;
}

/* 0 where there is none. */
static int find_base(struct ledger *l, int64_t project, int apart, const char *sha, int64_t *out,
		     struct err *err)
{
	int found;

	*out = 0;
	if (!sha)
		return 0;
	found = db_get(&l->db, out, err,
		       "SELECT commit_id FROM vcs_commit WHERE project_id=?1 AND apart=?2"
		       " AND sha=?3",
		       "iit", project, (int64_t)apart, sha);
	return found < 0 ? -1 : 0;
}

/* Where the cells of that benchmark and machine end, and whether one is newer than it. */
static size_t pass_cells(const struct ledger_side *side, size_t at, const struct outcome *o,
			 bool *out_newer)
{
	*out_newer = false;
	for (; at < side->n_cells; at++) {
		const struct cell *c = &side->cells[at];

		if (order_cell_of(&(struct names){ o->benchmark, o->machine }, c))
			break;
		*out_newer = *out_newer || is_newer(c->newest, o->measured);
	}
	return at;
}

/*
 * What was measured last decides: it failed, or what it was before.  One that was skipped says
 * nothing of a value that is there.  Both are in order.
 */
static void keep_newest(struct ledger_side *side)
{
	size_t i, at = 0, n_cells = 0, n_outcomes = 0;

	for (i = 0; i < side->n_outcomes; i++) {
		struct outcome o = side->outcomes[i];
		struct names key = { o.benchmark, o.machine };
		bool is_last, newer;
		size_t end;

		while (i + 1 < side->n_outcomes && !order_outcome_of(&key, &side->outcomes[i + 1]))
			release_outcome(&side->outcomes[++i]);
		while (at < side->n_cells && order_cell_of(&key, &side->cells[at]) > 0)
			side->cells[n_cells++] = side->cells[at++];
		end = pass_cells(side, at, &o, &newer);
		is_last = end == at || (!newer && !is_skipped(&o));
		for (; at < end; at++)
			if (is_last)
				release_cell(&side->cells[at]);
			else
				side->cells[n_cells++] = side->cells[at];
		if (is_last)
			side->outcomes[n_outcomes++] = o;
		else
			release_outcome(&o);
	}
	while (at < side->n_cells)
		side->cells[n_cells++] = side->cells[at++];
	side->n_cells = n_cells;
	side->n_outcomes = n_outcomes;
}

/* For people and for searching by name. */
static void sort_by_name(struct ledger_side *side)
{
	if (side->n_cells)
		qsort(side->cells, side->n_cells, sizeof(*side->cells), cell_order);
	if (side->n_outcomes)
		qsort(side->outcomes, side->n_outcomes, sizeof(*side->outcomes), order_outcomes);
	keep_newest(side);
}

int ledger_side_read(struct ledger *l, int64_t project, const char *base_sha,
		     struct ledger_side *side, struct err *err)
{
	struct db_query *st = NULL;
	int64_t base;
	int step;

	if (find_base(l, project, side->apart, base_sha, &base, err) ||
	    db_start(&l->db, &st, err,
		     "SELECT r.run_id, p.t, r.id, p.points, " MEASURED_OF(
			     "r") " FROM run AS r INDEXED BY run_by_commit"
				  " LEFT JOIN sheet AS p ON p.project_id=r.project_id AND "
				  "p.run_id=r.run_id"
				  " WHERE r.project_id=?1 AND r.commit_id=?2 AND r.dirty=0 "
				  "AND " IS_SHOWN
				  " ORDER BY (r.base_id IS NOT NULL AND r.base_id=?3) "
				  "DESC, " MEASURED_OF("r") " DESC, r.run_id DESC",
		     "iii", project, side->commit, base))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		struct run run = { .project = project,
				   .run = db_integer(st, 0),
				   .base = base,
				   .id = db_text(st, 2),
				   .measured = { db_integer(st, 4), db_integer(st, 0) },
				   .n_before = side->n_cells };

		if (add_run(l, side, &run, st, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	if (!step)
		sort_by_name(side);
	return step;
}
