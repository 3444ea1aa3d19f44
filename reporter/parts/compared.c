#include "reporter/parts/compared.h"

#include <math.h>
#include <string.h>

#include "lib/base/buf.h"
#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/parts/changes.h"
#include "reporter/parts/placed.h"

#include "lib/base/banned.h"

static void add_output(const struct bench *b, bool verbose, struct buf *line)
{
	if (b->output == OUTPUT_DIFFERS)
		buf_adds(line, "its output differs from that of the base: the two sides give "
			       "different answers");
	else if (b->output == OUTPUT_VARIES && verbose)
		buf_adds(line, "its output varies from run to run and cannot be compared");
	else if (b->output == OUTPUT_SAME && verbose)
		buf_adds(line, "its output is the same on both sides");
}

static void add_way(const struct bench *b, bool verbose, struct buf *line)
{
	if (b->pairs_ran == PAIRS_RAN_AT_ONCE && verbose)
		buf_adds(line, "both sides ran at once on one processor: their CPU time scattered "
			       "less so");
}

static void add_acceptance(const struct bench *b, struct buf *line)
{
	if (!b->accepted.commit || bench_verdict(b) != VERDICT_REGRESSED)
		return;
	buf_adds(line, "accepted in ");
	cell_commit(b->accepted.commit, line);
	if (b->accepted.because)
		buf_addf(line, ": %s", b->accepted.because);
}

/* Only what ran out of time has a number of pairs between two decision points. */
static void add_cut(const struct row *row, struct buf *line)
{
	const struct looks *looks = &row->bench->looks;
	size_t n = row->gate && row->bench->paired ? row->gate->n : 0, i = 0;

	while (i < looks->n && looks->pairs[i] < n)
		i++;
	if (n && i < looks->n && looks->pairs[i] != n)
		buf_addf(line, "stopped at pair %zu; the %s decision point is %u", n,
			 i ? "next" : "first", looks->pairs[i]);
}

static void add_looks(const struct looks *looks, struct buf *line)
{
	size_t i;

	for (i = 0; i < looks->n; i++)
		buf_addf(line, "%s%u", i ? ", " : "decision points, in pairs: ", looks->pairs[i]);
}

static void add_work(const struct work_count *work, bool verbose, struct buf *line)
{
	if (!work->how && work->reason)
		buf_addf(line, "work was not counted: %s", work->reason);
	if (!verbose || !work->how)
		return;
	buf_adds(line, "work: ");
	scale_value(work->base, "", line);
	buf_adds(line, " -> ");
	scale_value(work->head, "", line);
	buf_addf(line, " instructions by %s", work->how);
	if (work->base > 0 && isfinite(work->head))
		buf_addf(line, ", %+.2f %%", 100 * (work->head / work->base - 1));
}

static void add_layouts(const struct layout_spread *l, struct buf *line)
{
	if (!l->n || !isfinite(l->floor))
		return;
	if (!(l->floor > 0)) {
		buf_addf(line,
			 "layouts did not move the change; standard deviation of pairs %.2f %%",
			 100 * sqrt(l->within));
		return;
	}
	buf_adds(line, "other layouts moved the change by up to ");
	cell_floor(l->floor, line);
	buf_addf(line, "; standard deviation of layouts %.2f %%, of pairs of one %.2f %%",
		 100 * sqrt(l->between), 100 * sqrt(l->within));
}

static void add_calibration(const struct calibration *c, struct buf *line)
{
	if (c->n <= 0)
		return;
	buf_adds(line, "identical code ");
	if (c->floor > 0) { /* else there are too few to say */
		buf_adds(line, "differed by up to ");
		cell_floor(c->floor, line);
		buf_addc(line, ' ');
	}
	buf_addf(line, "here: %d comparison%s, %d called", c->n, c->n == 1 ? "" : "s", c->n_false);
}

int compared_notes(const struct row *row, bool verbose, struct strv *out, struct err *err)
{
	const struct bench *b = row->bench;
	struct buf line = BUF_INIT;
	int rc = -1;

	add_output(b, verbose, &line);
	if (strv_take(out, &line, err))
		goto out;
	add_way(b, verbose, &line);
	if (strv_take(out, &line, err))
		goto out;
	add_acceptance(b, &line);
	if (strv_take(out, &line, err))
		goto out;
	add_cut(row, &line);
	if (strv_take(out, &line, err))
		goto out;
	add_work(&b->work, verbose, &line);
	if (strv_take(out, &line, err))
		goto out;
	if (verbose)
		add_looks(&b->looks, &line);
	if (strv_take(out, &line, err))
		goto out;
	if (verbose)
		add_layouts(&b->layouts, &line);
	if (strv_take(out, &line, err))
		goto out;
	if (verbose)
		placed_words(&b->calibration.layouts, &line);
	if (strv_take(out, &line, err))
		goto out;
	if (verbose)
		add_calibration(&b->calibration, &line);
	rc = strv_take(out, &line, err);
out:
	buf_release(&line);
	return rc;
}

/* Of all benchmarks the one whose identical code moved most, and the false calls of all. */
static int add_floor(const struct summary *s, struct strv *out, struct err *err)
{
	const struct bench *worst = NULL;
	long n = 0, n_false = 0;
	struct buf line = BUF_INIT;
	size_t i;
	int rc;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		if (b->calibration.n <= 0)
			continue;
		n += b->calibration.n;
		n_false += b->calibration.n_false;
		if (!worst || b->calibration.floor > worst->calibration.floor)
			worst = b;
	}
	if (!worst)
		return 0;
	buf_adds(&line, "identical code ");
	if (worst->calibration.floor > 0) {
		buf_adds(&line, "differed by up to ");
		cell_floor(worst->calibration.floor, &line);
		buf_addf(&line, " here (%s); ", worst->name);
	} else {
		buf_adds(&line, "here: ");
	}
	buf_addf(&line, "%ld of %ld such comparison%s called", n_false, n,
		 n == 1 ? " was" : "s were");
	rc = strv_take(out, &line, err);
	buf_release(&line);
	return rc;
}

/* "layouts: 24", of all that drew some. */
static int add_drawn(const struct summary *s, struct strv *out, struct err *err)
{
	size_t least = 0, most = 0, i;

	for (i = 0; i < s->n_benchmarks; i++) {
		size_t n = s->benchmarks[i].layouts.n;

		least = n && (!least || n < least) ? n : least;
		most = n > most ? n : most;
	}
	if (!most)
		return 0;
	return least == most ? strv_addf(out, err, "layouts: %zu, drawn for the pairs", most)
			     : strv_addf(out, err, "layouts: %zu to %zu, drawn for the pairs",
					 least, most);
}

/* Whether an earlier benchmark has one layout alone for the same reason. */
static bool is_told(const struct summary *s, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (s->benchmarks[k].layouts.why &&
		    !strcmp(s->benchmarks[k].layouts.why, s->benchmarks[i].layouts.why))
			return true;
	return false;
}

/* Each reason once; who measures identical code wants the same on both sides. */
static int add_undrawn(const struct summary *s, bool verbose, struct strv *out, struct err *err)
{
	size_t i, k, n;

	for (i = 0; i < s->n_benchmarks && !s->settings.measured_identical; i++) {
		const char *why = s->benchmarks[i].layouts.why;

		if (!why || is_told(s, i) || (!verbose && !s->benchmarks[i].binary_id))
			continue;
		if (s->benchmarks[i].layouts.n) { /* a shared object of it */
			if (strv_addf(out, err, "layouts: not of all of %s (%s)",
				      s->benchmarks[i].name, why))
				return -1;
			continue;
		}
		for (k = i, n = 0; k < s->n_benchmarks; k++)
			n += s->benchmarks[k].layouts.why &&
			     !strcmp(s->benchmarks[k].layouts.why, why);
		if (n > 1 ? strv_addf(out, err, "layouts: 1 of %s and %zu more (%s)",
				      s->benchmarks[i].name, n - 1, why)
			  : strv_addf(out, err, "layouts: 1 of %s (%s)", s->benchmarks[i].name,
				      why))
			return -1;
	}
	return 0;
}

int compared_remarks(const struct summary *s, bool verbose, struct strv *out, struct err *err)
{
	if (add_drawn(s, out, err) || add_undrawn(s, verbose, out, err) ||
	    changes_remarks(s, out, err))
		return -1;
	if (s->settings.measured_identical &&
	    strv_add(out,
		     "identical code was measured on purpose: where both sides are the same, what "
		     "differs is noise",
		     err))
		return -1;
	return add_floor(s, out, err);
}

void compared_called(const struct calibrations *c, struct buf *out)
{
	size_t i, n = 0, n_above = 0;

	for (i = 0; i < c->n; i++) {
		if (!c->v[i].n_log_ratios)
			continue;
		n++;
		n_above += c->v[i].threshold > 0 &&
			   calibrated_in_short(&c->v[i]).floor > c->v[i].threshold;
	}
	if (n_above && n_above == n)
		buf_adds(out, "A change as large as the threshold is not called: the same code "
			      "differed by more. One as large\nas under 'found 9 in 10' is, nine "
			      "times in ten.\n");
	else
		buf_addf(out,
			 "A change as large as the threshold is called about half of the time%s; "
			 "one as large as under\n'found 9 in 10', nine times in ten.\n",
			 n_above ? ",\nbut not where the same code differed by more" : "");
}
