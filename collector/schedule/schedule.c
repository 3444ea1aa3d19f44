#include "collector/schedule/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "collector/schedule/local.h"
#include "lib/stats/points.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

/*
 * All; where time is short any that half of it suffices for: some are better than none, and which
 * ones they are hangs on no order of names.
 */
static int prepare(struct rounds *r, struct err *err)
{
	uint64_t until = r->s->deadline_ns, now = until ? schedule_now_ns(r->s) : 0;
	size_t i, n_ready = 0;

	if (until > now)
		until = now + (until - now) / 2;
	if (until)
		schedule_draw_order(r);
	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[until ? r->order[i] : i];

		if (!schedule_is_open(u))
			continue;
		if (until && n_ready && schedule_now_ns(r->s) >= until)
			break;
		n_ready++;
		if (schedule_ready(r, u, err))
			return -1;
	}
	for (i = 0; r->s->anchors && i < N_ANCHORS; i++)
		if (r->runner->calibrate(r->runner->ctx, &r->s->anchors[i], &r->s->anchors[i].head,
					 err))
			return -1;
	return 0;
}

/* What the budget cut off: told, and a failure where not one pair came out. */
static int end_late(struct rounds *r, struct err *err)
{
	size_t n_cut = 0, i;

	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[i];

		if (!schedule_is_open(u))
			continue;
		n_cut += u->n_pairs > 0;
		u->unreached = !u->n_pairs && !u->n_void;
		if (!u->n_pairs && u->n_void &&
		    str_set(&u->failure, "the time budget ended before one pair was measured", err))
			return -1;
	}
	if (n_cut)
		talk_note(r->s->talk,
			  "out of time: %zu of %zu benchmark%s judged on fewer pairs than planned",
			  n_cut, r->n_run, r->n_run == 1 ? " is" : "s are");
	return 0;
}

int schedule_run(struct unit *units, size_t n, const struct schedule *s,
		 const struct runner *runner, struct err *err)
{
	struct rounds r = { .units = units,
			    .n = n,
			    .s = s,
			    .runner = runner,
			    .anchors = { (double)NAN, (double)NAN } };
	size_t i;
	int result = -1;

	if (!schedule_has_work(units, n))
		return 0;
	r.order = malloc(n * sizeof(*r.order));
	if (!r.order)
		return err_nomem(err);
	for (i = 0; i < n; i++) {
		struct looks *looks = &units[i].looks;

		units[i].known = s->known ? calibrations_find(s->known, units[i].name) : NULL;
		if (units[i].known && units[i].known->n_log_ratios)
			units[i].in_short = calibrated_in_short(units[i].known);
		if (!schedule_is_run(&units[i]))
			continue;
		r.n_run++;
		looks->n =
			points_between((unsigned)s->runs_min, (unsigned)s->runs_max, looks->pairs);
	}
	r.n_judged = r.n_run * (s->comparisons ? s->comparisons : 1);
	if (s->runs_max < VERDICT_FEWEST_PAIRS && !s->shows_only)
		talk_warn(s->talk, "measure 12 or more (--pairs, --runs or pawl.runs)",
			  "with fewer than %d runs of each side no change can be called",
			  VERDICT_FEWEST_PAIRS);
	coin_init(&r.coin, s->seed);
	if (prepare(&r, err) || schedule_rounds(&r, err))
		goto out;
	result = schedule_is_late(&r) ? end_late(&r, err) : 0;
out:
	/* What was cut off is judged as it is. */
	for (i = 0; i < n; i++)
		if (schedule_is_open(&units[i]))
			schedule_own(&units[i]);
	free(r.order);
	return result;
}
