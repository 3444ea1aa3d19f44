#include "server/page/alerts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/store/lists/lists.h"
#include "reporter/figures/cells.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

#define MOST 500

static const char *text_of(const struct jtree *row, const char *key)
{
	return jtree_text(jtree_get(row, key));
}

int alerts_read(struct request *r, const char *benchmark, enum alert_state state, struct buf *json,
		struct jtree **out, struct err *err)
{
	const struct list_query q = {
		.project = r->arguments[0], .benchmark = benchmark, .state = state, .limit = MOST
	};

	if (lists_alerts(r->reader, &q, json, err))
		return -1;
	*out = frame_tree(json, err);
	return *out ? 0 : -1;
}

static bool is_equal(const struct jtree *a, const struct jtree *b, const char *key)
{
	const char *x = text_of(a, key), *y = text_of(b, key);

	return x && y && !strcmp(x, y);
}

const struct jtree *alerts_find(const struct jtree *list, const struct jtree *row)
{
	const struct jtree *at;

	for (at = jtree_first(list); at; at = jtree_after(list, at))
		if (is_equal(at, row, "benchmark") && is_equal(at, row, "commit") &&
		    is_equal(at, row, "metric") && is_equal(at, row, "machine") &&
		    is_equal(at, row, "unit"))
			return at;
	return NULL;
}

static bool is_so(const struct jtree *row, const char *key, const char *wanted)
{
	const char *text = text_of(row, key);

	return !wanted || (text && !strcmp(text, wanted));
}

const struct jtree *alerts_first(const struct jtree *list, const char *benchmark,
				 const char *branch, const char *machine)
{
	const struct jtree *at;

	for (at = jtree_first(list); at; at = jtree_after(list, at))
		if (is_so(at, "benchmark", benchmark) && is_so(at, "branch", branch) &&
		    is_so(at, "machine", machine))
			return at;
	return NULL;
}

static void add_address(const char *project, const struct jtree *alert, struct buf *out)
{
	int64_t id = 0;

	jtree_whole(jtree_get(alert, "alert"), &id);
	frame_project(project, "alerts", out);
	buf_addf(out, "/%" PRId64, id);
}

void alerts_add_state(const char *project, const struct jtree *alert, struct buf *out)
{
	struct buf address = BUF_INIT, words = BUF_INIT;
	const char *owner, *note;

	if (!alert)
		return;
	owner = text_of(alert, "owner");
	note = text_of(alert, "note");
	add_address(project, alert, &address);
	buf_adds(&words, text_of(alert, "state"));
	if (owner)
		buf_addf(&words, ", %s", owner);
	if (note)
		buf_addf(&words, ": %s", note);
	frame_link(&address, buf_str(&words), out);
	out->failed |= address.failed || words.failed;
	buf_release(&address);
	buf_release(&words);
}

static void add_change(const struct jtree *alert, bool interval, struct buf *out)
{
	struct delta d = { .ratio = jtree_number(jtree_get(alert, "ratio")),
			   .low = jtree_number(jtree_get(alert, "low")),
			   .high = jtree_number(jtree_get(alert, "high")) };
	const char *unit = text_of(alert, "unit");
	struct buf raw = BUF_INIT;

	if (isfinite(d.ratio))
		cell_delta(&d, unit ? unit : "", &raw);
	if (interval && isfinite(d.low) && isfinite(d.high)) {
		buf_addc(&raw, ' ');
		cell_interval(&d, unit ? unit : "", &raw);
	}
	html_text(&raw, out);
	buf_release(&raw);
}

void alerts_add_brief(const char *project, const struct jtree *alert, struct buf *out)
{
	const char *branch = text_of(alert, "branch");

	buf_adds(out, "<span class=\"regressed\">");
	add_change(alert, false, out);
	buf_adds(out, "</span> ");
	frame_commit(text_of(alert, "commit"), out);
	if (branch && *branch) {
		buf_adds(out, " <span class=\"soft\">");
		text_xml(branch, out);
		buf_adds(out, "</span>");
	}
	buf_adds(out, ", ");
	alerts_add_state(project, alert, out);
}

/* "main, 0011223344556677" */
static void add_where(const struct jtree *alert, struct buf *out)
{
	const char *branch = text_of(alert, "branch"), *machine = text_of(alert, "machine");

	buf_adds(out, " <span class=\"soft\">");
	if (branch && *branch) {
		text_xml(branch, out);
		buf_adds(out, ", ");
	}
	text_xml(machine ? machine : "", out);
	buf_adds(out, "</span>");
}

/* Where a creep began, with a link that compares both ends. */
static void add_creep(const char *project, const struct jtree *alert, struct buf *out)
{
	const char *seen_by = text_of(alert, "seen_by"), *base = text_of(alert, "base");
	struct buf address = BUF_INIT;

	if (!base || !seen_by || strcmp(seen_by, "creep") != 0)
		return;
	frame_project(project, "compare", &address);
	frame_parameter("base", base, &address);
	frame_parameter("head", text_of(alert, "commit"), &address);
	buf_adds(out, ", by many small steps <a href=\"");
	html_value(buf_str(&address), out);
	buf_adds(out, "\">since ");
	frame_commit(base, out);
	buf_adds(out, "</a>");
	out->failed |= address.failed;
	buf_release(&address);
}

static void add_row(const char *project, const struct jtree *alert, struct buf *out)
{
	const char *name = text_of(alert, "benchmark"), *why = text_of(alert, "why");
	struct buf address = BUF_INIT;

	frame_benchmark(project, name ? name : "", &address);
	frame_parameter("metric", text_of(alert, "metric"), &address);
	frame_parameter("machine", text_of(alert, "machine"), &address);
	buf_adds(out, "<tr><th scope=\"row\" class=\"name\">");
	frame_link(&address, name, out);
	buf_adds(out, "</th><td class=\"n level\">");
	add_change(alert, true, out);
	buf_adds(out, "</td><td class=\"where\">");
	frame_commit(text_of(alert, "commit"), out);
	buf_addc(out, ' ');
	frame_day(text_of(alert, "opened"), out);
	add_creep(project, alert, out);
	add_where(alert, out);
	buf_adds(out, "</td><td class=\"by\">");
	alerts_add_state(project, alert, out);
	if (why) {
		buf_adds(out, " <span class=\"soft\">(");
		text_xml(why, out);
		buf_adds(out, ")</span>");
	}
	buf_adds(out, "</td></tr>\n");
	buf_release(&address);
}

static void add_table(const char *project, const struct jtree *list, struct buf *out)
{
	const struct jtree *at;

	buf_adds(out, "<table class=\"rows\">\n<thead><tr><th scope=\"col\">benchmark</th>"
		      "<th scope=\"col\" class=\"n\">change</th>"
		      "<th scope=\"col\">commit, seen, branch, machine</th>"
		      "<th scope=\"col\">state</th></tr></thead>\n<tbody>\n");
	for (at = jtree_first(list); at; at = jtree_after(list, at))
		add_row(project, at, out);
	buf_adds(out, "</tbody>\n</table>\n");
}

void alerts_add_section(const char *project, const struct jtree *list, struct buf *out)
{
	if (!jtree_first(list))
		return;
	buf_adds(out, "<h2>What regressed</h2>\n");
	add_table(project, list, out);
}

void alerts_add_rest(const char *project, const char *benchmark, const struct jtree *root,
		     struct buf *out)
{
	struct buf address = BUF_INIT;

	if (!jtree_text(jtree_get(root, "next")))
		return;
	buf_addf(out, "<p>Of what regressed the newest %d are looked at here: ", MOST);
	frame_project(project, "alerts", &address);
	frame_parameter("state", "all", &address);
	frame_parameter("benchmark", benchmark, &address);
	frame_link(&address, "all of it", out);
	buf_adds(out, ".</p>\n");
	out->failed |= address.failed;
	buf_release(&address);
}

/* ---- the page of all -------------------------------------------------------------------- */

static void add_choice(const char *project, const char *state, const char *benchmark,
		       struct buf *out)
{
	static const char *const words[] = { "open", "accepted", "resolved", "gone", "all" };
	size_t i;

	frame_form(project, "alerts", out);
	buf_adds(out, "<label>State <select name=\"state\">");
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		buf_addf(out, "<option%s>%s</option>", !strcmp(words[i], state) ? " selected" : "",
			 words[i]);
	buf_adds(out, "</select></label>\n");
	frame_field("text", "benchmark", "Benchmark", benchmark ? benchmark : "", 30, out);
	buf_adds(out, "<button>Show</button>\n</form>\n");
}

static int read_state(const char *text, enum alert_state *out, struct err *err)
{
	int i;

	*out = 0;
	if (!strcmp(text, "all"))
		return 0;
	for (i = ALERT_OPEN; i < ALERT_STATES; i++)
		if (!strcmp(text, alert_state_name(i)))
			*out = (enum alert_state)i;
	if (*out)
		return 0;
	return err_set(err, ERR_SYNTAX,
		       "parameter 'state' must be open, accepted, resolved, gone or all");
}

static void write_page(struct request *r, const struct list_query *q, const char *state,
		       const struct jtree *root)
{
	const struct jtree *list = jtree_get(root, "alerts");
	struct buf *out = &r->reply.body, address = BUF_INIT, here = BUF_INIT;

	frame_begin_in(r, "What regressed", r->arguments[0], "alerts");
	buf_adds(out, "<p class=\"soft\">Each change for the worse, until it is resolved or "
		      "accepted. ");
	frame_project(r->arguments[0], "messages", &address);
	frame_link(&address, "What was sent about it", out);
	buf_adds(out, "</p>\n");
	add_choice(r->arguments[0], state, q->benchmark, out);
	if (jtree_first(list))
		add_table(r->arguments[0], list, out);
	else
		buf_adds(out, "<p>Nothing.</p>\n");
	frame_project(r->arguments[0], "alerts", &here);
	frame_parameter("state", state, &here);
	frame_parameter("benchmark", q->benchmark, &here);
	frame_more(&here, jtree_text(jtree_get(root, "next")), out);
	frame_end(r);
	out->failed |= here.failed;
	buf_release(&here);
	buf_release(&address);
}

int page_alerts(struct request *r, struct err *err)
{
	static const char *const known[] = { "state", "benchmark", "cursor", NULL };
	const char *state = target_given(&r->url, "state");
	struct list_query q = { .project = r->arguments[0],
				.benchmark = target_given(&r->url, "benchmark"),
				.cursor = target_given(&r->url, "cursor"),
				.limit = MOST };
	struct buf json = BUF_INIT;
	struct jtree *root = NULL;
	int result = -1;

	state = state && *state ? state : "open";
	if (q.benchmark && !*q.benchmark)
		q.benchmark = NULL;
	if (target_only(&r->url, known, err) || read_state(state, &q.state, err) ||
	    lists_alerts(r->reader, &q, &json, err))
		goto out;
	root = frame_tree(&json, err);
	if (!root)
		goto out;
	write_page(r, &q, state, root);
	result = buf_check(&r->reply.body, err);
out:
	jtree_free(root);
	buf_release(&json);
	return result;
}
