#include "lib/store/alerts/closing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/store/alerts/results.h"

#include "lib/base/banned.h"

static bool is_of(const struct alert_point *now, int64_t commit, int64_t base)
{
	return now && now->commit == commit && now->base == base;
}

/* 1: of several of its commit against its base it is what counts. */
static int counts(struct alert_batch *b, int64_t series, const struct result *r,
		  const struct alert_point *now, struct err *err)
{
	struct result last;
	int found;

	if (is_of(now, r->commit, r->base))
		return 0;
	found = results_at(b, series, r->commit, r->base, &last, err);
	return found > 0 ? last.run == r->run : found;
}

/* Those of other commits that count, and decide something about it. */
static int read_behind(struct alert_batch *b, const struct closing_of *a,
		       const struct alert_point *now, struct buf *out, struct err *err)
{
	struct buf all = BUF_INIT;
	const struct result *r;
	int result = results_behind(b, a->series, a->t, a->base, &all, err);
	size_t i;

	r = (const struct result *)(const void *)all.data;
	for (i = 0; !result && i < all.len / sizeof(*r); i++) {
		bool is_back = a->base && r[i].base == a->base && result_is_no_worse(r[i].verdict);
		/* A change by difference is no part of a ratio. */
		bool is_better = r[i].verdict == VERDICT_IMPROVED && r[i].can_open &&
				 (isfinite(r[i].ratio) || !isfinite(a->ratio));
		int found = 0;

		if (r[i].commit != a->commit && (is_back || is_better))
			found = counts(b, a->series, &r[i], now, err);
		if (found > 0)
			buf_add(out, &r[i], sizeof(r[i]));
		result = found < 0 ? -1 : 0;
	}
	buf_release(&all);
	return result ? -1 : buf_check(out, err);
}

/*
 * Of improvements against one base the last commit's counts alone: it has what those before it
 * have.
 */
static bool is_last(const struct result *r, size_t n, size_t i, const struct alert_point *now)
{
	size_t k;

	if (now && now->verdict == VERDICT_IMPROVED && now->base == r[i].base && now->t >= r[i].t)
		return false;
	for (k = i + 1; k < n; k++)
		if (r[k].verdict == VERDICT_IMPROVED && r[k].base == r[i].base)
			return false;
	return true;
}

static bool is_now_last(const struct closing_of *a, const struct result *r, size_t n,
			const struct alert_point *now)
{
	size_t i;

	if (!now || now->verdict != VERDICT_IMPROVED || now->commit == a->commit || now->t < a->t)
		return false;
	for (i = 0; i < n; i++)
		if (r[i].verdict == VERDICT_IMPROVED && r[i].base == now->base && r[i].t > now->t)
			return false;
	return true;
}

/* out->run is the last one that improved, where nothing but that closes it. */
static void weigh(const struct closing_of *a, const struct result *r, size_t n,
		  const struct alert_point *now, struct closing *out)
{
	size_t i;

	out->left = alert_harm(a->ratio, a->higher);
	for (i = 0; i < n; i++) {
		if (r[i].verdict != VERDICT_IMPROVED || (a->base && r[i].base == a->base) ||
		    !is_last(r, n, i, now))
			continue;
		out->left *= alert_harm(r[i].ratio, a->higher);
		out->run = r[i].run;
	}
	if (is_now_last(a, r, n, now)) {
		out->left *= alert_harm(now->ratio, a->higher);
		out->run = now->run;
	}
}

static void say_measured(enum verdict verdict, struct closing *out)
{
	snprintf(out->why, sizeof(out->why), "measured side by side: %s", verdict_name(verdict));
}

/* 1: what counts at its own commit says otherwise; of a step whatever it is compared with. */
static int find_own(struct alert_batch *b, const struct closing_of *a,
		    const struct alert_point *now, struct closing *out, struct err *err)
{
	bool is_step = a->kind == ALERT_CHANGE_POINT;
	struct result r;
	int found;

	if (a->kind == ALERT_CREEP || is_of(now, a->commit, a->base))
		return 0;
	found = results_at(b, a->series, a->commit, is_step ? RESULTS_ANY_BASE : a->base, &r, err);
	if (found <= 0)
		return found;
	if (!result_is_no_worse(r.verdict))
		return 0;
	out->run = r.run;
	if (is_step)
		say_measured(r.verdict, out);
	else
		snprintf(out->why, sizeof(out->why), "a later run of the same commit says: %s",
			 verdict_name(r.verdict));
	return 1;
}

/* 1: a later commit is no worse than its base. */
static bool find_back(const struct closing_of *a, const struct result *r, size_t n,
		      struct closing *out)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (a->base && r[i].base == a->base) {
			out->run = r[i].run;
			if (a->kind == ALERT_CREEP)
				say_measured(r[i].verdict, out);
			else
				snprintf(out->why, sizeof(out->why), "%s", CLOSING_BACK);
			return true;
		}
	return false;
}

/* The threshold of the benchmark in the result that improved last. */
static int find_threshold(struct alert_batch *b, const struct closing_of *a,
			  const struct alert_point *now, int64_t run, double *out, struct err *err)
{
	struct alert_said said = { .threshold = 0 };
	int result = 0;

	if (now)
		said.threshold = now->threshold;
	else if (b->read_said)
		result = b->read_said(b->ctx, run, a->series, &said, err);
	*out = said.threshold;
	free(said.accepted);
	return result;
}

bool closing_is_back(const struct closing_of *a, double v, double threshold)
{
	double worse = a->higher ? a->before - v : v - a->before;

	return isfinite(worse) && worse <= threshold * fabs(a->before);
}

/* What improved is what it was before a change that has no ratio. */
static int find_level(struct alert_batch *b, const struct closing_of *a, const struct result *r,
		      size_t n, const struct alert_point *now, struct closing *out, struct err *err)
{
	double threshold = 0;
	size_t i;

	for (i = 0; i < n && !out->run; i++) {
		if (r[i].verdict != VERDICT_IMPROVED)
			continue;
		if (find_threshold(b, a, now, r[i].run, &threshold, err))
			return -1;
		if (!closing_is_back(a, r[i].v, threshold))
			continue;
		out->run = r[i].run;
		snprintf(out->why, sizeof(out->why), "%s", CLOSING_BETTER);
	}
	return 0;
}

int closing_find(struct alert_batch *b, const struct closing_of *a, const struct alert_point *now,
		 struct closing *out, struct err *err)
{
	struct buf behind = BUF_INIT;
	const struct result *r;
	double threshold = 0;
	int result, found;
	size_t n;

	*out = (struct closing){ .run = 0 };
	found = find_own(b, a, now, out, err);
	if (found || a->kind == ALERT_CHANGE_POINT)
		return found < 0 ? -1 : 0;
	result = read_behind(b, a, now, &behind, err);
	r = (const struct result *)(const void *)behind.data;
	n = behind.len / sizeof(*r);
	if (!result && !find_back(a, r, n, out) && a->kind == ALERT_VERDICT &&
	    !isfinite(a->ratio)) {
		result = find_level(b, a, r, n, now, out, err);
	} else if (!result && !out->run && a->kind == ALERT_VERDICT) {
		weigh(a, r, n, now, out);
		if (out->run)
			result = find_threshold(b, a, now, out->run, &threshold, err);
		if (!(out->left <= 1 + threshold))
			out->run = 0;
		snprintf(out->why, sizeof(out->why), "%s", out->run ? CLOSING_BETTER : "");
	}
	buf_release(&behind);
	return result;
}

int closing_left(struct alert_batch *b, const struct closing_of *a, const struct alert_point *now,
		 double *out, struct err *err)
{
	struct buf behind = BUF_INIT;
	struct closing c = { .run = 0 };
	int result = read_behind(b, a, now, &behind, err);

	if (!result)
		weigh(a, (const struct result *)(const void *)behind.data,
		      behind.len / sizeof(struct result), now, &c);
	buf_release(&behind);
	*out = c.left;
	return result;
}
