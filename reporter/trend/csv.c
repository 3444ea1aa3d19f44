/*
 * trend_csv - one row a commit, oldest first, under a row of titles (RFC 4180).
 */
#include "lib/base/when.h"
#include "reporter/text/csv.h"
#include "reporter/trend/render.h"

#include "lib/base/banned.h"

static void add_row(const struct trend *t, const struct trend_point *p, struct buf *out)
{
	char when[WHEN_ISO];
	struct delta d;

	trend_delta(t, p, &d);
	buf_addf(out, "%s,%s,", p->commit, when_iso(p->time_us, false, when));
	csv_text(p->subject, out);
	csv_number(p->level, out);
	csv_number(p->low, out);
	csv_number(p->high, out);
	buf_addf(out, ",%zu,%llu,%s,%zu", p->n_runs, (unsigned long long)p->iterations,
		 p->base ? p->base : "", trend_span(p));
	csv_number(d.ratio, out);
	csv_number(d.low, out);
	csv_number(d.high, out);
	csv_number(d.confidence, out);
	csv_number(d.p, out);
	csv_number(d.p_adjusted, out);
	buf_addf(out, ",%s,%s,", verdict_name(p->verdict), p->accepted ? "yes" : "no");
	if (p->accepted)
		csv_text(p->accepted, out);
	csv_difference(&d, out);
	buf_adds(out, "\r\n");
}

int trend_csv(const struct trend *t, const struct render_options *opt, struct buf *out,
	      struct err *err)
{
	size_t i;

	(void)opt;
	buf_adds(out, "commit,date,subject,level,level_low,level_high,runs,iterations,base,commits,"
		      "ratio,ratio_low,ratio_high,confidence,p,p_adjusted,verdict,accepted,"
		      "because," CSV_DIFFERENCE "\r\n");
	for (i = t->first; i < t->n; i++)
		add_row(t, &t->points[i], out);
	return buf_check(out, err);
}
