/* The queue of what is still to be posted: pointers at stored results, oldest first. */
#include "lib/store/local/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/local/local.h"

#include "lib/base/banned.h"

void queue_entry_release(struct queue_entry *e)
{
	free(e->json);
	free(e->last_error);
	memset(e, 0, sizeof(*e));
}

int queue_has_room(struct store *store, size_t n, struct err *err)
{
	struct db_query *st = NULL;
	int64_t entries, bytes;

	if (db_start(&store->db, &st, err,
		     "SELECT count(*), coalesce(sum(size), 0) FROM queue WHERE NOT rejected", ""))
		return -1;
	if (db_step(&store->db, st, err) < 0) {
		db_end(st);
		return -1;
	}
	entries = db_integer(st, 0);
	bytes = db_integer(st, 1);
	db_end(st);
	return entries < STORE_QUEUE_MAX_ENTRIES && bytes + (int64_t)n <= STORE_QUEUE_MAX_BYTES;
}

int queue_add(struct store *store, const char *id, size_t n, struct err *err)
{
	return db_run(&store->db, err,
		      "INSERT INTO queue (id, size) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING",
		      "ti", id, (int64_t)n);
}

/* The document of a row, as it was posted before or as it is made now. */
static int document_of(const struct row *row, struct buf *out, struct err *err)
{
	struct summary s;
	int result;

	if (!row->is_packed) {
		buf_add(out, row->json, row->n);
		return buf_check(out, err);
	}
	if (row_decode(row, &s, err))
		return -1;
	result = summary_encode(&s, 0, out, err);
	summary_release(&s);
	if (result)
		buf_release(out);
	return result;
}

static int fill(struct db_query *st, const struct row *row, struct queue_entry *out,
		struct err *err)
{
	struct queue_entry e = { .attempts = (int)db_integer(st, STORE_COLUMNS),
				 .next_try_us = db_integer(st, STORE_COLUMNS + 1) };
	struct buf json = BUF_INIT;

	snprintf(e.id, sizeof(e.id), "%s", row->id);
	if (document_of(row, &json, err))
		return -1;
	e.n = json.len;
	e.json = buf_detach(&json);
	if (!e.json)
		return err_nomem(err);
	if (!db_is_null(st, STORE_COLUMNS + 2)) {
		e.last_error = str_dup(db_text(st, STORE_COLUMNS + 2), err);
		if (!e.last_error) {
			queue_entry_release(&e);
			return -1;
		}
	}
	*out = e;
	return 0;
}

/* Looks for the next entry; a damaged one stops the search, its id goes to damaged. */
static int look(struct store *store, int64_t now_us, const struct strv *skip,
		struct queue_entry *out, char damaged[27], struct err *err)
{
	struct db_query *st = NULL;
	bool found = false;
	struct row row;
	int step;

	/* The left join: an entry whose result is gone must not stay unseen for ever. */
	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_HEAD STORE_BODY
		     ", q.attempts, q.next_try_us, q.last_error, q.id"
		     " FROM queue AS q LEFT JOIN result AS s ON s.id=q.id"
		     " WHERE NOT q.rejected AND q.next_try_us<=?1 ORDER BY q.seq",
		     "i", now_us))
		return -1;
	while ((step = db_step(&store->db, st, err)) > 0) {
		struct err mine = ERR_INIT;

		if (skip && strv_has(skip, db_text(st, STORE_COLUMNS + 3)))
			continue;
		if (!row_read(st, &row, &mine) && !fill(st, &row, out, &mine)) {
			found = true;
			step = 0;
			break;
		}
		if (mine.code == ERR_CORRUPT)
			snprintf(damaged, 27, "%s", db_text(st, STORE_COLUMNS + 3));
		if (err)
			*err = mine;
		db_end(st);
		return -1;
	}
	db_end(st);
	if (!found && !step)
		return err_set(err, ERR_ABSENT, "nothing waits to be posted");
	return step;
}

int store_queue_next(struct store *store, int64_t now_us, const struct strv *skip,
		     struct queue_entry *out, struct err *err)
{
	for (;;) {
		char damaged[27] = "";
		int result = look(store, now_us, skip, out, damaged, err);

		if (!result || !damaged[0])
			return result;
		if (store_queue_reject(store, damaged, "its stored result is damaged", err))
			return -1;
	}
}

int store_queue_done(struct store *store, const char *id, struct err *err)
{
	if (db_begin(&store->db, err))
		return -1;
	if (db_run(&store->db, err, "DELETE FROM queue WHERE id=?1", "t", id) ||
	    db_run(&store->db, err, "UPDATE result SET posted=1 WHERE id=?1", "t", id)) {
		db_rollback(&store->db);
		return -1;
	}
	return db_commit(&store->db, err);
}

int store_queue_retry(struct store *store, const char *id, int64_t next_try_us, const char *why,
		      struct err *err)
{
	return db_run(&store->db, err,
		      "UPDATE queue SET attempts=attempts+1, next_try_us=?2, last_error=?3"
		      " WHERE id=?1",
		      "tit", id, next_try_us, why);
}

int store_queue_reject(struct store *store, const char *id, const char *why, struct err *err)
{
	return db_run(&store->db, err,
		      "UPDATE queue SET rejected=1, attempts=attempts+1, last_error=?2 WHERE id=?1",
		      "tt", id, why);
}

int store_queue_count(struct store *store, size_t *out_waiting, size_t *out_rejected,
		      struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&store->db, &st, err,
		     "SELECT coalesce(sum(NOT rejected), 0), coalesce(sum(rejected), 0) FROM queue",
		     ""))
		return -1;
	step = db_step(&store->db, st, err);
	if (step > 0) {
		*out_waiting = (size_t)db_integer(st, 0);
		*out_rejected = (size_t)db_integer(st, 1);
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

int store_queue_again(struct store *store, size_t *out_n, struct err *err)
{
	if (db_run(&store->db, err,
		   "UPDATE queue SET rejected=0, attempts=0, next_try_us=0 WHERE rejected", ""))
		return -1;
	*out_n = (size_t)db_changes(&store->db);
	return 0;
}

#define NOT_FOR_IT "2" /* result.posted, of what is to stay here; 1: the server has it */
#define MISSED " FROM result WHERE NOT posted AND id NOT IN (SELECT id FROM queue)"

int store_queue_all(struct store *store, size_t *out_n, struct err *err)
{
	if (db_run(&store->db, err,
		   "INSERT INTO queue (id, size) SELECT id, length(coalesce(packed, json))" MISSED
		   " ORDER BY seq",
		   ""))
		return -1;
	*out_n = (size_t)db_changes(&store->db);
	return 0;
}

int store_queue_pass_over(struct store *store, const char *id, bool *out, struct err *err)
{
	if (db_run(&store->db, err,
		   "UPDATE result SET posted=" NOT_FOR_IT " WHERE id=?1 AND NOT posted"
		   " AND id NOT IN (SELECT id FROM queue)",
		   "t", id))
		return -1;
	*out = db_changes(&store->db) > 0;
	return 0;
}

int store_queue_missed(struct store *store, size_t *out_n, struct err *err)
{
	int64_t n = 0;

	if (db_get(&store->db, &n, err, "SELECT count(*)" MISSED, "") < 0)
		return -1;
	*out_n = (size_t)n;
	return 0;
}
