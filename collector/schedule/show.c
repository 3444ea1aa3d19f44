/*
 * schedule_show - the progress line of measuring.
 */
#include "collector/schedule/local.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/buf.h"
#include "lib/base/number.h"
#include "lib/stats/describe.h"

#include "lib/base/banned.h"

#define FEWEST_SHOWN 6 /* pairs before a change is worth showing */

/* "pair 22 of 25 or 30": the looks that may still come. */
static void add_looks(const struct unit *u, struct buf *out)
{
	size_t next = u->n_pairs + 1, i, last = u->looks.n - 1;
	const char *lead = "";

	buf_addf(out, "pair %zu of ", next);
	for (i = 0; i <= last; i++) {
		if (u->looks.pairs[i] < next)
			continue;
		buf_addf(out, "%s%u", lead, u->looks.pairs[i]);
		lead = i + 1 == last ? " or " : ", ";
	}
}

static void add_count(const struct unit *u, const struct schedule *s, struct buf *out)
{
	const char *what = u->needs_base ? "pair" : "run";

	if (u->looks.n)
		add_looks(u, out);
	else if (s->runs_min == s->runs_max)
		buf_addf(out, "%s %zu of %d", what, u->n_pairs + 1, s->runs_max);
	else
		buf_addf(out, "%s %zu of %d..%d", what, u->n_pairs + 1, s->runs_min, s->runs_max);
}

/* The median: the estimate of the verdict costs 7 ms from 400 pairs, and this is only a hint. */
static void add_change(const struct unit *u, struct buf *out)
{
	double *x, median;
	size_t n;

	if (!u->has_base || u->n_pairs < FEWEST_SHOWN)
		return;
	x = malloc(u->n_pairs * sizeof(*x));
	n = x ? schedule_values(u, x) : 0;
	if (n >= FEWEST_SHOWN && !quantile(x, n, 0.5, &median, NULL))
		buf_addf(out, "  %+.1f %%", 100 * expm1(median));
	free(x);
}

void schedule_show(const struct unit *u, const struct schedule *s, double done_ns, double left_ns)
{
	struct buf text = BUF_INIT;
	char left[NUMBER_TEXT];

	if (!s->talk || !s->talk->progress)
		return;
	add_count(u, s, &text);
	buf_addf(&text, "  %s", u->name);
	add_change(u, &text);
	talk_progress(s->talk, done_ns, done_ns + left_ns, "%s  about %s left", buf_str(&text),
		      number_print_ns(left_ns, left));
	buf_release(&text);
}
