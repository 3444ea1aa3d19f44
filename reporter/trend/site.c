#include "reporter/trend/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/digest/digest.h"
#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/plot/spark.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "reporter/trend/scene.h"

#include "lib/base/banned.h"

#define NAME_LONGEST 120 /* bytes of a name in a file's: file systems take 255 */

static const char style[] =
	"<style>\n"
	"body{font:15px/1.5 system-ui,sans-serif;max-width:1040px;margin:24px auto;"
	"padding:0 20px;background:#fff;color:#1f2328}\n"
	"h1{font-size:26px;margin:0;overflow-wrap:anywhere}p{margin:6px 0}"
	".soft{color:#59636e;font-size:14px}\n"
	"table{border-collapse:collapse;width:100%;font-size:14px;margin:18px 0}\n"
	"th,td{text-align:left;padding:6px 10px;border-bottom:1px solid #d8dee4}\n"
	"th{font-weight:600;color:#59636e;white-space:nowrap}\n"
	".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	".name{overflow-wrap:anywhere;min-width:9em}.by{overflow-wrap:anywhere}\n"
	"code{font:13px ui-monospace,monospace}\n"
	"a{color:inherit;text-decoration-color:#8c959f;text-underline-offset:3px}\n"
	"svg{display:block}.line{fill:none;stroke:#57606a;stroke-width:1.5}"
	".dot{fill:#57606a}.bad-dot{fill:#cf222e}.good-dot{fill:#1a7f37}\n"
	".regressed,.failed{color:#cf222e;font-weight:600}"
	".improved{color:#1a7f37;font-weight:600}\n"
	"@media (max-width:700px){body{margin:14px auto;padding:0 12px}"
	"thead{display:none}table,tbody{display:block}\n"
	"tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid #d8dee4;"
	"padding:8px 0}td{border:0;padding:1px 4px}"
	".name{grid-area:1/1}.level{grid-area:1/2}.spark{grid-area:2/1}"
	".change{grid-area:2/2}.by{grid-area:3/1/4/3}}\n"
	"@media (prefers-color-scheme:dark){\n"
	"body{background:#0d1117;color:#e6edf3}th,td,tr{border-color:#30363d}"
	".soft,th{color:#9198a1}.line{stroke:#9198a1}.dot{fill:#9198a1}"
	".bad-dot{fill:#ff7b72}.good-dot{fill:#56d364}"
	".regressed,.failed{color:#ff7b72}.improved{color:#56d364}\n"
	"}\n</style>\n";

/* ---- names of files ------------------------------------------------------------------- */

static bool is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '.' || c == '+';
}

int site_page(const char *benchmark, struct buf *out, struct err *err)
{
	const unsigned char *p = (const unsigned char *)benchmark;
	struct buf name = BUF_INIT;
	char digest[DIGEST_HEX];
	int result = -1;

	for (; *p; p++)
		if (is_plain(*p))
			buf_addc(&name, (char)*p);
		else
			buf_addf(&name, "_%02X", *p);
	if (buf_check(&name, err))
		goto out;
	if (name.len > NAME_LONGEST) {
		if (digest_of(benchmark, strlen(benchmark), digest, err))
			goto out;
		buf_truncate(&name, NAME_LONGEST);
		buf_addf(&name, "__%.16s", digest); /* no short name has two of these in a row */
	}
	buf_addf(out, "b-%s.html", buf_str(&name));
	result = buf_check(&name, err) || buf_check(out, err) ? -1 : 0;
out:
	buf_release(&name);
	return result;
}

/* ---- a line ----------------------------------------------------------------------------- */

static bool is_moved(const struct trend_point *p)
{
	return p->verdict == VERDICT_REGRESSED || p->verdict == VERDICT_IMPROVED;
}

static int add_spark(const struct trend *t, struct buf *out, struct err *err)
{
	struct trend_scene scene;
	signed char *moved;
	size_t i;

	if (trend_scene_make(t, 2, &scene, err))
		return -1;
	moved = calloc(scene.n + 1, 1);
	for (i = 0; moved && i < scene.n; i++) {
		const struct trend_point *p = &t->points[t->first + i];

		if (is_moved(p) && !p->accepted)
			moved[i] = p->verdict == VERDICT_REGRESSED ? 1 : -1;
	}
	if (moved)
		plot_spark(&(struct spark){ scene.level, moved, scene.outside, scene.n }, out);
	trend_scene_release(&scene);
	free(moved);
	return moved ? 0 : err_nomem(err);
}

static const struct trend_point *last(const struct trend *t, bool moved)
{
	size_t i;

	for (i = t->n; i > t->first; i--)
		if (moved ? is_moved(&t->points[i - 1]) : isfinite(t->points[i - 1].level))
			return &t->points[i - 1];
	return NULL;
}

/* The last commit that moved it. */
static void add_change(const struct trend *t, struct buf *out)
{
	const struct trend_point *p = last(t, true);
	struct buf raw = BUF_INIT;
	struct delta delta;

	if (!p) {
		buf_adds(out,
			 "<td class=\"n change\">-</td><td class=\"by\">no step was called</td>");
		return;
	}
	trend_delta(t, p, &delta);
	buf_addf(out, "<td class=\"n change\"><span class=\"%s\">", trend_word(p));
	cell_delta(&delta, t->unit, &raw);
	html_text(&raw, out);
	buf_addf(out, "</span></td><td class=\"by\"><span class=\"%s\">%s</span> <code>",
		 trend_word(p), trend_word(p));
	cell_commit(p->commit, &raw);
	html_text(&raw, out);
	buf_adds(out, "</code> ");
	trend_date(p, &raw);
	html_text(&raw, out);
	if (p->subject) {
		buf_adds(out, " <span class=\"soft\">");
		text_xml(p->subject, out);
		buf_adds(out, "</span>");
	}
	buf_adds(out, "</td>");
	buf_release(&raw);
}

static int add_row(const struct trend *t, struct buf *out, struct err *err)
{
	const struct trend_point *level = last(t, false);
	struct buf raw = BUF_INIT;

	buf_adds(out, "<tr><td class=\"name\"><a href=\"");
	if (site_page(t->benchmark, out, err))
		return -1;
	buf_adds(out, "\">");
	text_xml(t->benchmark, out);
	buf_adds(out, "</a></td><td class=\"spark\">");
	if (add_spark(t, out, err))
		return -1;
	buf_adds(out, "</td><td class=\"n level\">");
	scale_value(level ? level->level : (double)NAN, t->unit, &raw);
	html_text(&raw, out);
	buf_release(&raw);
	buf_adds(out, "</td>");
	add_change(t, out);
	buf_adds(out, "</tr>\n");
	return buf_check(out, err);
}

/* ---- the page --------------------------------------------------------------------------- */

static void add_top(const struct trend_set *set, const char *project, bool has_newest,
		    struct buf *out)
{
	buf_adds(out, html_head);
	html_title(project, out);
	buf_adds(out, style);
	buf_adds(out, "</head>\n<body>\n<h1>");
	text_xml(project, out);
	buf_addf(out, "</h1>\n<p class=\"soft\">%zu benchmark%s, machine ", set->n,
		 set->n == 1 ? "" : "s");
	text_xml(set->n ? set->v[0].machine : "unknown", out);
	buf_adds(out,
		 "; a dot is the newest level, a red or green one a commit that moved it</p>\n");
	if (has_newest)
		buf_adds(out, "<p><a href=\"" SITE_NEWEST "\">The newest result</a>, with its "
			      "distributions</p>\n");
	buf_adds(out, "<table>\n<thead><tr><th>benchmark</th><th>history</th>"
		      "<th class=\"n\">level</th><th class=\"n\">last change</th>"
		      "<th>by</th></tr></thead>\n<tbody>\n");
}

int site_index(const struct trend_set *set, const char *project, bool has_newest, struct buf *out,
	       struct err *err)
{
	size_t i;

	add_top(set, project, has_newest, out);
	for (i = 0; i < set->n; i++)
		if (set->v[i].n > set->v[i].first && add_row(&set->v[i], out, err))
			return -1;
	buf_adds(out, "</tbody>\n</table>\n</body>\n</html>\n");
	return buf_check(out, err);
}
