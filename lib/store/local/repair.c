/* Saving what is intact of a damaged store. */
#include "lib/store/local/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/store/local/local.h"
#include "lib/store/local/migrate.h"

#include "lib/base/banned.h"

void store_repair_release(struct store_repair *r)
{
	free(r->kept);
	memset(r, 0, sizeof(*r));
}

/* Its points are made anew. */
static int copy_parts(struct db *to, const struct row *row, struct err *err)
{
	struct row_parts parts = ROW_PARTS_INIT;
	struct summary s;
	int result;

	if (row_decode(row, &s, err))
		return -1;
	result = row_parts_make(&s, &parts, err) ||
		 db_run(to, err, "UPDATE result SET sum=?2, points=?3, packed=?4 WHERE seq=?1",
			"iibb", row->seq, (int64_t)row_sum(row), (const void *)parts.points.data,
			parts.points.len, row->packed, row->n_packed);
	row_parts_release(&parts);
	summary_release(&s);
	return result ? -1 : 0;
}

/* The row as it is. */
static int copy_row(void *ctx, struct db *from, const struct row *row, struct err *err)
{
	struct db *to = ctx;
	struct db_query *st = NULL;
	int64_t posted = 0;
	int result = 0;

	if (db_get(from, &posted, NULL, "SELECT posted FROM result WHERE seq=?1", "i", row->seq))
		posted = 0;
	if (db_run(to, err,
		   "INSERT INTO result (seq, id, project, commit_id, machine, finished_us, dirty,"
		   " usable, posted, binaries, json, sha256)"
		   " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)",
		   "ittttiiiitbt", row->seq, row->id, row->project, row->commit, row->machine,
		   row->finished_us, (int64_t)row->dirty, (int64_t)row->usable, posted,
		   row->binaries, (const void *)row->json, row->n, row->sha256) ||
	    (row->is_packed && copy_parts(to, row, err)))
		return -1;
	if (db_start(from, &st, NULL, "SELECT rejected, last_error FROM queue WHERE id=?1", "t",
		     row->id))
		return 0;
	/* Whether a damaged queue holds it cannot be told: the server knows the same id. */
	if (db_step(from, st, NULL) != 0)
		result = db_run(to, err,
				"INSERT INTO queue (id, size, rejected, last_error)"
				" VALUES (?1,?2,?3,?4)",
				"tiit", row->id, (int64_t)(row->n + row->n_packed),
				db_integer(st, 0), db_is_null(st, 1) ? NULL : db_text(st, 1));
	db_end(st);
	return result;
}

/* Renames from+suffix to to+suffix; a missing one is fine. */
static int move_aside(const char *from, const char *to, const char *suffix, struct err *err)
{
	struct buf a = BUF_INIT, b = BUF_INIT;
	int result = -1;

	buf_addf(&a, "%s%s", from, suffix);
	buf_addf(&b, "%s%s", to, suffix);
	if (buf_check(&a, err) || buf_check(&b, err))
		goto out;
	if (rename(buf_str(&a), buf_str(&b)) && errno != ENOENT) {
		err_sys(err, ERR_IO, "cannot rename '%s' to '%s'", buf_str(&a), buf_str(&b));
		goto out;
	}
	result = 0;
out:
	buf_release(&a);
	buf_release(&b);
	return result;
}

/* The file and what SQLite has beside it, of an earlier repair that was killed. */
static int drop_files(const char *path, struct err *err)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };
	struct buf name = BUF_INIT;
	int result = 0;
	size_t i;

	for (i = 0; !result && i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		buf_reset(&name);
		buf_addf(&name, "%s%s", path, suffixes[i]);
		if (buf_check(&name, err))
			result = -1;
		else if (unlink(buf_str(&name)) && errno != ENOENT)
			result = err_sys(err, ERR_IO, "cannot remove '%s'", buf_str(&name));
	}
	buf_release(&name);
	return result;
}

/* Under both names, so that there is a store at every moment; where there are no links, moved. */
static int keep_beside(const char *path, const char *kept, struct err *err)
{
	return link(path, kept) ? move_aside(path, kept, "", err) : 0;
}

/*
 * What was committed lies in the log beside the file.  Closing would fold it in too, and say
 * nothing where that fails; under its new name the file would be without it.
 */
static int fold_in(struct db *db, struct err *err)
{
	int64_t is_busy = 0;

	if (db_get(db, &is_busy, err, "PRAGMA wal_checkpoint(TRUNCATE)", "") < 0)
		return -1;
	return is_busy ? err_set(err, ERR_BUSY, "cannot use '%s': another program reads it",
				 db->path)
		       : 0;
}

/* Copies the intact rows of db into a new file at path. */
static int save_into(struct db *db, const char *path, struct check_walk *walk, struct err *err)
{
	struct db fresh = DB_INIT;
	int result = -1;

	if (drop_files(path, err))
		return -1;
	if (db_open(&fresh, path, DB_WRITE, STORE_CURE, err) ||
	    db_migrate(&fresh, &store_schema, err) || db_begin(&fresh, err))
		goto out;
	walk->ctx = &fresh;
	if (db->handle && (check_walk(db, walk, err) || meta_copy(db, &fresh, err)))
		goto out;
	result = migrate_rows(&fresh, err) || db_commit(&fresh, err) || fold_in(&fresh, err) ? -1
											     : 0;
out:
	if (fresh.handle)
		db_rollback(&fresh);
	db_close(&fresh);
	walk->ctx = NULL;
	return result;
}

/* Opens what is to be repaired; a file that is no database at all leaves db closed. */
static int open_damaged(struct db *db, const char *path, struct err *err)
{
	struct err mine = ERR_INIT;

	if (!file_exists(path))
		return err_set(err, ERR_ABSENT, "cannot open '%s': %s", path, strerror(ENOENT));
	if (!db_open(db, path, DB_WRITE, STORE_CURE, &mine) && !migrate_view(db, &mine) &&
	    !db_begin(db, &mine)) {
		int64_t version = 0;

		if (!db_get(db, &version, NULL, "PRAGMA user_version", "") &&
		    version > store_schema.n_steps)
			return err_set(err, ERR_NEWER, "'%s' has schema %d", path, (int)version);
		return 0;
	}
	if (mine.code == ERR_CORRUPT)
		return 0;
	if (err)
		*err = mine;
	return -1;
}

/* Puts the fresh one in its place, and keeps the old one aside. */
static int replace(const char *path, const char *kept, const char *fresh, struct err *err)
{
	if (move_aside(path, kept, "-wal", err) || move_aside(path, kept, "-shm", err) ||
	    keep_beside(path, kept, err))
		return -1;
	return move_aside(fresh, path, "", err);
}

int store_repair(const char *path, struct store_repair *out, struct err *err)
{
	struct store_repair r = { 0, 0, NULL };
	struct buf fresh = BUF_INIT, kept = BUF_INIT;
	struct check_walk walk = { .take = copy_row };
	struct db db = DB_INIT;
	int sound = 0, result = -1;

	if (open_damaged(&db, path, err))
		goto out;
	if (db.handle)
		sound = check_is_sound(&db, err);
	buf_addf(&fresh, "%s.repair", path);
	if (sound) {
		result = sound < 0 || buf_check(&fresh, err) || drop_files(buf_str(&fresh), err)
				 ? -1
				 : 0;
		goto out;
	}
	buf_addf(&kept, "%s.corrupt-%" PRId64, path, when_now_us() / 1000000);
	if (buf_check(&fresh, err) || buf_check(&kept, err) ||
	    save_into(&db, buf_str(&fresh), &walk, err))
		goto out;
	/* Closed before the renames: at its end SQLite removes files by their names. */
	db_close(&db);
	if (replace(path, buf_str(&kept), buf_str(&fresh), err))
		goto out;
	r.n_saved = walk.n_good;
	r.n_lost = walk.n_bad;
	r.kept = buf_detach(&kept);
	result = r.kept ? 0 : err_nomem(err);
out:
	db_close(&db);
	buf_release(&fresh);
	buf_release(&kept);
	if (!result)
		*out = r;
	return result;
}
