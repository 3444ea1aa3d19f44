#include "collector/extent/differ.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

#define PLACES_FREE 64 /* under a microsecond, as the others are */
#define NAMED_FREE 4
#define PAGES_FREE 1

void differ_release(struct difference *d)
{
	free(d->changed);
	strv_release(&d->functions);
	*d = (struct difference)DIFFERENCE_INIT;
}

static int by_key(const void *a, const void *b)
{
	return strcmp((*(const struct part *const *)a)->key, (*(const struct part *const *)b)->key);
}

static const struct part **sort(const struct parts *p, struct err *err)
{
	const struct part **list = calloc(p->n + 1, sizeof(*list));
	size_t i;

	if (!list) {
		err_nomem(err);
		return NULL;
	}
	for (i = 0; i < p->n; i++)
		list[i] = &p->v[i];
	qsort(list, p->n, sizeof(*list), by_key);
	return list;
}

static const struct part *find(const struct part **list, size_t n, const struct part *like)
{
	const struct part *const *found = bsearch(&like, list, n, sizeof(*list), by_key);

	return found ? *found : NULL;
}

static bool is_same(const struct part *a, const struct part *b)
{
	return b && !a->odd && !b->odd && a->kind == b->kind && a->always == b->always &&
	       !strcmp(a->digest, b->digest);
}

/* Constructors run in the order in which the program has them. */
static bool has_same_order(const struct parts *a, const struct parts *b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a->n && !a->v[i].always)
			i++;
		while (k < b->n && !b->v[k].always)
			k++;
		if (i == a->n || k == b->n)
			return i == a->n && k == b->n;
		if (strcmp(a->v[i++].key, b->v[k++].key) != 0)
			return false;
	}
}

/* Functions that only the head has. */
static int add_new(struct difference *d, const struct part **of_base, struct err *err)
{
	size_t i;

	for (i = 0; i < d->head->n; i++) {
		const struct part *p = &d->head->v[i];

		if (p->kind != PART_FUNCTION || find(of_base, d->base->n, p))
			continue;
		d->n_functions++;
		if (strv_add(&d->functions, p->name, err))
			return -1;
	}
	return 0;
}

static int compare(struct difference *d, const struct part **of_head, struct err *err)
{
	size_t i;

	d->n_functions = d->base->n_functions;
	for (i = 0; i < d->base->n; i++) {
		const struct part *p = &d->base->v[i];

		d->changed[i] = !is_same(p, find(of_head, d->head->n, p));
		if (!d->changed[i])
			continue;
		d->n_data += p->kind != PART_FUNCTION;
		if (p->kind == PART_FUNCTION && strv_add(&d->functions, p->name, err))
			return -1;
	}
	return 0;
}

/* Whether what lies between data that a part names is the same, in name and order. */
static bool is_joined_alike(const struct difference *d, const struct part *a, const struct part *b)
{
	size_t i, k;

	if (a->n_between != b->n_between)
		return false;
	for (i = 0; i < a->n_between; i += 2) {
		const size_t *x = a->between + i, *y = b->between + i;

		if (x[1] - x[0] != y[1] - y[0])
			return false;
		for (k = 0; k <= x[1] - x[0]; k++)
			if (strcmp(d->base->v[x[0] + k].key, d->head->v[y[0] + k].key) != 0)
				return false;
	}
	return true;
}

/* Functions that are the same, and may come to other data: they count where they run. */
static void compare_joined(struct difference *d, const struct part **of_head)
{
	size_t i;

	for (i = 0; i < d->base->n; i++) {
		const struct part *p = &d->base->v[i];

		d->changed[i] =
			d->changed[i] || !is_joined_alike(d, p, find(of_head, d->head->n, p));
	}
}

static bool is_about(uint64_t one, uint64_t two, uint64_t free)
{
	return (one > two ? one - two : two - one) <= free;
}

/* A table that nobody reads is filled in all the same: a few places more are lost in any noise. */
static bool starts_alike(const struct parts *base, const struct parts *head)
{
	const struct linked_filled *b = &base->filled, *h = &head->filled;

	return is_about(b->places, h->places, PLACES_FREE) &&
	       is_about(b->named, h->named, NAMED_FREE) && is_about(b->pages, h->pages, PAGES_FREE);
}

int differ_make(const struct parts *base, const struct parts *head, struct difference *out,
		struct err *err)
{
	struct difference d = { .base = base, .head = head };
	const struct part **of_base = sort(base, err), **of_head = sort(head, err);
	int result = -1;

	d.changed = calloc(base->n + 1, sizeof(*d.changed));
	if (!of_base || !of_head || !d.changed) {
		err_nomem(err);
		goto out;
	}
	if (compare(&d, of_head, err) || add_new(&d, of_base, err))
		goto out;
	compare_joined(&d, of_head);
	d.is_elsewhere = strcmp(base->frame, head->frame) != 0 || !has_same_order(base, head) ||
			 !starts_alike(base, head);
	*out = d;
	d = (struct difference)DIFFERENCE_INIT;
	result = 0;
out:
	free(of_base);
	free(of_head);
	differ_release(&d);
	return result;
}

/* Names it, and where it is not a function those that need it. */
static int name(const struct difference *d, const bool *marked, size_t which, struct strv *out,
		struct err *err)
{
	const struct parts *p = d->base;
	size_t i, k, before = out->n;

	if (p->v[which].kind == PART_FUNCTION)
		return strv_add(out, p->v[which].name, err);
	for (i = 0; i < p->n; i++)
		for (k = 0; marked[i] && !d->changed[i] && p->v[i].kind == PART_FUNCTION &&
			    k < p->v[i].n_needs;
		     k++)
			if (p->v[i].needs[k] == which &&
			    strv_addf(out, err, "%s (data)", p->v[i].name))
				return -1;
	return out->n > before ? 0 : strv_add(out, p->v[which].name, err);
}

int differ_executed(const struct difference *d, const bool *runs, struct strv *out, struct err *err)
{
	bool *marked = calloc(d->base->n + 1, sizeof(*marked));
	size_t i;
	int result = -1;

	if (!marked)
		return err_nomem(err);
	for (i = 0; i < d->base->n; i++)
		marked[i] = d->base->v[i].always || (runs && runs[i]);
	if (parts_close_over(d->base, marked, err))
		goto out;
	for (i = 0; i < d->base->n; i++)
		if (marked[i] && d->changed[i] && name(d, marked, i, out, err))
			goto out;
	result = 0;
out:
	free(marked);
	return result;
}

int differ_of_head(const struct difference *d, const bool *runs, bool *of_head, struct err *err)
{
	const struct part **list = sort(d->head, err), *found;
	size_t i;

	if (!list)
		return -1;
	for (i = 0; i < d->base->n; i++) {
		found = runs[i] ? find(list, d->head->n, &d->base->v[i]) : NULL;
		if (found)
			of_head[found - d->head->v] = true;
	}
	free(list);
	return 0;
}
