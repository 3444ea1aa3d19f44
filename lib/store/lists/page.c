/* What all lists have in common: a transaction, a limit, a cursor. */
#include <string.h>

#include "lib/store/ledger/cursor.h"
#include "lib/store/lists/lists.h"

#include "lib/base/banned.h"

static uint64_t scope_of(const struct page *p)
{
	const struct list_query *q = p->q;
	const char *words[] = { p->kind,      q->project,
				q->commit,    q->branch,
				q->machine,   q->untrusted ? "untrusted" : NULL,
				q->benchmark, alert_state_name(q->state) };

	return cursor_scope(words, sizeof(words) / sizeof(words[0]));
}

int page_begin(struct page *p, struct ledger *l, const struct list_query *q, const char *kind,
	       struct buf *out, struct err *err)
{
	*p = (struct page){ .q = q, .kind = kind, .l = l };
	if (q->next)
		*q->next = '\0';
	if (q->cursor && cursor_read(q->cursor, scope_of(p), p->from, 2, err))
		return -1;
	if (db_begin_read(&l->db, err))
		return -1;
	jsonw_init(&p->w, out, 0);
	jsonw_object(&p->w);
	if (!strcmp(kind, "projects"))
		goto list;
	if (ledger_find_project(l, q->project, &p->project, err)) {
		db_rollback(&l->db);
		return -1;
	}
	jsonw_kstring(&p->w, "project", q->project);
list:
	jsonw_key(&p->w, kind);
	jsonw_array(&p->w);
	return 0;
}

bool page_has_room(struct page *p)
{
	p->is_over = p->n == p->q->limit;
	return !p->is_over;
}

void page_count(struct page *p, int64_t a, int64_t b)
{
	p->n++;
	p->last[0] = a;
	p->last[1] = b;
}

void page_pass(struct page *p, int64_t a, int64_t b)
{
	p->has_passed = true;
	p->last[0] = a;
	p->last[1] = b;
}

int page_end(struct page *p, int step, struct buf *out, struct err *err)
{
	char next[LEDGER_CURSOR] = "";

	db_rollback(&p->l->db);
	if (step < 0 && (p->n || p->has_passed) && err && err->code == ERR_TIMEOUT) {
		err_clear(err);
		p->is_over = true;
		step = 0;
	}
	if (step)
		return -1;
	if (p->is_over)
		cursor_write(scope_of(p), p->last, 2, next);
	if (p->q->next)
		memcpy(p->q->next, next, sizeof(next));
	jsonw_array_end(&p->w);
	jsonw_kstring(&p->w, "next", *next ? next : NULL);
	jsonw_object_end(&p->w);
	return buf_check(out, err);
}
