#include "collector/baseline.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define BASELINE_OF_ONE 4 /* results of one commit: a newer one may lack benchmarks */

#define MOST_OF_ONE 4096 /* ... of a suite in parts, some measured again and again */

static bool is_dealt_alike(const struct shard *a, const struct shard *b)
{
	return a->count == b->count && str_same(a->split, b->split);
}

/* Whether the newest part's suite is there in part only. */
static bool lacks_a_part(const struct history *h, size_t first)
{
	const struct shard *newest = NULL;
	bool has[SUMMARY_MAX_SHARDS] = { false };
	int n = 0;
	size_t i;

	for (i = first; i < h->n; i++) {
		const struct shard *part = &h->v[i].settings.shard;

		if (!part->count)
			continue;
		newest = newest ? newest : part;
		if (!is_dealt_alike(newest, part) || has[part->index - 1])
			continue;
		has[part->index - 1] = true;
		n++;
	}
	return newest && n < newest->count;
}

/* Of a suite that was measured in parts: all of these, however often one was measured again. */
static int all_results(const struct baseline_request *rq, const char *commit, struct history *out,
		       struct err *err)
{
	size_t first = out->n, most;

	for (most = BASELINE_OF_ONE;; most *= 2) {
		if (store_baselines(rq->store, rq->project, commit, rq->machine, most, out, err))
			return -1;
		if (out->n - first < most || most >= MOST_OF_ONE || !lacks_a_part(out, first))
			return 0;
		while (out->n > first)
			summary_release(&out->v[--out->n]);
	}
}

static int say_why(const struct err *fault, const char *start, char **out_why, struct err *err)
{
	if (fault->hint[0]) {
		char text[sizeof(fault->text) + sizeof(fault->hint) + 4];

		snprintf(text, sizeof(text), "%s: %s", fault->text, fault->hint);
		return str_set(out_why, text, err);
	}
	return str_set(out_why, start, err);
}

/* all_results() without what another harness measured: it is shown, and nothing builds on it.
 */
static int add_results(const struct baseline_request *rq, const char *commit, struct history *out,
		       struct err *err)
{
	size_t had = out->n, i, n = had;

	if (all_results(rq, commit, out, err))
		return -1;
	for (i = had; i < out->n; i++) {
		if (out->v[i].imported.n)
			summary_release(&out->v[i]);
		else
			out->v[n++] = out->v[i];
	}
	out->n = n;
	return 0;
}

int baseline_find(const struct baseline_request *rq, struct history *out, char **out_why,
		  struct err *err)
{
	struct err fault = ERR_INIT;
	char id[OID_TEXT], parent[OID_TEXT];
	struct buf why = BUF_INIT;
	int walked, result;

	snprintf(id, sizeof(id), "%s", rq->commit->id);
	if (rq->dirty && add_results(rq, id, out, err))
		return -1;
	for (walked = 0; walked < BASELINE_MAX_WALK && out->n < rq->max; walked++) {
		if (repo_first_parent(rq->repo, id, parent, &fault)) {
			if (fault.code != ERR_ABSENT) {
				*err = fault;
				return -1;
			}
			break;
		}
		memcpy(id, parent, sizeof(id));
		if (add_results(rq, id, out, err))
			return -1;
	}
	if (out->n)
		return 0;
	if (!rq->commit->parents.n)
		return say_why(&fault, "this is the first commit", out_why, err);
	buf_addf(&why, "no earlier commit has results of '%s' on this machine", rq->project);
	result = buf_check(&why, err) || say_why(&fault, buf_str(&why), out_why, err) ? -1 : 0;
	buf_release(&why);
	return result;
}
