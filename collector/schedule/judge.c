/*
 * judge - what the report would say of a unit now.
 */
#include "collector/schedule/fill_runs.h"
#include "collector/schedule/gate.h"
#include "collector/schedule/local.h"
#include "lib/judge/pairs.h"

#include "lib/base/banned.h"

/* What the report knows of it beside its runs. */
static int add_terms(const struct unit *u, struct bench *b)
{
	const char *why;

	b->looks = u->looks;
	b->threshold = u->config->threshold;
	b->paired = true;
	if (str_set(&b->gate, gate_metric(u, &why), NULL))
		return -1;
	if (calibrated_is_of(u->known, b->gate))
		b->calibration = u->in_short;
	b->calibration.layouts = calibrated_layouts(u->known, b->gate);
	return str_set(&b->binary_id, u->head.binary_id, NULL) ||
			       str_set(&b->base_binary_id, u->base.binary_id, NULL)
		       ? -1
		       : 0;
}

int schedule_judge(const struct unit *u, size_t n_run, struct judgement *out,
		   struct layout_spread *out_layouts)
{
	struct summary shown;
	struct bench *b;
	const struct metric *m;
	struct pair_changes how;
	int result = -1;

	summary_init(&shown);
	b = summary_add_bench(&shown, u->name, NULL);
	if (!b || fill_runs(u, b, NULL) || add_terms(u, b))
		goto out;
	m = bench_find_metric(b, b->gate);
	*out = (struct judgement){ .n = 0 };
	result = m && (pairs_judge(b, m, n_run, out, &how, NULL) ||
		       (out_layouts && pairs_layouts(b, m, out_layouts, NULL)))
			 ? -1
			 : 0;
out:
	summary_release(&shown);
	return result;
}
