#include "collector/bisect/gaps.h"

#include <assert.h>
#include <stdlib.h>

#include "lib/base/banned.h"

void gaps_release(struct gaps *g)
{
	free(g->v);
	*g = (struct gaps)GAPS_INIT;
}

int gaps_init(size_t n, struct gaps *out, struct err *err)
{
	assert(n >= 2);
	out->v = calloc(n, sizeof(*out->v));
	if (!out->v)
		return err_nomem(err);
	out->n = n;
	out->v[0].is_in = out->v[n - 1].is_in = true;
	out->v[0].next = n - 1;
	return 0;
}

int gaps_init_all(size_t n, struct gaps *out, struct err *err)
{
	size_t i;

	if (gaps_init(n, out, err))
		return -1;
	for (i = 0; i < n; i++)
		out->v[i] = (struct gap_place){ .is_in = true, .next = i + 1 < n ? i + 1 : 0 };
	return 0;
}

/* The place nearest to the middle that can be measured; 0: there is none between. */
static size_t middle_of(const struct gaps *g, size_t from)
{
	size_t to = g->v[from].next, middle = from + (to - from) / 2, off;

	for (off = 0; off < to - from; off++) {
		if (middle - from > off && !g->v[middle - off].is_gone)
			return middle - off;
		if (middle + off < to && middle + off > from && !g->v[middle + off].is_gone)
			return middle + off;
	}
	return 0;
}

/* Whether gap a is split before gap b. */
static bool is_before(const struct gaps *g, size_t a, size_t b)
{
	const struct gap_place *x = &g->v[a], *y = &g->v[b];

	if (x->found != y->found)
		return x->found > y->found;
	return x->next - a > y->next - b;
}

static bool split_best(struct gaps *g)
{
	size_t i, best = g->n, middle;

	for (i = 0; i < g->n; i++)
		if (g->v[i].is_in && g->v[i].next && middle_of(g, i) &&
		    (best == g->n || is_before(g, i, best)))
			best = i;
	if (best == g->n)
		return false;
	middle = middle_of(g, best);
	g->v[middle] = (struct gap_place){ .is_in = true, .next = g->v[best].next };
	g->v[best].was_next = g->v[best].next;
	g->v[best].was = g->v[best].found;
	g->v[best].next = middle;
	g->v[best].found = GAP_UNKNOWN;
	return true;
}

bool gaps_next(struct gaps *g, size_t *out_from, size_t *out_to)
{
	size_t i;

	do {
		for (i = 0; i < g->n; i++) {
			if (!g->v[i].is_in || !g->v[i].next || g->v[i].found != GAP_UNKNOWN)
				continue;
			*out_from = i;
			*out_to = g->v[i].next;
			return true;
		}
	} while (split_best(g));
	return false;
}

void gaps_found(struct gaps *g, size_t from, enum gap found)
{
	g->v[from].found = found;
}

/* The gap before the place, or n. */
static size_t before(const struct gaps *g, size_t place)
{
	size_t i;

	/* next 0 is none, not the first place */
	for (i = 0; place && i < g->n && !(g->v[i].is_in && g->v[i].next == place); i++)
		;
	return place ? i : g->n;
}

/* The range begins later: at the next commit that may be measured. */
static void begin_later(struct gaps *g, size_t place)
{
	size_t next = g->v[place].next, i = place + 1;

	while (i < next && g->v[i].is_gone)
		i++;
	if (i < next)
		g->v[i] = (struct gap_place){ .is_in = true, .next = next };
}

/* The range ends earlier. */
static void end_earlier(struct gaps *g, size_t from, size_t place)
{
	size_t i = place - 1;

	while (i > from && g->v[i].is_gone)
		i--;
	g->v[from].next = i > from ? i : 0;
	g->v[from].found = GAP_UNKNOWN;
	if (i > from)
		g->v[i] = (struct gap_place){ .is_in = true };
}

void gaps_drop(struct gaps *g, size_t place)
{
	struct gap_place *p = &g->v[place];
	size_t from = before(g, place);

	assert(p->is_in);
	p->is_in = false;
	p->is_gone = true;
	if (from == g->n) {
		begin_later(g, place);
	} else if (!p->next) {
		end_earlier(g, from, place);
	} else { /* where it is the one that was split, it was measured before */
		struct gap_place *merged = &g->v[from];

		merged->next = p->next;
		merged->found = merged->was_next == p->next ? merged->was : GAP_UNKNOWN;
	}
}

size_t gaps_count(const struct gaps *g, size_t *out_widest)
{
	size_t i, n = 0;

	*out_widest = 0;
	for (i = 0; i < g->n; i++) {
		const struct gap_place *p = &g->v[i];

		if (!p->is_in || !p->next)
			continue;
		n += p->found != GAP_UNKNOWN;
		if (p->next - i > *out_widest)
			*out_widest = p->next - i;
	}
	return n;
}

size_t gaps_count_of(const struct gaps *g, enum gap found)
{
	size_t i, n = 0;

	for (i = 0; i < g->n; i++)
		n += g->v[i].is_in && g->v[i].next && g->v[i].found == found;
	return n;
}
