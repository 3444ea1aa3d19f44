/*
 * Rows of one INSERT, and questions of one text, gathered: each statement costs the server more
 * than the row does.
 *
 * An INSERT of a transaction that writes is copied and sent with all others of its text, as soon as
 * anything else is asked: INSERTs change nothing for each other, whatever their order (db.h).
 */
#ifdef PAWL_LIBPQ

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* Of pg_type; they never change. */
enum { ARRAY_BYTEA = 1001, ARRAY_TEXT = 1009, ARRAY_BIGINT = 1016, ARRAY_DOUBLE = 1022 };

/* What is gathered is sent when it is more, so that the server begins while more is packed. */
#define BYTES_MOST (1u << 15)

/* An array of one dimension: its dimensions, NULLs, the type, its length, where it begins. */
#define HEAD_BYTES 20

static Oid array_of(char letter)
{
	return letter == 't'   ? ARRAY_TEXT
	       : letter == 'i' ? ARRAY_BIGINT
	       : letter == 'd' ? ARRAY_DOUBLE
			       : ARRAY_BYTEA;
}

static void free_one(struct gather *g)
{
	int i;

	for (i = 0; i < g->n; i++)
		buf_release(&g->columns[i]);
	buf_release(&g->text);
	free(g);
}

void gather_free(struct link *l)
{
	size_t i;

	gather_forget(l);
	for (i = 0; i < l->n_gathers; i++)
		free_one(l->gathers[i]);
	free(l->gathers);
}

static int add(struct link *l, struct gather *g, struct err *err)
{
	if (l->n_gathers == l->cap_gathers) {
		size_t cap = l->cap_gathers ? 2 * l->cap_gathers : 16;
		struct gather **grown = realloc(l->gathers, cap * sizeof(struct gather *));

		if (!grown)
			return err_nomem(err);
		l->gathers = grown;
		l->cap_gathers = cap;
	}
	l->gathers[l->n_gathers++] = g;
	return 0;
}

int gather_find(struct db *db, const char *sql, const char *types, struct gather **out,
		struct err *err)
{
	struct link *l = db->handle;
	struct gather *g;
	size_t i;

	*out = NULL;
	for (i = 0; i < l->n_gathers; i++)
		if (l->gathers[i]->sql == sql) {
			*out = l->gathers[i];
			return 0;
		}
	g = calloc(1, sizeof(*g));
	if (!g)
		return err_nomem(err);
	g->sql = sql;
	g->is_question = str_starts(sql, "SELECT");
	for (g->n = 0; types[g->n]; g->n++) {
		g->elements[g->n] = postgres_type_of(types[g->n]);
		g->arrays[g->n] = array_of(types[g->n]);
	}
	if (!postgres_words_of_many(sql, types, &g->text)) {
		free_one(g);
		return 0;
	}
	if (buf_check(&g->text, err) || add(l, g, err)) {
		free_one(g);
		return -1;
	}
	*out = g;
	return 0;
}

static void put_32(unsigned char *out, uint32_t number)
{
	int i;

	for (i = 3; i >= 0; i--, number >>= 8)
		out[i] = (unsigned char)number;
}

static void add_value(struct gather *g, int at, const char *bytes, size_t n)
{
	struct buf *column = &g->columns[at];
	unsigned char length[4];

	if (!column->len)
		buf_addn(column, '\0', HEAD_BYTES);
	put_32(length, bytes ? (uint32_t)n : UINT32_MAX);
	buf_add(column, length, sizeof(length));
	if (bytes)
		buf_add(column, bytes, n);
	g->has_null[at] |= !bytes;
	g->n_bytes += n + sizeof(length);
}

static int add_row(struct link *l, const struct query *q, struct err *err)
{
	struct gather *g = q->gather;
	int i;

	l->has_gathered = true;
	g->n_rows++;
	for (i = 0; i < g->n; i++) {
		const char *bytes = q->values[i];

		add_value(g, i, bytes,
			  !bytes	  ? 0
			  : q->formats[i] ? (size_t)q->lengths[i]
					  : strlen(bytes));
		if (buf_check(&g->columns[i], err)) {
			gather_forget(l);
			return -1;
		}
	}
	return 0;
}

int gather_row(struct db *db, struct query *q, struct err *err)
{
	struct link *l = db->handle;

	if (l->asked && gather_send(db, err))
		return -1;
	if (add_row(l, q, err))
		return -1;
	if (q->gather->n_bytes < BYTES_MOST)
		return 0;
	if (gather_send(db, err))
		return -1;
	return pq.flush(l->conn) < 0 ? postgres_lost(db, err) : 0;
}

/* Questions of another text, and rows, were asked for before. */
int gather_question(struct db *db, struct query *q, struct err *err)
{
	struct link *l = db->handle;

	if (l->has_gathered && !(l->asked && q->gather->n_rows) && gather_send(db, err))
		return -1;
	if (!l->asked) {
		l->asked = answer_new();
		if (!l->asked)
			return err_nomem(err);
	}
	if (add_row(l, q, err))
		return -1;
	q->answer = l->asked;
	q->answer->n_users++;
	q->number = (int)q->gather->n_rows;
	return 0;
}

static void write_head(struct gather *g, int at)
{
	unsigned char *head = (unsigned char *)g->columns[at].data;

	put_32(head, 1);
	put_32(head + 4, g->has_null[at]);
	put_32(head + 8, g->elements[at]);
	put_32(head + 12, (uint32_t)g->n_rows);
	put_32(head + 16, 1);
}

static int send_one(struct db *db, struct gather *g, struct err *err)
{
	struct link *l = db->handle;
	const char *values[QUERY_MOST_PARAMETERS];
	int lengths[QUERY_MOST_PARAMETERS], formats[QUERY_MOST_PARAMETERS], i;
	struct expected e = { .what = EXPECT_DONE };

	if (g->link != l->number) {
		snprintf(g->name, sizeof(g->name), "s%u", ++l->n_names);
		if (!pq.sendPrepare(l->conn, g->name, buf_str(&g->text), g->n, g->arrays))
			return postgres_lost(db, err);
		if (link_expect(l, &(struct expected){ EXPECT_PREPARED, &g->link, NULL }, err))
			return -1;
		g->link = l->number; /* until it is known to have failed */
	}
	for (i = 0; i < g->n; i++) {
		write_head(g, i);
		values[i] = g->columns[i].data;
		lengths[i] = (int)g->columns[i].len;
		formats[i] = 1;
	}
	if (!pq.sendQueryPrepared(l->conn, g->name, g->n, values, lengths, formats, 1))
		return postgres_lost(db, err);
	if (g->is_question) {
		e.what = EXPECT_ROWS;
		e.answer = l->asked; /* which is the server's now */
		l->asked = NULL;
	}
	return link_expect(l, &e, err);
}

int gather_send(struct db *db, struct err *err)
{
	struct link *l = db->handle;
	size_t i;

	for (i = 0; l->has_gathered && i < l->n_gathers; i++) {
		struct gather *g = l->gathers[i];

		if (g->n_rows && send_one(db, g, err))
			return -1;
		gather_forget_rows(g);
	}
	l->has_gathered = false;
	return 0;
}

#else
typedef int libpq_is_absent;
#endif
