#include "reporter/judge/ratios.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

/* The pairs' values by slices, as they were recorded for this metric; NULL when they were not. */
static const double *slices_of(const struct bench *b, const struct metric *m)
{
	char name[SUMMARY_MAX_NAME + 16];
	size_t i;

	snprintf(name, sizeof(name), "log_ratio.%s", m->name);
	for (i = 0; i < b->n_tracks; i++)
		if (!strcmp(b->tracks[i].name, name) && b->tracks[i].n_head == m->n)
			return b->tracks[i].head;
	return NULL;
}

/* Whether the totals stand apart from the slices; scratch has room for n. */
static bool stand_apart(const double *totals, const double *slices, size_t n, double confidence,
			double threshold, double *scratch)
{
	struct signed_rank apart;
	size_t i;

	for (i = 0; i < n; i++)
		scratch[i] = totals[i] - slices[i];
	return !signed_rank(scratch, n, confidence, &apart, NULL) &&
	       (apart.low > 0 || apart.high < 0) && fabs(apart.theta) >= log1p(threshold) / 2;
}

int ratios_of(const struct bench *b, const struct metric *m, double confidence, double **out,
	      size_t *out_n, bool *out_totals, struct err *err)
{
	const double *slices = slices_of(b, m);
	double *d, *scratch;
	bool totals;
	size_t i;

	*out = NULL;
	*out_n = 0;
	*out_totals = false;
	if (!b->paired || !m->n || m->n != m->n_baseline || m->n > SIGNED_RANK_MAX)
		return 0;
	d = malloc(m->n * sizeof(*d));
	scratch = malloc(m->n * sizeof(*scratch));
	if (!d || !scratch) {
		free(d);
		free(scratch);
		return err_nomem(err);
	}
	totals = !pairs_log_ratio(m->baseline_samples, m->samples, m->n, d, NULL);
	if (slices && !(totals && stand_apart(d, slices, m->n, confidence, b->threshold, scratch)))
		memcpy(d, slices, m->n * sizeof(*d));
	else if (totals)
		*out_totals = slices != NULL;
	free(scratch);
	if (!slices && !totals) {
		free(d);
		return 0;
	}
	for (i = 0; m->better == BETTER_HIGHER && i < m->n; i++)
		d[i] = -d[i];
	*out = d;
	*out_n = m->n;
	return 0;
}

/* The mean size of the base's values. */
static double base_size(const struct metric *m)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < m->n_baseline; i++)
		sum += fabs(m->baseline_samples[i]);
	return sum / (double)m->n_baseline;
}

static int take_differences(const struct bench *b, const struct metric *m, struct pair_changes *c,
			    struct err *err)
{
	double sign = m->better == BETTER_HIGHER ? -1 : 1;
	size_t i;

	if (!b->paired || !m->n || m->n != m->n_baseline || m->n > SIGNED_RANK_MAX ||
	    !strcmp(m->unit, "ns"))
		return 0;
	c->d = malloc(m->n * sizeof(*c->d));
	if (!c->d)
		return err_nomem(err);
	for (i = 0; i < m->n; i++)
		c->d[i] = sign * (m->samples[i] - m->baseline_samples[i]);
	c->n = m->n;
	c->by_difference = true;
	/* Never 0: sides that are equal in every pair lie inside of it. */
	c->threshold = fmax(b->threshold * base_size(m), DBL_MIN);
	return 0;
}

int pair_changes_of(const struct bench *b, const struct metric *m, double confidence,
		    struct pair_changes *out, struct err *err)
{
	*out = (struct pair_changes){ .threshold = log1p(b->threshold) };
	if (ratios_of(b, m, confidence, &out->d, &out->n, &out->by_totals, err))
		return -1;
	return out->d ? 0 : take_differences(b, m, out, err);
}

void pair_changes_release(struct pair_changes *c)
{
	free(c->d);
	c->d = NULL;
	c->n = 0;
}
