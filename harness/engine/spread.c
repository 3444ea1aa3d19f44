/* SPDX-License-Identifier: MIT */
#include "harness/engine/spread.h"

#include <stdlib.h>

#include "harness/base/root.h"
#include "harness/engine/student.h"

void pawl_spread_clear(struct spread *s)
{
	s->n = 0;
	s->mean = 0;
	s->m2 = 0;
}

bool pawl_spread_add(struct spread *s, double value)
{
	double delta = value - s->mean;
	if (s->n == SPREAD_CAPACITY)
		return false;
	s->values[s->n++] = value;
	s->mean += delta / (double)s->n;
	s->m2 += delta * (value - s->mean);
	return true;
}

void pawl_spread_halve(struct spread *s)
{
	size_t pairs = s->n / 2;
	pawl_spread_clear(s);
	for (size_t i = 0; i < pairs; i++) {
		double middle = (s->values[2 * i] + s->values[2 * i + 1]) / 2;
		(void)pawl_spread_add(s, middle);
	}
}

double pawl_spread_sd(const struct spread *s)
{
	return s->n > 1 ? pawl_root(s->m2 / (double)(s->n - 1)) : __builtin_nan("");
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void pawl_spread_figures(struct spread *s, struct spread_figures *out)
{
	const double none = __builtin_nan("");
	struct spread_figures f = { s->n, none, none, none, none, none, none, none, none };
	size_t n = s->n;
	if (n > 0) {
		qsort(s->values, n, sizeof(s->values[0]), by_size);
		f.min = s->values[0];
		f.mean = s->mean;
		f.median = (s->values[(n - 1) / 2] + s->values[n / 2]) / 2;
		f.p99 = s->values[(n * 99 + 99) / 100 - 1];
		f.max = s->values[n - 1];
	}
	if (n > 1) {
		double half;
		f.sd = pawl_spread_sd(s);
		half = pawl_student_half(n, f.sd);
		f.low = f.mean - half;
		f.high = f.mean + half;
	}
	*out = f;
}

void pawl_spread_scale(struct spread_figures *f, double by)
{
	f->min *= by;
	f->median *= by;
	f->mean *= by;
	f->sd *= by;
	f->p99 *= by;
	f->max *= by;
	f->low *= by;
	f->high *= by;
}
