#include "reporter/export/local.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

bool export_has(const struct bench *b, const struct metric *m)
{
	return !bench_has_failed(b) && m->n > 0 &&
	       (m->state == METRIC_OK || m->state == METRIC_SCALED);
}

int export_figures(const struct bench *b, const struct metric *m, struct description *out,
		   struct err *err)
{
	if (describe(m->samples, m->n, 0.95, out, err))
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
			if (export_has(b, &b->metrics[k]) && add(s, b, &b->metrics[k], &w, err))
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
