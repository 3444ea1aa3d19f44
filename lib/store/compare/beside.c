#include "lib/store/compare/beside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/summary.h"
#include "lib/stats/sample.h"
#include "lib/store/ledger/document.h"

#include "lib/base/banned.h"

/* Identical code was not run. */
static bool is_beside(const struct cell *c)
{
	return c->against_base && c->verdict != VERDICT_IDENTICAL && c->how &&
	       (!strcmp(c->how, "rerun") || !strcmp(c->how, "rebuilt"));
}

static int take_metric(struct ledger_side *head, int64_t run, const char *machine,
		       const struct bench *b, const struct metric *m, struct err *err)
{
	const struct cell key = { .benchmark = b->name,
				  .machine = machine,
				  .metric = m->name,
				  .unit = m->unit ? m->unit : "",
				  .higher = m->better == BETTER_HIGHER };
	struct cell *c = NULL;
	double *sorted;

	if (m->n_baseline)
		c = bsearch(&key, head->cells, head->n_cells, sizeof(key), cell_order);
	if (!c || c->run != run || !is_beside(c))
		return 0;
	sorted = sample_sorted(m->baseline_samples, m->n_baseline, err);
	if (!sorted)
		return -1;
	c->beside.v = sample_median_sorted(sorted, m->n_baseline);
	c->beside.n = (int64_t)m->n_baseline;
	free(sorted);
	return 0;
}

/* One that is damaged, or not kept any longer, has nothing to say here. */
static int read_document(struct ledger *l, int64_t project, struct ledger_side *head, int64_t run,
			 struct err *err)
{
	struct buf json = BUF_INIT;
	struct err fault = ERR_INIT;
	struct summary s;
	size_t i, k;
	int result = ledger_document(l, project, run, &json, &fault);

	if (!result)
		result = summary_decode(json.data, json.len, &s, &fault);
	if (!result) {
		for (i = 0; i < s.n_benchmarks && !result; i++)
			for (k = 0; k < s.benchmarks[i].n_metrics && !result; k++)
				result = take_metric(head, run, s.machine.id, &s.benchmarks[i],
						     &s.benchmarks[i].metrics[k], &fault);
		summary_release(&s);
	}
	buf_release(&json);
	if (!result || ledger_document_is_lost(&fault))
		return 0;
	*err = fault;
	return -1;
}

int beside_read(struct ledger *l, int64_t project, struct ledger_side *head, struct err *err)
{
	size_t i, k;

	for (i = 0; i < head->n_cells; i++) {
		int64_t run = head->cells[i].run;

		if (!is_beside(&head->cells[i]) || head->cells[i].beside.is_there)
			continue;
		if (read_document(l, project, head, run, err))
			return -1;
		for (k = i; k < head->n_cells; k++) {
			struct cell *c = &head->cells[k];

			if (c->run != run || !is_beside(c))
				continue;
			c->beside.is_there = true;
			if (!c->beside.n)
				c->beside.v = c->v / c->ratio;
		}
	}
	return 0;
}
