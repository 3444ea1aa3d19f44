#include "collector/summary_frame.h"

#include <string.h>

#include "collector/build/build_key.h"
#include "collector/machine/machine.h"
#include "collector/tag.h"
#include "lib/record/ulid.h"

#include "lib/base/banned.h"

static int pick_seed(const struct config *c, uint64_t *out, struct err *err)
{
	*out = c->seed;
	if (!c->seed_given && random_bytes(out, sizeof(*out), err))
		return -1;
	*out &= INT64_MAX; /* so that JSON readers with signed integers keep it */
	return 0;
}

int summary_frame_begin(struct repo *repo, const struct config *c, const struct git_commit *commit,
			bool partial, bool submodules, struct summary *out, struct err *err)
{
	char id[ULID_TEXT], key[BUILD_KEY];

	if (ulid_new(id, err) || str_set(&out->id, id, err) ||
	    str_set(&out->pawl, PAWL_VERSION, err) ||
	    str_set(&out->settings.clock, "monotonic_raw", err) ||
	    str_set(&out->settings.order, "interleaved", err) || tag_project(repo, c, out, err) ||
	    (commit && tag_commit(repo, commit, out, err)) ||
	    pick_seed(c, &out->settings.seed, err))
		return -1;
	out->settings.runs_min = c->runs_min;
	out->settings.runs_max = c->runs_max;
	out->settings.min_time_ns = c->min_time_ns;
	out->settings.confidence = c->confidence;
	out->settings.threshold = c->threshold;
	out->settings.partial = partial;
	if (build_key(c, submodules, key, err) || str_set(&out->settings.build_key, key, err))
		return -1;
	return machine_describe(&out->machine, err);
}

/* How the nearest ancestor was used: the best way of all benchmarks. */
static const char *best_way(const struct summary *s)
{
	static const char *const ways[] = { "rerun", "rebuilt", "stored", "identical" };
	size_t w, i;

	for (w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
		for (i = 0; i < s->n_benchmarks; i++)
			if (s->benchmarks[i].baseline_how &&
			    !strcmp(s->benchmarks[i].baseline_how, ways[w]))
				return ways[w];
	return NULL;
}

/* Says it once in the summary; a benchmark only says what differs from that. */
int summary_frame_baseline(const struct history *history, struct summary *out, struct err *err)
{
	const char *how = best_way(out);
	size_t i;

	if (!history->n)
		return 0;
	for (i = 0; how && i < out->n_benchmarks; i++) {
		struct bench *b = &out->benchmarks[i];

		if (!b->baseline_commit && b->baseline_how && !strcmp(b->baseline_how, how) &&
		    str_set(&b->baseline_how, NULL, err))
			return -1;
	}
	return str_set(&out->baseline.commit, history->v[0].commit.id, err) ||
			       str_set(&out->baseline.how, how, err)
		       ? -1
		       : 0;
}
