/*
 * ledger_undo - makes an earlier schema of today's ledger, a step at a time: undo_seventh() first,
 * then SQL.  Nobody may have the file open.
 */
#ifndef PAWL_TESTS_UNIT_STORE_LEDGER_UNDO_H
#define PAWL_TESTS_UNIT_STORE_LEDGER_UNDO_H

#include <math.h>

#include "tests/unit/store_fixture.h"

#include "lib/store/ledger/local.h"
#include "lib/store/points/sheet.h"

/* As the sixth schema had it. */
#define SIXTH_POINT \
	"CREATE TABLE point (" \
	" project_id INTEGER NOT NULL, series_id INTEGER NOT NULL, t INTEGER NOT NULL," \
	" run_id INTEGER NOT NULL, n INTEGER NOT NULL, v REAL NOT NULL, low REAL, high REAL," \
	" flags INTEGER NOT NULL, verdict INTEGER NOT NULL, ratio REAL, ratio_low REAL," \
	" ratio_high REAL, base_id INTEGER, how TEXT, moved INTEGER, sum INTEGER," \
	" PRIMARY KEY (project_id, series_id, t, run_id)) WITHOUT ROWID;" \
	"CREATE INDEX point_moved ON point (project_id, run_id) WHERE moved IS NOT NULL;"

#define SIXTH_REST \
	"UPDATE point SET moved=1 WHERE EXISTS (SELECT 1 FROM moved AS m" \
	" WHERE m.project_id=point.project_id AND m.run_id=point.run_id" \
	" AND m.series_id=point.series_id);" \
	"DROP TABLE sheet; DROP TABLE chunk; DROP TABLE moved; DROP TABLE retracted;" \
	"DROP TABLE audit; DROP TABLE alert; DROP TABLE target; DROP TABLE message;" \
	"DROP TABLE message_alert; DROP TABLE other_parent;" \
	"ALTER TABLE project DROP COLUMN watched;" \
	"ALTER TABLE project DROP COLUMN counted;" \
	"ALTER TABLE project DROP COLUMN folded; ALTER TABLE project DROP COLUMN fold_to;" \
	"ALTER TABLE project DROP COLUMN fold_at; ALTER TABLE project DROP COLUMN n_tail;" \
	"ALTER TABLE project DROP COLUMN n_tail_points; PRAGMA user_version=6;"

static inline void undo_point(struct db *db, const struct ledger_point *p, const char *how,
			      size_t n_how)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*s", (int)n_how, how ? how : "");
	assert_int_equal(
		db_run(db, NULL,
		       "INSERT INTO point VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,"
		       "nullif(?14,0),?15,NULL,?16)",
		       "iiiiidddiidddi"
		       "ti",
		       p->project, p->series, p->t, p->run, p->n, p->v, p->low, p->high, p->flags,
		       p->verdict, p->ratio, p->ratio_low, p->ratio_high, p->base,
		       n_how ? text : NULL, point_sum(p)),
		0);
}

/* Seven bits a byte, the least first; the last one has the eighth. */
static inline void ids_add(struct buf *out, int64_t id)
{
	uint64_t rest = (uint64_t)id;

	for (; rest >= 128; rest >>= 7)
		buf_addc(out, (char)(rest & 127));
	buf_addc(out, (char)(rest | 128));
}

static inline void undo_sheet(struct db *db, struct db_query *st)
{
	struct buf ids = BUF_INIT;
	struct ledger_point p;
	struct sheet sheet;
	const char *how;
	size_t n, n_how;
	const void *bytes = db_bytes(st, 3, &n);

	assert_int_equal(sheet_open(&sheet, db_integer(st, 0), db_integer(st, 1), db_integer(st, 2),
				    bytes, n, NULL),
			 0);
	while (sheet_next(&sheet)) {
		assert_int_equal(sheet_read(&sheet, &p, &how, &n_how, NULL), 0);
		undo_point(db, &p, how, n_how);
		ids_add(&ids, p.series);
	}
	assert_int_equal(
		db_run(db, NULL, "UPDATE run SET series_ids=?3 WHERE project_id=?1 AND run_id=?2",
		       "iib", sheet.project, sheet.run, (const void *)buf_str(&ids), ids.len),
		0);
	buf_release(&ids);
}

static inline void undo_seventh(const char *path)
{
	struct db_query *st = NULL;
	struct db db = DB_INIT;

	meddle(path, SIXTH_POINT);
	assert_int_equal(db_open(&db, path, DB_WRITE, "", NULL), 0);
	assert_int_equal(
		db_start(&db, &st, NULL, "SELECT project_id, run_id, t, points FROM sheet", ""), 0);
	while (db_step(&db, st, NULL) > 0)
		undo_sheet(&db, st);
	db_end(st);
	db_close(&db);
	meddle(path, SIXTH_REST);
}

#define UNDO_SIXTH "ALTER TABLE point DROP COLUMN sum; PRAGMA user_version=5;"

#define UNDO_FIFTH "ALTER TABLE document DROP COLUMN coding; PRAGMA user_version=4;"

#define UNDO_FOURTH \
	"DROP INDEX commit_by_place; DROP INDEX commit_by_parent;" \
	"ALTER TABLE vcs_commit DROP COLUMN place;" \
	"CREATE INDEX commit_by_time ON vcs_commit (project_id, apart, committed_us, commit_id)" \
	" WHERE committed_us IS NOT NULL; PRAGMA user_version=3;"

#define UNDO_THIRD \
	"DROP INDEX run_by_branch; DROP INDEX commit_by_time;" \
	"ALTER TABLE project DROP COLUMN n_runs; ALTER TABLE project DROP COLUMN n_runs_apart;" \
	"ALTER TABLE project DROP COLUMN n_commits;" \
	"ALTER TABLE project DROP COLUMN n_benchmarks; PRAGMA user_version=2;"

#define UNDO_SECOND \
	"ALTER TABLE run DROP COLUMN shard; ALTER TABLE run DROP COLUMN shards;" \
	"ALTER TABLE run DROP COLUMN shard_group; ALTER TABLE run DROP COLUMN shard_split;" \
	"PRAGMA user_version=1;"

#endif
