/*
 * JUnit XML for GitLab, Jenkins and others: one case a benchmark.  A regression is a failure; what
 * could not be measured an error; what the data do not tell is skipped, with the reason.  A change
 * that was accepted, or only suspected against stored samples, never fails.
 */
#include <math.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "reporter/figures/cells.h"
#include "reporter/parts/notes.h"
#include "reporter/parts/reason.h"
#include "reporter/render/render.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

#define MOST_BYTES (20u << 20) /* GitLab takes 30 MB; beyond this the long texts are left out */
#define MESSAGE_COLUMNS 400

static const char *element_of(enum row_kind kind)
{
	switch (kind) {
	case ROW_REGRESSED:
		return "failure";
	case ROW_FAILED:
		return "error";
	case ROW_SUSPECT:
	case ROW_INCONCLUSIVE:
	case ROW_REMOVED:
	case ROW_NO_BASELINE:
	case ROW_SKIPPED:
	case ROW_NOT_JUDGED:
		return "skipped";
	case ROW_ACCEPTED:
	case ROW_IMPROVED:
	case ROW_UNCHANGED:
	case ROW_IDENTICAL:
	case ROW_ADDED:
	case ROW_KIND_N:
		break;
	}
	return NULL;
}

static void add_property(const char *name, const char *value, struct buf *out)
{
	buf_addf(out, "      <property name=\"%s\" value=\"", name);
	text_xml(value, out);
	buf_adds(out, "\"/>\n");
}

static void add_number(const char *name, double value, struct buf *out)
{
	char text[NUMBER_TEXT];

	if (isfinite(value))
		add_property(name, number_print(value, text), out);
}

static void add_properties(const struct row *row, double head, double base, struct buf *out)
{
	buf_adds(out, "    <properties>\n");
	add_property("verdict", row_word(row->kind), out);
	if (row->gate) {
		add_property("metric", row->gate->name, out);
		add_property("unit", row->gate->unit, out);
	}
	add_number("head", head, out);
	add_number("base", base, out);
	if (row->delta) {
		add_number("ratio", row->delta->ratio, out);
		add_number("ratio-low", row->delta->low, out);
		add_number("ratio-high", row->delta->high, out);
	}
	if (row->delta && row->delta->by_difference) {
		add_number("difference", row->delta->difference, out);
		add_number("difference-low", row->delta->difference_low, out);
		add_number("difference-high", row->delta->difference_high, out);
	}
	buf_adds(out, "    </properties>\n");
}

/* Every line of the notes, each on its own. */
static int add_body(const struct row *row, struct buf *out, struct err *err)
{
	struct strv notes = STRV_INIT;
	size_t i;
	int rc = 0;

	if (out->len < MOST_BYTES)
		rc = notes_of_row(row, true, &notes, err);
	for (i = 0; i < notes.n; i++) {
		text_xml(notes.v[i], out);
		buf_addc(out, '\n');
	}
	strv_release(&notes);
	return rc;
}

static int add_outcome(const struct summary *s, const struct row *row, struct buf *out,
		       struct err *err)
{
	const char *element = element_of(row->kind);
	struct buf reason = BUF_INIT, visible = BUF_INIT, cut = BUF_INIT;
	int rc;

	if (!element && row->kind != ROW_ACCEPTED && row->kind != ROW_IMPROVED)
		return 0;
	rc = reason_of_row(s, row, &reason, err);
	text_visible(buf_str(&reason), true, &visible);
	text_cut(buf_str(&visible), MESSAGE_COLUMNS, true, &cut);
	if (!rc && !element) {
		buf_addf(out, "    <system-out>%s: ", row_word(row->kind));
		text_xml(buf_str(&cut), out);
		buf_adds(out, "</system-out>\n");
	} else if (!rc) {
		buf_addf(out, "    <%s message=\"", element);
		text_xml(buf_str(&cut), out);
		if (*element == 's') {
			buf_adds(out, "\"/>\n");
		} else {
			buf_addf(out, "\" type=\"%s\">", row_word(row->kind));
			rc = add_body(row, out, err);
			buf_addf(out, "</%s>\n", element);
		}
	}
	out->failed |= visible.failed || cut.failed;
	buf_release(&reason);
	buf_release(&visible);
	buf_release(&cut);
	return rc;
}

static int add_case(const struct summary *s, const struct row *row, struct buf *out,
		    struct err *err)
{
	double head, base;

	if (row_sides(row->gate, &base, &head, err))
		return -1;
	buf_adds(out, "  <testcase classname=\"");
	text_xml(s->project ? s->project : "pawl", out);
	buf_adds(out, "\" name=\"");
	text_xml(row->bench->name, out);
	buf_addc(out, '"');
	if (row->gate && cell_is_duration(row->gate) && isfinite(head))
		buf_addf(out, " time=\"%.12f\"", head / 1e9);
	buf_adds(out, ">\n");
	add_properties(row, head, base, out);
	if (add_outcome(s, row, out, err))
		return -1;
	buf_adds(out, "  </testcase>\n");
	return buf_check(out, err);
}

static void add_counts(const struct rows *rows, struct buf *out)
{
	size_t skipped = 0;
	int kind;

	for (kind = 0; kind < ROW_KIND_N; kind++) {
		const char *element = element_of((enum row_kind)kind);

		if (element && *element == 's')
			skipped += rows->count[kind];
	}
	buf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", rows->n,
		 rows->count[ROW_REGRESSED], rows->count[ROW_FAILED], skipped);
}

static void add_suite(const struct summary *s, const struct rows *rows, struct buf *out)
{
	char when[WHEN_ISO];

	buf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pawl\"");
	add_counts(rows, out);
	buf_adds(out, ">\n <testsuite name=\"");
	text_xml(s->project ? s->project : "pawl", out);
	buf_addc(out, '"');
	add_counts(rows, out);
	when_iso(s->started_us, false, when);
	buf_addf(out, " timestamp=\"%.19s\"", when); /* its readers take no zone; it is UTC */
	if (s->finished_us > s->started_us)
		buf_addf(out, " time=\"%.3f\"", (double)(s->finished_us - s->started_us) / 1e6);
	buf_adds(out, ">\n");
}

int render_junit(const struct summary *s, const struct render_options *opt, struct buf *out,
		 struct err *err)
{
	struct rows rows = { 0 };
	size_t i;
	int rc = 0;

	(void)opt;
	if (rows_of(s, &rows, err))
		return -1;
	add_suite(s, &rows, out);
	for (i = 0; i < rows.n && !rc; i++)
		rc = add_case(s, &rows.v[i], out, err);
	buf_adds(out, " </testsuite>\n</testsuites>\n");
	rows_release(&rows);
	return rc;
}
