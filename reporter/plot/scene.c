#include "reporter/plot/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reporter/figures/rows.h"

#include "lib/base/banned.h"

#define SQUEEZED 3.0 /* times that outside values may stretch the axis */
#define PAD 0.04     /* of the range, left and right of the values */

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The finite ones of x[0..n), sorted, on the heap; NULL with ERR_NOMEM. */
static double *sorted_copy(const double *x, size_t n, size_t *out_n, struct err *err)
{
	double *copy = calloc(n + 1, sizeof(*copy));
	size_t i, kept = 0;

	if (!copy) {
		err_nomem(err);
		return NULL;
	}
	for (i = 0; i < n; i++)
		if (isfinite(x[i]))
			copy[kept++] = x[i];
	qsort(copy, kept, sizeof(*copy), by_value);
	*out_n = kept;
	return copy;
}

static int series_make(const double *x, size_t n, struct plot_series *out, struct err *err)
{
	out->x = sorted_copy(x, n, &out->n, err);
	return out->x ? row_median(out->x, out->n, &out->median, err) : -1;
}

void plot_scene_release(struct plot_scene *scene)
{
	free(scene->base.x);
	free(scene->head.x);
	*scene = (struct plot_scene){ 0 };
}

/* Both samples in one; NULL with ERR_NOMEM. */
static double *pool(const struct plot_scene *scene, size_t n, struct err *err)
{
	double *all = calloc(n, sizeof(*all));

	if (!all) {
		err_nomem(err);
		return NULL;
	}
	if (scene->base.n)
		memcpy(all, scene->base.x, scene->base.n * sizeof(*all));
	if (scene->head.n)
		memcpy(all + scene->base.n, scene->head.x, scene->head.n * sizeof(*all));
	qsort(all, n, sizeof(*all), by_value);
	return all;
}

/* How many values at one end of all[0..n) squeeze the rest; is_top: at the upper end. */
static size_t count_far(const double *all, size_t n, bool is_top)
{
	static const double shares[] = { 0.01, 0.05 };
	double span = all[n - 1] - all[0], rest;
	size_t i, k;

	for (i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		k = (size_t)ceil(shares[i] * (double)(n - 1));
		if (k >= n || n < 3)
			return 0;
		rest = is_top ? all[n - 1 - k] - all[0] : all[n - 1] - all[k];
		if (span > SQUEEZED * rest)
			return k;
	}
	return 0;
}

static void set_range(struct plot_scene *scene, const double *all, size_t n)
{
	size_t beyond = count_far(all, n, true);
	size_t below = count_far(all, n - beyond, false);
	double low = all[below], high = all[n - 1 - beyond];
	double pad = low < high ? (high - low) * PAD : fabs(low) > 0 ? fabs(low) / 50 : 1;

	scene->least = all[0];
	scene->greatest = all[n - 1];
	scene->low = low - pad;
	scene->high = high + pad;
	if (low >= 0 && scene->low < 0)
		scene->low = 0;
	while (beyond > 0 && all[n - beyond] <= scene->high)
		beyond--;
	while (below > 0 && all[below - 1] >= scene->low)
		below--;
	scene->n_below = below;
	scene->n_beyond = beyond;
}

/* 1, 2 or 5 times a power of ten, not below least. */
static double round_step(double least)
{
	double power = pow(10, floor(log10(least))), ratio = least / power;

	return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

static void set_ticks(struct plot_scene *scene, const char *unit, int max_ticks)
{
	double larger = fmax(fabs(scene->low), fabs(scene->high)), step;

	scene->scale = scale_of(unit, larger);
	step = round_step((scene->high - scene->low) / scene->scale.factor / max_ticks);
	scene->decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
	scene->step = step * scene->scale.factor;
	scene->tick = ceil(scene->low / scene->step) * scene->step;
	scene->n_ticks = (int)floor((scene->high - scene->tick) / scene->step + 1e-9) + 1;
}

int plot_scene_make(const struct plot_cdf *plot, int max_ticks, struct plot_scene *out,
		    struct err *err)
{
	double *all = NULL;
	size_t n;
	int rc = -1;

	*out = (struct plot_scene){ 0 };
	if (series_make(plot->base, plot->n_base, &out->base, err) ||
	    series_make(plot->head, plot->n_head, &out->head, err))
		goto out;
	n = out->base.n + out->head.n;
	if (n == 0) {
		err_set(err, ERR_ABSENT, "no values to plot");
		goto out;
	}
	all = pool(out, n, err);
	if (!all)
		goto out;
	set_range(out, all, n);
	if (!isfinite(out->greatest - out->least) || !isfinite(out->high - out->low) ||
	    !(out->low < out->high)) {
		err_set(err, ERR_RANGE, "the values are too large or too far apart to plot");
		goto out;
	}
	set_ticks(out, plot->unit, max_ticks);
	rc = 0;
out:
	free(all);
	if (rc)
		plot_scene_release(out);
	return rc;
}

double plot_scene_share(const struct plot_series *series, double x)
{
	size_t from = 0, to = series->n, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (series->x[middle] <= x)
			from = middle + 1;
		else
			to = middle;
	}
	return series->n ? (double)from / (double)series->n : 0;
}

double plot_scene_place(const struct plot_scene *scene, double x)
{
	return (x - scene->low) / (scene->high - scene->low);
}

double plot_scene_tick(const struct plot_scene *scene, int i)
{
	return scene->tick + i * scene->step;
}

void plot_scene_number(const struct plot_scene *scene, double x, struct buf *out)
{
	double shown = x / scene->scale.factor;

	if (fabs(shown) < 1e-9 * scene->step / scene->scale.factor)
		shown = 0; /* no "-0" */
	if (fabs(shown) >= 1e6)
		buf_addf(out, "%.*g", 4, shown);
	else
		buf_addf(out, "%.*f", scene->decimals, shown);
}

void plot_scene_title(const struct plot_scene *scene, const struct plot_cdf *plot, struct buf *out)
{
	size_t before;

	buf_addf(out, "%s: %s", plot->title, plot->metric);
	before = out->len;
	scale_unit(&scene->scale, out);
	if (out->len > before) {
		buf_truncate(out, before);
		buf_adds(out, " in ");
		scale_unit(&scene->scale, out);
	}
}

void plot_scene_legend(const struct plot_cdf *plot, const struct plot_series *series, bool is_head,
		       struct buf *out)
{
	const char *name = is_head ? plot->head_name : plot->base_name;

	buf_adds(out, is_head ? "head" : "base");
	if (*name)
		buf_addf(out, " %s", name);
	if (series->n == 0) {
		buf_adds(out, ": no runs");
		return;
	}
	buf_adds(out, ": median ");
	scale_value(series->median, plot->unit, out);
	buf_addf(out, " of %zu run%s", series->n, series->n > 1 ? "s" : "");
}

void plot_scene_outside(const struct plot_scene *scene, const struct plot_cdf *plot,
			struct buf *out)
{
	size_t n = scene->base.n + scene->head.n;

	if (scene->n_beyond > 0) {
		buf_addf(out, "%zu of %zu values lie beyond ", scene->n_beyond, n);
		scale_value(scene->high, plot->unit, out);
		buf_adds(out, " (up to ");
		scale_value(scene->greatest, plot->unit, out);
		buf_addc(out, ')');
	}
	if (scene->n_below > 0) {
		buf_addf(out, "%s%zu of %zu values lie below ", scene->n_beyond ? "; " : "",
			 scene->n_below, n);
		scale_value(scene->low, plot->unit, out);
		buf_adds(out, " (down to ");
		scale_value(scene->least, plot->unit, out);
		buf_addc(out, ')');
	}
}
