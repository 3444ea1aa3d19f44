/* How stored results are found again. */
#include "lib/store/local/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/local/local.h"

#include "lib/base/banned.h"

/*
 * The first intact row of a started statement.  A damaged one is passed over, and is the
 * answer only when nothing better follows.  Ends the statement.
 */
static int first_intact(struct store *store, struct sqlite3_stmt *st, struct summary *out,
			struct err *err)
{
	struct err damage = ERR_INIT;
	int step;

	while ((step = db_step(&store->db, st, err)) > 0) {
		struct err mine = ERR_INIT;

		if (!row_decode(st, out, &mine))
			break;
		if (mine.code == ERR_NOMEM) {
			if (err)
				*err = mine;
			step = -1;
			break;
		}
		damage = mine;
	}
	db_end(st);
	if (step > 0)
		return 0;
	if (!step && damage.code && err)
		*err = damage;
	else if (!step)
		err_set(err, ERR_ABSENT, "no stored result");
	return -1;
}

static int start_baselines(struct store *store, struct sqlite3_stmt **out, const char *project,
			   const char *commit, const char *machine, struct err *err)
{
	return db_start(&store->db, out, err,
			"SELECT " STORE_ROW_COLUMNS " FROM summary AS s"
			" WHERE project=?1 AND commit_id=?2 AND usable AND NOT dirty"
			" AND (?3 IS NULL OR machine=?3) ORDER BY seq DESC",
			"ttt", project, commit, machine);
}

int store_baselines(struct store *store, const char *project, const char *commit,
		    const char *machine, size_t max, struct history *out, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	size_t first = out->n;
	struct summary s;
	int step = 1;

	if (start_baselines(store, &st, project, commit, machine, err))
		return -1;
	while (out->n - first < max && (step = db_step(&store->db, st, err)) > 0) {
		struct err damage = ERR_INIT;

		if (!row_decode(st, &s, &damage)) {
			if (history_add(out, &s, err)) {
				summary_release(&s);
				step = -1;
				break;
			}
		} else if (damage.code == ERR_NOMEM) {
			step = err_nomem(err);
			break;
		}
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

int store_latest(struct store *store, const char *project, const char *commit, struct summary *out,
		 struct err *err)
{
	static const char of_all[] = "SELECT " STORE_ROW_COLUMNS " FROM summary AS s"
				     " WHERE project=?1 ORDER BY seq DESC";
	static const char of_one[] = "SELECT " STORE_ROW_COLUMNS " FROM summary AS s"
				     " WHERE project=?1 AND commit_id=?2"
				     " ORDER BY seq DESC";
	struct sqlite3_stmt *st = NULL;
	int result = commit ? db_start(&store->db, &st, err, of_one, "tt", project, commit)
			    : db_start(&store->db, &st, err, of_all, "t", project);

	return result ? -1 : first_intact(store, st, out, err);
}

int store_get(struct store *store, const char *id, struct summary *out, struct err *err)
{
	struct sqlite3_stmt *st = NULL;

	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_ROW_COLUMNS " FROM summary AS s WHERE id=?1", "t", id))
		return -1;
	return first_intact(store, st, out, err);
}

static void copy_text(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text);
}

int store_list(struct store *store, const char *project, size_t limit, struct store_row **out,
	       size_t *out_n, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	struct store_row *rows = NULL;
	size_t n = 0, cap = 0;
	struct row row;
	int step = -1;

	if (db_start(&store->db, &st, err,
		     "SELECT " STORE_ROW_COLUMNS " FROM summary AS s WHERE project=?1"
		     " ORDER BY seq DESC",
		     "t", project))
		return -1;
	while (n < limit && (step = db_step(&store->db, st, err)) > 0) {
		if (row_read(st, &row, NULL))
			continue;
		if (n == cap) {
			struct store_row *grown;

			cap = cap ? 2 * cap : 64;
			grown = realloc(rows, cap * sizeof(*rows));
			if (!grown) {
				step = err_nomem(err);
				break;
			}
			rows = grown;
		}
		copy_text(rows[n].id, sizeof(rows[n].id), row.id);
		copy_text(rows[n].commit, sizeof(rows[n].commit), row.commit);
		copy_text(rows[n].machine, sizeof(rows[n].machine), row.machine);
		rows[n].finished_us = row.finished_us;
		rows[n].dirty = row.dirty;
		n++;
	}
	db_end(st);
	if (step < 0 && limit) {
		free(rows);
		return -1;
	}
	*out = rows;
	*out_n = n;
	return 0;
}

int store_get_meta(struct store *store, const char *key, char **out, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	char *value = NULL;
	int result;

	if (db_start(&store->db, &st, err, "SELECT value FROM meta WHERE key=?1", "t", key))
		return -1;
	result = db_step(&store->db, st, err);
	if (result > 0) {
		value = str_dup(db_text(st, 0), err);
		result = value ? 0 : -1;
	}
	db_end(st);
	if (!result)
		*out = value;
	return result;
}

int store_set_meta(struct store *store, const char *key, const char *value, struct err *err)
{
	return db_run(&store->db, err,
		      "INSERT INTO meta (key, value) VALUES (?1, ?2)"
		      " ON CONFLICT (key) DO UPDATE SET value=excluded.value",
		      "tt", key, value);
}
