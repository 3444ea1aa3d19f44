#include "reporter/judge/states.h"

#include <math.h>
#include <stdlib.h>

#include "lib/judge/pairs.h"
#include "lib/stats/signedrank.h"
#include "lib/stats/verdict.h"
#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

#define LEAST 8 /* pairs of a third */

#define SHARED 3 /* layouts of both thirds */

struct one {
	double level, change, base, head; /* logarithms but the change */
	double layout;
};

static int by_level(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	return (x->level > y->level) - (x->level < y->level);
}

static struct one *sorted_pairs(const struct metric *m, const struct pair_changes *c,
				struct err *err)
{
	struct one *v = malloc(c->n * sizeof(*v));
	size_t i;

	if (!v) {
		err_nomem(err);
		return NULL;
	}
	for (i = 0; i < c->n; i++) {
		v[i].base = log(m->baseline_samples[i]);
		v[i].head = log(m->samples[i]);
		v[i].level = (v[i].base + v[i].head) / 2;
		v[i].layout = c->layouts ? c->layouts[i] : 0;
		v[i].change = m->better == BETTER_HIGHER ? -c->d[i] : c->d[i];
	}
	qsort(v, c->n, sizeof(*v), by_level);
	return v;
}

/* The largest over the smallest; not above 0: INFINITY. */
static double reach_of(const double *x, size_t n)
{
	double least = x[0], most = x[0];
	size_t i;

	for (i = 1; i < n; i++) {
		least = fmin(least, x[i]);
		most = fmax(most, x[i]);
	}
	return least > 0 ? most / least : (double)INFINITY;
}

/* No third of the pairs is STATES_APART slower than another where all of them lie closer. */
static bool may_be_apart(const struct metric *m)
{
	return reach_of(m->samples, m->n) * reach_of(m->baseline_samples, m->n) >=
	       STATES_APART * STATES_APART;
}

static int change_of(const struct one *v, size_t n, struct signed_rank *out, struct err *err)
{
	double *d = malloc(n * sizeof(*d));
	size_t i;
	int result;

	if (!d)
		return err_nomem(err);
	for (i = 0; i < n; i++)
		d[i] = v[i].change;
	result = signed_rank(d, n, VERDICT_CONFIDENCE, out, err);
	free(d);
	return result;
}

static double middle(const struct one *v, size_t n)
{
	return exp((v[(n - 1) / 2].level + v[n / 2].level) / 2);
}

/* ---- what else it may be -------------------------------------------------------------------- */

struct mean {
	double base, head, change;
	size_t n;
};

/* Of the pairs of that layout; NaN: of all. */
static struct mean mean_of(const struct one *v, size_t n, double layout)
{
	struct mean sum = { 0, 0, 0, 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		if (!isnan(layout) && v[i].layout != layout)
			continue;
		sum.base += v[i].base;
		sum.head += v[i].head;
		sum.change += v[i].change;
		sum.n++;
	}
	sum.base /= (double)sum.n;
	sum.head /= (double)sum.n;
	sum.change /= (double)sum.n;
	return sum;
}

/* A machine that is slower is so for both. */
static bool are_both_slower(const struct one *quick, const struct one *slow, size_t n)
{
	struct mean one = mean_of(quick, n, (double)NAN), two = mean_of(slow, n, (double)NAN);
	double least = log(STATES_APART) / 2;

	return two.base - one.base >= least && two.head - one.head >= least;
}

static bool is_first(const struct one *v, size_t i)
{
	size_t k;

	for (k = 0; k < i && v[k].layout != v[i].layout; k++)
		;
	return k == i;
}

/* By how much the changes of one layout differ between the thirds, on the average; *out_n: of how
 * many layouts. */
static double within_layouts(const struct one *quick, const struct one *slow, size_t n,
			     size_t *out_n)
{
	double sum = 0;
	size_t i;

	*out_n = 0;
	for (i = 0; i < n; i++) {
		struct mean other = mean_of(slow, n, quick[i].layout);

		if (!is_first(quick, i) || !other.n)
			continue;
		sum += other.change - mean_of(quick, n, quick[i].layout).change;
		++*out_n;
	}
	return sum / (double)*out_n;
}

static bool has_layouts(const struct one *v, size_t n)
{
	size_t i;

	for (i = 1; i < n && v[i].layout == v[0].layout; i++)
		;
	return i < n;
}

/* *out_unsure: that no layout can tell.  false: the same layouts do not show it. */
static bool layouts_agree(const struct one *v, size_t n, double moved, bool *out_unsure)
{
	size_t third = n / 3, n_shared;
	double within = within_layouts(v, v + n - third, third, &n_shared);

	*out_unsure = has_layouts(v, n) && n_shared < SHARED;
	return !has_layouts(v, n) || *out_unsure || within / moved >= 0.5;
}

static int look(const struct one *v, size_t n, double least, struct states *out, struct err *err)
{
	size_t third = n / 3;
	const struct one *last = v + n - third;
	struct signed_rank quick, slow;

	out->quick = middle(v, third);
	out->slow = middle(last, third);
	if (!(out->slow >= STATES_APART * out->quick) || !are_both_slower(v, last, third))
		return 0;
	if (change_of(v, third, &quick, err) || change_of(last, third, &slow, err))
		return -1;
	out->quick_ratio = exp(quick.theta);
	out->slow_ratio = exp(slow.theta);
	out->differ = fabs(quick.theta - slow.theta) >= least &&
		      (quick.low > slow.high || quick.high < slow.low) &&
		      layouts_agree(v, n, slow.theta - quick.theta, &out->or_layout);
	return 0;
}

int judge_states(const struct bench *b, const struct metric *m, struct states *out, struct err *err)
{
	struct pair_changes c;
	struct one *v = NULL;
	int result = 0;

	*out = (struct states){ .differ = false };
	if (!cell_is_duration(m) || m->n / 3 < LEAST || m->n != m->n_baseline || !may_be_apart(m))
		return 0;
	if (pair_changes_of(b, m, &c, err))
		return -1;
	if (c.d && !c.by_difference) {
		v = sorted_pairs(m, &c, err);
		result = v ? look(v, c.n, c.threshold, out, err) : -1;
	}
	free(v);
	pair_changes_release(&c);
	return result;
}
