/*
 * tables - what tables a database has, and the statements that read and write all of one.
 */
#ifndef PAWL_STORE_MOVE_TABLES_H
#define PAWL_STORE_MOVE_TABLES_H

#include "lib/base/buf.h"
#include "lib/store/db.h"

#define TABLE_MOST_COLUMNS 24
#define TABLES_MOST 40

struct table {
	char *name;
	size_t n_columns;
	char *columns[TABLE_MOST_COLUMNS]; /* as the database orders them */
	char types[TABLE_MOST_COLUMNS];	   /* as of db_start() */
	struct buf select, insert, any;	   /* any: whether there is a row */
};

/* By name.  Statements are found by the address of their text: close the database first. */
struct tables {
	size_t n;
	struct table tables[TABLES_MOST];
};

/* Errors: those of the database; ERR_LIMIT. */
int tables_read(struct db *db, struct tables *out, struct err *err);
void tables_release(struct tables *t);

/* Whether they have the same columns of the same types, in whatever order. */
bool tables_are_same(const struct tables *a, const struct tables *b);

#endif
