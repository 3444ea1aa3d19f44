/*
 * Go's benchmark format: a line a run, so that benchstat can test them; the commit is a
 * configuration line, by which benchstat -col commit holds several against each other.
 *
 * Source: "Go Benchmark Data Format", golang.org/design/14313-benchmark-format.
 */
#include <ctype.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "reporter/export/local.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/* One word of printable ASCII; a blank, which ends a word, becomes '_'. */
static void add_word(const char *text, struct buf *out)
{
	struct buf visible = BUF_INIT;
	const char *p;

	text_visible(text, false, &visible);
	for (p = buf_str(&visible); *p; p++)
		buf_addc(out, *p == ' ' ? '_' : *p);
	out->failed |= visible.failed;
	buf_release(&visible);
}

/* A name that goes on in lower case is no benchmark for Go.  One that came from Go has the word. */
static void add_name(const char *name, struct buf *out)
{
	static const char word[] = "Benchmark";
	const char *rest = str_starts(name, word) ? name + sizeof(word) - 1 : "";
	size_t at = out->len + sizeof(word) - 1;

	if (!*rest || islower((unsigned char)*rest))
		buf_adds(out, word);
	add_word(name, out);
	if (!out->failed && at < out->len)
		out->data[at] = (char)toupper((unsigned char)out->data[at]);
}

/*
 * Of time "ns/op" as Go has it, and "cpu-ns/op"; else "NAME/op", of a size "NAME-bytes".  What came
 * from Go is called by its unit, "allocs/op" or "MB/s", and has one already.
 */
static void add_unit(const struct metric *m, struct buf *out)
{
	bool is_time = !strcmp(m->unit, "ns");

	if (is_time && !strcmp(m->name, "wall")) {
		buf_adds(out, "ns/op");
		return;
	}
	add_word(m->name, out);
	if (strchr(m->name, '/'))
		return;
	buf_adds(out, is_time ? "-ns/op" : !strcmp(m->unit, "bytes") ? "-bytes" : "/op");
}

static void add_config(const char *key, const char *value, struct buf *out)
{
	struct buf visible = BUF_INIT;

	if (value && *value) {
		text_visible(value, true, &visible);
		buf_addf(out, "%s: %s\n", key, buf_str(&visible));
		out->failed |= visible.failed;
	} else {
		buf_addf(out, "%s:\n", key); /* forgets what an earlier commit said */
	}
	buf_release(&visible);
}

static void add_run(const struct bench *b, size_t i, struct buf *out)
{
	char text[NUMBER_TEXT];
	size_t k;

	add_name(b->name, out);
	buf_addf(out, "\t%llu", (unsigned long long)(b->iterations ? b->iterations : 1));
	for (k = 0; k < b->n_metrics; k++) {
		const struct metric *m = &b->metrics[k];

		if (!export_has(b, m) || i >= m->n)
			continue;
		buf_addf(out, "\t%s ", number_print(m->samples[i], text));
		add_unit(m, out);
	}
	buf_addc(out, '\n');
}

static size_t runs_of(const struct bench *b)
{
	size_t most = 0, k;

	for (k = 0; k < b->n_metrics; k++)
		if (export_has(b, &b->metrics[k]) && b->metrics[k].n > most)
			most = b->metrics[k].n;
	return most;
}

/* Of which more is better; said again and again it is no contradiction. */
static void add_directions(const struct bench *b, struct buf *out)
{
	size_t k;

	for (k = 0; k < b->n_metrics; k++) {
		if (!export_has(b, &b->metrics[k]) || b->metrics[k].better != BETTER_HIGHER)
			continue;
		buf_adds(out, "Unit ");
		add_unit(&b->metrics[k], out);
		buf_adds(out, " better=higher\n");
	}
}

int export_benchstat(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	size_t i, k;

	(void)is_first;
	add_config("pkg", s->project, out);
	add_config("cpu", s->machine.cpu, out);
	add_config("commit", s->commit.id, out);
	for (i = 0; i < s->n_benchmarks; i++) {
		add_directions(&s->benchmarks[i], out);
		for (k = 0; k < runs_of(&s->benchmarks[i]); k++)
			add_run(&s->benchmarks[i], k, out);
	}
	return buf_check(out, err);
}
