#include "reporter/export/local.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

bool export_has(const struct bench *b, const struct metric *m)
{
	return !bench_has_failed(b) && m->n > 0 &&
	       (m->state == METRIC_OK || m->state == METRIC_SCALED);
}

bool export_has_figures(const struct bench *b, const struct metric *m)
{
	return export_has(b, m) || (!bench_has_failed(b) && !m->n && m->described &&
				    (isfinite(m->median) || isfinite(m->mean)));
}

/* What was summed up elsewhere; of mean and median one stands for the other. */
static void take_figures(const struct metric *m, struct description *out)
{
	memset(out, 0, sizeof(*out));
	out->mean = isfinite(m->mean) ? m->mean : m->median;
	out->median = isfinite(m->median) ? m->median : m->mean;
	out->sd = m->stddev;
	out->min = m->min;
	out->max = m->max;
	out->mad = (double)NAN;
	out->p99 = m->p99;
	out->ci_low = m->ci_low;
	out->ci_high = m->ci_high;
}

int export_figures(const struct bench *b, const struct metric *m, struct description *out,
		   struct err *err)
{
	if (!m->n)
		take_figures(m, out);
	else if (describe(m->samples, m->n, 0.95, out, err))
		return err_in(err, "%s of '%s'", m->name, b->name);
	return 0;
}

int export_array(const struct summary *s, export_metric_fn *add, struct buf *out, struct err *err)
{
	struct jsonw w;
	size_t i, k;

	jsonw_init(&w, out, 2);
	jsonw_array(&w);
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		for (k = 0; k < b->n_metrics; k++)
			if (export_has_figures(b, &b->metrics[k]) &&
			    add(s, b, &b->metrics[k], &w, err))
				return -1;
	}
	jsonw_array_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}

unsigned long export_place(const struct summary *s)
{
	char digits[8];

	snprintf(digits, sizeof(digits), "%.7s", s->commit.id);
	return strtoul(digits, NULL, 16);
}

void export_name(const struct bench *b, const struct metric *m, struct buf *out)
{
	buf_adds(out, b->name);
	if (!b->gate || strcmp(b->gate, m->name) != 0)
		buf_addf(out, " %s", m->name);
}

/* Whether it has figures, and no samples. */
static bool is_summed_up(const struct bench *b)
{
	bool has_figures = false;
	size_t k;

	for (k = 0; k < b->n_metrics; k++) {
		if (export_has(b, &b->metrics[k]))
			return false;
		has_figures |= export_has_figures(b, &b->metrics[k]);
	}
	return has_figures;
}

size_t export_left_out(const struct export_format *format, const struct summary *s)
{
	size_t n = 0, i;

	for (i = 0; format->needs_samples && i < s->n_benchmarks; i++)
		n += is_summed_up(&s->benchmarks[i]);
	return n;
}
