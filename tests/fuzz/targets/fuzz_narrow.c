/* One benchmark cut out of a document: what is decoded of it is what is decoded of the whole. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/record/narrow.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

const size_t fuzz_cost = 2;

/* The document of one benchmark of s and of nothing else. */
static void encode_one(struct summary *s, size_t i, struct buf *out)
{
	struct bench first = s->benchmarks[0];
	size_t had = s->n_benchmarks;

	s->benchmarks[0] = s->benchmarks[i];
	s->n_benchmarks = 1;
	must(!summary_encode(s, 0, out, NULL));
	s->benchmarks[0] = first;
	s->n_benchmarks = had;
}

static void hold_each(struct summary *s)
{
	struct buf whole = BUF_INIT;
	size_t i;

	must(!summary_encode(s, 0, &whole, NULL));
	for (i = 0; i < s->n_benchmarks; i++) {
		struct buf narrowed = BUF_INIT, got = BUF_INIT, wanted = BUF_INIT;
		struct summary one;

		must(!summary_narrow(whole.data, whole.len, s->benchmarks[i].name, &narrowed,
				     NULL));
		must(!summary_decode(narrowed.data, narrowed.len, &one, NULL));
		must(one.n_benchmarks == 1);
		must(!summary_encode(&one, 0, &got, NULL));
		encode_one(s, i, &wanted);
		must(!strcmp(buf_str(&got), buf_str(&wanted)));
		summary_release(&one);
		buf_release(&narrowed);
		buf_release(&got);
		buf_release(&wanted);
	}
	buf_release(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary s;
	char *text = fuzz_string(data, n);

	/* Of any bytes: refused, or another document; never a fault. */
	if (summary_narrow(text, n, n ? text + n / 2 : "", &out, &err))
		must(!out.len && (err.code == ERR_ABSENT || err.code == ERR_SYNTAX) &&
		     fuzz_is_line(err.text));
	if (!summary_decode(text, n, &s, NULL)) {
		fuzz_accept();
		hold_each(&s);
		summary_release(&s);
	}
	buf_release(&out);
	free(text);
	return 0;
}
