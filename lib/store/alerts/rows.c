#include "lib/store/alerts/rows.h"

#include "lib/base/when.h"
#include "lib/store/alerts/alerts.h"

#include "lib/base/banned.h"

static const char *text_or_null(struct db_query *st, int column)
{
	return db_is_null(st, column) || !*db_text(st, column) ? NULL : db_text(st, column);
}

void alert_write_time(struct jsonw *w, const char *key, int64_t us)
{
	char text[WHEN_ISO];

	jsonw_kstring(w, key, us ? when_iso(us, us % 1000000 != 0, text) : NULL);
}

void alert_write(struct db_query *st, struct jsonw *w)
{
	jsonw_object(w);
	jsonw_kinteger(w, "alert", db_integer(st, 0));
	jsonw_kstring(w, "state", alert_state_name(db_integer(st, 1)));
	jsonw_kstring(w, "seen_by", alert_kind_name(db_integer(st, 2)));
	jsonw_kstring(w, "benchmark", text_or_null(st, 3));
	jsonw_kstring(w, "metric", text_or_null(st, 4));
	jsonw_kstring(w, "unit", text_or_null(st, 5));
	jsonw_kstring(w, "better", db_integer(st, 6) ? "higher" : "lower");
	jsonw_kstring(w, "machine", text_or_null(st, 7));
	jsonw_kstring(w, "branch", text_or_null(st, 8));
	jsonw_kstring(w, "commit", text_or_null(st, 9));
	jsonw_kstring(w, "subject", text_or_null(st, 10));
	jsonw_kstring(w, "base", text_or_null(st, 11));
	jsonw_knumber(w, "ratio", db_double(st, 12));
	jsonw_knumber(w, "low", db_double(st, 13));
	jsonw_knumber(w, "high", db_double(st, 14));
	alert_write_time(w, "opened", db_integer(st, 16));
	alert_write_time(w, "changed", db_integer(st, 17));
	jsonw_kstring(w, "owner", text_or_null(st, 18));
	jsonw_kstring(w, "note", text_or_null(st, 19));
	jsonw_kstring(w, "why", text_or_null(st, 20));
	jsonw_kstring(w, "id", text_or_null(st, 21));
	jsonw_object_end(w);
}

int alerts_find_project(struct db *db, const char *name, int64_t *out, struct err *err)
{
	int found = db_get(db, out, err, "SELECT project_id FROM project WHERE name=?1", "t", name);

	return found > 0 ? err_set(err, ERR_ABSENT, "no project '%s'", name) : found;
}

int alert_list_begin(struct db *db, const char *project, const char *key, struct buf *out,
		     struct jsonw *w, int64_t *out_id, struct err *err)
{
	if (alerts_find_project(db, project, out_id, err))
		return -1;
	jsonw_init(w, out, 0);
	jsonw_object(w);
	jsonw_kstring(w, "project", project);
	jsonw_key(w, key);
	jsonw_array(w);
	return 0;
}

int alert_list_end(struct jsonw *w, struct buf *out, struct err *err)
{
	jsonw_array_end(w);
	jsonw_object_end(w);
	return buf_check(out, err);
}
