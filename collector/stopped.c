#include "collector/stopped.h"

#include <stdbool.h>
#include <string.h>

#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

/* The last decision point that it came to; 0: none. */
static size_t last_point(const struct unit *u)
{
	size_t i, n = 0;

	for (i = 0; i < u->looks.n; i++)
		if (u->looks.pairs[i] <= u->n_pairs)
			n = u->looks.pairs[i];
	return n;
}

/*
 * Whether there are runs of it that say something, or there never would have been any.  Whoever
 * stops it may have seen how it stands, so pairs with a base end at a point where the rule would
 * have looked, too: it reckons with all of them.
 */
static bool is_kept(struct unit *u, const struct settings *how)
{
	size_t least = VERDICT_FEWEST_PAIRS;

	if (u->failure || u->identical || u->only_base || u->only_head || u->done)
		return true;
	if (u->has_base) {
		u->n_pairs = last_point(u);
		return u->n_pairs > 0;
	}
	if (how->runs_max > 0 && least > (size_t)how->runs_max)
		least = (size_t)how->runs_max;
	return u->n_pairs >= least;
}

static void drop_others(struct plan *plan, const struct settings *how)
{
	size_t i, n = 0;

	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];

		if (!is_kept(u, how)) {
			unit_release(u);
			memset(u, 0, sizeof(*u));
			continue;
		}
		if (n != i) {
			plan->units[n] = *u;
			memset(u, 0, sizeof(*u));
		}
		n++;
	}
	plan->n = n;
}

static int keep(struct plan *plan, const struct talk *talk, struct summary *s, bool *out_kept,
		struct err *err)
{
	size_t n_all = plan->n, n_measured = 0, n_whole = 0, i;

	*out_kept = false;
	drop_others(plan, &s->settings);
	for (i = 0; i < plan->n; i++) {
		n_measured += plan->units[i].n_pairs > 0;
		n_whole += plan->units[i].done || !plan->units[i].n_pairs;
	}
	if (!n_measured)
		return 0;
	talk_note(talk, "stopped by a signal: what was measured of %zu of %zu benchmarks is kept",
		  plan->n, n_all);
	s->settings.partial = true;
	if (strv_addf(
		    &s->environment.warnings, err,
		    "measuring was stopped by a signal: %zu of %zu benchmarks have all their runs, "
		    "%zu have fewer, %zu are left out: measure again",
		    n_whole, n_all, plan->n - n_whole, n_all - plan->n))
		return -1;
	*out_kept = true;
	return 0;
}

int stopped_end(struct plan *plan, const struct talk *talk, struct summary *s, struct err *err)
{
	struct err fault = ERR_INIT;
	bool kept = false;

	if (err->code != ERR_STOPPED)
		return -1;
	if (keep(plan, talk, s, &kept, &fault)) {
		*err = fault;
		return -1;
	}
	if (!kept)
		return -1;
	err_clear(err);
	return 0;
}
