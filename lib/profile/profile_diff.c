#include "lib/profile/profile_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void profile_diff_release(struct profile_diff *d)
{
	free(d->v);
	*d = (struct profile_diff)PROFILE_DIFF_INIT;
}

const struct profile_function *function_delta_either(const struct function_delta *d)
{
	return d->head ? d->head : d->base;
}

static int by_group(const struct profile_function *a, const struct profile_function *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(path_base(a->object), path_base(b->object));
}

static int by_key(const void *left, const void *right)
{
	const struct profile_function *a = *(const struct profile_function *const *)left;
	const struct profile_function *b = *(const struct profile_function *const *)right;
	int order = by_group(a, b);

	return order ? order : strcmp(a->file, b->file);
}

static int by_delta(const void *left, const void *right)
{
	const struct function_delta *a = left, *b = right;
	double x = fabs(a->delta), y = fabs(b->delta);

	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(function_delta_either(a)->name, function_delta_either(b)->name);
}

/* Pointers to all functions, sorted; free() it. */
static const struct profile_function **sorted(const struct profile *p, struct err *err)
{
	const struct profile_function **v = calloc(p->n + 1, sizeof(*v));
	size_t i;

	if (!v) {
		err_nomem(err);
		return NULL;
	}
	for (i = 0; i < p->n; i++)
		v[i] = &p->functions[i];
	if (p->n)
		qsort(v, p->n, sizeof(*v), by_key);
	return v;
}

static void add(struct profile_diff *d, const struct profile_function *base,
		const struct profile_function *head)
{
	double delta = (head ? head->self : 0) - (base ? base->self : 0);

	if (delta != 0)
		d->v[d->n++] = (struct function_delta){ base, head, delta };
}

static size_t group_end(const struct profile_function **v, size_t at, size_t n)
{
	size_t end = at + 1;

	while (end < n && !by_group(v[at], v[end]))
		end++;
	return end;
}

/* Functions of one name and object: by file, but one against one belongs together anyhow. */
static void add_group(struct profile_diff *d, const struct profile_function **base, size_t n_base,
		      const struct profile_function **head, size_t n_head)
{
	size_t i = 0, k = 0;

	if (n_base == 1 && n_head == 1) {
		add(d, base[0], head[0]);
		return;
	}
	while (i < n_base || k < n_head) {
		int order = i == n_base	  ? 1
			    : k == n_head ? -1
					  : strcmp(base[i]->file, head[k]->file);

		add(d, order <= 0 ? base[i] : NULL, order >= 0 ? head[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
}

int profile_diff(const struct profile *base, const struct profile *head, struct profile_diff *out,
		 struct err *err)
{
	struct profile_diff d = { NULL, 0, base->total, head->total };
	const struct profile_function **a = sorted(base, err), **b = sorted(head, err);
	size_t i = 0, k = 0;
	int result = -1;

	d.v = calloc(base->n + head->n + 1, sizeof(*d.v));
	if (!a || !b || !d.v) {
		err_nomem(err);
		goto out;
	}
	while (i < base->n || k < head->n) {
		int order = i == base->n ? 1 : k == head->n ? -1 : by_group(a[i], b[k]);
		size_t i_end = order <= 0 ? group_end(a, i, base->n) : i;
		size_t k_end = order >= 0 ? group_end(b, k, head->n) : k;

		add_group(&d, a + i, i_end - i, b + k, k_end - k);
		i = i_end;
		k = k_end;
	}
	if (d.n)
		qsort(d.v, d.n, sizeof(*d.v), by_delta);
	*out = d;
	d.v = NULL;
	result = 0;
out:
	free(a);
	free(b);
	free(d.v);
	return result;
}

static bool is_same_line(const struct line_delta *a, const struct line_delta *b)
{
	if (a->head_line != b->head_line || strcmp(a->file, b->file) != 0)
		return false;
	return a->head_line || (!a->base_line && !b->base_line);
}

/* What is in both comes together, the base's number first. */
static int by_line(const void *left, const void *right)
{
	const struct line_delta *a = left, *b = right;
	int order = strcmp(a->file, b->file);

	if (!order)
		order = (a->head_line > b->head_line) - (a->head_line < b->head_line);
	return order ? order : (a->base_line < b->base_line) - (a->base_line > b->base_line);
}

static int by_line_delta(const void *left, const void *right)
{
	const struct line_delta *a = left, *b = right;
	double x = fabs(a->delta), y = fabs(b->delta);

	return x != y ? (x > y ? -1 : 1) : by_line(left, right);
}

int profile_line_diff(const struct function_delta *d,
		      const struct line_map *(*map_of)(void *ctx, const char *file), void *ctx,
		      struct line_delta **out, size_t *out_n, struct err *err)
{
	size_t n_base = d->base ? d->base->n_lines : 0, n_head = d->head ? d->head->n_lines : 0;
	struct line_delta *v = calloc(n_base + n_head + 1, sizeof(*v)), *last = NULL;
	size_t i, n = 0, kept = 0;

	if (!v)
		return err_nomem(err);
	for (i = 0; i < n_base; i++) {
		const struct profile_line *l = &d->base->lines[i];
		unsigned head = line_map_find(map_of ? map_of(ctx, l->file) : NULL, l->line);

		v[n++] = (struct line_delta){ l->file, l->line, head, l->self, 0, 0 };
	}
	for (i = 0; i < n_head; i++) {
		const struct profile_line *l = &d->head->lines[i];

		v[n++] = (struct line_delta){ l->file, 0, l->line, 0, l->self, 0 };
	}
	if (n)
		qsort(v, n, sizeof(*v), by_line);
	for (i = 0; i < n; i++) {
		if (last && is_same_line(last, &v[i])) {
			last->base += v[i].base;
			last->head += v[i].head;
			continue;
		}
		v[kept] = v[i];
		last = &v[kept++];
	}
	for (n = kept, kept = 0, i = 0; i < n; i++) {
		v[i].delta = v[i].head - v[i].base;
		if (v[i].delta != 0)
			v[kept++] = v[i];
	}
	if (kept)
		qsort(v, kept, sizeof(*v), by_line_delta);
	*out = v;
	*out_n = kept;
	return 0;
}
