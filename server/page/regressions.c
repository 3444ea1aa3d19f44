/* What moved lately, newest first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/json/jtree.h"
#include "reporter/figures/cells.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/alerts.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

#define USUAL 100
#define MOST 1000

static void add_commit(const char *project, const struct jtree *row, struct buf *out)
{
	const char *commit = jtree_text(jtree_get(row, "commit"));
	const char *base = jtree_text(jtree_get(row, "base"));
	struct buf address = BUF_INIT;

	frame_project(project, "compare", &address);
	frame_parameter("base", base, &address);
	frame_parameter("head", commit, &address);
	if (base) {
		buf_adds(out, "<a href=\"");
		html_value(buf_str(&address), out);
		buf_adds(out, "\">");
	}
	frame_commit(commit, out);
	buf_adds(out, base ? "</a> " : " ");
	frame_day(jtree_text(jtree_get(row, "time")), out);
	buf_adds(out, " <span class=\"soft\">");
	text_xml(jtree_text(jtree_get(row, "subject")), out);
	buf_adds(out, jtree_is_true(jtree_get(row, "exact"))
			      ? "</span>"
			      : " (or a commit between it and its base)</span>");
	buf_release(&address);
}

/* One change of one benchmark, however many results say so. */
struct change {
	const struct jtree *row; /* the newest result's */
	const char *keys[4];
	size_t n;
};

static bool is_same(const struct change *a, const struct change *b)
{
	size_t i;

	for (i = 0; i < 4; i++)
		if (!a->keys[i] || !b->keys[i] || strcmp(a->keys[i], b->keys[i]))
			return false;
	return true;
}

/* Into all[0..n), which has room; returns how many there are then. */
static size_t gather(struct change *all, size_t n, const struct jtree *row)
{
	struct change one = { .row = row,
			      .keys = { jtree_text(jtree_get(row, "benchmark")),
					jtree_text(jtree_get(row, "metric")),
					jtree_text(jtree_get(row, "commit")),
					jtree_text(jtree_get(row, "verdict")) },
			      .n = 1 };
	size_t i;

	for (i = 0; i < n; i++)
		if (is_same(&all[i], &one)) {
			all[i].n++;
			return n;
		}
	all[n] = one;
	return n + 1;
}

static void add_row(const char *project, const struct change *change, const struct jtree *alerts,
		    struct buf *out)
{
	const struct jtree *row = change->row;
	const char *name = jtree_text(jtree_get(row, "benchmark"));
	const char *unit = jtree_text(jtree_get(row, "unit"));
	const char *verdict = jtree_text(jtree_get(row, "verdict"));
	struct delta d = { .ratio = jtree_number(jtree_get(row, "ratio")),
			   .low = jtree_number(jtree_get(row, "low")),
			   .high = jtree_number(jtree_get(row, "high")) };
	const struct jtree *alert = alerts_find(alerts, row);
	struct buf address = BUF_INIT, raw = BUF_INIT;

	frame_benchmark(project, name ? name : "", &address);
	frame_parameter("metric", jtree_text(jtree_get(row, "metric")), &address);
	frame_parameter("machine", jtree_text(jtree_get(row, "machine")), &address);
	buf_adds(out, "<tr><th scope=\"row\" class=\"name\">");
	frame_link(&address, name, out);
	buf_adds(out, "</th><td class=\"verdict\">");
	frame_verdict(verdict, "-", out);
	if (change->n > 1)
		buf_addf(out, " <span class=\"soft\">in %zu results</span>", change->n);
	buf_adds(out, "</td><td class=\"n level\">");
	cell_delta(&d, unit ? unit : "", &raw);
	html_text(&raw, out);
	buf_adds(out, "</td><td class=\"n spark\">");
	if (isfinite(d.low) && isfinite(d.high))
		cell_interval(&d, unit ? unit : "", &raw);
	html_text(&raw, out);
	buf_adds(out, "</td><td class=\"by\">");
	add_commit(project, row, out);
	if (alert) {
		buf_adds(out, "; ");
		alerts_add_state(project, alert, out);
	}
	buf_adds(out, "</td></tr>\n");
	buf_release(&address);
	buf_release(&raw);
}

/* Which verdicts are shown: regressed alone, unless asked otherwise. */
static void add_form(const char *project, const char *show, const char *limit, struct buf *out)
{
	static const char *const words[][2] = { { "", "for the worse" },
						{ "improved", "for the better" },
						{ "all", "both" } };
	size_t i;

	frame_form(project, "regressions", out);
	frame_hidden("limit", limit, out);
	buf_adds(out, "<label>Changes <select name=\"show\">");
	for (i = 0; i < 3; i++)
		buf_addf(out, "<option value=\"%s\"%s>%s</option>", words[i][0],
			 !strcmp(words[i][0], show) ? " selected" : "", words[i][1]);
	buf_adds(out, "</select></label>\n<button>Show</button>\n</form>\n");
}

static bool is_shown(const struct jtree *row, const char *show)
{
	const char *verdict = jtree_text(jtree_get(row, "verdict"));

	return !strcmp(show, "all") || (verdict && !strcmp(verdict, *show ? show : "regressed"));
}

static int add_table(const char *project, const struct jtree *list, const struct jtree *alerts,
		     const char *show, struct buf *out, struct err *err)
{
	struct change *all = calloc(jtree_count(list) + 1, sizeof(*all));
	const struct jtree *at;
	size_t i, n = 0;

	if (!all)
		return err_nomem(err);
	for (at = jtree_first(list); at; at = jtree_after(list, at))
		if (is_shown(at, show))
			n = gather(all, n, at);
	if (n)
		buf_adds(out, "<table class=\"rows\">\n<thead><tr><th scope=\"col\">benchmark</th>"
			      "<th scope=\"col\">verdict</th>"
			      "<th scope=\"col\" class=\"n\">change</th>"
			      "<th scope=\"col\" class=\"n\">interval</th>"
			      "<th scope=\"col\">by</th></tr></thead>\n<tbody>\n");
	for (i = 0; i < n; i++)
		add_row(project, &all[i], alerts, out);
	buf_adds(out, n ? "</tbody>\n</table>\n" : "<p>Nothing: no such change is recorded.</p>\n");
	free(all);
	return 0;
}

static int read_limit(const struct request *r, size_t *out, struct err *err)
{
	const char *text = target_given(&r->url, "limit");
	uint64_t n = USUAL;

	if (text && (!number_u64(text, &n) || !n || n > MOST))
		return err_set(err, ERR_SYNTAX, "parameter 'limit' must be 1 to %d", MOST);
	*out = (size_t)n;
	return 0;
}

int page_regressions(struct request *r, struct err *err)
{
	static const char *const known[] = { "show", "limit", NULL };
	const char *project = r->arguments[0], *show = target_given(&r->url, "show");
	struct buf json = BUF_INIT, more = BUF_INIT;
	struct jtree *root = NULL, *alerts = NULL;
	size_t limit = USUAL;
	int result = -1;

	show = show ? show : "";
	if (target_only(&r->url, known, err) || read_limit(r, &limit, err))
		goto out;
	if (*show && strcmp(show, "improved") && strcmp(show, "all")) {
		err_set(err, ERR_SYNTAX, "parameter 'show' must be improved or all");
		goto out;
	}
	if (ledger_regressions(r->reader, project, limit, &json, err))
		goto out;
	root = frame_tree(&json, err);
	if (!root || alerts_read(r, NULL, 0, &more, &alerts, err))
		goto out;
	frame_begin_in(r, "What changed lately", project, "changes");
	buf_addf(&r->reply.body,
		 "<p class=\"soft\">Of the newest %zu changes that were measured side by side and "
		 "judged.</p>\n",
		 limit);
	add_form(project, show, target_given(&r->url, "limit"), &r->reply.body);
	result = add_table(project, jtree_get(root, "regressions"), jtree_get(alerts, "alerts"),
			   show, &r->reply.body, err);
	alerts_add_rest(project, NULL, alerts, &r->reply.body);
	frame_end(r);
	result = result ? -1 : buf_check(&r->reply.body, err);
out:
	jtree_free(root);
	jtree_free(alerts);
	buf_release(&json);
	buf_release(&more);
	return result;
}
