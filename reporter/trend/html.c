/*
 * trend_html - a page with the picture and every commit below it; no script, nothing fetched.
 */
#include <math.h>

#include "reporter/figures/cells.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "reporter/trend/render.h"
#include "reporter/trend/scene.h"
#include "reporter/trend/svg.h"

#include "lib/base/banned.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" "
	"content=\"default-src 'none'; style-src 'unsafe-inline'\">\n";

static const char style[] =
	"<style>\n"
	"body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:24px auto;"
	"padding:0 20px;background:#fff;color:#1f2328}\n"
	"svg{max-width:100%;min-width:600px;height:auto;display:block}\n"
	".wide{overflow-x:auto}\n"
	"table{border-collapse:collapse;width:100%;font-size:14px;margin:16px 0}\n"
	"th,td{text-align:left;padding:5px 10px;border-bottom:1px solid #d8dee4;"
	"vertical-align:top}\n"
	"th{font-weight:600;white-space:nowrap}\n"
	"td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	"h1{font-size:26px}h2{font-size:19px;margin:28px 0 0}ul{padding-left:20px}\n"
	"code{font:13px ui-monospace,monospace}\n"
	"td.d{white-space:nowrap}td.s{overflow-wrap:anywhere;min-width:14em}\n"
	".soft{color:#59636e;font-size:13px;display:block}\n"
	".regressed,.failed{color:#cf222e;font-weight:600}\n"
	".improved{color:#1a7f37;font-weight:600}\n"
	"@media (prefers-color-scheme:dark){\n"
	"body{background:#0d1117;color:#e6edf3}th,td{border-color:#30363d}\n"
	".soft{color:#9198a1}.regressed,.failed{color:#ff7b72}.improved{color:#56d364}\n"
	"}\n</style>\n";

static void add_raw(struct buf *raw, struct buf *out)
{
	text_xml(buf_str(raw), out);
	out->failed |= raw->failed;
	buf_reset(raw);
}

static void add_item(struct buf *raw, struct buf *out)
{
	if (!raw->len)
		return;
	buf_adds(out, "<li>");
	add_raw(raw, out);
	buf_adds(out, "</li>\n");
}

static void add_findings(const struct trend *t, struct buf *out)
{
	struct buf raw = BUF_INIT;
	size_t i;

	buf_adds(out, "<ul>\n");
	trend_about(t, &raw);
	add_item(&raw, out);
	trend_sentence(t, &raw);
	add_item(&raw, out);
	for (i = 0; i < t->n_advice; i++) {
		if (t->advice[i].step != SIZE_MAX)
			continue; /* the step says it better */
		buf_adds(&raw, "advice: ");
		trend_advice_text(t, &t->advice[i], &raw);
		add_item(&raw, out);
	}
	trend_creep_text(t, &raw);
	add_item(&raw, out);
	trend_left_out(t, &raw);
	add_item(&raw, out);
	buf_adds(out, "</ul>\n");
	buf_release(&raw);
}

static void add_row(const struct trend *t, const struct trend_point *p, struct buf *out)
{
	struct buf raw = BUF_INIT;
	struct delta delta;

	trend_delta(t, p, &delta);
	buf_adds(out, "<tr><td><code>");
	cell_commit(p->commit, &raw);
	add_raw(&raw, out);
	buf_adds(out, "</code></td><td class=\"d\">");
	trend_date(p, &raw);
	add_raw(&raw, out);
	buf_adds(out, "</td><td class=\"n\">");
	scale_value(p->level, t->unit, &raw);
	add_raw(&raw, out);
	buf_adds(out, "</td><td class=\"n\">");
	cell_delta(&delta, t->unit, &raw);
	add_raw(&raw, out);
	buf_adds(out, "</td><td class=\"n\">");
	if (p->how == TREND_PAIRED)
		cell_interval(&delta, t->unit, &raw);
	add_raw(&raw, out);
	buf_addf(out, "</td><td class=\"%s\">%s</td><td class=\"s\">", trend_word(p),
		 trend_word(p));
	text_xml(p->subject, out);
	trend_note(t, p, &raw);
	if (raw.len) {
		buf_adds(out, "<span class=\"soft\">");
		add_raw(&raw, out);
		buf_adds(out, "</span>");
	}
	buf_adds(out, "</td></tr>\n");
	out->failed |= raw.failed;
	buf_release(&raw);
}

static void add_table(const struct trend *t, const char *title, bool notable, struct buf *out)
{
	size_t i;

	buf_addf(out,
		 "<h2>%s</h2>\n<div class=\"wide\" role=\"group\" aria-label=\"%s\" "
		 "tabindex=\"0\"><table>\n<thead><tr><th>commit</th>"
		 "<th>date</th><th class=\"n\">level</th><th class=\"n\">delta</th>"
		 "<th class=\"n\">interval</th><th>verdict</th><th>subject</th></tr></thead>\n"
		 "<tbody>\n",
		 title, title);
	for (i = t->n; i > t->first; i--)
		if (!notable || trend_is_notable(&t->points[i - 1]))
			add_row(t, &t->points[i - 1], out);
	buf_adds(out, "</tbody></table></div>\n");
}

int trend_html(const struct trend *t, const struct render_options *opt, struct buf *out,
	       struct err *err)
{
	struct trend_scene scene;
	struct buf title = BUF_INIT;
	bool notable = false;
	size_t i;

	if (trend_scene_make(t, 2, &scene, err))
		return -1;
	trend_title(t, &scene, &title);
	trend_scene_release(&scene);
	buf_adds(out, head);
	buf_adds(out, "<title>");
	text_xml(buf_str(&title), out);
	buf_addf(out, "</title>\n%s</head>\n<body>\n", style);
	html_home(opt->home, out);
	buf_adds(out, "<h1>");
	text_xml(buf_str(&title), out);
	buf_adds(out, "</h1>\n");
	out->failed |= title.failed;
	buf_release(&title);
	add_findings(t, out);
	/* What is wider than the screen is reached by keys, too. */
	buf_adds(out, "<div class=\"wide\" role=\"group\" aria-label=\"Picture of the history\" "
		      "tabindex=\"0\">");
	if (trend_svg_element(t, false, out, err))
		return -1;
	buf_adds(out, "</div>\n");
	for (i = t->first; i < t->n; i++)
		notable |= trend_is_notable(&t->points[i]);
	if (notable)
		add_table(t, "What moved it", true, out);
	add_table(t, "Every commit with a result, the newest first", false, out);
	buf_adds(out, "</body>\n</html>\n");
	return buf_check(out, err);
}
