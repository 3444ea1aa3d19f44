#include "reporter/parts/notes.h"

#include <math.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/stats/verdict.h"
#include "reporter/figures/cells.h"
#include "reporter/parts/advice.h"
#include "reporter/parts/changes.h"
#include "reporter/figures/scale.h"
#include "reporter/judge/disturbed.h"
#include "reporter/parts/compared.h"

#include "lib/base/banned.h"

#define MOST_LINES 12 /* of a failure's detail, unless verbose */

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; n++) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return n;
}

/* The first line says what is wrong, the last ones usually why; the middle may go. */
static int add_detail(const char *detail, bool verbose, struct buf *line, struct strv *out,
		      struct err *err)
{
	size_t n = count_lines(detail), i, length;
	size_t gone = !verbose && n > MOST_LINES ? n - MOST_LINES : 0;

	for (i = 0; i < n; i++, detail += length + 1) {
		length = strcspn(detail, "\n");
		if (i > 0 && i <= gone) {
			if (i == gone)
				buf_addf(line, "(%zu lines left out)", gone);
		} else {
			buf_add(line, detail, length);
		}
		while (line->len > 0 && strchr(" \r", line->data[line->len - 1]))
			buf_truncate(line, line->len - 1);
		if (strv_take(out, line, err))
			return -1;
	}
	return 0;
}

/* It leaves out "no change", and is as large as counts; and nothing else but pairs is missing. */
static bool is_likely(const struct bench *b, const struct delta *delta)
{
	double near = delta->ratio > 1 ? log(delta->low) : -log(delta->high);
	double least = log1p(b->threshold);
	bool sure = delta->p_adjusted <= VERDICT_RATE && near > VERDICT_MARGIN * least;

	return b->paired && near > 0 && fabs(log(delta->ratio)) >= least && !sure;
}

/* A side has figures and no samples: its note says so. */
static bool is_summed_up(const struct metric *m)
{
	return m->described && !(m->n && m->n_baseline);
}

static void add_undecided(const struct row *row, struct buf *line)
{
	const struct delta *delta = row->delta;
	struct advice advice;

	if (row->kind != ROW_INCONCLUSIVE || !delta || is_summed_up(row->gate))
		return;
	buf_addf(line, "undecided after %zu %s%s%s", row->gate->n,
		 row->bench->paired ? "pair" : "run", row->gate->n == 1 ? "" : "s",
		 row->bench->paired ? " of runs" : "");
	if (is_likely(row->bench, delta))
		buf_adds(line, ": a change is likely, but not sure enough to be called");
	if (advice_of(row, &advice)) {
		buf_adds(line, "; ");
		advice_add(&advice, line);
	}
}

bool notes_only_undecided(const struct row *row, struct buf *line)
{
	if (row->kind != ROW_INCONCLUSIVE || !row->delta || is_summed_up(row->gate) ||
	    is_likely(row->bench, row->delta))
		return false;
	if (line)
		add_undecided(row, line);
	return true;
}

/* Only what neither the heading nor the verdict says already. */
static void add_baseline(const struct bench *b, struct buf *line)
{
	if (!b->baseline_commit && (!b->baseline_how || bench_verdict(b) == VERDICT_IDENTICAL))
		return;
	buf_adds(line, "compared with ");
	if (b->baseline_commit)
		cell_commit(b->baseline_commit, line);
	if (b->baseline_commit && b->baseline_how)
		buf_adds(line, ", ");
	if (b->baseline_how)
		buf_adds(line, cell_how(b->baseline_how));
}

static void add_judgement(const struct row *row, struct buf *line)
{
	const struct bench *b = row->bench;
	const struct delta *delta = row->delta;

	if (!row->gate)
		return;
	buf_addf(line, "judged by %s", row->gate->name);
	if (b->gate_why && *b->gate_why)
		buf_addf(line, " (%s)", b->gate_why);
	if (isfinite(b->threshold)) {
		buf_adds(line, ", threshold ");
		cell_percent(b->threshold, line);
	}
	if (delta && isfinite(delta->p))
		buf_addf(line, ", p %.2g", delta->p);
	if (delta && isfinite(delta->p_adjusted))
		buf_addf(line, ", adjusted %.2g", delta->p_adjusted);
	if (delta && isfinite(delta->confidence)) {
		buf_adds(line, ", interval at ");
		cell_percent(delta->confidence, line);
	}
	if (b->iterations > 0)
		buf_addf(line, ", %llu iteration%s a run", (unsigned long long)b->iterations,
			 b->iterations == 1 ? "" : "s");
}

static void add_figure(const char *name, double value, const char *unit, struct buf *line)
{
	if (!isfinite(value))
		return;
	buf_addf(line, ", %s ", name);
	scale_value(value, unit, line);
}

static void add_figures(const struct metric *m, struct buf *line)
{
	if (!m || !m->described)
		return;
	if (m->n)
		buf_addf(line, "head: %zu run%s", m->n, m->n == 1 ? "" : "s");
	else
		buf_adds(line, "head: figures without samples");
	add_figure("mean", m->mean, m->unit, line);
	if (isfinite(m->ci_low) && isfinite(m->ci_high)) {
		buf_adds(line, " [");
		scale_value(m->ci_low, m->unit, line);
		buf_adds(line, ", ");
		scale_value(m->ci_high, m->unit, line);
		buf_adds(line, "]");
	}
	add_figure("stddev", m->stddev, m->unit, line);
	add_figure("min", m->min, m->unit, line);
	add_figure("max", m->max, m->unit, line);
	add_figure("p99", m->p99, m->unit, line);
	add_figure("throughput", m->throughput_per_s, "/s", line);
}

static int add_disturbed(const struct row *row, struct buf *line, struct err *err)
{
	struct disturbed causes = { { 0 }, 0 };
	const struct bench *b = row->bench;
	size_t n = row->gate ? row->gate->n : 0;
	const char *what = b->paired ? "pairs" : "runs";

	if (disturbed_add(b, &causes, err))
		return -1;
	if (b->n_disturbed > 0)
		buf_addf(line, "%llu of %zu %s far off the others, counted all the same",
			 (unsigned long long)b->n_disturbed, n, what);
	disturbed_say(&causes, line);
	if (b->n_void > 0)
		buf_addf(line, "%s%llu %s void and repeated", line->len ? "; " : "",
			 (unsigned long long)b->n_void, what);
	return 0;
}

static int add_metric(const struct metric *m, struct buf *line, struct err *err)
{
	double base, head;

	if (row_sides(m, &base, &head, err))
		return -1;
	buf_addf(line, "%s ", m->name);
	scale_value(base, m->unit, line);
	buf_adds(line, " -> ");
	scale_value(head, m->unit, line);
	buf_adds(line, ", ");
	cell_delta(&m->delta, m->unit, line);
	buf_addc(line, ' ');
	cell_interval(&m->delta, m->unit, line);
	if (*verdict_name(m->delta.verdict))
		buf_addf(line, " %s", verdict_name(m->delta.verdict));
	if (m->state == METRIC_SCALED)
		buf_adds(line, " (extrapolated)");
	return 0;
}

static int add_verbose(const struct row *row, struct buf *line, struct strv *out, struct err *err)
{
	const struct bench *b = row->bench;
	size_t i;

	add_judgement(row, line);
	if (strv_take(out, line, err))
		return -1;
	add_figures(row->gate, line);
	if (strv_take(out, line, err))
		return -1;
	if (add_disturbed(row, line, err) || strv_take(out, line, err))
		return -1;
	for (i = 0; i < b->n_metrics; i++) {
		if (&b->metrics[i] == row->gate || !b->metrics[i].has_delta)
			continue;
		if (add_metric(&b->metrics[i], line, err) || strv_take(out, line, err))
			return -1;
	}
	return 0;
}

int notes_of_row(const struct row *row, bool verbose, struct strv *out, struct err *err)
{
	const struct bench *b = row->bench;
	struct buf line = BUF_INIT;
	int rc = -1;

	if (b->detail && add_detail(b->detail, verbose, &line, out, err))
		goto out;
	if (!b->detail && b->status == BENCH_TIMEOUT)
		buf_adds(&line, "did not end in time");
	if (strv_take(out, &line, err))
		goto out;
	if (b->status == BENCH_TIMEOUT)
		buf_adds(&line, "give it less to do, or more time: --budget, or 'timeout = 10m' in "
				"its section of .pawlconfig");
	if (strv_take(out, &line, err))
		goto out;
	if (row->delta && row->delta->note)
		buf_adds(&line, row->delta->note);
	if (strv_take(out, &line, err))
		goto out;
	add_baseline(b, &line);
	if (strv_take(out, &line, err))
		goto out;
	changes_note(b, verbose, &line);
	if (strv_take(out, &line, err))
		goto out;
	add_undecided(row, &line);
	if (strv_take(out, &line, err))
		goto out;
	if (compared_notes(row, verbose, out, err) ||
	    (verbose && add_verbose(row, &line, out, err)))
		goto out;
	rc = 0;
out:
	buf_release(&line);
	return rc;
}
