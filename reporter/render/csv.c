#include "reporter/render/csv.h"

#include <ctype.h>
#include <math.h>

#include "lib/base/when.h"
#include "reporter/figures/rows.h"
#include "reporter/render/render.h"
#include "reporter/text/csv.h"

#include "lib/base/banned.h"

void render_csv_titles(struct buf *out)
{
	buf_adds(out,
		 "project,commit,date,branch,machine,base_commit,benchmark,status,verdict,"
		 "metric,unit,better,gate,runs,base_runs,head,base,ratio,ratio_low,ratio_high,"
		 "confidence,p,p_adjusted,threshold,noise_floor,detail," CSV_DIFFERENCE "\r\n");
}

static void add_text(const char *raw, struct buf *out)
{
	csv_text(raw, out);
	buf_addc(out, ',');
}

/* Of letters and digits, as those are that pawl makes, it needs no quotes. */
static void add_id(const char *id, struct buf *out)
{
	const char *p;

	for (p = id ? id : ""; isalnum((unsigned char)*p); p++)
		;
	if (*p)
		add_text(id, out);
	else
		buf_addf(out, "%s,", id ? id : "");
}

static void add_place(const struct summary *s, const struct bench *b, struct buf *out)
{
	const char *base = b->baseline_commit ? b->baseline_commit : s->baseline.commit;
	char when[WHEN_ISO];

	add_text(s->project, out);
	add_id(s->commit.id, out);
	buf_addf(out, "%s,", when_iso(s->commit.commit_time_us, false, when));
	add_text(s->commit.branch, out);
	add_id(s->machine.id, out);
	add_id(base, out);
	add_text(b->name, out);
	buf_addf(out, "%s,", bench_status_name(b->status));
}

/* The gate's row says the benchmark's verdict, another metric's its own. */
static int add_row(const struct summary *s, const struct row *row, const struct metric *m,
		   struct buf *out, struct err *err)
{
	const struct bench *b = row->bench;
	bool is_gate = !m || m == row->gate;
	const struct delta *d = m && m->has_delta ? &m->delta : NULL;
	double head, base;

	if (row_sides(m, &base, &head, err))
		return -1;
	add_place(s, b, out);
	buf_addf(out, "%s,", is_gate ? row_word(row->kind) : d ? verdict_name(d->verdict) : "");
	add_text(m ? m->name : "", out);
	add_text(m ? m->unit : "", out);
	buf_addf(out, "%s,%s,%zu,%zu", m && m->better == BETTER_HIGHER ? "higher" : "lower",
		 is_gate ? "yes" : "no", m ? m->n : 0, m ? m->n_baseline : 0);
	csv_number(head, out);
	csv_number(base, out);
	csv_number(d ? d->ratio : (double)NAN, out);
	csv_number(d ? d->low : (double)NAN, out);
	csv_number(d ? d->high : (double)NAN, out);
	csv_number(d ? d->confidence : (double)NAN, out);
	csv_number(d ? d->p : (double)NAN, out);
	csv_number(d ? d->p_adjusted : (double)NAN, out);
	csv_number(b->threshold, out);
	csv_number(d ? d->noise_floor : (double)NAN, out);
	buf_addc(out, ',');
	csv_text(m && m->reason ? m->reason : b->detail, out);
	csv_difference(d, out);
	buf_adds(out, "\r\n");
	return buf_check(out, err);
}

int render_csv_rows(const struct summary *s, struct buf *out, struct err *err)
{
	struct rows rows = { 0 };
	size_t i, k;
	int rc = 0;

	if (rows_of(s, &rows, err))
		return -1;
	for (i = 0; i < rows.n && !rc; i++) {
		const struct bench *b = rows.v[i].bench;

		if (!b->n_metrics)
			rc = add_row(s, &rows.v[i], NULL, out, err);
		for (k = 0; k < b->n_metrics && !rc; k++)
			rc = add_row(s, &rows.v[i], &b->metrics[k], out, err);
	}
	rows_release(&rows);
	return rc;
}

int render_csv(const struct summary *s, const struct render_options *opt, struct buf *out,
	       struct err *err)
{
	(void)opt;
	render_csv_titles(out);
	return render_csv_rows(s, out, err);
}
