#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/text/text.h"
#include "reporter/why/view.h"

#include "lib/base/banned.h"

/* Nothing is loaded and nothing runs: the page holds under the strictest policy for content. */
static const char head[] =
	"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<style>\n"
	":root{color-scheme:light dark}\n"
	"body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;"
	"color:#1f2328;background:#fff}\n"
	"svg{max-width:100%;height:auto}\n"
	"div{overflow-x:auto}\n"
	"table{border-collapse:collapse;margin:1rem 0}\n"
	"th,td{padding:.25rem .75rem;text-align:right;border-bottom:1px solid #d1d9e0;"
	"white-space:nowrap}\n"
	"th.l,td.l{text-align:left}\n"
	"code{font:13px ui-monospace,monospace}\n"
	"p.end{font-weight:600}\n"
	"@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
	"th,td{border-color:#3d444d}}\n"
	"</style>\n";

static void add_cell(const char *raw, bool is_left, bool is_code, struct buf *out)
{
	buf_addf(out, "<td%s>%s", is_left ? " class=\"l\"" : "", is_code ? "<code>" : "");
	text_xml(raw, out);
	buf_addf(out, "%s</td>", is_code ? "</code>" : "");
}

static void add_number(double value, bool known, const char *otherwise, struct buf *out)
{
	struct buf text = BUF_INIT;

	if (known)
		scale_value(value, "1", &text);
	else
		buf_adds(&text, otherwise);
	add_cell(buf_str(&text), false, false, out);
	out->failed |= text.failed;
	buf_release(&text);
}

static void add_delta(double delta, struct buf *out)
{
	struct buf text = BUF_INIT;

	why_delta(delta, &text);
	add_cell(buf_str(&text), false, false, out);
	out->failed |= text.failed;
	buf_release(&text);
}

static void add_counters(const struct bench *b, struct buf *out)
{
	struct buf text = BUF_INIT;
	size_t i, n = 0;

	buf_adds(out, "<h2>Counters that moved</h2>\n");
	for (i = 0; i < b->n_metrics; i++) {
		const struct metric *m = &b->metrics[i];

		if (!why_moved(m))
			continue;
		if (!n++)
			buf_adds(out, "<div><table>\n<tr><th class=\"l\">counter</th><th>delta</th>"
				      "<th>interval</th></tr>\n");
		buf_adds(out, "<tr>");
		add_cell(m->name, true, false, out);
		buf_reset(&text);
		cell_delta(&m->delta, m->unit, &text);
		add_cell(buf_str(&text), false, false, out);
		buf_reset(&text);
		cell_interval(&m->delta, m->unit, &text);
		add_cell(buf_str(&text), false, false, out);
		buf_adds(out, "</tr>\n");
	}
	buf_adds(out, n ? "</table></div>\n" : "<p>None.</p>\n");
	out->failed |= text.failed;
	buf_release(&text);
}

static void add_functions(const struct why_view *v, struct buf *out)
{
	struct buf text = BUF_INIT;
	size_t i;

	buf_adds(out, "<h2>Functions</h2>\n<div><table>\n<tr><th>delta</th><th>share</th>"
		      "<th>base</th><th>head</th><th class=\"l\">function</th>"
		      "<th class=\"l\">file</th></tr>\n");
	for (i = 0; i < v->n; i++) {
		const struct why_function *f = &v->functions[i];

		buf_adds(out, "<tr>");
		add_delta(f->d->delta, out);
		buf_reset(&text);
		why_share(f->share, &text);
		add_cell(buf_str(&text), false, false, out);
		add_number(f->d->base ? f->d->base->self : 0, f->d->base, "new", out);
		add_number(f->d->head ? f->d->head->self : 0, f->d->head, "gone", out);
		add_cell(why_name(f), true, true, out);
		add_cell(why_place(f), true, true, out);
		buf_adds(out, "</tr>\n");
	}
	buf_adds(out, "</table></div>\n");
	if (v->n_more)
		buf_addf(out, "<p>And %zu function%s that moved less.</p>\n", v->n_more,
			 v->n_more == 1 ? "" : "s");
	out->failed |= text.failed;
	buf_release(&text);
}

static void add_place(const char *file, unsigned line, const char *source, struct buf *out)
{
	struct buf place = BUF_INIT;

	if (line)
		buf_addf(&place, "%s:%u", path_base(file), line);
	add_cell(buf_str(&place), true, true, out);
	add_cell(source ? source : "", true, true, out);
	out->failed |= place.failed;
	buf_release(&place);
}

static void add_lines(const struct why_function *f, struct buf *out)
{
	size_t k;

	if (!f->n_lines)
		return;
	buf_adds(out, "<h3><code>");
	text_xml(why_name(f), out);
	buf_adds(out, "</code>, by line</h3>\n<div><table>\n<tr><th>delta</th><th>base</th>"
		      "<th>head</th><th class=\"l\">base line</th><th class=\"l\">source</th>"
		      "<th class=\"l\">head line</th><th class=\"l\">source</th></tr>\n");
	for (k = 0; k < f->n_lines; k++) {
		const struct why_line *l = &f->lines[k];

		buf_adds(out, "<tr>");
		add_delta(l->d.delta, out);
		add_number(l->d.base, true, "", out);
		add_number(l->d.head, true, "", out);
		add_place(l->d.file, l->d.base_line, l->base_text, out);
		add_place(l->d.file, l->d.head_line, l->head_text, out);
		buf_adds(out, "</tr>\n");
	}
	buf_adds(out, "</table></div>\n");
}

int why_html(const struct why_view *v, const struct render_options *opt, struct buf *out,
	     struct err *err)
{
	size_t i;

	buf_adds(out, head);
	buf_adds(out, "<title>");
	text_xml(v->why->benchmark, out);
	buf_adds(out, "</title>\n</head>\n<body>\n<main>\n<h1>");
	text_xml(v->why->benchmark, out);
	buf_adds(out, "</h1>\n<p class=\"end\">");
	text_xml(v->sentence, out);
	buf_adds(out, "</p>\n");
	if (why_svg(v, opt, out, err))
		return -1;
	if (v->why->counters)
		add_counters(v->why->counters, out);
	if (v->n)
		add_functions(v, out);
	for (i = 0; i < v->n; i++)
		add_lines(&v->functions[i], out);
	for (i = 0; i < v->hints.n; i++) {
		buf_adds(out, "<p>");
		text_xml(v->hints.v[i], out);
		buf_adds(out, "</p>\n");
	}
	buf_adds(out, "</main>\n</body>\n</html>\n");
	return buf_check(out, err);
}
