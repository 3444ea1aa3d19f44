#include "lib/store/ledger/newest.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/ledger/known.h"
#include "lib/store/points/sheet.h"
#include "lib/store/points/merge.h"

#include "lib/base/banned.h"

/* The same of those behind that place. */
static int newest_behind(struct ledger *l, struct recent **kept, int64_t project,
			 const int64_t *series, size_t n, const struct hidden *hidden,
			 const struct merge_place *from, struct ledger_point *out, struct err *err)
{
	struct place newest = PLACE_START, at;
	struct merge *points = NULL;
	const struct ledger_point *p = NULL;
	int step, found = 0;

	if (merge_open(&l->db, kept, project, series, n, from, &points, err))
		return -1;
	while ((step = merge_next(points, &p, err)) > 0) {
		if ((p->flags & POINT_DIRTY) || hidden_has(hidden, p->run))
			continue;
		if (place_of(l, p, &at, err)) {
			step = -1;
			break;
		}
		if (place_order(&at, &newest) > 0) {
			newest = at;
			*out = *p;
			found = 1;
		}
	}
	merge_close(points);
	return step < 0 ? -1 : found;
}

int newest_point(struct ledger *l, struct recent **kept, int64_t project, const int64_t *series,
		 size_t n, const struct hidden *hidden, struct ledger_point *out, struct err *err)
{
	const struct merge_place start = { INT64_MIN, 0, 0 };
	struct merge_place from = start;
	bool all = false;
	size_t most;
	int found = 0;

	/* From further and further back. */
	for (most = 1; !found && !all; most *= 8) {
		if (merge_last(&l->db, project, series, n, most, &start, &from, &all, err))
			return -1;
		from.run = from.series = 0; /* all of its commit */
		found = newest_behind(l, kept, project, series, n, hidden, &from, out, err);
	}
	return found;
}

/* A series whose run was retracted or restored. */
static int mend_gate(struct ledger *l, struct recent **kept, int64_t project, int64_t series,
		     const char *benchmark, int64_t gate, struct err *err)
{
	struct hidden hidden = { .n = 0 };
	struct ledger_point newest;
	int found = hidden_find(l, project, benchmark, &hidden, err);

	if (!found)
		found = newest_point(l, kept, project, &series, 1, &hidden, &newest, err);
	hidden_release(&hidden);
	if (found <= 0 || gate == ((newest.flags & POINT_GATE) != 0))
		return found < 0 ? -1 : 0;
	return db_run(&l->db, err, "UPDATE series SET gate=?3 WHERE project_id=?1 AND series_id=?2",
		      "iii", project, series, (int64_t)!gate);
}

/* Where it is of the benchmark. */
static int mend_series(struct ledger *l, struct recent **kept, int64_t project, int64_t series,
		       const char *benchmark, struct err *err)
{
	struct db_query *st = NULL;
	char *name = NULL;
	int64_t gate = 0;
	int step, result;

	if (db_start(&l->db, &st, err,
		     "SELECT benchmark, gate FROM series WHERE project_id=?1 AND series_id=?2",
		     "ii", project, series))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		gate = db_integer(st, 1);
		step = str_set(&name, db_text(st, 0), err);
	}
	db_end(st);
	result = step;
	if (!result && name && (!benchmark || !strcmp(benchmark, name)))
		result = mend_gate(l, kept, project, series, name, gate, err);
	free(name);
	return result;
}

int newest_gates(struct ledger *l, int64_t project, int64_t run, const char *benchmark,
		 struct err *err)
{
	struct recent *kept = NULL;
	struct db_query *st = NULL;
	struct sheet sheet;
	const void *bytes;
	size_t n;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT t, points FROM sheet WHERE project_id=?1 AND run_id=?2", "ii", project,
		     run))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		bytes = db_bytes(st, 1, &n);
		step = sheet_open(&sheet, project, run, db_integer(st, 0), bytes, n, err);
		while (!step && sheet_next(&sheet))
			step = mend_series(l, &kept, project, sheet.series, benchmark, err);
	}
	db_end(st);
	recent_free(kept);
	known_forget(l);
	return step < 0 ? -1 : 0;
}
