#include "reporter/judge/stored.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/screen.h"
#include "lib/stats/signedrank.h"
#include "lib/judge/series.h"

#include "lib/base/banned.h"

#define SUSPECT_ALPHA 0.05

/* Earlier sessions of the same series, oldest first; stops where the series was begun anew. */
static size_t earlier_sessions(const struct summary *s, const struct bench *b,
			       const struct history *history, struct session *out)
{
	size_t i, n = 0;

	for (i = 0; i < history->n; i++) {
		const struct summary *old = &history->v[i];
		const struct bench *entry = summary_find(old, b->name);
		enum verdict v;

		if (!entry || entry->status != BENCH_OK || entry->iterations != b->iterations)
			continue;
		if (!series_session(entry, b->gate, &out[n]))
			continue;
		if (series_break(&s->machine, &old->machine))
			break;
		v = bench_verdict(entry);
		out[n].moved = v == VERDICT_REGRESSED || v == VERDICT_IMPROVED;
		n++;
	}
	for (i = 0; i < n / 2; i++) {
		struct session swap = out[i];

		out[i] = out[n - 1 - i];
		out[n - 1 - i] = swap;
	}
	return n;
}

/* The plain difference of the typical values: shown, with no interval around it. */
static int fill_plain(const struct metric *m, struct delta *d, struct err *err)
{
	struct signed_rank head, base;
	double *x = malloc((m->n + m->n_baseline) * sizeof(*x));
	size_t i;
	int result = -1;

	if (!x)
		return err_nomem(err);
	for (i = 0; i < m->n; i++)
		x[i] = log(m->samples[i]);
	for (i = 0; i < m->n_baseline; i++)
		x[m->n + i] = log(m->baseline_samples[i]);
	if (signed_rank(x, m->n, 0.95, &head, err) ||
	    signed_rank(x + m->n, m->n_baseline, 0.95, &base, err))
		goto out;
	d->ratio = exp(head.theta - base.theta);
	d->low = d->high = d->p = d->p_adjusted = d->confidence = (double)NAN;
	result = 0;
out:
	free(x);
	return result;
}

/* Whether both sides have logs: a counter that stayed 0 has none. */
static bool has_ratio(const struct metric *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (!(m->samples[i] > 0))
			return false;
	for (i = 0; i < m->n_baseline; i++)
		if (!(m->baseline_samples[i] > 0))
			return false;
	return true;
}

static void fill_screened(const struct screening *sc, double threshold, double confidence,
			  enum better better, struct delta *d)
{
	double worse = better == BETTER_HIGHER ? -sc->test.shift : sc->test.shift;

	d->ratio = exp(sc->test.shift);
	d->low = exp(sc->test.low);
	d->high = exp(sc->test.high);
	d->p = d->p_adjusted = sc->test.p;
	d->confidence = confidence;
	d->noise_floor = fmax(expm1((sc->test.high - sc->test.low) / 2), threshold);
	d->suspect = sc->call == SCREEN_SUSPECT && worse >= log1p(threshold);
}

static int set_note(struct delta *d, const struct screening *sc, struct err *err)
{
	char text[160];

	if (sc && sc->call != SCREEN_TOO_SHORT)
		snprintf(text, sizeof(text),
			 "against stored samples, by %zu earlier steps: a hint, never a verdict",
			 sc->m);
	else
		snprintf(text, sizeof(text),
			 "against stored samples: too few earlier results (%d steps are needed) to "
			 "tell drift from change",
			 SCREEN_HISTORY_MIN);
	return str_set(&d->note, text, err);
}

int judge_stored(const struct summary *s, struct bench *b, const struct history *history,
		 struct err *err)
{
	struct metric *m = bench_find_metric(b, b->gate);
	struct session *sessions, now;
	struct screening sc;
	bool screened = false;
	size_t n;

	if (!m || !m->n || !m->n_baseline || b->paired)
		return 0;
	if (!has_ratio(m))
		return str_set(&b->detail, "some samples are zero: no ratio to the stored ones",
			       err);
	sessions = malloc((history->n ? history->n : 1) * sizeof(*sessions));
	if (!sessions)
		return err_nomem(err);
	n = earlier_sessions(s, b, history, sessions);
	if (series_session(b, b->gate, &now))
		screened = !screen(sessions, n, &now, SUSPECT_ALPHA, &sc, NULL);
	free(sessions);
	m->delta.noise_floor = (double)NAN;
	if (screened && sc.call != SCREEN_TOO_SHORT)
		fill_screened(&sc, b->threshold, 1 - SUSPECT_ALPHA, m->better, &m->delta);
	else if (fill_plain(m, &m->delta, err))
		return -1;
	m->delta.verdict = VERDICT_INCONCLUSIVE;
	m->has_delta = true;
	return set_note(&m->delta, screened ? &sc : NULL, err);
}
