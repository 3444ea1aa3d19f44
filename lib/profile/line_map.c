#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile_diff.h"

#include "lib/base/banned.h"

struct line_text {
	const char *at;
	size_t n;
};

struct lines {
	struct line_text *v; /* v[0] is the first line */
	unsigned n;
};

void line_map_release(struct line_map *m)
{
	free(m->to);
	*m = (struct line_map)LINE_MAP_INIT;
}

unsigned line_map_find(const struct line_map *m, unsigned line)
{
	if (!m)
		return line;
	return line && line <= m->n ? m->to[line] : 0;
}

static int split(const char *text, size_t n, struct lines *out, struct err *err)
{
	const char *end = text + n, *p;
	size_t count = 0;

	for (p = text; n && p < end; p++)
		count += *p == '\n';
	out->v = calloc(count + 1, sizeof(*out->v));
	if (!out->v)
		return err_nomem(err);
	for (p = text, out->n = 0; n && p < end; out->n++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		if (!stop)
			stop = end;
		out->v[out->n] = (struct line_text){ p, (size_t)(stop - p) };
		p = stop < end ? stop + 1 : end;
	}
	return 0;
}

static bool equal(const struct line_text *a, const struct line_text *b)
{
	return a->n == b->n && !memcmp(a->at, b->at, a->n);
}

/* The middles of both texts: a line of the base is at row i, of the head at column k. */
struct middle {
	const struct line_text *base, *head;
	unsigned n_base, n_head, offset;
};

/* Longest common subsequence by dynamic programming over the lengths that are still to come. */
static int map_middle(const struct middle *m, struct line_map *map, struct err *err)
{
	size_t width = (size_t)m->n_head + 1;
	uint16_t *best;
	unsigned i, k;

	if (!m->n_base || !m->n_head || m->n_base >= UINT16_MAX || m->n_head >= UINT16_MAX ||
	    ((size_t)m->n_base + 1) * width > LINE_MAP_MAX_CELLS)
		return 0;
	best = calloc(((size_t)m->n_base + 1) * width, sizeof(*best));
	if (!best)
		return err_nomem(err);
	for (i = m->n_base; i-- > 0;)
		for (k = m->n_head; k-- > 0;) {
			const uint16_t *below = &best[(i + 1) * width + k];
			uint16_t *here = &best[i * width + k];

			if (equal(&m->base[i], &m->head[k]))
				*here = (uint16_t)(below[1] + 1);
			else
				*here = below[0] > here[1] ? below[0] : here[1];
		}
	for (i = k = 0; i < m->n_base && k < m->n_head;) {
		if (equal(&m->base[i], &m->head[k])) {
			map->to[m->offset + i + 1] = m->offset + k + 1;
			i++;
			k++;
		} else if (best[(i + 1) * width + k] >= best[i * width + k + 1]) {
			i++;
		} else {
			k++;
		}
	}
	free(best);
	return 0;
}

/* Where as many lines went as came between two that stayed, they were edited: one for one. */
static void pair_edited(struct line_map *map)
{
	unsigned i, k, gone, first = 1, came_from = 1;

	for (i = 1; i <= map->n + 1; i++) {
		unsigned to = i > map->n ? map->n_head + 1 : map->to[i];

		if (!to)
			continue;
		gone = i - first;
		if (gone && gone == to - came_from)
			for (k = 0; k < gone; k++)
				map->to[first + k] = came_from + k;
		first = i + 1;
		came_from = to + 1;
	}
}

int line_map_make(const char *base, size_t n_base, const char *head, size_t n_head,
		  struct line_map *out, struct err *err)
{
	struct lines a = { NULL, 0 }, b = { NULL, 0 };
	struct line_map map = LINE_MAP_INIT;
	struct middle middle;
	unsigned first = 0, last = 0;
	int result = -1;

	if (split(base, n_base, &a, err) || split(head, n_head, &b, err))
		goto out;
	map.to = calloc((size_t)a.n + 1, sizeof(*map.to));
	if (!map.to) {
		err_nomem(err);
		goto out;
	}
	map.n = a.n;
	map.n_head = b.n;
	while (first < a.n && first < b.n && equal(&a.v[first], &b.v[first])) {
		map.to[first + 1] = first + 1;
		first++;
	}
	while (last < a.n - first && last < b.n - first &&
	       equal(&a.v[a.n - last - 1], &b.v[b.n - last - 1])) {
		map.to[a.n - last] = b.n - last;
		last++;
	}
	middle = (struct middle){ a.v + first, b.v + first, a.n - first - last, b.n - first - last,
				  first };
	if (map_middle(&middle, &map, err))
		goto out;
	pair_edited(&map);
	*out = map;
	map.to = NULL;
	result = 0;
out:
	free(a.v);
	free(b.v);
	free(map.to);
	return result;
}
