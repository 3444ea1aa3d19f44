#include "lib/store/local/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/store/local/local.h"

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
		result = db_migrate(&store->db, &store_schema, err);
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

static void add_binaries(const struct summary *s, struct buf *out)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (b->binary_id)
			buf_addf(out, "%s%s", out->len ? " " : "", b->binary_id);
		if (b->base_binary_id)
			buf_addf(out, "%s%s", out->len ? " " : "", b->base_binary_id);
	}
}

/* 1: the same row is there; 0: there is none; ERR_CONFLICT: another one is. */
static int already_there(struct store *store, const struct row *row, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	int result;

	if (db_start(&store->db, &st, err, "SELECT sha256 FROM summary WHERE id=?1", "t", row->id))
		return -1;
	result = db_step(&store->db, st, err);
	if (result > 0 && strcmp(db_text(st, 0), row->sha256))
		result = err_set(err, ERR_CONFLICT,
				 "the store has a result '%s' with other content", row->id);
	db_end(st);
	return result;
}

static int insert(struct store *store, const struct row *row, struct err *err)
{
	return db_run(&store->db, err,
		      "INSERT INTO summary (id, project, commit_id, machine, finished_us, dirty,"
		      " usable, binaries, json, sha256) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)",
		      "ttttiiitbt", row->id, row->project, row->commit, row->machine,
		      row->finished_us, (int64_t)row->dirty, (int64_t)row->usable, row->binaries,
		      (const void *)row->json, row->n, row->sha256);
}

/* 1: it waits in the queue or was delivered; 0: the queue has no room. */
static int enqueue(struct store *store, const struct row *row, struct err *err)
{
	int64_t one;
	int there, room;

	there = db_get(&store->db, &one, err,
		       "SELECT 1 FROM summary WHERE id=?1 AND"
		       " (posted OR id IN (SELECT id FROM queue))",
		       "t", row->id);
	if (there < 0)
		return -1;
	if (!there)
		return 1;
	room = queue_has_room(store, row->n, err);
	if (room > 0 && queue_add(store, row->id, row->n, err))
		return -1;
	return room;
}

static int add_row(struct store *store, const struct row *row, bool queue, bool *out_queued,
		   struct err *err)
{
	int there, queued = 0;

	if (db_begin(&store->db, err))
		return -1;
	there = already_there(store, row, err);
	if (there < 0 || (!there && insert(store, row, err)))
		goto out;
	if (queue) {
		queued = enqueue(store, row, err);
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
	struct buf json = BUF_INIT, binaries = BUF_INIT;
	char sha256[DIGEST_HEX];
	struct row row;
	int result = -1;

	if (summary_encode(s, 0, &json, err))
		goto out;
	add_binaries(s, &binaries);
	if (buf_check(&json, err) || buf_check(&binaries, err))
		goto out;
	row = (struct row){
		.id = s->id ? s->id : "",
		.project = s->project ? s->project : "",
		.commit = s->commit.id ? s->commit.id : "",
		.machine = s->machine.id ? s->machine.id : "",
		.finished_us = s->finished_us,
		.dirty = s->commit.dirty,
		.usable = may_be_baseline(s),
		.binaries = buf_str(&binaries),
		.json = buf_str(&json),
		.n = json.len,
		.sha256 = sha256,
	};
	if (json.len > SUMMARY_MAX_BYTES) { /* it could not be read again */
		err_set(err, ERR_LIMIT, "the result has %zu bytes, at most %u can be stored",
			json.len, SUMMARY_MAX_BYTES);
		err_hint(err, "run fewer benchmarks at once");
		goto out;
	}
	if (row_digest(&row, sha256, err))
		goto out;
	result = add_row(store, &row, queue, out_queued, err);
out:
	buf_release(&json);
	buf_release(&binaries);
	return result;
}
