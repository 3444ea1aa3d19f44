/*
 * schedule_judge - what the report would say of a unit now.
 */
#include "collector/schedule/fill_runs.h"
#include "collector/schedule/gate.h"
#include "collector/schedule/local.h"
#include "lib/judge/pairs.h"

#include "lib/base/banned.h"

int schedule_judge(const struct unit *u, size_t n_run, struct judgement *out,
		   struct layout_spread *out_layouts)
{
	struct summary shown;
	struct bench *b;
	const struct metric *m;
	const char *why;
	struct pair_changes how;
	int result = -1;

	summary_init(&shown);
	b = summary_add_bench(&shown, u->name, NULL);
	if (!b || fill_runs(u, b, NULL))
		goto out;
	b->looks = u->looks;
	b->threshold = u->config->threshold;
	b->paired = true;
	m = bench_find_metric(b, gate_metric(u, &why));
	*out = (struct judgement){ .n = 0 };
	result = m && (pairs_judge(b, m, n_run, out, &how, NULL) ||
		       (out_layouts && pairs_layouts(b, m, out_layouts, NULL)))
			 ? -1
			 : 0;
out:
	summary_release(&shown);
	return result;
}
