/*
 * A history as doubles, all little-endian: "PAWLF64\n", the number of points as 64 bits, the number
 * of columns and the length of a JSON text as 32 bits each, that text (blanks behind it, to a
 * multiple of 8 bytes), and then each column, all of its points one after the other.
 */
#include <string.h>

#include "lib/record/packed/bytes.h"
#include "lib/store/history/answer.h"

#include "lib/base/banned.h"

#define MAGIC "PAWLF64\n"

void answer_f64_add(struct answer *a, const struct answer_row *row)
{
	const struct ledger_point *p = row->p;
	const double numbers[ANSWER_N_NUMBERS] = {
		(double)row->f->committed_us,
		p->v,
		p->low,
		p->high,
		(double)p->n,
		(double)p->verdict,
		p->ratio,
		(double)point_is_change(p),
	};
	size_t i;

	for (i = 0; i < ANSWER_N_NUMBERS; i++)
		bytes_add_fixed(&a->numbers[i], bytes_of_double(numbers[i]));
}

void answer_f64_write(const struct answer *a, struct buf *head, struct buf *out)
{
	static const char columns[] = ",\"columns\":[\"time_us\",\"value\",\"low\",\"high\",\"n\","
				      "\"verdict\",\"ratio\",\"moved\"],\"verdicts\":[null";
	size_t i;
	int verdict;

	/* In place of the bracket that ends it. */
	buf_truncate(head, head->len ? head->len - 1 : 0);
	buf_adds(head, columns);
	for (verdict = VERDICT_NONE + 1; verdict < VERDICT_N; verdict++)
		buf_addf(head, ",\"%s\"", ledger_verdict(verdict));
	buf_adds(head, "]}");
	buf_addn(head, ' ', (8 - head->len % 8) % 8);
	buf_add(out, MAGIC, strlen(MAGIC));
	bytes_add_fixed(out, a->n);
	bytes_add_fixed(out, ANSWER_N_NUMBERS | (uint64_t)head->len << 32);
	buf_add(out, buf_str(head), head->len);
	for (i = 0; i < ANSWER_N_NUMBERS; i++) {
		buf_add(out, buf_str(&a->numbers[i]), a->numbers[i].len);
		out->failed |= a->numbers[i].failed;
	}
}
