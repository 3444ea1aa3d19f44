/* A project: its benchmarks, each in a line with its recent history. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/json/jtree.h"
#include "reporter/figures/scale.h"
#include "reporter/plot/spark.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/alerts.h"
#include "server/page/frame.h"
#include "server/page/page.h"
#include "server/page/series.h"
#include "server/page/units.h"

#include "lib/base/banned.h"

#define PER_PAGE 50
#define SPARK_POINTS 40
#define OLD_US (30 * WHEN_DAY_US)

/* What is asked for, and what is found. */
struct project {
	struct request *r;
	const char *name;
	const char *filter, *branch, *machine; /* NULL: any */
	size_t page;
	struct jtree *benchmarks, *about, *alerts; /* those that are open */
	size_t n, n_shown; /* benchmarks of the project, and of the filter */
	struct row *rows;  /* of the page, while they are made */
};

static bool is_shown(const struct project *p, const char *name)
{
	return !p->filter || strcasestr(name, p->filter);
}

static int count(struct project *p)
{
	const struct jtree *list = jtree_get(p->benchmarks, "benchmarks");
	const struct jtree *at;

	for (at = jtree_first(list); at; at = jtree_after(list, at)) {
		p->n++;
		p->n_shown += is_shown(p, jtree_text(jtree_get(at, "name")));
	}
	return 0;
}

/* What a page is made of, in the order of read_part(). */
enum part { PART_BENCHMARKS, PART_ABOUT, PART_ALERTS, N_PARTS };

static int read_part(void *ctx, size_t i, struct err *err)
{
	struct project *p = ctx;
	struct jtree **out = i == PART_BENCHMARKS ? &p->benchmarks : &p->about;
	struct buf json = BUF_INIT;
	int result;

	if (i == PART_ALERTS)
		result = alerts_read(p->r, NULL, ALERT_OPEN, &json, &p->alerts, err);
	else if (i == PART_BENCHMARKS)
		result = ledger_benchmarks(p->r->reader, p->name, &json, err);
	else
		result = ledger_project(p->r->reader, p->name, &json, err);
	if (!result && i != PART_ALERTS) {
		*out = frame_tree(&json, err);
		result = *out ? 0 : -1;
	}
	buf_release(&json);
	return result;
}

static int read_all(struct project *p, struct err *err)
{
	return db_together(ledger_db(p->r->reader), N_PARTS, read_part, p, err) ? -1 : count(p);
}

static void add_machines(const struct project *p, struct buf *out)
{
	const struct jtree *machines = jtree_get(p->about, "machines"), *at;

	buf_adds(out, "<label>Machine <select name=\"machine\"><option value=\"\">any</option>\n");
	for (at = jtree_first(machines); at; at = jtree_after(machines, at)) {
		const char *id = jtree_text(jtree_get(at, "id"));
		const char *cpu = jtree_text(jtree_get(at, "cpu"));

		if (!id)
			continue;
		buf_adds(out, "<option value=\"");
		html_value(id, out);
		buf_addf(out, "\"%s>", p->machine && !strcmp(p->machine, id) ? " selected" : "");
		text_xml(id, out);
		if (cpu) {
			buf_adds(out, ", ");
			text_xml(cpu, out);
		}
		buf_adds(out, "</option>\n");
	}
	buf_adds(out, "</select></label>\n");
}

static void add_form(const struct project *p, struct buf *out)
{
	frame_form(p->name, NULL, out);
	frame_field("search", "q", "Benchmark", p->filter, 20, out);
	frame_field("search", "branch", "Branch", p->branch, 12, out);
	add_machines(p, out);
	buf_adds(out, "<button>Filter</button>\n</form>\n");
}

static int add_spark(const struct series *s, struct buf *out, struct err *err)
{
	double *level = calloc(s->n + 1, sizeof(*level));
	signed char *moved = calloc(s->n + 1, 1);
	size_t i;

	for (i = 0; level && moved && i < s->n; i++) {
		level[i] = s->points[i].value;
		moved[i] = (signed char)series_moved(&s->points[i]);
	}
	if (level && moved)
		plot_spark(&(struct spark){ level, moved, NULL, s->n }, out);
	i = level && moved;
	free(level);
	free(moved);
	return i ? 0 : err_nomem(err);
}

/* The day of the newest result where that is long before the project's: it may be gone. */
static void add_age(const struct project *p, const struct series_point *newest, struct buf *out)
{
	const char *latest = jtree_text(jtree_get(jtree_get(p->about, "latest"), "time"));
	int64_t now_us, then_us;

	if (!newest || !newest->time || !latest || !when_parse(latest, &now_us) ||
	    !when_parse(newest->time, &then_us) || now_us - then_us < OLD_US)
		return;
	buf_adds(out, " <span class=\"soft\">(");
	frame_day(newest->time, out);
	buf_adds(out, ")</span>");
}

/*
 * Newest level, verdict of the newest result, and the last commit that moved it among these; also
 * the newest change for the worse that is open, which may be older.
 */
static void add_figures(const struct project *p, const char *name, const struct series *s,
			struct buf *out)
{
	const struct jtree *alert =
		alerts_first(jtree_get(p->alerts, "alerts"), name, p->branch, p->machine);
	const struct series_point *newest = s->n ? &s->points[s->n - 1] : NULL;
	const struct series_point *move = series_last_move(s);
	struct buf raw = BUF_INIT;

	buf_adds(out, "</td><td class=\"n level\">");
	scale_value(newest ? newest->value : (double)NAN, s->unit, &raw);
	html_text(&raw, out);
	buf_adds(out, "</td><td class=\"verdict\">");
	frame_verdict(series_newest(s), newest ? "no verdict" : "no result", out);
	add_age(p, newest, out);
	units_add_newer(s, p->name, name, out);
	buf_adds(out, "</td><td class=\"by\">");
	if (move) {
		buf_addf(out, "<span class=\"%s\">", move->verdict);
		series_change(move->ratio, s->unit, &raw);
		html_text(&raw, out);
		buf_adds(out, "</span> ");
		frame_commit(move->commit, out);
		buf_addc(out, ' ');
		frame_day(move->time, out);
	}
	if (alert) {
		const char *commit = jtree_text(jtree_get(alert, "commit"));

		buf_adds(out, move ? "; " : "");
		if (move && commit && !strcmp(commit, move->commit))
			alerts_add_state(p->name, alert, out);
		else
			alerts_add_brief(p->name, alert, out);
	} else if (!move) {
		buf_addc(out, '-');
	}
	buf_adds(out, "</td></tr>\n");
	buf_release(&raw);
}

/* A line of the table. */
struct row {
	const char *name;
	struct buf html;
};

/* One that is damaged must not hide the others. */
static int add_row(struct project *p, const char *name, struct buf *out, struct err *err)
{
	struct history_query q = { .project = p->name,
				   .benchmark = name,
				   .branch = p->branch,
				   .machine = p->machine,
				   .limit = SPARK_POINTS,
				   .newest = true };
	struct series s = SERIES_INIT;
	struct err fault = ERR_INIT;
	struct buf address = BUF_INIT;
	int result = series_read(p->r->reader, &q, &s, &fault);

	if (result && fault.code != ERR_CORRUPT && fault.code != ERR_ABSENT) {
		*err = fault;
		return -1;
	}
	frame_benchmark(p->name, name, &address);
	frame_parameter("branch", p->branch, &address);
	frame_parameter("machine", p->machine, &address);
	buf_adds(out, "<tr><th scope=\"row\" class=\"name\">");
	frame_link(&address, name, out);
	buf_adds(out, "</th><td class=\"spark\">");
	if (result) {
		buf_addf(out, "</td><td colspan=\"3\" class=\"failed\">%s</td></tr>\n",
			 fault.code == ERR_CORRUPT ? "damaged on the server" : "gone");
		result = 0;
	} else {
		result = add_spark(&s, out, err);
		add_figures(p, name, &s, out);
	}
	buf_release(&address);
	series_release(&s);
	return result;
}

static int make_row(void *ctx, size_t i, struct err *err)
{
	struct project *p = ctx;

	return add_row(p, p->rows[i].name, &p->rows[i].html, err);
}

static int make_rows(struct project *p, struct err *err)
{
	const struct jtree *list = jtree_get(p->benchmarks, "benchmarks"), *at;
	size_t i = 0, n = 0;

	for (at = jtree_first(list); at; at = jtree_after(list, at)) {
		const char *name = jtree_text(jtree_get(at, "name"));

		if (is_shown(p, name) && i++ / PER_PAGE == p->page)
			p->rows[n++].name = name;
	}
	return db_together(ledger_db(p->r->reader), n, make_row, p, err);
}

static int add_table(struct project *p, struct buf *out, struct err *err)
{
	struct row rows[PER_PAGE] = { { NULL, BUF_INIT } };
	int result;
	size_t i;

	p->rows = rows;
	result = make_rows(p, err);
	buf_adds(out,
		 "<table class=\"rows\">\n<thead><tr><th scope=\"col\">benchmark</th>"
		 "<th scope=\"col\">history</th><th scope=\"col\" class=\"n\">newest</th>"
		 "<th scope=\"col\">verdict</th><th scope=\"col\">last change</th></tr></thead>\n"
		 "<tbody>\n");
	for (i = 0; i < PER_PAGE; i++) {
		const struct buf *html = &rows[i].html;

		if (!result && html->len)
			buf_add(out, html->data, html->len);
		if (!result && html->failed)
			result = buf_check(html, err);
		buf_release(&rows[i].html);
	}
	p->rows = NULL;
	buf_adds(out, "</tbody>\n</table>\n");
	return result;
}

static void add_links(const struct project *p, struct buf *out)
{
	struct buf moved = BUF_INIT, alerts = BUF_INIT, compare = BUF_INIT;
	size_t n_open = jtree_count(jtree_get(p->alerts, "alerts"));
	bool next = jtree_text(jtree_get(p->alerts, "next")) != NULL;

	frame_project(p->name, "regressions", &moved);
	frame_project(p->name, "alerts", &alerts);
	frame_project(p->name, "compare", &compare);
	buf_addf(out, "<p class=\"soft\">%zu benchmark%s", p->n, p->n == 1 ? "" : "s");
	if (p->filter)
		buf_addf(out, ", %zu shown", p->n_shown);
	buf_adds(out, "; a dot is the newest level, a red or green one a commit that moved it</p>\n"
		      "<ul class=\"links\"><li>");
	frame_link(&moved, "What changed lately", out);
	buf_adds(out, "</li><li>");
	frame_link(&alerts, "What regressed", out);
	if (n_open)
		buf_addf(out, ": %zu%s open", n_open, next ? " and more" : "");
	buf_adds(out, "</li><li>");
	frame_link(&compare, "Compare two commits", out);
	buf_adds(out, "</li></ul>\n");
	buf_release(&alerts);
	buf_release(&moved);
	buf_release(&compare);
}

static int write_page(struct project *p, struct err *err)
{
	struct buf *out = &p->r->reply.body, here = BUF_INIT;

	frame_begin_in(p->r, p->name, p->name, NULL);
	add_links(p, out);
	add_form(p, out);
	if (!p->n_shown)
		buf_adds(out, "<p>No benchmark has a name like that.</p>\n");
	else if (add_table(p, out, err))
		return -1;
	frame_project(p->name, NULL, &here);
	frame_parameter("q", p->filter, &here);
	frame_parameter("branch", p->branch, &here);
	frame_parameter("machine", p->machine, &here);
	frame_pager(&here, p->page, p->n_shown, PER_PAGE, out);
	buf_release(&here);
	frame_end(p->r);
	return buf_check(out, err);
}

int page_project(struct request *r, struct err *err)
{
	static const char *const known[] = { "q", "branch", "machine", "page", NULL };
	struct project p = { .r = r,
			     .name = r->arguments[0],
			     .filter = target_given(&r->url, "q"),
			     .branch = target_given(&r->url, "branch"),
			     .machine = target_given(&r->url, "machine") };
	int result = -1;

	if (target_only(&r->url, known, err) || frame_page(r, &p.page, err) ||
	    db_hold(ledger_db(r->reader), err))
		return -1;
	if (!read_all(&p, err))
		result = write_page(&p, err);
	db_let_go(ledger_db(r->reader));
	jtree_free(p.benchmarks);
	jtree_free(p.about);
	jtree_free(p.alerts);
	return result;
}
