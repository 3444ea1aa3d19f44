#include "lib/store/local/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/store/local/local.h"
#include "lib/store/local/migrate.h"

#include "lib/base/banned.h"

/* The folder of path is made for its owner alone; a link there could lead anywhere. */
static int ready_folder(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct buf dir = BUF_INIT;
	struct stat st;
	int result = -1;

	if (!slash || slash == path)
		return 0;
	buf_add(&dir, path, (size_t)(slash - path));
	if (buf_check(&dir, err))
		goto out;
	if (!lstat(buf_str(&dir), &st) && S_ISLNK(st.st_mode)) {
		err_set(err, ERR_IO, "cannot use '%s': it is a symbolic link", buf_str(&dir));
		goto out;
	}
	result = file_make_dirs(buf_str(&dir), 0700, err);
out:
	buf_release(&dir);
	return result;
}

/* What the documents of an older store took is given back; where that fails it is used again. */
static int migrate(struct db *db, struct err *err)
{
	int64_t version = 0;

	if (db_get(db, &version, err, "PRAGMA user_version", "") < 0 ||
	    db_migrate(db, &store_schema, err))
		return -1;
	if (version == 1)
		db_exec(db, "VACUUM", NULL);
	return 0;
}

int store_open(const char *path, enum store_mode mode, struct store **out, struct err *err)
{
	struct store *store;
	int result;

	if (mode == STORE_WRITE && ready_folder(path, err))
		return -1;
	store = calloc(1, sizeof(*store));
	if (!store)
		return err_nomem(err);
	result = db_open(&store->db, path, mode == STORE_WRITE ? DB_WRITE : DB_READ, STORE_CURE,
			 err);
	if (!result)
		result = mode == STORE_WRITE ? migrate(&store->db, err)
					     : db_migrate(&store->db, &store_schema, err) ||
						       migrate_view(&store->db, err);
	if (result) {
		store_close(store);
		return -1;
	}
	*out = store;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	db_close(&store->db);
	strv_release(&store->passed_over);
	numbers_release(&store->table);
	free(store);
}

static bool may_be_baseline(const struct summary *s)
{
	size_t i;

	if (s->commit.dirty || !s->commit.id)
		return false;
	for (i = 0; i < s->n_benchmarks; i++)
		if (s->benchmarks[i].status == BENCH_OK)
			return true;
	return false;
}

/* Whether the stored row makes the same document. */
static int hold_same(const struct row *row, const struct summary *s, struct err *err)
{
	struct buf there = BUF_INIT, now = BUF_INIT;
	struct summary stored;
	int result = -1;

	if (row_decode(row, &stored, err))
		return -1;
	if (summary_encode(&stored, 0, &there, err) || summary_encode(s, 0, &now, err))
		goto out;
	result = there.len == now.len && !memcmp(there.data, now.data, now.len)
			 ? 0
			 : err_set(err, ERR_CONFLICT,
				   "the store has a result '%s' with other content", row->id);
out:
	summary_release(&stored);
	buf_release(&there);
	buf_release(&now);
	return result;
}

/* 1: the same result is there; 0: there is none; ERR_CONFLICT: another one is. */
static int already_there(struct store *store, const struct summary *s, const char *id,
			 struct err *err)
{
	struct db_query *st = NULL;
	struct row row;
	int result;

	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_HEAD STORE_BODY " FROM result AS s WHERE id=?1", "t", id))
		return -1;
	result = db_step(&store->db, st, err);
	if (result > 0 && (row_read(st, &row, err) || hold_same(&row, s, err)))
		result = -1;
	db_end(st);
	return result;
}

static int insert(struct store *store, const struct row *row, const struct row_parts *parts,
		  struct err *err)
{
	return db_run(&store->db, err,
		      "INSERT INTO result (id, project, commit_id, machine, finished_us, dirty,"
		      " usable, sum, points, packed, binaries, sha256, json)"
		      " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,'','',x'')",
		      "ttttiiiibb", row->id, row->project, row->commit, row->machine,
		      row->finished_us, (int64_t)row->dirty, (int64_t)row->usable,
		      (int64_t)row_sum(row), (const void *)parts->points.data, parts->points.len,
		      (const void *)parts->packed.data, parts->packed.len);
}

/* 1: it waits in the queue or was delivered; 0: the queue has no room. */
static int enqueue(struct store *store, const char *id, size_t size, struct err *err)
{
	int64_t one;
	int there, room;

	there = db_get(&store->db, &one, err,
		       "SELECT 1 FROM result WHERE id=?1 AND"
		       " (posted OR id IN (SELECT id FROM queue))",
		       "t", id);
	if (there < 0)
		return -1;
	if (!there)
		return 1;
	room = queue_has_room(store, size, err);
	if (room > 0 && queue_add(store, id, size, err))
		return -1;
	return room;
}

static int add_row(struct store *store, const struct summary *s, const struct row *row,
		   const struct row_parts *parts, bool queue, bool *out_queued, struct err *err)
{
	int there, queued = 0;

	if (db_begin(&store->db, err))
		return -1;
	there = already_there(store, s, row->id, err);
	if (there < 0 || (!there && insert(store, row, parts, err)))
		goto out;
	if (queue) {
		queued = enqueue(store, row->id, parts->packed.len, err);
		if (queued < 0)
			goto out;
	}
	if (db_commit(&store->db, err))
		goto out;
	if (out_queued)
		*out_queued = queued > 0;
	return 0;
out:
	db_rollback(&store->db);
	return -1;
}

int store_add(struct store *store, const struct summary *s, bool queue, bool *out_queued,
	      struct err *err)
{
	struct row_parts parts = ROW_PARTS_INIT;
	const struct row row = { .id = s->id ? s->id : "",
				 .project = s->project ? s->project : "",
				 .commit = s->commit.id ? s->commit.id : "",
				 .machine = s->machine.id ? s->machine.id : "",
				 .finished_us = s->finished_us,
				 .dirty = s->commit.dirty,
				 .usable = may_be_baseline(s) };
	int result;

	if (s->sides.base) {
		err_set(err, ERR_REFUSED, "a comparison of '%s' with '%s' is no result of a commit",
			s->sides.head, s->sides.base);
		return err_hint(err, "results are stored by 'pawl collect'");
	}
	result = row_parts_make(s, &parts, err);
	if (!result)
		result = add_row(store, s, &row, &parts, queue, out_queued, err);
	row_parts_release(&parts);
	return result;
}
