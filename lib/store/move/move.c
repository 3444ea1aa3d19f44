#include "lib/store/move/move.h"

#include <string.h>

#include "lib/store/ledger/local.h"
#include "lib/store/move/same.h"
#include "lib/store/move/tables.h"

#include "lib/base/banned.h"

/* Rows, and bytes of them, that are sent before what has come of them is looked at. */
#define ROWS_AT_ONCE 256
#define BYTES_AT_ONCE (4u << 20)

static int insert(struct db *db, const struct table *t, const struct db_value *values,
		  struct err *err)
{
	struct db_query *q = NULL;
	int result;

	if (db_start_values(db, &q, err, buf_str(&t->insert), values, t->n_columns))
		return -1;
	result = db_step(db, q, err) < 0 ? -1 : 0;
	db_end(q);
	return result;
}

/* Returns how many bytes it has. */
static size_t take_value(struct db_query *q, const struct table *t, size_t i, struct db_value *out)
{
	int column = (int)i;

	*out = (struct db_value){ .type = db_is_null(q, column) ? '\0' : t->types[i] };
	switch (out->type) {
	case 'i':
		out->integer = db_integer(q, column);
		break;
	case 'd':
		out->real = db_double(q, column);
		break;
	case 't':
		out->bytes = db_text(q, column);
		break;
	default:
		out->bytes = db_bytes(q, column, &out->n);
	}
	return out->n;
}

static int copy_table(struct ledger *from, struct ledger *to, const struct table *t, int64_t *out_n,
		      struct err *err)
{
	struct db_value values[TABLE_MOST_COLUMNS];
	struct db_query *q = NULL;
	size_t i, n_bytes = 0;
	int step;

	if (db_scan(&from->db, &q, err, buf_str(&t->select), ""))
		return -1;
	while ((step = db_step(&from->db, q, err)) > 0) {
		for (i = 0; i < t->n_columns; i++)
			n_bytes += take_value(q, t, i, &values[i]);
		if (db_row_check(q, err) || insert(&to->db, t, values, err)) {
			step = -1;
			break;
		}
		if (++*out_n % ROWS_AT_ONCE && n_bytes < BYTES_AT_ONCE)
			continue;
		db_changes(&to->db);
		n_bytes = 0;
	}
	db_end(q);
	return step;
}

static int copy_all(struct ledger *from, struct ledger *to, const struct tables *all,
		    struct move_counts *out, struct err *err)
{
	size_t i;
	int result = 0;

	if (db_begin(&to->db, err))
		return -1;
	for (i = 0; !result && i < all->n; i++)
		result = copy_table(from, to, &all->tables[i], &out->n_rows, err);
	if (!result)
		result = db_commit(&to->db, err);
	db_rollback(&to->db);
	return result;
}

static int check_tables(struct ledger *from, struct ledger *to, const char *name,
			struct tables *mine, struct tables *theirs, struct err *err)
{
	int64_t there = 0;
	size_t i;
	int found;

	if (tables_read(&from->db, mine, err) || tables_read(&to->db, theirs, err))
		return -1;
	if (!tables_are_same(mine, theirs)) {
		err_set(err, ERR_NEWER, "the stores have different tables");
		return err_hint(err, "start the newest pawld once on the one to be copied");
	}
	for (i = 0; i < theirs->n; i++) {
		found = db_get(&to->db, &there, err, buf_str(&theirs->tables[i].any), "");
		if (found < 0)
			return -1;
		if (!found) {
			err_set(err, ERR_USAGE, "'%s' is not empty", name);
			return err_hint(err, "name a file or a database in which nothing is");
		}
	}
	return 0;
}

static int move(struct ledger *from, struct ledger *to, const char *name, struct move_counts *out,
		struct tables *mine, struct tables *theirs, struct err *err)
{
	int result;

	if (db_begin_read(&from->db, err))
		return -1;
	result = check_tables(from, to, name, mine, theirs, err) ||
				 copy_all(from, to, mine, out, err)
			 ? -1
			 : 0;
	db_rollback(&from->db);
	return result;
}

int ledger_move(const char *from, const char *to, struct move_counts *out, struct err *err)
{
	struct tables mine = { .n = 0 }, theirs = { .n = 0 };
	struct ledger *source = NULL, *made = NULL;
	int result = -1;

	*out = (struct move_counts){ .n_rows = 0 };
	if (!strcmp(from, to))
		return err_set(err, ERR_USAGE, "'%s' cannot be copied to itself", from);
	if (ledger_open(from, LEDGER_READ, &source, err) ||
	    ledger_open(to, LEDGER_WRITE, &made, err))
		goto out;
	if (!move(source, made, to, out, &mine, &theirs, err))
		result = same_check(source, made, out, err);
out:
	/* Before their texts, by which statements are found. */
	ledger_close(source);
	ledger_close(made);
	tables_release(&mine);
	tables_release(&theirs);
	return result;
}
