#include "reporter/why/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reporter/figures/scale.h"
#include "reporter/parts/placed.h"
#include "reporter/why/source.h"

#include "lib/base/banned.h"

const char *why_unit(const struct why_report *why)
{
	return why->per_iteration ? "instructions per iteration" : "instructions of the whole run";
}

void why_share(double share, struct buf *out)
{
	double percent = 100 * share;

	if (!isfinite(share))
		buf_addc(out, '-');
	else
		buf_addf(out, "%.*f %%", fabs(percent) < 9.95 && percent != 0 ? 1 : 0, percent);
}

void why_delta(double delta, struct buf *out)
{
	buf_adds(out, delta < 0 ? "-" : "+");
	scale_value(fabs(delta), "1", out);
}

const char *why_name(const struct why_function *f)
{
	return function_delta_either(f->d)->name;
}

const char *why_place(const struct why_function *f)
{
	const struct profile_function *p = function_delta_either(f->d);

	return strcmp(p->file, PROFILE_UNKNOWN) ? p->file : path_base(p->object);
}

bool why_moved(const struct metric *m)
{
	const struct delta *d = &m->delta;

	if (!m->has_delta || d->verdict == VERDICT_UNCHANGED)
		return false;
	if (d->by_difference)
		return d->difference_low > 0 || d->difference_high < 0;
	return isfinite(d->ratio) && (d->low > 1 || d->high < 1);
}

void why_view_release(struct why_view *v)
{
	size_t i, k;

	for (i = 0; i < v->n; i++) {
		for (k = 0; k < v->functions[i].n_lines; k++) {
			free(v->functions[i].lines[k].base_text);
			free(v->functions[i].lines[k].head_text);
		}
		free(v->functions[i].lines);
	}
	free(v->functions);
	profile_diff_release(&v->diff);
	strv_release(&v->hints);
	free(v->sentence);
	memset(v, 0, sizeof(*v));
}

static int add_lines(struct why_sources *sources, struct why_function *f, struct err *err)
{
	struct line_delta *v = NULL;
	size_t i, n = 0;

	if (profile_line_diff(f->d, why_sources_map, sources, &v, &n, err))
		return -1;
	f->lines = calloc(WHY_MAX_LINES, sizeof(*f->lines));
	if (!f->lines) {
		free(v);
		return err_nomem(err);
	}
	for (i = 0; i < n; i++) {
		struct why_line *line;

		if ((!v[i].base_line && !v[i].head_line) || !why_sources_own(sources, v[i].file))
			continue; /* a number without its text adds nothing */
		if (f->n_lines == WHY_MAX_LINES || fabs(v[i].delta) < 0.01 * fabs(f->d->delta)) {
			f->n_more++;
			continue;
		}
		line = &f->lines[f->n_lines++];
		line->d = v[i];
		line->base_text = why_sources_line(sources, v[i].file, false, v[i].base_line);
		line->head_text = why_sources_line(sources, v[i].file, true, v[i].head_line);
	}
	free(v);
	return sources->failed ? err_nomem(err) : 0;
}

/* Libraries may have debug information where the program has none. */
static bool has_own_lines(struct why_sources *sources, const struct profile *p)
{
	const char *asked = NULL;
	size_t i, k;

	for (i = 0; i < p->n; i++) {
		const struct profile_function *f = &p->functions[i];

		for (k = 0; k < f->n_lines; k++) {
			if (!f->lines[k].line || f->lines[k].file == asked)
				continue;
			asked = f->lines[k].file;
			if (why_sources_own(sources, asked))
				return true;
		}
	}
	return false;
}

static int add_functions(struct why_view *v, struct err *err)
{
	double all = v->diff.head - v->diff.base;
	double least = WHY_SAME * fmax(fabs(v->diff.base), fabs(v->diff.head));
	struct why_sources sources = { .why = v->why };
	size_t i;
	int result = -1;

	v->functions = calloc(WHY_MAX_FUNCTIONS, sizeof(*v->functions));
	if (!v->functions)
		return err_nomem(err);
	for (i = 0; i < v->diff.n; i++) {
		struct why_function *f;

		if (fabs(v->diff.v[i].delta) < least)
			break;
		if (v->n == WHY_MAX_FUNCTIONS) {
			v->n_more++;
			continue;
		}
		f = &v->functions[v->n++];
		f->d = &v->diff.v[i];
		f->share = v->is_same ? (double)NAN : f->d->delta / all;
		if (add_lines(&sources, f, err))
			goto out;
	}
	v->has_own_lines = has_own_lines(&sources, v->why->head.profile) ||
			   has_own_lines(&sources, v->why->base.profile);
	if (sources.failed) {
		err_nomem(err);
		goto out;
	}
	result = 0;
out:
	why_sources_release(&sources);
	return result;
}

static int add_hints(struct why_view *v, struct err *err)
{
	const struct profile *a = v->why->base.profile, *b = v->why->head.profile;

	if (profile_is_stripped(a) || profile_is_stripped(b))
		return strv_add(&v->hints,
				"the program is stripped: most functions are addresses, which say "
				"nothing across builds; build without -s and without strip",
				err);
	if (v->n && !v->has_own_lines)
		return strv_add(&v->hints,
				"the project's code has no debug information: build with -g for "
				"lines",
				err);
	return 0;
}

static const struct delta *gate_delta(const struct bench *b)
{
	const struct delta *d = b ? bench_delta(b) : NULL;

	return d && !d->by_difference && isfinite(d->ratio) && d->ratio > 0 ? d : NULL;
}

/*
 * What layouts do to the metric that decides: of CPU time is another figure than of wall time.
 * Where the two were not compared, nobody decided, and it is of what was calibrated.
 */
static void take_layouts(struct why_view *v)
{
	const struct calibrated *known = v->why->known;
	const struct bench *b = v->why->counters;

	if (!known)
		return;
	v->layouts_metric = b ? b->gate : known->layouts_metric;
	v->layouts = calibrated_layouts(known, v->layouts_metric);
	if (!v->layouts.n)
		v->layouts_metric = NULL;
}

/* The same work in another time: how much of that layouts alone can make. */
static void say_same(const struct why_view *v, struct buf *out)
{
	const struct why_report *why = v->why;
	const struct layout_calibration *l = &v->layouts;
	const struct delta *d = gate_delta(why->counters);
	bool drawn = why->counters && why->counters->layouts.n;

	buf_adds(out, "the work is the same to 0.01 %: ");
	if (!l->n) {
		buf_adds(out, "look at layout, caches, memory (pawl calibrate finds what layout "
			      "alone can make)");
		return;
	}
	if (d && drawn)
		buf_addf(out,
			 "look at caches, memory; %zu layouts were measured, so it is not these: ",
			 why->counters->layouts.n);
	else if (d && placed_is_seen(l))
		buf_adds(out, fabs(log(d->ratio)) <= log1p(l->floor)
				      ? "layout alone can make that difference: "
				      : "look at caches, memory; layout alone makes less: ");
	else
		buf_adds(out, "look at layout, caches, memory; ");
	placed_words(l, out);
	if (!why->counters)
		buf_addf(out, ", in %s", v->layouts_metric);
}

static int say(struct why_view *v, struct err *err)
{
	double percent = 100 * fabs(v->ratio - 1), share;
	const char *word = v->ratio > 1 ? "more" : "fewer";
	struct buf text = BUF_INIT;

	if (v->why->identical) {
		buf_adds(&text,
			 "both commits give the same machine code: there is nothing to find");
	} else if (v->is_same) {
		say_same(v, &text);
		if (v->n)
			buf_adds(&text, "; what the functions above add and save cancels out");
	} else if (!v->n) {
		buf_addf(&text, "%.2g %% %s instructions, in small parts all over", percent, word);
	} else {
		share = 100 * v->functions[0].share;
		if (share > 0)
			buf_addf(&text, "%s %s %.0f %% of the %.*f %% %s instructions",
				 why_name(&v->functions[0]), v->ratio > 1 ? "adds" : "saves", share,
				 percent < 9.95 ? (percent < 0.095 ? 3 : 1) : 0, percent, word);
		else
			buf_addf(&text,
				 "%.2g %% %s instructions; the largest change, in %s, goes the "
				 "other way",
				 percent, word, why_name(&v->functions[0]));
	}
	v->sentence = buf_detach(&text);
	return v->sentence ? 0 : err_nomem(err);
}

int why_view_make(const struct why_report *why, struct why_view *out, struct err *err)
{
	memset(out, 0, sizeof(*out));
	out->why = why;
	out->ratio = (double)NAN;
	take_layouts(out);
	if (!why->identical) {
		if (profile_diff(why->base.profile, why->head.profile, &out->diff, err))
			goto fail;
		out->ratio = out->diff.base > 0 ? out->diff.head / out->diff.base : (double)NAN;
		out->is_same = !(fabs(out->ratio - 1) > WHY_SAME);
		if (add_functions(out, err) || add_hints(out, err))
			goto fail;
	}
	if (say(out, err))
		goto fail;
	return 0;
fail:
	why_view_release(out);
	return -1;
}
