/*
 * grow - makes questions to a ledger slow behind pawld's back.
 *
 *   grow STORE N       the first series that decides gets N points of uncommitted work, which a
 *                      history reads and leaves out
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/store/points/chunk.h"
#include "lib/store/db.h"
#include "lib/store/ledger/ledger.h"

#include "lib/base/banned.h"

#define CHUNK_POINTS 512

static void must(int result, const struct err *err)
{
	if (!result)
		return;
	fprintf(stderr, "grow: %s\n", err->text);
	exit(1);
}

static void find_first(struct db *db, struct ledger_point *out, struct err *err)
{
	struct db_query *st = NULL;

	must(db_start(db, &st, err,
		      "SELECT s.project_id, s.series_id, p.run_id, p.t FROM series AS s"
		      " JOIN sheet AS p ON p.project_id=s.project_id WHERE s.gate<>0"
		      " ORDER BY s.series_id, p.run_id LIMIT 1",
		      ""),
	     err);
	must(db_step(db, st, err) - 1, err);
	*out = (struct ledger_point){ .project = db_integer(st, 0),
				      .series = db_integer(st, 1),
				      .run = db_integer(st, 2),
				      .t = db_integer(st, 3),
				      .n = 1,
				      .v = 1,
				      .flags = POINT_DIRTY };
	db_end(st);
}

/* The n points behind *last, which becomes their last one. */
static void add_chunk(struct db *db, struct ledger_point *last, size_t n, struct err *err)
{
	struct ledger_point points[CHUNK_POINTS];
	struct buf bytes = BUF_INIT;
	struct chunk_key key;
	size_t i;

	for (i = 0; i < n; i++) {
		last->t++;
		points[i] = *last;
	}
	key = chunk_key_of(points, n);
	chunk_write(points, n, &bytes);
	must(db_run(db, err, "INSERT INTO chunk VALUES (?1,?2,?3,?4,?5,?6,?7,?8)", "iiiiiiib",
		    key.project, key.series, key.t0, key.run0, key.t1, key.run1, (int64_t)n,
		    (const void *)buf_str(&bytes), bytes.len),
	     err);
	buf_release(&bytes);
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	struct ledger_point last;
	struct err err = ERR_INIT;
	struct ledger *ledger = NULL;
	struct db *db;

	if (n <= 0)
		return 2;
	must(ledger_open(argv[1], LEDGER_CHANGE, &ledger, &err), &err);
	db = ledger_db(ledger);
	must(db_begin(db, &err), &err);
	find_first(db, &last, &err);
	for (; n > 0; n -= CHUNK_POINTS)
		add_chunk(db, &last, n < CHUNK_POINTS ? (size_t)n : CHUNK_POINTS, &err);
	must(db_commit(db, &err), &err);
	ledger_close(ledger);
	return 0;
}
