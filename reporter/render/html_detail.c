#include "reporter/render/html_local.h"

#include <string.h>

#include "reporter/parts/notes.h"
#include "reporter/parts/plot.h"
#include "reporter/parts/reason.h"
#include "reporter/plot/plot.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "reporter/trend/load.h"
#include "reporter/trend/scene.h"
#include "reporter/trend/svg.h"

#include "lib/base/banned.h"

#define MOST_DETAILS 100 /* a page of some megabytes */
#define ALWAYS_OPEN 3	 /* of so few, each is shown whatever came out */

static bool has_samples(const struct row *row)
{
	return row->gate && row->gate->n + row->gate->n_baseline > 0;
}

bool html_has_detail(const struct rows *rows, size_t i)
{
	return i < MOST_DETAILS && (has_samples(&rows->v[i]) || rows->v[i].bench->detail);
}

/* The benchmark's history, when it is more than a point. */
static const struct trend *history_of(const struct trend_set *set, const char *name)
{
	size_t i;

	for (i = 0; set && i < set->n; i++)
		if (!strcmp(set->v[i].benchmark, name) && set->v[i].n - set->v[i].first > 1)
			return &set->v[i];
	return NULL;
}

static int add_notes(const struct rows *rows, size_t at, struct buf *out, struct err *err)
{
	struct strv notes = STRV_INIT;
	size_t i, first;
	int rc;

	if (!reason_count(rows, at, &first)) {
		buf_addf(out, "<p>the same reason as <a href=\"#b%zu\">", first);
		text_xml(rows->v[first].bench->name, out);
		buf_adds(out, "</a></p>\n");
		return buf_check(out, err);
	}
	rc = notes_of_row(&rows->v[at], true, &notes, err);

	if (!rc && notes.n) {
		buf_adds(out, "<pre>");
		for (i = 0; i < notes.n; i++) {
			text_xml(notes.v[i], out);
			buf_adds(out, i + 1 < notes.n ? "\n" : "</pre>\n");
		}
	}
	strv_release(&notes);
	return rc;
}

static int add_distributions(const struct summary *s, const struct rows *rows,
			     const struct row *row, struct buf *out, struct err *err)
{
	struct plot_cdf plot;
	size_t before = out->len;
	struct err fault = ERR_INIT;
	struct buf names[2] = { BUF_INIT, BUF_INIT };

	if (has_samples(row) &&
	    !render_plot_find(s, rows, row->bench->name, names, &plot, &fault)) {
		buf_adds(out, "<figure tabindex=\"0\">\n");
		if (plot_cdf_svg(&plot, out, &fault))
			buf_truncate(out, before); /* no finite value: the notes say why */
		else
			buf_adds(out, "</figure>\n");
	}
	buf_release(&names[0]);
	buf_release(&names[1]);
	return fault.code == ERR_NOMEM ? err_nomem(err) : 0;
}

static int add_history(const struct trend *t, struct buf *out, struct err *err)
{
	struct buf raw = BUF_INIT;
	int rc;

	buf_adds(out, "<figure tabindex=\"0\">\n<figcaption>History: ");
	trend_sentence(t, &raw);
	html_text(&raw, out);
	buf_release(&raw);
	buf_adds(out, "</figcaption>\n");
	rc = trend_svg_element(t, false, out, err);
	buf_adds(out, "</figure>\n");
	return rc;
}

static int add_detail(const struct summary *s, const struct rows *rows, size_t i,
		      const struct render_options *opt, struct buf *out, struct err *err)
{
	const struct row *row = &rows->v[i];
	const struct trend *history = history_of(opt->history, row->bench->name);
	bool is_open = rows->n <= ALWAYS_OPEN || (row->kind <= ROW_IMPROVED && i < 3);

	buf_addf(out, "<details%s><summary><b>", is_open ? " open" : "");
	text_xml(row->bench->name, out);
	buf_addf(out,
		 "</b> <span class=\"%s\">%s</span></summary>\n<div class=\"in\" id=\"b%zu\">\n",
		 html_class(row->kind), row_word(row->kind), i);
	if (row->bench->command) {
		buf_adds(out, "<p><code>");
		text_xml(row->bench->command, out);
		buf_adds(out, "</code></p>\n");
	}
	if (add_distributions(s, rows, row, out, err) ||
	    (history && add_history(history, out, err)) || add_notes(rows, i, out, err))
		return -1;
	buf_adds(out, "</div></details>\n");
	return buf_check(out, err);
}

int html_details(const struct summary *s, const struct rows *rows, const struct render_options *opt,
		 struct buf *out, struct err *err)
{
	size_t shown = 0, i;

	for (i = 0; i < rows->n; i++) {
		if (!html_has_detail(rows, i))
			continue;
		if (!shown++)
			buf_adds(out, "<h2>Benchmarks</h2>\n");
		if (add_detail(s, rows, i, opt, out, err))
			return -1;
	}
	if (rows->n > MOST_DETAILS)
		buf_addf(out,
			 "<p class=\"soft\">%zu more are in the table only; "
			 "<code>--format json</code> has them all.</p>\n",
			 rows->n - MOST_DETAILS);
	return buf_check(out, err);
}
