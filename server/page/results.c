#include "server/page/results.h"

#include <string.h>

#include "lib/base/number.h"
#include "reporter/figures/scale.h"
#include "reporter/text/html.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

static const struct series_point *point_at(const struct history *h, size_t from_newest)
{
	return &h->s.points[h->s.n - 1 - from_newest];
}

/* The commit leads to the comparison with the one before it. */
static void add_commit(const struct history *h, size_t from_newest, struct buf *out)
{
	const struct series_point *p = point_at(h, from_newest), *before = NULL;
	struct buf address = BUF_INIT;
	size_t i;

	for (i = from_newest + 1; !before && i < h->s.n; i++)
		if (p->commit && point_at(h, i)->commit &&
		    strcmp(p->commit, point_at(h, i)->commit))
			before = point_at(h, i);
	if (p->moved && p->base) {
		frame_project(h->q.project, "compare", &address);
		frame_parameter("base", p->base, &address);
	} else if (before) {
		frame_project(h->q.project, "compare", &address);
		frame_parameter("base", before->commit, &address);
	}
	if (address.len) {
		frame_parameter("head", p->commit, &address);
		buf_adds(out, "<a href=\"");
		html_value(buf_str(&address), out);
		buf_adds(out, "\">");
	}
	frame_commit(p->commit, out);
	buf_adds(out, address.len ? "</a>" : "");
	buf_release(&address);
}

/* How many runs there were, and a way to each. */
static void add_runs(const struct history *h, const struct series_point *p, struct buf *out)
{
	struct buf address = BUF_INIT;
	char number[NUMBER_TEXT];

	frame_project(h->q.project, "runs", &address);
	frame_parameter("id", p->id, &address);
	frame_parameter("benchmark", h->q.benchmark, &address);
	frame_parameter("metric", h->s.metric, &address);
	frame_link(&address, number_print_whole(p->n, number), out);
	buf_release(&address);
}

static void add_row(const struct history *h, size_t from_newest, struct buf *out)
{
	const struct series_point *p = point_at(h, from_newest);
	struct buf raw = BUF_INIT;

	buf_adds(out, "<tr><th scope=\"row\">");
	add_commit(h, from_newest, out);
	buf_adds(out, "</th><td class=\"d\">");
	frame_day(p->time, out);
	buf_adds(out, "</td><td class=\"n\">");
	scale_value(p->value, h->s.unit, &raw);
	html_text(&raw, out);
	buf_adds(out, "</td><td>");
	frame_verdict(series_verdict(p), "-", out);
	buf_adds(out, "</td><td class=\"n\">");
	series_change(p->ratio, h->s.unit, &raw);
	html_text(&raw, out);
	buf_adds(out, "</td><td class=\"n\">");
	series_interval(p, h->s.unit, &raw);
	html_text(&raw, out);
	buf_adds(out, "</td><td class=\"n\">");
	add_runs(h, p, out);
	buf_adds(out, "</td></tr>\n");
	buf_release(&raw);
}

void results_add(const struct history *h, struct buf *out)
{
	size_t i, from = h->page * RESULTS_PER_PAGE;

	buf_adds(out, "<h2 id=\"results\">Results</h2>\n<div class=\"wide\" role=\"group\" "
		      "aria-labelledby=\"results\" tabindex=\"0\"><table>\n"
		      "<thead><tr><th scope=\"col\">commit</th><th scope=\"col\">date</th>"
		      "<th scope=\"col\" class=\"n\">median</th>"
		      "<th scope=\"col\">verdict</th>"
		      "<th scope=\"col\" class=\"n\">change</th>"
		      "<th scope=\"col\" class=\"n\">interval</th>"
		      "<th scope=\"col\" class=\"n\">runs</th></tr></thead>\n<tbody>\n");
	for (i = from; i < h->s.n && i < from + RESULTS_PER_PAGE; i++)
		add_row(h, i, out);
	buf_adds(out, "</tbody>\n</table></div>\n");
}
