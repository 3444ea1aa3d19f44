#include "reporter/judge/states.h"

#include <math.h>
#include <stdlib.h>

#include "lib/judge/pairs.h"
#include "lib/stats/signedrank.h"
#include "lib/stats/verdict.h"
#include "reporter/figures/cells.h"

#include "lib/base/banned.h"

#define LEAST 8 /* pairs of a third */

struct one {
	double level, change;
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
		v[i].level = (log(m->baseline_samples[i]) + log(m->samples[i])) / 2;
		v[i].change = m->better == BETTER_HIGHER ? -c->d[i] : c->d[i];
	}
	qsort(v, c->n, sizeof(*v), by_level);
	return v;
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

static int look(const struct one *v, size_t n, double least, struct states *out, struct err *err)
{
	size_t third = n / 3;
	const struct one *last = v + n - third;
	struct signed_rank quick, slow;

	out->quick = middle(v, third);
	out->slow = middle(last, third);
	if (!(out->slow >= STATES_APART * out->quick))
		return 0;
	if (change_of(v, third, &quick, err) || change_of(last, third, &slow, err))
		return -1;
	out->quick_ratio = exp(quick.theta);
	out->slow_ratio = exp(slow.theta);
	out->differ = fabs(quick.theta - slow.theta) >= least &&
		      (quick.low > slow.high || quick.high < slow.low);
	return 0;
}

int judge_states(const struct bench *b, const struct metric *m, struct states *out, struct err *err)
{
	struct pair_changes c;
	struct one *v = NULL;
	int result = 0;

	*out = (struct states){ .differ = false };
	if (!cell_is_duration(m) || pair_changes_of(b, m, &c, err))
		return cell_is_duration(m) ? -1 : 0;
	if (c.d && !c.by_difference && c.n / 3 >= LEAST) {
		v = sorted_pairs(m, &c, err);
		result = v ? look(v, c.n, c.threshold, out, err) : -1;
	}
	free(v);
	pair_changes_release(&c);
	return result;
}
