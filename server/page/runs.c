/* The runs of one result: how its values are distributed, and those of what ran beside it. */
#include <math.h>
#include <stdio.h>

#include "lib/record/summary.h"
#include "reporter/figures/cells.h"
#include "reporter/figures/scale.h"
#include "reporter/plot/plot.h"
#include "reporter/text/html.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"
#include "server/page/page.h"

#include "lib/base/banned.h"

/* One result, and what is shown of it. */
struct result {
	const char *project;
	struct summary s;
	const struct bench *bench;
	const struct metric *metric;
};

static double smallest(const double *x, size_t n)
{
	double least = (double)NAN;

	while (n--)
		least = fmin(least, x[n]);
	return least;
}

static double largest(const double *x, size_t n)
{
	double most = (double)NAN;

	while (n--)
		most = fmax(most, x[n]);
	return most;
}

static void add_cell(double value, const char *unit, struct buf *out)
{
	struct buf raw = BUF_INIT;

	scale_value(value, unit, &raw);
	buf_adds(out, "<td class=\"n\">");
	html_text(&raw, out);
	buf_adds(out, "</td>");
	buf_release(&raw);
}

static void add_side(const char *label, const char *commit, const double *x, size_t n,
		     const char *unit, struct buf *out)
{
	buf_addf(out, "<tr><th scope=\"row\">%s ", label);
	frame_commit(commit, out);
	buf_addf(out, "</th><td class=\"n\">%zu</td>", n);
	add_cell(smallest(x, n), unit, out);
	add_cell(largest(x, n), unit, out);
	buf_adds(out, "</tr>\n");
}

static void add_verdict(const struct result *r, struct buf *out)
{
	const struct metric *m = r->metric;
	struct buf raw = BUF_INIT;

	if (!m->has_delta)
		return;
	buf_adds(out, "<p>");
	cell_delta(&m->delta, m->unit, &raw);
	buf_addc(&raw, ' ');
	cell_interval(&m->delta, m->unit, &raw);
	html_text(&raw, out);
	buf_adds(out, ": ");
	frame_verdict(verdict_name(m->delta.verdict), "not judged", out);
	buf_adds(out, "</p>\n");
	buf_release(&raw);
}

/* A benchmark may have been compared with another commit than the rest; NULL: there is none. */
static const char *base_of(const struct result *r)
{
	const char *own = r->bench->baseline_commit;

	return own ? own : r->s.baseline.commit;
}

static int add_picture(const struct result *r, struct buf *out, struct err *err)
{
	const struct metric *m = r->metric;
	char base[CELL_SHORT_ID + 1], head[CELL_SHORT_ID + 1];
	const struct plot_cdf plot = { .title = r->bench->name,
				       .metric = m->name,
				       .unit = m->unit,
				       .base_name = base,
				       .head_name = head,
				       .base = m->baseline_samples,
				       .n_base = m->n_baseline,
				       .head = m->samples,
				       .n_head = m->n };
	int result;

	snprintf(base, sizeof(base), "%s", base_of(r) ? base_of(r) : "");
	snprintf(head, sizeof(head), "%s", r->s.commit.id ? r->s.commit.id : "");
	buf_adds(out, "<div class=\"wide runs\" role=\"group\" aria-label=\"Picture of the runs\" "
		      "tabindex=\"0\">\n");
	result = plot_cdf_element(&plot, out, err);
	buf_adds(out, "</div>\n");
	return result;
}

static void add_table(const struct result *r, struct buf *out)
{
	const struct metric *m = r->metric;

	buf_adds(out, "<table>\n<thead><tr><th scope=\"col\">side</th>"
		      "<th scope=\"col\" class=\"n\">runs</th>"
		      "<th scope=\"col\" class=\"n\">least</th>"
		      "<th scope=\"col\" class=\"n\">most</th></tr></thead>\n<tbody>\n");
	if (m->n_baseline)
		add_side("base", base_of(r), m->baseline_samples, m->n_baseline, m->unit, out);
	add_side("head", r->s.commit.id, m->samples, m->n, m->unit, out);
	buf_adds(out, "</tbody>\n</table>\n");
}

static int write_page(struct request *req, const struct result *r, struct err *err)
{
	struct buf *out = &req->reply.body, address = BUF_INIT;
	int result;

	frame_begin_in(req, r->bench->name, r->project, "runs");
	buf_adds(out, "<p>");
	frame_text(r->metric->name, out);
	buf_adds(out, " of each run of commit ");
	frame_commit(r->s.commit.id, out);
	buf_addc(out, ' ');
	text_xml(r->s.commit.subject, out);
	buf_adds(out, "; ");
	frame_benchmark(r->project, r->bench->name, &address);
	frame_parameter("metric", r->metric->name, &address);
	frame_parameter("machine", r->s.machine.id, &address);
	frame_link(&address, "its history", out);
	buf_adds(out, "</p>\n");
	buf_release(&address);
	add_verdict(r, out);
	result = add_picture(r, out, err);
	add_table(r, out);
	frame_end(req);
	return result ? -1 : buf_check(out, err);
}

/* Which metric; NULL: the one that decides. */
static int find(struct result *r, const char *benchmark, const char *metric, struct err *err)
{
	r->bench = summary_find(&r->s, benchmark);
	if (!r->bench)
		return err_set(err, ERR_ABSENT, "no benchmark '%s' in that result", benchmark);
	metric = metric ? metric : r->bench->gate;
	r->metric = metric ? bench_find_metric(r->bench, metric) : NULL;
	if (!r->metric || !r->metric->n)
		return err_set(err, ERR_ABSENT, "no runs of that metric in that result");
	return 0;
}

int page_runs(struct request *r, struct err *err)
{
	static const char *const known[] = { "id", "benchmark", "metric", NULL };
	const char *id = target_given(&r->url, "id");
	const char *benchmark = target_given(&r->url, "benchmark");
	struct result shown = { .project = r->arguments[0] };
	struct buf json = BUF_INIT;
	bool is_read = false;
	int result = -1;

	if (target_only(&r->url, known, err))
		return -1;
	if (!id || !benchmark)
		return err_set(err, ERR_SYNTAX, "parameters 'id' and 'benchmark' are needed");
	if (ledger_summary_for(r->reader, shown.project, id, benchmark, &json, err))
		goto out;
	is_read = !summary_decode(json.data, json.len, &shown.s, err);
	if (is_read && !find(&shown, benchmark, target_given(&r->url, "metric"), err))
		result = write_page(r, &shown, err);
out:
	if (is_read)
		summary_release(&shown.s);
	buf_release(&json);
	return result;
}
