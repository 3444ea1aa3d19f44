/*
 * InfluxDB's line protocol: a point a metric at the time of the commit, so that sending it again
 * replaces it.  The commit is a field: as a tag it would make a series of its own each time.  What
 * git does not know of the time, below a second, is taken from the commit's id: a rebase makes many
 * commits in one second, and of two points at one time the later replaces the other.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "reporter/export/local.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/*
 * ",KEY=VALUE"; a tag without a value is none.  A backslash in front of what ends a value would be
 * read as its escape, and there is no way to write one there: it is put as %5C.
 */
static void add_tag(const char *key, const char *value, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *p;

	if (!value || !*value)
		return;
	text_visible(value, true, &visible);
	buf_addf(out, ",%s=", key);
	for (p = buf_str(&visible); *p; p++) {
		if (*p == '\\') {
			buf_adds(out, "%5C");
			continue;
		}
		if (strchr(", =", *p))
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	out->failed |= visible.failed;
	buf_release(&visible);
}

static void add_text(const char *key, const char *value, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *p;

	if (!value || !*value)
		return;
	text_visible(value, true, &visible);
	buf_addf(out, ",%s=\"", key);
	for (p = buf_str(&visible); *p; p++) {
		if (*p == '"' || *p == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	buf_addc(out, '"');
	out->failed |= visible.failed;
	buf_release(&visible);
}

static void add_number(const char *key, double value, struct buf *out)
{
	char text[NUMBER_TEXT];

	if (isfinite(value))
		buf_addf(out, ",%s=%s", key, number_print(value, text));
}

static int add_point(const struct summary *s, const struct bench *b, const struct metric *m,
		     struct buf *out, struct err *err)
{
	char text[NUMBER_TEXT];
	struct description d;

	if (export_figures(b, m, &d, err))
		return -1;
	buf_adds(out, "pawl");
	add_tag("benchmark", b->name, out);
	add_tag("branch", s->commit.branch, out);
	add_tag("machine", s->machine.id, out);
	add_tag("metric", m->name, out);
	add_tag("project", s->project, out);
	add_tag("unit", m->unit, out);
	buf_addf(out, " median=%s", number_print(d.median, text));
	add_number("mean", d.mean, out);
	add_number("mean_low", d.ci_low, out);
	add_number("mean_high", d.ci_high, out);
	add_number("stddev", d.sd, out);
	add_number("min", d.min, out);
	add_number("max", d.max, out);
	buf_addf(out, ",runs=%zui", m->n);
	if (m->has_delta) {
		add_number("ratio", m->delta.ratio, out);
		add_number("ratio_low", m->delta.low, out);
		add_number("ratio_high", m->delta.high, out);
		if (m->delta.by_difference) {
			add_number("difference", m->delta.difference, out);
			add_number("difference_low", m->delta.difference_low, out);
			add_number("difference_high", m->delta.difference_high, out);
		}
		add_text("verdict", verdict_name(m->delta.verdict), out);
	}
	add_text("commit", s->commit.id, out);
	buf_addf(out, " %" PRId64 "\n", s->commit.commit_time_us * 1000 + (int64_t)export_place(s));
	return buf_check(out, err);
}

int export_influx(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	size_t i, k;

	(void)is_first;
	for (i = 0; i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		for (k = 0; k < b->n_metrics; k++)
			if (export_has_figures(b, &b->metrics[k]) &&
			    add_point(s, b, &b->metrics[k], out, err))
				return -1;
	}
	return 0;
}
