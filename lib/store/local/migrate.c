#include "lib/store/local/migrate.h"

#include <string.h>

#include "lib/record/packed/pack.h"
#include "lib/store/local/local.h"

#include "lib/base/banned.h"

/* Whether the packed bytes make that very document. */
static bool is_exact(const struct buf *packed, const struct row *row)
{
	struct buf json = BUF_INIT;
	struct summary s;
	bool exact;

	if (summary_unpack(packed->data, packed->len, &s, NULL))
		return false;
	exact = !summary_encode(&s, 0, &json, NULL) && json.len == row->n &&
		!memcmp(json.data, row->json, row->n);
	summary_release(&s);
	buf_release(&json);
	return exact;
}

static int update(struct db *db, const struct row *row, const struct row_parts *parts,
		  struct err *err)
{
	return db_run(db, err,
		      "UPDATE result SET binaries='', sha256='', json=x'', sum=?2, points=?3,"
		      " packed=?4 WHERE seq=?1",
		      "iibb", row->seq, (int64_t)row_sum(row), (const void *)parts->points.data,
		      parts->points.len, (const void *)parts->packed.data, parts->packed.len);
}

/* A document that cannot be decoded, or not kept packed without a loss, is left alone. */
static int pack_row(struct db *db, const struct row *row, struct err *err)
{
	struct row_parts parts = ROW_PARTS_INIT;
	struct err fault = ERR_INIT;
	struct summary s;
	int result = 0;

	if (row_decode(row, &s, &fault))
		return fault.code == ERR_NOMEM ? err_nomem(err) : 0;
	if (row_parts_make(&s, &parts, &fault))
		result = fault.code == ERR_NOMEM ? err_nomem(err) : 0;
	else if (is_exact(&parts.packed, row))
		result = update(db, row, &parts, err);
	row_parts_release(&parts);
	summary_release(&s);
	return result;
}

/* One by its number: a row is not changed while a statement goes through the table. */
static int migrate_row(struct db *db, int64_t seq, struct err *err)
{
	struct err fault = ERR_INIT;
	struct db_query *st = NULL;
	struct row row;
	int step, result = 0;

	if (db_start(db, &st, err, "SELECT " STORE_HEAD STORE_BODY " FROM result AS s WHERE seq=?1",
		     "i", seq))
		return -1;
	step = db_step(db, st, err);
	if (step > 0 && !row_read(st, &row, &fault))
		result = row.is_packed ? 0 : pack_row(db, &row, err);
	else if (step > 0 && fault.code == ERR_NOMEM)
		result = err_nomem(err);
	db_end(st);
	return step < 0 ? -1 : result;
}

int migrate_rows(struct db *db, struct err *err)
{
	int64_t seq = INT64_MIN;
	int found;

	/* From one to the next: what a damaged number leaves out is not counted through. */
	while (!(found = db_get(db, &seq, err,
				"SELECT seq FROM result WHERE seq>?1 ORDER BY seq LIMIT 1", "i",
				seq)))
		if (migrate_row(db, seq, err))
			return -1;
	return found < 0 ? -1 : 0;
}

int migrate_view(struct db *db, struct err *err)
{
	int64_t version = 0;

	if (db_get(db, &version, err, "PRAGMA user_version", "") < 0)
		return -1;
	if (version != 1)
		return 0;
	/* Before query_only, which stands for every schema, the temporary one too. */
	return db_exec(db,
		       "PRAGMA query_only=OFF; PRAGMA temp_store=MEMORY;"
		       "CREATE TEMP VIEW result AS SELECT seq, id, project, commit_id, machine,"
		       " finished_us, dirty, usable, posted, binaries, sha256, json,"
		       " NULL AS sum, NULL AS points, NULL AS packed FROM main.summary",
		       err) || (db->read_only && db_exec(db, "PRAGMA query_only=ON", err))
		       ? -1
		       : 0;
}
