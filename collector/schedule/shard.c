#include "collector/schedule/shard.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/record/history.h"

#include "lib/base/banned.h"

/* A benchmark of identical code has a time further back only. */
#define LEARN_COMMITS 8	 /* that gave a time */
#define LOOK_COMMITS 200 /* that have results */
#define LEARN_RESULTS SUMMARY_MAX_SHARDS
#define LEARN_WALK 5000 /* commits looked at */

void shard_split_release(struct shard_split *split)
{
	size_t i;

	for (i = 0; i < split->n; i++)
		free(split->v[i].name);
	free(split->v);
	*split = (struct shard_split)SHARD_SPLIT_INIT;
}

static int bad_shard(const char *text, struct err *err)
{
	err_set(err, ERR_USAGE, "--shard takes PART/PARTS with 1 <= PART <= PARTS <= %d, not '%s'",
		SUMMARY_MAX_SHARDS, text);
	return err_hint(err, "the second of four: --shard 2/4");
}

int shard_parse(const char *text, struct shard *out, struct err *err)
{
	const char *slash = strchr(text, '/');
	uint64_t index, count;
	char first[8];

	if (!slash || (size_t)(slash - text) >= sizeof(first))
		return bad_shard(text, err);
	snprintf(first, sizeof(first), "%.*s", (int)(slash - text), text);
	if (!number_u64(first, &index) || !number_u64(slash + 1, &count) || !index ||
	    index > count || count > SUMMARY_MAX_SHARDS)
		return bad_shard(text, err);
	out->index = (int)index;
	out->count = (int)count;
	return 0;
}

static int order_names(const void *a, const void *b)
{
	const struct shard_time *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* The longest first; equal ones by name, so that every job has the same order. */
static int order_times(const void *a, const void *b)
{
	const struct shard_time *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return order_names(a, b);
}

static const struct shard_time *find_time(const struct shard_split *split, const char *name)
{
	struct shard_time key = { .name = (char *)(uintptr_t)name };

	return split->n ? bsearch(&key, split->v, split->n, sizeof(key), order_names) : NULL;
}

/* What all its runs of one side took; 0: not known. */
static double time_of(const struct bench *b)
{
	const struct metric *wall = bench_find_metric(b, "wall");
	double sum = 0;
	size_t i;

	if (b->status != BENCH_OK || !wall || strcmp(wall->unit, "ns"))
		return 0;
	for (i = 0; i < wall->n; i++)
		sum += wall->samples[i];
	sum *= b->iterations ? (double)b->iterations : 1;
	return isfinite(sum) && sum > 0 ? sum : 0;
}

int shard_learn(struct shard_split *split, const struct summary *s, struct err *err)
{
	struct shard_time *grown;
	size_t i, had = split->n;

	if (!s->n_benchmarks)
		return 0;
	grown = realloc(split->v, (had + s->n_benchmarks) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	split->v = grown;
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];
		struct shard_time t = { NULL, time_of(b), 0 };
		struct shard_split known = { split->v, had, 0, "" };

		if (t.ns <= 0 || find_time(&known, b->name))
			continue;
		if (str_set(&t.name, b->name, err))
			return -1;
		split->v[split->n++] = t;
	}
	qsort(split->v, split->n, sizeof(*split->v), order_names);
	return 0;
}

/* The same table gives the same id: jobs that were told otherwise are found out. */
static int set_id(struct shard_split *split, struct err *err)
{
	struct digest d = DIGEST_INIT;
	char hex[DIGEST_HEX], number[16];
	size_t i;

	if (!split->n)
		return 0;
	if (digest_begin(&d, err))
		return -1;
	for (i = 0; i < split->n; i++) {
		snprintf(number, sizeof(number), "%d", split->v[i].index);
		digest_adds(&d, split->v[i].name);
		digest_adds(&d, number);
	}
	if (digest_end(&d, hex, err))
		return -1;
	snprintf(split->id, sizeof(split->id), "%.16s", hex);
	return 0;
}

int shard_deal(struct shard_split *split, int count, struct err *err)
{
	double *load = calloc((size_t)count, sizeof(*load));
	int k, least;
	size_t i;

	split->count = count;
	if (!load)
		return err_nomem(err);
	if (split->n)
		qsort(split->v, split->n, sizeof(*split->v), order_times);
	for (i = 0; i < split->n; i++) {
		for (least = 0, k = 1; k < count; k++)
			if (load[k] < load[least])
				least = k;
		load[least] += split->v[i].ns;
		split->v[i].index = least + 1;
	}
	free(load);
	if (split->n)
		qsort(split->v, split->n, sizeof(*split->v), order_names);
	return set_id(split, err);
}

int shard_of(const struct shard_split *split, const char *name, struct err *err)
{
	const struct shard_time *known = find_time(split, name);
	char hex[DIGEST_HEX];

	if (known)
		return known->index;
	if (digest_of(name, strlen(name), hex, err))
		return 0;
	hex[8] = '\0';
	return (int)(strtoul(hex, NULL, 16) % (unsigned long)split->count) + 1;
}

int shard_find(struct repo *repo, struct store *store, const char *project, const char *commit,
	       int count, struct shard_split *out, struct err *err)
{
	char id[OID_TEXT], parent[OID_TEXT];
	struct err fault = ERR_INIT;
	int walked, looked = 0, learned = 0, result = 0;
	size_t i;

	snprintf(id, sizeof(id), "%s", commit);
	for (walked = 0;
	     store && walked < LEARN_WALK && learned < LEARN_COMMITS && looked < LOOK_COMMITS;
	     walked++) {
		struct history results = HISTORY_INIT;
		size_t had = out->n;

		if (repo_first_parent(repo, id, parent, &fault)) {
			if (fault.code == ERR_ABSENT)
				break;
			*err = fault;
			return -1;
		}
		memcpy(id, parent, sizeof(id));
		result = store_baselines(store, project, id, NULL, LEARN_RESULTS, &results, err);
		for (i = 0; !result && i < results.n; i++)
			if (!results.v[i].imported.n) /* times of another harness */
				result = shard_learn(out, &results.v[i], err);
		looked += results.n > 0;
		learned += out->n > had;
		history_release(&results);
		if (result)
			return -1;
	}
	return shard_deal(out, count, err);
}

int shard_keep(const struct shard_split *split, int index, struct plan *plan, struct err *err)
{
	size_t i, n = 0;
	int whose;

	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		whose = u->failure && !u->inner ? index : shard_of(split, u->name, err);
		if (!whose)
			return -1;
		if (whose != index) {
			unit_release(u);
			continue;
		}
		if (n != i) {
			plan->units[n] = *u;
			memset(u, 0, sizeof(*u));
		}
		n++;
	}
	plan->n = n;
	return 0;
}
