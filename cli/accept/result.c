#include "cli/accept/result.h"

#include <stdlib.h>

#include "cli/kept/kept.h"
#include "cli/passed_over.h"
#include "collector/accept.h"
#include "lib/config/accepted.h"

#include "lib/base/banned.h"

#define RESULTS_MOST 16 /* stored ones of the commit that are looked at, the newest */

int accept_kept(const struct context *c, const char *commit, struct history *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct summary s;

	if (kept_find(c, NULL, commit, &s, &fault)) {
		if (fault.code == ERR_ABSENT)
			return 0;
		*err = fault;
		return -1;
	}
	if (!history_add(out, &s, err))
		return 0;
	summary_release(&s);
	return -1;
}

int accept_stored(const struct context *c, const char *commit, struct history *out, struct err *err)
{
	struct store *store = NULL;
	struct err fault = ERR_INIT;
	int result;

	if (!c->store_path)
		return 0;
	if (store_open(c->store_path, STORE_READ, &store, &fault)) {
		if (fault.code == ERR_ABSENT)
			return 0;
		*err = fault;
		return -1;
	}
	result = store_baselines(store, c->project, commit, NULL, RESULTS_MOST, out, err);
	passed_over_tell(c->talk, store);
	store_close(store);
	return result;
}

void accept_worse_release(struct accept_worse *w)
{
	history_release(&w->results);
	free(w->v);
	*w = (struct accept_worse)ACCEPT_WORSE_INIT;
}

static int newest_first(const void *a, const void *b)
{
	const struct summary *x = a, *y = b;

	return (x->finished_us < y->finished_us) - (x->finished_us > y->finished_us);
}

static int read_all(const struct context *c, const char *commit, struct history *out,
		    struct err *err)
{
	struct accepted accepted = ACCEPTED_INIT;
	int result = -1;
	size_t i;

	if (accepted_load(c->repo, &accepted, err) || accept_stored(c, commit, out, err) ||
	    accept_kept(c, commit, out, err))
		goto out;
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), newest_first);
	for (i = 0; i < out->n; i++)
		if (apply_accepted(c->repo, &accepted, &out->v[i], err))
			goto out;
	result = 0;
out:
	accepted_release(&accepted);
	return result;
}

static bool is_compared(const struct bench *b)
{
	enum verdict v = bench_verdict(b);

	return v == VERDICT_REGRESSED || v == VERDICT_IMPROVED || v == VERDICT_UNCHANGED ||
	       v == VERDICT_INCONCLUSIVE || v == VERDICT_IDENTICAL;
}

/* Those of one result that no newer one knows. */
static int take(const struct summary *s, struct strv *known, struct accept_worse *out,
		struct err *err)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (!is_compared(b) || strv_has(known, b->name))
			continue;
		if (strv_add(known, b->name, err))
			return -1;
		if (bench_verdict(b) != VERDICT_REGRESSED || b->accepted.commit)
			continue;
		out->v[out->n].base = b->baseline_commit ? b->baseline_commit : s->baseline.commit;
		out->v[out->n++].bench = b;
	}
	return 0;
}

int accept_find_worse(const struct context *c, const char *commit, struct accept_worse *out,
		      struct err *err)
{
	struct strv known = STRV_INIT;
	size_t n = 0, i;
	int result = read_all(c, commit, &out->results, err);

	for (i = 0; i < out->results.n; i++)
		n += out->results.v[i].n_benchmarks;
	if (!result && !(out->v = calloc(n + 1, sizeof(*out->v))))
		result = err_nomem(err);
	for (i = 0; !result && i < out->results.n; i++)
		result = take(&out->results.v[i], &known, out, err);
	if (!result && !known.n) {
		err_set(err, ERR_ABSENT, "no result here says what of %.12s got worse", commit);
		result = err_hint(err, "pawl compare %.12s~..%.12s, and the same again", commit,
				  commit);
	}
	strv_release(&known);
	return result;
}
