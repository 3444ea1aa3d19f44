#include "reporter/figures/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/sample.h"

#include "lib/base/banned.h"

static enum row_kind kind_of(const struct bench *b, const struct delta *delta)
{
	enum verdict verdict = bench_verdict(b);

	if (delta && delta->suspect && verdict == delta->verdict)
		return ROW_SUSPECT;
	switch (verdict) {
	case VERDICT_REGRESSED:
		return b->accepted.commit ? ROW_ACCEPTED : ROW_REGRESSED;
	case VERDICT_IMPROVED:
		return ROW_IMPROVED;
	case VERDICT_UNCHANGED:
		return ROW_UNCHANGED;
	case VERDICT_INCONCLUSIVE:
		return ROW_INCONCLUSIVE;
	case VERDICT_IDENTICAL:
		return ROW_IDENTICAL;
	case VERDICT_ADDED:
		return ROW_ADDED;
	case VERDICT_REMOVED:
		return ROW_REMOVED;
	case VERDICT_FAILED:
		return ROW_FAILED;
	case VERDICT_NO_BASELINE:
		return b->status == BENCH_SKIPPED ? ROW_SKIPPED : ROW_NO_BASELINE;
	case VERDICT_NONE:
	case VERDICT_N:
		break;
	}
	return b->status == BENCH_SKIPPED ? ROW_SKIPPED : ROW_NOT_JUDGED;
}

static int by_need(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int x_group = x->kind < ROW_UNCHANGED ? (int)x->kind : ROW_UNCHANGED;
	int y_group = y->kind < ROW_UNCHANGED ? (int)y->kind : ROW_UNCHANGED;
	int order = x_group - y_group;

	if (!order)
		order = strverscmp(x->bench->name, y->bench->name);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static void note_confidence(struct rows *rows, double confidence)
{
	if (!isfinite(confidence))
		return;
	if (isnan(rows->confidence) || confidence < rows->confidence)
		rows->confidence = confidence;
	if (isnan(rows->widest_confidence) || confidence > rows->widest_confidence)
		rows->widest_confidence = confidence;
}

static bool has_reason(const struct row *row)
{
	return row->kind == ROW_FAILED && row->bench->detail;
}

static int by_reason(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;
	int order = strcmp((*x)->bench->detail, (*y)->bench->detail);

	return order ? order : (*x > *y) - (*x < *y);
}

static int find_alike(struct rows *rows, struct err *err)
{
	struct row **failed = calloc(rows->n + 1, sizeof(*failed));
	size_t n = 0, i, from, to;

	if (!failed)
		return err_nomem(err);
	for (i = 0; i < rows->n; i++) {
		rows->v[i].alike = i;
		rows->v[i].n_alike = 1;
		if (has_reason(&rows->v[i]))
			failed[n++] = &rows->v[i];
	}
	qsort(failed, n, sizeof(*failed), by_reason);
	for (from = 0; from < n; from = to) {
		for (to = from + 1;
		     to < n && !strcmp(failed[to]->bench->detail, failed[from]->bench->detail);
		     to++)
			;
		for (i = from; i < to; i++) {
			failed[i]->alike = (size_t)(failed[from] - rows->v);
			failed[i]->n_alike = to - from;
		}
	}
	free(failed);
	return 0;
}

int rows_of(const struct summary *s, struct rows *out, struct err *err)
{
	struct rows rows = { .n = s->n_benchmarks,
			     .confidence = (double)NAN,
			     .widest_confidence = (double)NAN };
	size_t i;

	rows.v = calloc(rows.n ? rows.n : 1, sizeof(*rows.v));
	if (!rows.v)
		return err_nomem(err);
	for (i = 0; i < rows.n; i++) {
		const struct bench *b = &s->benchmarks[i];
		struct row *row = &rows.v[i];

		row->bench = b;
		row->at = i;
		row->gate = b->gate ? bench_find_metric(b, b->gate) : NULL;
		row->delta = row->gate && row->gate->has_delta ? &row->gate->delta : NULL;
		row->kind = kind_of(b, row->delta);
		if (row->kind == ROW_FAILED || row->kind == ROW_REMOVED)
			row->delta = NULL;
		rows.count[row->kind]++;
		if (row->delta)
			note_confidence(&rows, row->delta->confidence);
	}
	qsort(rows.v, rows.n, sizeof(*rows.v), by_need);
	if (find_alike(&rows, err)) {
		rows_release(&rows);
		return -1;
	}
	*out = rows;
	return 0;
}

void rows_release(struct rows *rows)
{
	free(rows->v);
	*rows = (struct rows){ 0 };
}

bool row_has_moved(enum row_kind kind)
{
	return kind <= ROW_IMPROVED; /* what has not comes after it */
}

bool rows_moved(const struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->n; i++)
		if (row_has_moved(rows->v[i].kind))
			return true;
	return false;
}

struct look {
	const char *word, *mark, *ascii;
	enum ink ink;
};

static const struct look looks[ROW_KIND_N] = {
	[ROW_REGRESSED] = { "regressed", "\xe2\x9c\x97", "x", INK_RED },
	[ROW_FAILED] = { "failed", "!", "!", INK_RED },
	[ROW_SUSPECT] = { "suspect", "~", "~", INK_YELLOW },
	[ROW_ACCEPTED] = { "accepted", "\xe2\x9c\x97", "x", INK_YELLOW },
	[ROW_IMPROVED] = { "improved", "\xe2\x9c\x93", "*", INK_GREEN },
	[ROW_INCONCLUSIVE] = { "inconclusive", "?", "?", INK_YELLOW },
	[ROW_UNCHANGED] = { "unchanged", "=", "=", INK_PLAIN },
	[ROW_IDENTICAL] = { "identical", "\xe2\x89\xa1", "=", INK_PLAIN },
	[ROW_ADDED] = { "added", "+", "+", INK_BLUE },
	[ROW_REMOVED] = { "removed", "-", "-", INK_BLUE },
	[ROW_NO_BASELINE] = { "no-baseline", "\xc2\xb7", ".", INK_PLAIN },
	[ROW_SKIPPED] = { "skipped", "\xc2\xb7", ".", INK_DIM },
	[ROW_NOT_JUDGED] = { "not judged", "\xc2\xb7", ".", INK_DIM },
};

const char *row_word(enum row_kind kind)
{
	return looks[kind].word;
}

const char *row_mark(enum row_kind kind, bool utf8)
{
	return utf8 ? looks[kind].mark : looks[kind].ascii;
}

enum ink row_ink(enum row_kind kind)
{
	return looks[kind].ink;
}

int row_median(const double *x, size_t n, double *out, struct err *err)
{
	double *sorted;

	if (n == 0) {
		*out = (double)NAN;
		return 0;
	}
	sorted = sample_sorted(x, n, err);
	if (!sorted)
		return -1;
	*out = sample_median_sorted(sorted, n);
	free(sorted);
	return 0;
}

/* The figure of a metric that has no samples: its median, else its mean; NaN: it has none. */
static double figure_of(const struct metric *m)
{
	if (!m->described)
		return (double)NAN;
	return isfinite(m->median) ? m->median : m->mean;
}

int row_sides(const struct metric *m, double *base, double *head, struct err *err)
{
	*base = *head = (double)NAN;
	if (!m)
		return 0;
	if (row_median(m->baseline_samples, m->n_baseline, base, err) ||
	    row_median(m->samples, m->n, head, err))
		return -1;
	if (!m->n)
		*head = figure_of(m);
	if (!m->n_baseline && m->has_delta) /* summed up, too: a result keeps no such figure */
		*base = *head / m->delta.ratio;
	return 0;
}
