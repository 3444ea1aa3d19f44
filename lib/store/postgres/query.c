/* Statements of PostgreSQL: prepared once a connection, parameters and columns as bytes. */
#ifdef PAWL_LIBPQ

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* Rows of a cursor at a time: at first, and where all that came took no more than some bytes, the
 * next time, and so on. */
#define SCAN_FIRST 64
#define SCAN_MORE 4
#define SCAN_MOST 256
#define SCAN_BYTES 65536

int postgres_prepare(struct db *db, const char *sql, const char *types, struct db_query **out,
		     struct err *err)
{
	struct query *q = calloc(1, sizeof(*q));

	if (!q)
		return err_nomem(err);
	q->db = db;
	assert(!types || strlen(types) <= QUERY_MOST_PARAMETERS);
	for (q->n = 0; types && types[q->n]; q->n++)
		q->types[q->n] = postgres_type_of(types[q->n]);
	q->gives_rows = str_starts(sql, "SELECT");
	postgres_words(sql, false, &q->sql);
	if (buf_check(&q->sql, err) ||
	    (types && !q->gives_rows && gather_find(db, sql, types, &q->gather, err))) {
		postgres_drop(&q->head);
		return -1;
	}
	*out = &q->head;
	return 0;
}

void postgres_drop(struct db_query *head)
{
	struct query *q = (struct query *)head;

	if (!q->answer)
		pq.clear(q->result);
	answer_leave(q->answer);
	buf_release(&q->sql);
	free(q);
}

static void put_number(unsigned char out[8], uint64_t bits)
{
	int i;

	for (i = 7; i >= 0; i--, bits >>= 8)
		out[i] = (unsigned char)bits;
}

/* One of 8 bytes in the order of the network. */
static void bind_number(struct query *q, int at, uint64_t bits)
{
	put_number(q->numbers[at], bits);
	q->values[at] = (const char *)q->numbers[at];
	q->lengths[at] = 8;
	q->formats[at] = 1;
}

static void bind_double(struct query *q, int at, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	if (isfinite(number))
		bind_number(q, at, bits);
	else
		q->values[at] = NULL;
}

static int bind_bytes(const struct db *db, struct query *q, int at, const void *bytes, size_t n,
		      struct err *err)
{
	if (n > INT32_MAX)
		return err_set(err, ERR_LIMIT, "cannot use '%s': %zu bytes in one", db->path, n);
	q->values[at] = n ? bytes : "";
	q->lengths[at] = (int)n;
	return 0;
}

int postgres_bind(struct db *db, struct db_query *head, const char *types, va_list ap,
		  struct err *err)
{
	struct query *q = (struct query *)head;
	const void *bytes;
	size_t n;
	int at;

	q->was_sent = q->is_open = false;
	for (at = 0; types[at]; at++) {
		q->formats[at] = types[at] != 't';
		switch (types[at]) {
		case 't':
			q->values[at] = va_arg(ap, const char *);
			break;
		case 'i':
			bind_number(q, at, (uint64_t)va_arg(ap, int64_t));
			break;
		case 'd':
			bind_double(q, at, va_arg(ap, double));
			break;
		default:
			bytes = va_arg(ap, const void *);
			n = va_arg(ap, size_t);
			if (bind_bytes(db, q, at, bytes, n, err))
				return -1;
		}
	}
	return 0;
}

int postgres_bind_values(struct db *db, struct db_query *head, const struct db_value *values,
			 size_t n, struct err *err)
{
	struct query *q = (struct query *)head;
	size_t i;

	assert(n <= QUERY_MOST_PARAMETERS);
	q->was_sent = q->is_open = false;
	q->n = (int)n;
	for (i = 0; i < n; i++) {
		const struct db_value *v = &values[i];

		/* Left to the server: a NULL has no type here. */
		q->types[i] = 0;
		q->values[i] = NULL;
		q->formats[i] = v->type != 't';
		if (v->type == 'i')
			bind_number(q, (int)i, (uint64_t)v->integer);
		else if (v->type == 'd')
			bind_double(q, (int)i, v->real);
		else if (v->type == 't')
			q->values[i] = v->bytes;
		else if (v->type && bind_bytes(db, q, (int)i, v->bytes, v->n, err))
			return -1;
	}
	return 0;
}

/* Prepares it on this connection, where it is not. */
static int make_ready(struct db *db, struct query *q, struct err *err)
{
	struct link *l = db->handle;

	if (q->link == l->number)
		return 0;
	snprintf(q->name, sizeof(q->name), "s%u", ++l->n_names);
	if (!pq.sendPrepare(l->conn, q->name, buf_str(&q->sql), q->n, q->types))
		return postgres_lost(db, err);
	if (link_expect(l, &(struct expected){ EXPECT_PREPARED, &q->link, NULL }, err))
		return -1;
	q->link = l->number; /* until it is known to have failed */
	return 0;
}

static int send_prepared(struct db *db, struct query *q, const struct expected *e, struct err *err)
{
	struct link *l = db->handle;

	if (gather_send(db, err) || make_ready(db, q, err))
		return -1;
	if (!pq.sendQueryPrepared(l->conn, q->name, q->n, q->values, q->lengths, q->formats, 1))
		return postgres_lost(db, err);
	return link_expect(l, e, err);
}

int postgres_send(struct db *db, struct db_query *head, struct answer **out, struct err *err)
{
	struct answer *a = answer_new();

	if (!a)
		return err_nomem(err);
	a->n_users = 2;
	if (link_ready(db, err) || send_prepared(db, (struct query *)head,
						 &(struct expected){ EXPECT_ROWS, NULL, a }, err)) {
		a->n_users = 1;
		answer_leave(a);
		return -1;
	}
	*out = a;
	return 0;
}

static int send_fetch(struct db *db, const struct query *q, struct err *err)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "FETCH %d FROM %s", q->n_fetched, q->name);
	return link_send(db, sql, err);
}

/* Outside of a transaction it is of the moment when it is opened. */
static int send_cursor(struct db *db, struct query *q, struct err *err)
{
	struct link *l = db->handle;
	struct buf sql = BUF_INIT;
	int result = -1;

	q->link = 0;
	q->n_fetched = SCAN_FIRST;
	snprintf(q->name, sizeof(q->name), "c%u", ++l->n_names);
	buf_addf(&sql, "DECLARE %s NO SCROLL CURSOR %s FOR %s", q->name,
		 l->in_transaction ? "WITHOUT HOLD" : "WITH HOLD", buf_str(&q->sql));
	if (buf_check(&sql, err) || gather_send(db, err))
		goto out;
	if (!pq.sendQueryParams(l->conn, buf_str(&sql), q->n, q->types, q->values, q->lengths,
				q->formats, 1)) {
		postgres_lost(db, err);
		goto out;
	}
	if (!link_expect(l, &(struct expected){ .what = EXPECT_DONE }, err))
		result = send_fetch(db, q, err);
	q->is_open = !result;
	q->is_held = q->is_open && !l->in_transaction;
out:
	buf_release(&sql);
	return result;
}

/* 0: it was sent, and where it gives rows, they are there. */
static int execute(struct db *db, struct query *q, struct err *err)
{
	const struct expected done = { .what = EXPECT_DONE };
	struct link *l = db->handle;
	bool is_late = !q->gives_rows && l->in_transaction && l->to_write;

	if (link_ready(db, err))
		return -1;
	l->n_written += is_late;
	if (is_late && q->gather)
		return gather_row(db, q, err);
	if (q->head.is_scan ? send_cursor(db, q, err) : send_prepared(db, q, &done, err))
		return -1;
	if (is_late)
		return 0;
	return link_collect(db, q->gives_rows ? &q->result : NULL, err);
}

/* A connection that was lost since it was last used is no fault of what is asked. */
static int execute_again(struct db *db, struct query *q, struct err *err)
{
	struct link *l = db->handle;
	bool in_transaction = l->in_transaction, may_repeat;

	may_repeat = q->gives_rows && (!in_transaction || l->is_fresh);
	if (!execute(db, q, err))
		return 0;
	if (!l->is_lost || !may_repeat || (in_transaction && l->to_write) || db_is_over(db))
		return -1;
	l->in_transaction = false;
	if (in_transaction && link_begin(db, false, err))
		return -1;
	return execute(db, q, err);
}

/* A row of many bytes may be followed by many such. */
static bool is_small(const struct query *q)
{
	size_t n = 0;
	int row, column;

	for (row = 0; row < q->n_rows && n <= SCAN_BYTES; row++)
		for (column = 0; column < pq.nfields(q->result); column++)
			n += (size_t)pq.getlength(q->result, row, column);
	return n <= SCAN_BYTES;
}

static int fetch_more(struct db *db, struct query *q, struct err *err)
{
	if (q->n_fetched < SCAN_MOST && is_small(q))
		q->n_fetched *= SCAN_MORE;
	pq.clear(q->result);
	q->result = NULL;
	if (link_ready(db, err) || send_fetch(db, q, err) || link_collect(db, &q->result, err))
		return -1;
	q->n_rows = pq.ntuples(q->result);
	q->row = -1;
	return 0;
}

/* The rows of what was sent ahead, and of all else that was. */
static int take_ahead(struct db *db, struct query *q, struct err *err)
{
	if (!q->answer->result && (link_ready(db, err) || link_collect(db, NULL, err)))
		return -1;
	if (!q->answer->result)
		return err_set(err, ERR_STORE, "cannot use '%s': an answer failed", db->path);
	q->is_ahead = false;
	q->result = q->answer->result;
	q->first_column = 1;
	answer_rows(q->answer, q->number, &q->row, &q->n_rows);
	q->row--;
	return 0;
}

int postgres_step(struct db *db, struct db_query *head, struct err *err)
{
	struct query *q = (struct query *)head;

	if (!q->was_sent && db->is_held && q->gives_rows && !head->is_scan &&
	    later_step(db, q, err))
		return -1;
	if (q->is_ahead && take_ahead(db, q, err))
		return -1;
	if (!q->was_sent) {
		if (execute_again(db, q, err))
			return -1;
		q->was_sent = true;
		q->n_rows = q->result ? pq.ntuples(q->result) : 0;
		q->row = -1;
	}
	if (q->is_open && q->row + 1 == q->n_rows && q->n_rows == q->n_fetched &&
	    fetch_more(db, q, err))
		return -1;
	if (db_is_over(db))
		return err_set(err, ERR_TIMEOUT, "cannot read '%s': interrupted", db->path);
	return ++q->row < q->n_rows;
}

/* A cursor ends with its transaction, or where it had none here. */
void postgres_end(struct db_query *head)
{
	struct query *q = (struct query *)head;
	struct link *l = q->db->handle;
	char sql[64];

	if (!q->answer)
		pq.clear(q->result);
	answer_leave(q->answer);
	q->answer = NULL;
	q->result = NULL;
	q->first_column = 0;
	if (q->is_held && !l->is_lost && !l->in_transaction) {
		snprintf(sql, sizeof(sql), "CLOSE %s", q->name);
		if (!link_send(q->db, sql, NULL))
			link_collect(q->db, NULL, NULL);
	}
	q->was_sent = q->is_open = q->is_held = q->is_ahead = false;
}

#else
typedef int libpq_is_absent;
#endif
