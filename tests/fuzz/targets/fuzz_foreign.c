/* Results of other harnesses: any format, told by its content. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "lib/foreign/foreign.h"

#include "lib/base/banned.h"

static void check_metric(const struct metric *m)
{
	size_t i;

	must(m->name && *m->name && strlen(m->name) <= SUMMARY_MAX_NAME);
	must(m->n <= SUMMARY_MAX_SAMPLES);
	must(!m->n || m->state <= METRIC_SCALED);
	for (i = 0; i < m->n; i++) {
		must(isfinite(m->samples[i]));
		must(strcmp(m->unit, "ns") || m->samples[i] >= 0);
	}
	must(!m->described || isfinite(m->mean));
}

static void check_bench(const struct summary *s, size_t i)
{
	const struct bench *b = &s->benchmarks[i];
	size_t k;

	must(b->name && *b->name && strlen(b->name) <= SUMMARY_MAX_NAME);
	must(fuzz_is_plain(b->name, true));
	must(summary_find(s, b->name) == b);
	must(b->n_metrics <= SUMMARY_MAX_METRICS && b->facts.n <= SUMMARY_MAX_FACTS);
	must(!b->gate || bench_find_metric(b, b->gate));
	for (k = 0; k < b->n_metrics; k++)
		check_metric(&b->metrics[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const struct foreign_text text = { "x/criterion/b/new/sample.json", (const char *)data, n,
					   NULL };
	struct err err = ERR_INIT;
	struct summary s;
	size_t i;

	summary_init(&s);
	if (foreign_read(&text, NULL, &s, &err)) {
		must(err.code != ERR_NONE && fuzz_is_line(err.text));
	} else {
		fuzz_accept();
		must(s.n_benchmarks > 0 && s.imported.n == 1 && s.imported.v[0].format);
		for (i = 0; i < s.n_benchmarks; i++)
			check_bench(&s, i);
	}
	summary_release(&s);
	return 0;
}
