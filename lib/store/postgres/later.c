/*
 * Questions of a snapshot that are asked together: each is kept with its answer, by its text and
 * what is bound, and whoever asks again is given that (db_together()).
 */
#ifdef PAWL_LIBPQ

#include <stdlib.h>
#include <string.h>

#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

static void add_bound(const struct query *q, struct buf *out)
{
	int i;

	for (i = 0; i < q->n; i++) {
		const char *bytes = q->values[i];
		size_t n = !bytes ? 0 : q->formats[i] ? (size_t)q->lengths[i] : strlen(bytes);

		buf_addf(out, "%c%zu ", bytes ? 'b' : 'n', n);
		if (bytes)
			buf_add(out, bytes, n);
	}
}

static struct kept *find(const struct link *l, const char *sql, const struct buf *bound)
{
	size_t i;

	for (i = 0; i < l->n_kept; i++) {
		struct kept *k = &l->kept[i];

		if (k->sql == sql && k->bound.len == bound->len &&
		    (!bound->len || !memcmp(k->bound.data, bound->data, bound->len)))
			return k;
	}
	return NULL;
}

/* Room for one more; NULL without memory. */
static struct kept *add(struct link *l, struct err *err)
{
	if (l->n_kept == l->cap_kept) {
		size_t cap = l->cap_kept ? 2 * l->cap_kept : 64;
		struct kept *grown = realloc(l->kept, cap * sizeof(*grown));

		if (!grown) {
			err_nomem(err);
			return NULL;
		}
		l->kept = grown;
		l->cap_kept = cap;
	}
	return &l->kept[l->n_kept];
}

/* One that cannot be asked together with others is asked when its answer is needed. */
int postgres_ahead(struct db *db, struct db_query *head, struct err *err)
{
	struct query *q = (struct query *)head;
	char types[QUERY_MOST_PARAMETERS + 1] = "";
	int i;

	if (link_ready(db, err))
		return -1;
	for (i = 0; !q->gather && i < q->n; i++)
		types[i] = postgres_letter_of(q->types[i]);
	if (!q->gather && gather_find(db, head->sql, types, &q->gather, err))
		return -1;
	if (!q->gather)
		return 0;
	if (gather_question(db, q, err))
		return -1;
	q->is_ahead = q->was_sent = true;
	return 0;
}

static int come_later(struct err *err)
{
	return err_set(err, ERR_LATER, "the answer comes later");
}

/* Takes bound over. */
static int ask(struct db *db, struct query *q, struct buf *bound, struct err *err)
{
	struct link *l = db->handle;
	struct kept *k = add(l, err);

	if (!k || postgres_ahead(db, &q->head, err))
		return -1;
	if (!q->answer) /* a text that cannot be asked with others */
		return 0;
	*k = (struct kept){ q->head.sql, *bound, q->answer, q->number };
	*bound = (struct buf)BUF_INIT;
	k->answer->n_users++;
	l->n_kept++;
	return come_later(err);
}

int later_step(struct db *db, struct query *q, struct err *err)
{
	struct link *l = db->handle;
	struct buf bound = BUF_INIT;
	const struct kept *k;
	int result = 0;

	if (!l->is_later && !l->n_kept)
		return 0;
	add_bound(q, &bound);
	result = buf_check(&bound, err);
	k = result ? NULL : find(l, q->head.sql, &bound);
	if (k && !k->answer->result && l->is_later) {
		result = come_later(err);
	} else if (k) {
		q->answer = k->answer;
		q->answer->n_users++;
		q->number = k->number;
		q->is_ahead = q->was_sent = true;
	} else if (!result && l->is_later) {
		result = ask(db, q, &bound, err);
	}
	buf_release(&bound);
	return result;
}

void postgres_later(struct db *db, bool on)
{
	((struct link *)db->handle)->is_later = on;
}

int postgres_arrive(struct db *db, struct err *err)
{
	return link_ready(db, err) || link_collect(db, NULL, err) ? -1 : 0;
}

#else
typedef int libpq_is_absent;
#endif
