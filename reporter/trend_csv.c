/*
 * trend_csv - one row a commit, oldest first, under a row of titles (RFC 4180).
 */
#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "reporter/text.h"
#include "reporter/trend_render.h"

#include "lib/base/banned.h"

/*
 * A text made visible, so that no byte of it leaves its line; and a spreadsheet would run one that
 * starts like a formula, so it gets an apostrophe in front.
 */
static void add_text(const char *raw, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *p;

	text_visible(raw, true, &visible);
	p = buf_str(&visible);
	buf_addc(out, '"');
	if (*p && strchr("=+-@", *p))
		buf_addc(out, '\'');
	for (; *p; p++) {
		if (*p == '"')
			buf_addc(out, '"');
		buf_addc(out, *p);
	}
	buf_addc(out, '"');
	out->failed |= visible.failed;
	buf_release(&visible);
}

static void add_number(double value, struct buf *out)
{
	char text[NUMBER_TEXT];

	buf_addc(out, ',');
	if (isfinite(value))
		buf_adds(out, number_print(value, text));
}

static void add_row(const struct trend *t, const struct trend_point *p, struct buf *out)
{
	char when[WHEN_ISO];
	struct delta d;

	trend_delta(t, p, &d);
	buf_addf(out, "%s,%s,", p->commit, when_iso(p->time_us, false, when));
	add_text(p->subject, out);
	add_number(p->level, out);
	add_number(p->low, out);
	add_number(p->high, out);
	buf_addf(out, ",%zu,%llu,%s,%zu", p->n_runs, (unsigned long long)p->iterations,
		 p->base ? p->base : "", trend_span(p));
	add_number(d.ratio, out);
	add_number(d.low, out);
	add_number(d.high, out);
	add_number(d.confidence, out);
	add_number(d.p, out);
	add_number(d.p_adjusted, out);
	buf_addf(out, ",%s,%s,", verdict_name(p->verdict), p->accepted ? "yes" : "no");
	if (p->accepted)
		add_text(p->accepted, out);
	buf_adds(out, "\r\n");
}

int trend_csv(const struct trend *t, const struct render_options *opt, struct buf *out,
	      struct err *err)
{
	size_t i;

	(void)opt;
	buf_adds(out, "commit,date,subject,level,level_low,level_high,runs,iterations,base,commits,"
		      "ratio,ratio_low,ratio_high,confidence,p,p_adjusted,verdict,accepted,because"
		      "\r\n");
	for (i = t->first; i < t->n; i++)
		add_row(t, &t->points[i], out);
	return buf_check(out, err);
}
