/*
 * One page that says it all: the answer, the table with every interval, then what explains each
 * benchmark, then what was measured and how.  No script, nothing fetched.
 */
#include "reporter/render/render.h"

#include <string.h>

#include "reporter/figures/cells.h"
#include "reporter/judge/effect.h"
#include "reporter/parts/context.h"
#include "reporter/parts/sentence.h"
#include "reporter/plot/interval.h"
#include "reporter/render/html_local.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

static const char style[] =
	"body{font:15px/1.5 system-ui,sans-serif;max-width:1040px;margin:24px auto;"
	"padding:0 20px;background:#fff;color:#1f2328}\n"
	"h1{font-size:24px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}\n"
	"h2{font-size:19px;margin:36px 0 8px}\n"
	"p{margin:8px 0}.soft,th,figcaption{color:#59636e}.soft{font-size:14px}\n"
	".answer{font-size:17px;font-weight:600;border-left:4px solid #8c959f;"
	"padding:6px 14px;margin:18px 0;overflow-wrap:anywhere}\n"
	".answer.bad{border-color:#cf222e}.answer.good{border-color:#1a7f37}"
	".answer.open{border-color:#9a6700}\n"
	"ul.warn{list-style:none;padding:0}ul.warn li{border-left:4px solid #9a6700;"
	"padding:2px 14px;margin:6px 0;overflow-wrap:anywhere}\n"
	"table{border-collapse:collapse;width:100%;font-size:14px}\n"
	"th,td{text-align:left;padding:5px 8px;border-bottom:1px solid #d8dee4}\n"
	"th{font-weight:600;white-space:nowrap}\n"
	".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	".name{overflow-wrap:anywhere;min-width:9em}.plot{padding:0 8px;width:200px}\n"
	".plot svg,.axis svg{display:block}.axis{padding:0 8px}\n"
	".verdict{white-space:nowrap}.effect{display:block;white-space:normal;font-size:13px;"
	"font-weight:400;color:#59636e}\n"
	".bad{color:#cf222e;font-weight:600}.good{color:#1a7f37;font-weight:600}"
	".open{color:#9a6700;font-weight:600}.answer{color:inherit}\n"
	"a{color:inherit;text-decoration-color:#8c959f;text-underline-offset:3px}\n"
	"details{border:1px solid #d8dee4;border-radius:6px;margin:10px 0}\n"
	"summary{padding:8px 14px;cursor:pointer;overflow-wrap:anywhere}"
	"summary b{margin-right:8px}\n"
	".in{padding:0 14px 10px;border-top:1px solid #d8dee4}\n"
	"figure{margin:10px 0;overflow-x:auto}figure svg{display:block;height:auto;"
	"max-width:100%;min-width:600px}figcaption{font-size:14px}\n"
	"pre{font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;"
	"margin:8px 0}\n"
	"code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}\n"
	".facts th{width:11em;vertical-align:top}.facts td{overflow-wrap:anywhere}\n"
	"@media (max-width:700px){body{margin:14px auto;padding:0 12px}\n"
	".verdicts,.verdicts tbody{display:block}.verdicts thead{display:none}\n"
	".verdicts tr{display:grid;grid-template-columns:1fr auto;"
	"border-bottom:1px solid #d8dee4;padding:8px 0}\n"
	".verdicts td{border:0;padding:1px 4px}.verdicts .base,.verdicts .floor,"
	".verdicts .head,.verdicts .none{display:none}.verdicts td.interval{text-align:left}\n"
	".verdicts .name{grid-area:1/1}.verdicts .verdict{grid-area:1/2;text-align:right}"
	".verdicts .interval{grid-area:2/1}.verdicts .delta{grid-area:2/2}"
	".verdicts .plot{grid-area:3/1/4/3;width:auto}.effect{max-width:11em}\n"
	".facts th{width:7em;white-space:normal}}\n"
	"@media (prefers-color-scheme:dark){\n"
	"body{background:#0d1117;color:#e6edf3}th,td,details,.in,.verdicts tr"
	"{border-color:#30363d}\n"
	".soft,th,figcaption,.effect{color:#9198a1}.bad{color:#ff7b72}.good{color:#56d364}"
	".open{color:#e3b341}.answer{color:inherit}\n"
	"}\n";

static void put_html(const char *text, const struct render_options *opt, struct buf *out)
{
	(void)opt;
	text_xml(text, out);
}

static void add_top(const struct summary *s, const struct rows *rows,
		    const struct render_options *opt, struct buf *out)
{
	struct buf raw = BUF_INIT;
	size_t i;

	buf_adds(out, html_head);
	context_commit(s, &raw);
	html_title(buf_str(&raw), out);
	buf_adds(out, "<style>\n");
	buf_adds(out, style);
	buf_adds(out, interval_style);
	buf_adds(out, "</style>\n</head>\n<body>\n<main>\n");
	html_home(opt->home, out);
	buf_adds(out, "<h1>");
	html_text(&raw, out);
	buf_adds(out, "</h1>\n<p class=\"soft\">machine: ");
	context_machine(s, &raw);
	html_text(&raw, out);
	buf_adds(out, "<br>baseline: ");
	context_baseline(s, &raw);
	html_text(&raw, out);
	buf_addf(out, "</p>\n<p class=\"answer %s\">", rows->n ? html_class(rows->v[0].kind) : "");
	sentence_add(s, rows, opt, put_html, out);
	buf_adds(out, "</p>\n");
	if (s->environment.warnings.n)
		buf_adds(out, "<ul class=\"warn\">\n");
	for (i = 0; i < s->environment.warnings.n; i++) {
		buf_adds(out, "<li>");
		text_xml(s->environment.warnings.v[i], out);
		buf_adds(out, "</li>\n");
	}
	if (s->environment.warnings.n)
		buf_adds(out, "</ul>\n");
	buf_release(&raw);
}

/* One cell of the table's own text. */
static int add_cell(enum cell cell, const struct row *row, const char *class, struct buf *out,
		    struct err *err)
{
	struct buf raw = BUF_INIT;
	int rc = cell_add(cell, row, true, &raw, err);

	buf_addf(out, "<td class=\"%s%s\">", class, strcmp(buf_str(&raw), "-") ? "" : " none");
	html_text(&raw, out);
	buf_adds(out, "</td>");
	buf_release(&raw);
	return rc;
}

static int add_row(const struct rows *rows, size_t i, const struct interval_axis *axis,
		   struct buf *out, struct err *err)
{
	const struct row *row = &rows->v[i];
	struct buf raw = BUF_INIT;

	buf_addf(out, "<tr><td class=\"name\"><span class=\"%s\">%s</span> ", html_class(row->kind),
		 row_mark(row->kind, true));
	if (html_has_detail(rows, i))
		buf_addf(out, "<a href=\"#b%zu\">", i);
	text_xml(row->bench->name, out);
	buf_adds(out, html_has_detail(rows, i) ? "</a></td>" : "</td>");
	if (add_cell(CELL_BASE, row, "n base", out, err) ||
	    add_cell(CELL_HEAD, row, "n head", out, err) ||
	    add_cell(CELL_DELTA, row, "n delta", out, err) ||
	    add_cell(CELL_INTERVAL, row, "n interval", out, err))
		return -1;
	buf_adds(out, "<td class=\"plot\">");
	interval_svg(axis, row, out);
	buf_addf(out, "</td><td class=\"verdict\"><span class=\"%s\">", html_class(row->kind));
	cell_verdict(row, &raw);
	html_text(&raw, out);
	buf_adds(out, "</span>");
	if (effect_of(row->bench))
		buf_addf(out, "<span class=\"effect\">%s</span>", effect_of(row->bench));
	buf_adds(out, "</td>");
	buf_release(&raw);
	if (add_cell(CELL_FLOOR, row, "n floor", out, err))
		return -1;
	buf_adds(out, "</tr>\n");
	return buf_check(out, err);
}

static bool are_paired(const struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->n; i++)
		if (rows->v[i].delta && !rows->v[i].bench->paired)
			return false;
	return true;
}

static int add_table(const struct rows *rows, struct buf *out, struct err *err)
{
	struct interval_axis axis;
	size_t i;
	int rc = 0;

	if (!rows->n)
		return 0;
	if (interval_axis_of(rows, &axis, err))
		return -1;
	buf_adds(out, "<table class=\"verdicts\">\n<thead><tr><th>benchmark</th>"
		      "<th class=\"n\">base</th><th class=\"n\">head</th>"
		      "<th class=\"n\">delta</th><th class=\"n\">interval</th><th class=\"axis\">");
	interval_axis_svg(&axis, out);
	buf_adds(out, "</th><th>verdict</th><th class=\"n\">detectable</th></tr></thead>\n"
		      "<tbody>\n");
	for (i = 0; i < rows->n && !rc; i++)
		rc = add_row(rows, i, &axis, out, err);
	buf_adds(out, "</tbody>\n</table>\n");
	if (axis.reach > 0)
		buf_addf(out,
			 "<p class=\"soft\">The pictures show each delta with its interval; "
			 "the grey band is the threshold. Base and head are medians%s.</p>\n",
			 are_paired(rows) ? "; a delta comes from the pairs of runs and need not "
					    "be their quotient"
					  : "");
	return rc;
}

int render_html(const struct summary *s, const struct render_options *opt, struct buf *out,
		struct err *err)
{
	struct rows rows = { 0 };
	int rc = -1;

	if (rows_of(s, &rows, err))
		return -1;
	add_top(s, &rows, opt, out);
	if (add_table(&rows, out, err) || html_details(s, &rows, opt, out, err) ||
	    html_where(s, &rows, out, err))
		goto out;
	buf_adds(out, "</main>\n</body>\n</html>\n");
	rc = 0;
out:
	rows_release(&rows);
	return rc;
}
