/*
 * Stable lines for scripts, pawl-porcelain(5): a record a line, fields separated by tabs, new
 * fields only behind the old ones.  Nothing here follows the locale, the terminal or what the
 * report for people says.
 */
#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/runner.h"
#include "lib/base/utf8.h"
#include "reporter/figures/rows.h"
#include "reporter/render/render.h"

#include "lib/base/banned.h"

#define NOTHING "-"

/* A tab and the text, on its line whatever it holds; what it holds can be had back. */
static void add_text(const char *text, struct buf *out)
{
	const unsigned char *p = (const unsigned char *)text;

	buf_addc(out, '\t');
	if (!text || !*text) {
		buf_adds(out, NOTHING);
		return;
	}
	if (!strcmp(text, NOTHING)) {
		buf_adds(out, "\\x2d");
		return;
	}
	for (; *p; p++)
		if (*p == '\\')
			buf_adds(out, "\\\\");
		else if (*p == '\t')
			buf_adds(out, "\\t");
		else if (*p == '\n')
			buf_adds(out, "\\n");
		else if (*p >= 0x80 && utf8_is_control(p)) {
			buf_addf(out, "\\x%02x\\x%02x", (unsigned)p[0], (unsigned)p[1]);
			p++;
		} else if (utf8_is_control(p) || runner_is_hash(text, (const char *)p))
			buf_addf(out, "\\x%02x", (unsigned)*p);
		else
			buf_addc(out, (char)*p);
}

static void add_number(double value, struct buf *out)
{
	char text[NUMBER_TEXT];

	buf_addc(out, '\t');
	buf_adds(out, isfinite(value) ? number_print(value, text) : NOTHING);
}

static void add_delta(const struct delta *d, struct buf *out)
{
	add_number(d ? d->ratio : (double)NAN, out);
	add_number(d ? d->low : (double)NAN, out);
	add_number(d ? d->high : (double)NAN, out);
	add_number(d ? d->confidence : (double)NAN, out);
	add_number(d ? d->p_adjusted : (double)NAN, out);
	add_number(d ? d->noise_floor : (double)NAN, out);
}

static void add_difference(const struct delta *d, struct buf *out)
{
	bool has = d && d->by_difference;

	add_number(has ? d->difference : (double)NAN, out);
	add_number(has ? d->difference_low : (double)NAN, out);
	add_number(has ? d->difference_high : (double)NAN, out);
}

/* The fields of a metric, NULL: none was measured. */
static int add_metric(const struct metric *m, const struct delta *d, struct buf *out,
		      struct err *err)
{
	double head, base;

	if (row_sides(m, &base, &head, err))
		return -1;
	add_text(m ? m->name : NULL, out);
	add_text(m ? m->unit : NULL, out);
	add_number(base, out);
	add_number(head, out);
	add_delta(d, out);
	buf_addf(out, "\t%zu\t%zu", m ? m->n_baseline : 0, m ? m->n : 0);
	return 0;
}

static int add_benchmark(const struct row *row, bool all, struct buf *out, struct err *err)
{
	const struct bench *b = row->bench;
	size_t i;

	buf_addf(out, "benchmark\t%s",
		 row->kind == ROW_NOT_JUDGED ? "not-judged" : row_word(row->kind));
	add_text(b->name, out);
	if (add_metric(row->gate, row->delta, out, err))
		return -1;
	add_number(b->threshold, out);
	add_difference(row->delta, out);
	buf_addc(out, '\n');
	for (i = 0; all && i < b->n_metrics; i++) {
		const struct metric *m = &b->metrics[i];

		if (m == row->gate || !m->n)
			continue;
		buf_adds(out, "metric");
		add_text(b->name, out);
		if (add_metric(m, m->has_delta ? &m->delta : NULL, out, err))
			return -1;
		add_difference(m->has_delta ? &m->delta : NULL, out);
		buf_addc(out, '\n');
	}
	return 0;
}

static void add_place(const struct summary *s, struct buf *out)
{
	buf_adds(out, "head");
	add_text(s->commit.id, out);
	buf_adds(out, s->commit.dirty ? "\tdirty" : "\tclean");
	buf_adds(out, "\nbase");
	add_text(s->baseline.commit, out);
	add_text(s->baseline.how, out);
	if (s->sides.base) {
		buf_adds(out, "\nsides");
		add_text(s->sides.base, out);
		add_text(s->sides.head, out);
	}
	buf_adds(out, "\nproject");
	add_text(s->project, out);
	buf_adds(out, "\nmachine");
	add_text(s->machine.id, out);
	buf_addc(out, '\n');
}

int render_porcelain(const struct summary *s, const struct render_options *opt, struct buf *out,
		     struct err *err)
{
	struct rows rows = { 0 };
	size_t i;
	int rc = 0;

	if (rows_of(s, &rows, err))
		return -1;
	buf_adds(out, "pawl-porcelain\t1\n");
	add_place(s, out);
	for (i = 0; i < rows.n && !rc; i++)
		rc = add_benchmark(&rows.v[i], opt->verbose, out, err);
	rows_release(&rows);
	buf_adds(out, "end\n");
	return rc;
}
