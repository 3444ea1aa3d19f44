/* A history as CSV (RFC 4180): a line a point. */
#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/store/history/answer.h"

#include "lib/base/banned.h"

/* A spreadsheet would run what starts like a formula, so that gets an apostrophe in front. */
static void add_text(const char *text, struct buf *out)
{
	buf_addc(out, '"');
	if (*text && strchr("=+-@", *text))
		buf_addc(out, '\'');
	for (; *text; text++) {
		if (*text == '"')
			buf_addc(out, '"');
		buf_addc(out, (unsigned char)*text < ' ' ? ' ' : *text);
	}
	buf_adds(out, "\",");
}

/* What is kept as JSON with quotes, and needs none of them. */
static void add_plain(const char *quoted, struct buf *out)
{
	size_t n = strlen(quoted);

	if (n > 2)
		buf_add(out, quoted + 1, n - 2);
	buf_addc(out, ',');
}

static void add_number(double value, struct buf *out)
{
	char text[NUMBER_TEXT];

	if (isfinite(value))
		buf_adds(out, number_print(value, text));
	buf_addc(out, ',');
}

void answer_csv_add(struct answer *a, const struct answer_row *row)
{
	const struct ledger_point *p = row->p;
	const char *verdict = ledger_verdict(p->verdict);
	struct buf *out = &a->rows;

	add_plain(row->f->sha, out);
	add_plain(row->f->time, out);
	add_text(a->chosen->metric, out);
	add_text(a->chosen->unit, out);
	buf_addf(out, "%s,", a->chosen->higher ? "higher" : "lower");
	add_number(p->v, out);
	add_number(p->low, out);
	add_number(p->high, out);
	buf_addf(out, "%lld,%s,", (long long)p->n, verdict ? verdict : "");
	add_number(p->ratio, out);
	buf_addf(out, "%d,", point_is_change(p));
	add_text(buf_str(&a->machine), out);
	add_plain(row->f->id, out);
	buf_addf(out, "%d\r\n", row->f->apart);
}

void answer_csv_write(const struct answer *a, struct buf *out)
{
	buf_adds(out, "commit,time,metric,unit,better,value,low,high,n,verdict,ratio,moved,machine,"
		      "id,untrusted\r\n");
	buf_add(out, buf_str(&a->rows), a->rows.len);
	out->failed |= a->rows.failed;
}
