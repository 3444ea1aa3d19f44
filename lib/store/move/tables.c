#include "lib/store/move/tables.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

static int add_column(struct tables *all, const char *table, const char *column, char type,
		      struct err *err)
{
	struct table *t = all->n ? &all->tables[all->n - 1] : NULL;

	if (!t || strcmp(t->name, table)) {
		if (all->n == TABLES_MOST)
			return err_set(err, ERR_LIMIT, "more than %d tables", TABLES_MOST);
		t = &all->tables[all->n++];
		*t = (struct table){ .name = str_dup(table, err) };
		if (!t->name)
			return -1;
	}
	if (t->n_columns == TABLE_MOST_COLUMNS)
		return err_set(err, ERR_LIMIT, "table '%s' has more than %d columns", table,
			       TABLE_MOST_COLUMNS);
	t->columns[t->n_columns] = str_dup(column, err);
	if (!t->columns[t->n_columns])
		return -1;
	t->types[t->n_columns++] = type;
	return 0;
}

static int take_column(void *ctx, const char *table, const char *column, char type, struct err *err)
{
	/* Always empty. */
	return strcmp(table, "probe") ? add_column(ctx, table, column, type, err) : 0;
}

/* In the order of its key, the first columns. */
static void write_texts(struct table *t)
{
	size_t i;

	buf_adds(&t->select, "SELECT ");
	buf_addf(&t->insert, "INSERT INTO %s (", t->name);
	for (i = 0; i < t->n_columns; i++) {
		buf_addf(&t->select, "%s%s", i ? ", " : "", t->columns[i]);
		buf_addf(&t->insert, "%s%s", i ? ", " : "", t->columns[i]);
	}
	buf_addf(&t->select, " FROM %s ORDER BY 1%s", t->name, t->n_columns > 1 ? ", 2" : "");
	buf_adds(&t->insert, ") VALUES (");
	for (i = 0; i < t->n_columns; i++)
		buf_addf(&t->insert, "%s?%zu", i ? ", " : "", i + 1);
	buf_addc(&t->insert, ')');
	buf_addf(&t->any, "SELECT 1 FROM %s LIMIT 1", t->name);
}

int tables_read(struct db *db, struct tables *out, struct err *err)
{
	size_t i;

	if (db_describe(db, take_column, out, err))
		return -1;
	for (i = 0; i < out->n; i++) {
		struct table *t = &out->tables[i];

		write_texts(t);
		if (buf_check(&t->select, err) || buf_check(&t->insert, err) ||
		    buf_check(&t->any, err))
			return -1;
	}
	return 0;
}

void tables_release(struct tables *all)
{
	size_t i, k;

	for (i = 0; i < all->n; i++) {
		struct table *t = &all->tables[i];

		for (k = 0; k < t->n_columns; k++)
			free(t->columns[k]);
		free(t->name);
		buf_release(&t->select);
		buf_release(&t->insert);
		buf_release(&t->any);
	}
	all->n = 0;
}

static bool has_column(const struct table *t, const char *name, char type)
{
	size_t i;

	for (i = 0; i < t->n_columns; i++)
		if (!strcmp(t->columns[i], name))
			return t->types[i] == type;
	return false;
}

bool tables_are_same(const struct tables *a, const struct tables *b)
{
	size_t i, k;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++) {
		const struct table *x = &a->tables[i], *y = &b->tables[i];

		if (strcmp(x->name, y->name) || x->n_columns != y->n_columns)
			return false;
		for (k = 0; k < x->n_columns; k++)
			if (!has_column(y, x->columns[k], x->types[k]))
				return false;
	}
	return true;
}
