/* Two commits side by side. */
#include <math.h>
#include <string.h>

#include "lib/json/jtree.h"
#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

#define PER_PAGE 200

struct comparison {
	struct request *r;
	const char *project, *base, *head; /* as asked for; base and head NULL: not yet */
	bool all;			   /* every metric, not only the one that decides */
	size_t page, n;			   /* rows so far */
	size_t n_apart;			   /* rows shown that nobody judged */
	const struct jtree *root;
};

/* "2026-11-20 faster" */
static void add_side(const struct comparison *c, const char *key, const char *label,
		     struct buf *out)
{
	const struct jtree *side = jtree_get(c->root, key);

	buf_addf(out, "<li>%s: ", label);
	frame_change(side, out);
	buf_adds(out, "</li>\n");
}

static void add_value(const struct jtree *side, const char *unit, struct buf *out)
{
	const char *status = jtree_text(jtree_get(side, "status"));
	struct buf raw = BUF_INIT;

	buf_adds(out, "<td class=\"n\">");
	if (status && strcmp(status, "ok"))
		text_xml(status, out);
	else
		scale_value(jtree_number(jtree_get(side, "median")), unit, &raw);
	html_text(&raw, out);
	buf_adds(out, "</td>");
	buf_release(&raw);
}

/* A verdict only where one was recorded for these two; else it is the ratio of what is stored. */
static void add_delta(struct comparison *c, const struct jtree *delta, const char *unit,
		      struct buf *out)
{
	const struct jtree *ci = jtree_get(delta, "ci");
	struct delta d = { .ratio = jtree_number(jtree_get(delta, "ratio")),
			   .low = jtree_number(jtree_item(ci, 0)),
			   .high = jtree_number(jtree_item(ci, 1)) };
	const char *how = jtree_text(jtree_get(delta, "how"));
	bool is_apart = how && !strcmp(how, "stored");
	struct buf raw = BUF_INIT;

	buf_adds(out, "<td>");
	frame_verdict(jtree_text(jtree_get(delta, "verdict")), is_apart ? "not judged" : "-", out);
	c->n_apart += is_apart;
	if (jtree_is_true(jtree_get(delta, "suspect")))
		buf_adds(out, " <span class=\"soft\">suspect</span>");
	buf_adds(out, "</td><td class=\"n\">");
	cell_delta(&d, unit, &raw);
	html_text(&raw, out);
	buf_adds(out, "</td><td class=\"n\">");
	if (isfinite(d.low) && isfinite(d.high))
		cell_interval(&d, unit, &raw);
	else
		buf_addc(&raw, '-');
	html_text(&raw, out);
	buf_adds(out, "</td>");
	buf_release(&raw);
}

static void add_row(struct comparison *c, const struct jtree *bench, const struct jtree *metric,
		    struct buf *out)
{
	const char *name = jtree_text(jtree_get(bench, "name"));
	const char *machine = jtree_text(jtree_get(bench, "machine"));
	const char *unit = jtree_text(jtree_get(metric, "unit"));
	const char *word = jtree_text(jtree_get(metric, "name"));
	struct buf address = BUF_INIT;

	unit = unit ? unit : "";
	frame_benchmark(c->project, name ? name : "", &address);
	frame_parameter("metric", word, &address);
	frame_parameter("machine", machine, &address);
	buf_adds(out, "<tr><th scope=\"row\" class=\"name\">");
	frame_link(&address, name, out);
	buf_adds(out, "</th>");
	add_delta(c, jtree_get(metric, "delta"), unit, out);
	add_value(jtree_get(metric, "base"), unit, out);
	add_value(jtree_get(metric, "head"), unit, out);
	buf_adds(out, "<td>");
	frame_text(word, out);
	buf_adds(out, "</td><td>");
	frame_text(machine, out);
	buf_adds(out, "</td></tr>\n");
	buf_release(&address);
}

static void add_table(struct comparison *c, struct buf *out)
{
	const struct jtree *list = jtree_get(c->root, "benchmarks"), *b, *m;

	buf_adds(out, "<div class=\"wide\" role=\"group\" aria-label=\"Benchmarks\" tabindex=\"0\">"
		      "<table>\n<thead><tr><th scope=\"col\">benchmark</th>"
		      "<th scope=\"col\">verdict</th>"
		      "<th scope=\"col\" class=\"n\">change</th>"
		      "<th scope=\"col\" class=\"n\">interval</th>"
		      "<th scope=\"col\" class=\"n\">base</th>"
		      "<th scope=\"col\" class=\"n\">head</th>"
		      "<th scope=\"col\">metric</th>"
		      "<th scope=\"col\">machine</th></tr></thead>\n<tbody>\n");
	for (b = jtree_first(list); b; b = jtree_after(list, b)) {
		const struct jtree *metrics = jtree_get(b, "metrics");

		for (m = jtree_first(metrics); m; m = jtree_after(metrics, m)) {
			if (!c->all && !jtree_is_true(jtree_get(m, "gate")))
				continue;
			if (c->n++ / PER_PAGE == c->page)
				add_row(c, b, m, out);
		}
	}
	buf_adds(out, "</tbody>\n</table></div>\n");
}

static void add_failures(const struct comparison *c, const char *key, const char *title,
			 struct buf *out)
{
	const struct jtree *list = jtree_get(c->root, key), *at;

	if (!jtree_count(list))
		return;
	buf_addf(out, "<h2>%s</h2>\n<ul>\n", title);
	for (at = jtree_first(list); at; at = jtree_after(list, at)) {
		buf_adds(out, "<li>");
		frame_text(jtree_text(jtree_get(at, "name")), out);
		buf_adds(out, ": <span class=\"failed\">");
		frame_text(jtree_text(jtree_get(at, "status")), out);
		buf_adds(out, "</span>, machine ");
		frame_text(jtree_text(jtree_get(at, "machine")), out);
		buf_adds(out, "</li>\n");
	}
	buf_adds(out, "</ul>\n");
}

static void add_form(const struct comparison *c, struct buf *out)
{
	frame_form(c->project, "compare", out);
	frame_field("search", "base", "Base commit", c->base, 14, out);
	frame_field("search", "head", "Head commit", c->head, 14, out);
	buf_addf(out,
		 "<label>Metrics <select name=\"metrics\"><option value=\"\">the one that "
		 "decides</option><option value=\"all\"%s>all</option></select></label>\n"
		 "<button>Compare</button>\n</form>\n",
		 c->all ? " selected" : "");
}

static void add_result(struct comparison *c, struct buf *out)
{
	struct buf here = BUF_INIT;

	buf_adds(out, "<ul>\n");
	add_side(c, "base", "base", out);
	add_side(c, "head", "head", out);
	buf_adds(out, "</ul>\n");
	add_table(c, out);
	if (c->n_apart)
		buf_adds(out, "<p class=\"soft\">Not judged: the two were not run side by side, so "
			      "the change is that of stored medians and may be the machine's. "
			      "<code>pawl compare</code> measures it.</p>\n");
	frame_project(c->project, "compare", &here);
	frame_parameter("base", c->base, &here);
	frame_parameter("head", c->head, &here);
	frame_parameter("metrics", c->all ? "all" : NULL, &here);
	frame_pager(&here, c->page, c->n, PER_PAGE, out);
	add_failures(c, "base_failures", "Failed at the base", out);
	add_failures(c, "head_failures", "Failed at the head", out);
	out->failed |= here.failed;
	buf_release(&here);
}

int page_compare(struct request *r, struct err *err)
{
	static const char *const known[] = { "base", "head", "metrics", "page", NULL };
	struct comparison c = { .r = r,
				.project = r->arguments[0],
				.base = target_given(&r->url, "base"),
				.head = target_given(&r->url, "head"),
				.all = target_given(&r->url, "metrics") != NULL };
	struct buf json = BUF_INIT;
	struct jtree *root = NULL;
	int result = -1;

	if (target_only(&r->url, known, err) || frame_page(r, &c.page, err))
		goto out;
	if (c.base && c.head) {
		if (ledger_compare(r->reader, c.project, c.base, c.head, false, &json, err))
			goto out;
		root = frame_tree(&json, err);
		if (!root)
			goto out;
		c.root = root;
	}
	frame_begin_in(r, "Compare two commits", c.project, "compare");
	add_form(&c, &r->reply.body);
	if (c.root)
		add_result(&c, &r->reply.body);
	else
		buf_adds(&r->reply.body, "<p>Name two commits that have results, each by its id or "
					 "the first digits of it, at least 4.</p>\n");
	frame_end(r);
	result = buf_check(&r->reply.body, err);
out:
	jtree_free(root);
	buf_release(&json);
	return result;
}

int page_range(struct request *r, struct err *err)
{
	static const char *const known[] = { NULL };
	const char *range = r->arguments[1], *dots = strstr(range, "..");
	struct buf base = BUF_INIT;

	if (target_only(&r->url, known, err))
		return -1;
	if (!dots || dots == range || !dots[2])
		return err_set(err, ERR_SYNTAX, "two commits are written A..B");
	buf_add(&base, range, (size_t)(dots - range));
	frame_project(r->arguments[0], "compare", &r->reply.location);
	frame_parameter("base", buf_str(&base), &r->reply.location);
	frame_parameter("head", dots + 2, &r->reply.location);
	r->reply.location.failed |= base.failed;
	buf_release(&base);
	return frame_lead(r, err);
}
