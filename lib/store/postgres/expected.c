/* What the server is to answer, and how what was asked is forgotten. */
#ifdef PAWL_LIBPQ

#include <stdlib.h>

#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* One large document is no reason to keep as much for ever. */
#define KEPT_MOST (1u << 20)

struct answer *answer_new(void)
{
	struct answer *a = calloc(1, sizeof(*a));

	if (a)
		a->n_users = 1;
	return a;
}

void answer_leave(struct answer *a)
{
	if (!a || --a->n_users)
		return;
	pq.clear(a->result);
	free(a);
}

static int number_at(const struct answer *a, int row)
{
	return (int)postgres_take_number(pq.getvalue(a->result, row, 0),
					 pq.getlength(a->result, row, 0));
}

/* The first row of number or behind it. */
static int find_row(const struct answer *a, int number)
{
	int low = 0, high = pq.ntuples(a->result);

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (number_at(a, middle) < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void answer_rows(const struct answer *a, int number, int *out_first, int *out_end)
{
	*out_first = find_row(a, number);
	*out_end = find_row(a, number + 1);
}

void gather_forget_rows(struct gather *g)
{
	int i;

	for (i = 0; i < g->n; i++) {
		if (g->columns[i].cap > KEPT_MOST)
			buf_release(&g->columns[i]);
		buf_reset(&g->columns[i]);
		g->has_null[i] = false;
	}
	g->n_rows = g->n_bytes = 0;
}

void gather_forget(struct link *l)
{
	size_t i;

	for (i = 0; l->has_gathered && i < l->n_gathers; i++)
		gather_forget_rows(l->gathers[i]);
	l->has_gathered = false;
	answer_leave(l->asked);
	l->asked = NULL;
}

void later_forget(struct link *l)
{
	size_t i;

	for (i = 0; i < l->n_kept; i++) {
		answer_leave(l->kept[i].answer);
		buf_release(&l->kept[i].bound);
	}
	free(l->kept);
	l->kept = NULL;
	l->n_kept = l->cap_kept = 0;
	l->is_later = false;
}

void link_forget(struct link *l)
{
	size_t i;

	for (i = 0; i < l->n_expected; i++)
		answer_leave(l->expected[i].answer);
	l->n_expected = 0;
	gather_forget(l);
	later_forget(l);
}

void link_lose(struct link *l)
{
	l->is_lost = true;
	link_forget(l);
}

int link_expect(struct link *l, const struct expected *e, struct err *err)
{
	if (l->n_expected == l->cap_expected) {
		size_t cap = l->cap_expected ? 2 * l->cap_expected : 64;
		struct expected *grown = realloc(l->expected, cap * sizeof(*grown));

		if (!grown) {
			link_lose(l); /* an answer would be taken for another's */
			return err_nomem(err);
		}
		l->expected = grown;
		l->cap_expected = cap;
	}
	l->expected[l->n_expected++] = *e;
	return 0;
}

#else
typedef int libpq_is_absent;
#endif
