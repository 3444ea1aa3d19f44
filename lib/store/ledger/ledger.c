#include "lib/store/ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/store/ledger/known.h"
#include "lib/store/ledger/names.h"
#include "lib/store/ledger/runs.h"
#include "lib/store/points/recent.h"

#include "lib/base/banned.h"

#define CURE \
	"stop pawld, keep a copy, and restore the last backup; `sqlite3 FILE .recover` saves " \
	"what can be read"

#define SERVER_CURE "stop pawld, and restore the last backup of the database"

bool ledger_is_on_server(const char *where)
{
	return str_starts(where, "postgresql:") || str_starts(where, "postgres:");
}

int ledger_open(const char *where, enum ledger_mode mode, struct ledger **out, struct err *err)
{
	static const enum db_mode modes[] = {
		[LEDGER_WRITE] = DB_WRITE, [LEDGER_READ] = DB_READ, [LEDGER_CHANGE] = DB_CHANGE
	};
	const char *path = where + strlen("sqlite:");
	bool on_server = ledger_is_on_server(where);
	struct ledger *l;

	if (!on_server && (!str_starts(where, "sqlite:") || !*path)) {
		err_set(err, ERR_USAGE, "'%s' names no store", where);
		return err_hint(err, "use sqlite:PATH, or postgresql://USER@HOST/DATABASE");
	}
	l = calloc(1, sizeof(*l));
	if (!l)
		return err_nomem(err);
	if ((on_server ? db_connect(&l->db, where, modes[mode], SERVER_CURE, err)
		       : db_open(&l->db, path, modes[mode], CURE, err)) ||
	    db_migrate(&l->db, &ledger_schema, err) || db_tune(&l->db, err)) {
		ledger_close(l);
		return -1;
	}
	l->may_fold = mode != LEDGER_READ;
	*out = l;
	return 0;
}

void ledger_close(struct ledger *l)
{
	if (!l)
		return;
	db_close(&l->db);
	runs_free(l->runs);
	known_free(l->known);
	names_free(l->names);
	ids_free(l->ids);
	free(l->project.name);
	recent_free(l->recent);
	free(l);
}

struct db *ledger_db(struct ledger *l)
{
	return &l->db;
}

void ledger_budget(struct ledger *l, uint64_t within_ns)
{
	db_budget(&l->db, within_ns);
}

void ledger_stop(struct ledger *l)
{
	db_stop(&l->db);
}

int ledger_copy(struct ledger *l, const char *to, struct err *err)
{
	return db_copy(&l->db, to, err);
}

int ledger_probe(struct ledger *l, struct err *err)
{
	/* Two commits: a row that goes again before the first would need no room. */
	static const char bytes[65536];

	if (db_run(&l->db, err, "INSERT INTO probe (x) VALUES (?1)", "b", (const void *)bytes,
		   sizeof(bytes)))
		return -1;
	return db_run(&l->db, err, "DELETE FROM probe", "");
}

int ledger_find_project(struct ledger *l, const char *name, int64_t *out, struct err *err)
{
	uint64_t held = db_held(&l->db);
	int result;

	if (held && l->project.held == held && !strcmp(l->project.name, name)) {
		*out = l->project.id;
		return 0;
	}
	result =
		db_get(&l->db, out, err, "SELECT project_id FROM project WHERE name=?1", "t", name);
	if (result)
		return result > 0 ? err_set(err, ERR_ABSENT, "no project '%s'", name) : -1;
	if (!held)
		return 0;
	l->project.held = 0;
	if (str_set(&l->project.name, name, err))
		return -1;
	l->project.id = *out;
	l->project.held = held;
	return 0;
}

int ledger_stamp(struct ledger *l, const char *project, int64_t *out, struct err *err)
{
	/* Each run takes a number, and no project goes. */
	int result = project ? db_get(&l->db, out, err, "SELECT next_id FROM project WHERE name=?1",
				      "t", project)
			     : db_get(&l->db, out, err,
				      "SELECT count(*)+coalesce(sum(next_id), 0) FROM project", "");

	return result > 0 ? err_set(err, ERR_ABSENT, "no project '%s'", project) : result;
}

static bool is_prefix(const char *text)
{
	size_t n = strlen(text);

	return n >= 4 && n <= 64 && strspn(text, "0123456789abcdef") == n;
}

int ledger_find_commit(struct ledger *l, int64_t project, int apart, const char *prefix,
		       int64_t *out, struct err *err)
{
	struct db_query *st = NULL;
	int64_t found = 0;
	size_t n = 0;
	int step;

	if (!is_prefix(prefix))
		return err_set(err, ERR_RANGE, "'%s' is not a commit id of at least 4 hex digits",
			       prefix);
	/* 'g' sorts behind every digit, so this is the range of the prefix. */
	if (db_start(&l->db, &st, err,
		     "SELECT commit_id, sha=?3 FROM vcs_commit WHERE project_id=?1 AND apart=?2"
		     " AND sha>=?3 AND sha<?3||'g' AND committed_us IS NOT NULL"
		     " ORDER BY sha LIMIT 2",
		     "iit", project, (int64_t)apart, prefix))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		if (!n++)
			found = db_integer(st, 0);
		if (db_integer(st, 1))
			break;
	}
	if (step > 0)
		n = 1;
	db_end(st);
	if (step < 0)
		return -1;
	if (!n)
		return err_set(err, ERR_ABSENT, "no results at commit '%s'", prefix);
	if (n > 1)
		return err_set(err, ERR_ABSENT, "more than one commit starts with '%s'", prefix);
	*out = found;
	return 0;
}

const char *ledger_verdict(int64_t number)
{
	return number > VERDICT_NONE && number < VERDICT_N ? verdict_name((enum verdict)number)
							   : NULL;
}

void ledger_write_time(struct jsonw *w, const char *key, int64_t us)
{
	char text[WHEN_ISO];

	jsonw_kstring(w, key, when_iso(us, us % 1000000 != 0, text));
}

int ledger_base(struct ledger *l, int64_t project, int64_t base, char **out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT sha FROM vcs_commit WHERE project_id=?1 AND commit_id=?2", "ii",
		     project, base))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0)
		step = str_set(out, db_text(st, 0), err);
	db_end(st);
	return step < 0 ? -1 : 0;
}
