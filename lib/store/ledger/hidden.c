/* The runs that are not shown. */
#include <stdlib.h>

#include "lib/store/ledger/local.h"

#include "lib/base/banned.h"

/* 1: nothing of the project is, as it was found for the snapshot that is held. */
static int is_unhidden(struct ledger *l, int64_t project, struct err *err)
{
	uint64_t held = db_held(&l->db);
	int64_t any;
	int found;

	if (!held)
		return 0;
	if (l->unhidden.held == held && l->unhidden.project == project)
		return 1;
	found = db_get(&l->db, &any, err, "SELECT 1 FROM retracted WHERE project_id=?1 LIMIT 1",
		       "i", project);
	if (found > 0) {
		l->unhidden.project = project;
		l->unhidden.held = held;
	}
	return found;
}

int hidden_find(struct ledger *l, int64_t project, const char *benchmark, struct hidden *out,
		struct err *err)
{
	struct db_query *st = NULL;
	int step = is_unhidden(l, project, err);

	if (step)
		return step < 0 ? -1 : 0;
	if (db_start(&l->db, &st, err,
		     "SELECT DISTINCT run_id FROM retracted WHERE project_id=?1"
		     " AND benchmark IN ('', ?2) ORDER BY run_id",
		     "it", project, benchmark))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		int64_t run = db_integer(st, 0);

		buf_add(&out->runs, &run, sizeof(run));
		out->n++;
	}
	db_end(st);
	return step ? -1 : buf_check(&out->runs, err);
}

static int order_numbers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

bool hidden_has(const struct hidden *h, int64_t run)
{
	return h->n && bsearch(&run, h->runs.data, h->n, sizeof(run), order_numbers);
}

void hidden_release(struct hidden *h)
{
	buf_release(&h->runs);
}

int hidden_benchmarks(struct ledger *l, int64_t project, int64_t run, struct strv *out,
		      struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT benchmark FROM retracted WHERE project_id=?1 AND run_id=?2", "ii",
		     project, run))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0)
		if (strv_add(out, db_text(st, 0), err)) {
			step = -1;
			break;
		}
	db_end(st);
	return step;
}
