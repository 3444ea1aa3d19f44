/* One benchmark's history: the picture, and the figures of each result below it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "reporter/text/text.h"
#include "server/page/alerts.h"
#include "server/page/frame.h"
#include "server/page/page.h"
#include "server/page/picture.h"
#include "server/page/results.h"
#include "server/page/series.h"
#include "server/page/units.h"

#include "lib/base/banned.h"

#define PARTS 800 /* of a long history; each gives the picture two points at most */

/* ---- what is asked ---------------------------------------------------------------------- */

/* A day, or a moment. */
static int read_day(const struct request *r, const char *name, bool is_end, const char **out,
		    int64_t *out_us, struct err *err)
{
	char text[WHEN_ISO];

	*out = target_given(&r->url, name);
	if (!*out)
		return 0;
	snprintf(text, sizeof(text), "%.10sT%s", *out, is_end ? "23:59:59.999999Z" : "00:00:00Z");
	if (strlen(*out) == 10 && when_parse(text, out_us))
		return 0;
	return err_set(err, ERR_SYNTAX, "parameter '%s' must be a day such as 2026-11-20", name);
}

static int read_question(struct history *h, struct err *err)
{
	static const char *const known[] = { "benchmark", "metric",  "unit",   "better",
					     "of",	  "machine", "branch", "since",
					     "until",	  "page",    NULL };
	struct request *r = h->r;
	const char *of = target_given(&r->url, "of");

	h->q = (struct history_query){
		.project = r->arguments[0],
		.benchmark = r->arguments[1] ? r->arguments[1] : target_given(&r->url, "benchmark"),
		.metric = target_given(&r->url, "metric"),
		.unit = target_parameter(&r->url, "unit"),
		.better = target_given(&r->url, "better"),
		.machine = target_given(&r->url, "machine"),
		.branch = target_given(&r->url, "branch"),
		.newest = true,
	};
	if (!h->q.benchmark)
		return err_set(err, ERR_SYNTAX, "parameter 'benchmark' is missing");
	/* The form was shown for a metric; of another one its unit says nothing. */
	if (of && h->q.metric && strcmp(of, h->q.metric) != 0)
		h->q.unit = h->q.better = NULL;
	if (target_only(&r->url, known, err) || frame_page(r, &h->page, err) ||
	    read_day(r, "since", false, &h->since, &h->q.since_us, err))
		return -1;
	return read_day(r, "until", true, &h->until, &h->q.until_us, err);
}

/* Of several machines that of the newest result is shown. */
static int find_machine(struct history *h, struct err *err)
{
	struct history_query q = h->q;
	int result = 0;

	q.limit = 1;
	if (q.machine)
		return 0;
	if (series_read(h->r->reader, &q, &h->s, err))
		return -1;
	if (h->s.n)
		result = str_set(&h->machine, h->s.points[0].machine, err);
	series_release(&h->s);
	return result;
}

static const char *machine_of(const struct history *h)
{
	return h->q.machine ? h->q.machine : h->machine;
}

/* The newest, all of them where there are few; else as many as the page of figures takes, and one
 * page more, for the commit before its last one. */
static int read_series(struct history *h, struct err *err)
{
	struct history_query q = h->q;
	size_t n = (h->page + 2) * RESULTS_PER_PAGE;

	if (find_machine(h, err))
		return -1;
	if (n <= PICTURE_MOST || h->page >= LEDGER_MAX_POINTS / RESULTS_PER_PAGE)
		n = PICTURE_MOST + 1;
	q.machine = machine_of(h);
	q.limit = n < LEDGER_MAX_POINTS ? n : LEDGER_MAX_POINTS;
	if (series_read(h->r->reader, &q, &h->s, err))
		return -1;
	h->total = h->s.n;
	return 0;
}

/* Of what the newest are of: whatever else there is at another time. */
static struct history_query same_at_any_time(const struct history *h)
{
	struct history_query q = h->q;

	q.machine = machine_of(h);
	q.metric = h->s.metric;
	q.unit = h->s.unit;
	q.better = h->s.higher ? "higher" : "lower";
	return q;
}

/* What is asked again at another time is to be answered anew. */
static int cut(struct history *h)
{
	series_release(&h->drawn);
	h->is_cut = true;
	h->total = PICTURE_MOST;
	h->r->reply.etag[0] = '\0';
	return 0;
}

/*
 * What the picture of more shows of all.  Behind all other questions: of millions the budget may
 * end, and what is old may be damaged, or hold more changes than a page.
 */
static int read_drawn(struct history *h, struct err *err)
{
	struct err fault = ERR_INIT;
	struct history_query q;

	if (h->total <= PICTURE_MOST)
		return 0;
	q = same_at_any_time(h);
	q.px = PARTS;
	q.newest = false;
	if (!series_read(h->r->reader, &q, &h->drawn, &fault)) {
		h->total = h->drawn.of;
		return h->drawn.n > PICTURE_MOST ? cut(h) : 0;
	}
	if (fault.code == ERR_TIMEOUT || fault.code == ERR_LIMIT || fault.code == ERR_CORRUPT)
		return cut(h);
	if (err)
		*err = fault;
	return -1;
}

/* ---- the page --------------------------------------------------------------------------- */

/* Without the time that is asked for. */
static void add_address(const struct history_query *q, struct buf *out)
{
	frame_benchmark(q->project, q->benchmark, out);
	frame_parameter("metric", q->metric, out);
	frame_parameter_even_empty("unit", q->unit, out);
	frame_parameter("better", q->better, out);
	frame_parameter("machine", q->machine, out);
	frame_parameter("branch", q->branch, out);
}

static int add_picture(const struct history *h, struct buf *out, struct err *err)
{
	const struct history_query all = same_at_any_time(h);
	struct buf part = BUF_INIT;
	struct series s = h->drawn.n ? h->drawn : h->s;
	size_t over = s.n > PICTURE_MOST ? s.n - PICTURE_MOST : 0; /* the newest, where it is cut */
	int result;

	s.points += over;
	s.n -= over;
	if (h->drawn.n)
		add_address(&all, &part);
	result = picture_add(&(struct picture){ .s = &s,
						.project = h->q.project,
						.benchmark = h->q.benchmark,
						.of = h->total,
						.part = h->drawn.n ? buf_str(&part) : NULL },
			     out, err);
	out->failed |= part.failed;
	buf_release(&part);
	return result;
}

static void add_form(const struct history *h, struct buf *out)
{
	frame_form(h->q.project, "b", out);
	frame_hidden("benchmark", h->q.benchmark, out);
	frame_hidden("unit", h->q.unit, out);
	frame_hidden("better", h->q.better, out);
	frame_hidden("of", h->q.unit || h->q.better ? h->s.metric : NULL, out);
	choice_field(&h->choice.metrics, "metric", "Metric", h->s.metric, out);
	choice_field(&h->choice.machines, "machine", "Machine", machine_of(h), out);
	frame_field("search", "branch", "Branch", h->q.branch, 12, out);
	frame_field("date", "since", "Since", h->since, 10, out);
	frame_field("date", "until", "Until", h->until, 10, out);
	buf_adds(out, "<button>Show</button>\n</form>\n");
}

static void add_about(const struct history *h, struct buf *out)
{
	buf_adds(out, "<p>");
	frame_text(h->s.metric, out);
	buf_addf(out, ", %s is better: ", h->s.higher ? "more" : "less");
	buf_addf(out, "%s%zu result%s", h->is_cut ? "the newest " : "", h->total,
		 h->total == 1 ? "" : "s");
	if (machine_of(h)) {
		buf_adds(out, " of machine ");
		text_xml(machine_of(h), out);
	}
	buf_adds(out,
		 ". <span class=\"soft\">The line joins medians, the band is the interval of the "
		 "mean; "
		 "a triangle is a commit that moved it.</span>");
	if (h->drawn.n)
		buf_adds(out, " <span class=\"soft\">Of neighbours it shows the least and the "
			      "greatest; Since and Until lead to the others.</span>");
	if (h->is_cut)
		buf_adds(out, " <span class=\"soft\">There are more: Since and Until lead to "
			      "them.</span>");
	else if (h->total > LEDGER_MAX_POINTS)
		buf_addf(out, " <span class=\"soft\">The table has the newest %d.</span>",
			 LEDGER_MAX_POINTS);
	buf_adds(out, "</p>\n");
}

/* What regressed of it, whatever part of the history is shown. */
static void add_alerts(const struct history *h, struct buf *out)
{
	alerts_add_section(h->q.project, jtree_get(h->alerts, "alerts"), out);
	alerts_add_rest(h->q.project, h->q.benchmark, h->alerts, out);
}

/* That the newest result is not among those that are shown, since it has no value. */
static void add_outcome(const struct history *h, struct buf *out)
{
	if (!h->s.outcome)
		return;
	buf_adds(out, "<p>The newest result has no value: ");
	frame_verdict(series_newest(&h->s), "-", out);
	buf_adds(out, " at ");
	frame_commit(jtree_text(jtree_get(h->s.outcome, "commit")), out);
	buf_addc(out, ' ');
	frame_day(jtree_text(jtree_get(h->s.outcome, "time")), out);
	buf_adds(out, ".</p>\n");
}

static int write_page(struct history *h, struct err *err)
{
	struct buf *out = &h->r->reply.body, here = BUF_INIT;
	int result = 0;

	frame_begin_in(h->r, h->q.benchmark, h->q.project, h->q.benchmark);
	add_form(h, out);
	units_add_lines(&h->s, h->q.project, h->q.benchmark, out);
	add_outcome(h, out);
	if (h->s.n) {
		add_about(h, out);
		result = add_picture(h, out, err);
	} else {
		buf_adds(out, "<p>No result fits: another machine, branch or time may.</p>\n");
	}
	add_alerts(h, out);
	if (h->s.n) {
		results_add(h, out);
		buf_adds(out, "<script src=\"" PICTURE_SCRIPT "\"></script>\n");
	}
	add_address(&h->q, &here);
	frame_parameter("since", h->since, &here);
	frame_parameter("until", h->until, &here);
	frame_pager(&here, h->page, h->total < LEDGER_MAX_POINTS ? h->total : LEDGER_MAX_POINTS,
		    RESULTS_PER_PAGE, out);
	frame_end(h->r);
	out->failed |= here.failed;
	buf_release(&here);
	return result ? -1 : buf_check(out, err);
}

int page_benchmark(struct request *r, struct err *err)
{
	struct history h = { .r = r,
			     .s = SERIES_INIT,
			     .drawn = SERIES_INIT,
			     .choice = CHOICE_INIT,
			     .json = BUF_INIT };
	int result = -1;

	if (!read_question(&h, err) && !read_series(&h, err) &&
	    !choice_read(r->reader, h.q.project, h.q.benchmark, &h.choice, err) &&
	    !alerts_read(r, h.q.benchmark, 0, &h.json, &h.alerts, err) && !read_drawn(&h, err))
		result = write_page(&h, err);
	jtree_free(h.alerts);
	buf_release(&h.json);
	choice_release(&h.choice);
	series_release(&h.drawn);
	series_release(&h.s);
	free(h.machine);
	return result;
}
