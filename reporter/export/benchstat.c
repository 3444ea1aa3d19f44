/*
 * Go's benchmark format: a line a run, so that benchstat can test them; the commit is a
 * configuration line, by which benchstat -col commit holds several against each other.
 *
 * Source: "Go Benchmark Data Format", golang.org/design/14313-benchmark-format.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/digest/digest.h"
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

/* ---- words that would be the same --------------------------------------------------------- */

#define MARK 8 /* digits of a digest */

static int by_text(const void *a, const void *b)
{
	return strcmp(**(char **const *)a, **(char **const *)b);
}

/* Behind a word that stands for this name and others; that of the same letters stays as it is. */
static int mark(char **text, const char *name, struct err *err)
{
	char digits[DIGEST_HEX], *marked;

	if (!strcmp(*text, name))
		return 0;
	if (digest_of(name, strlen(name), digits, err))
		return -1;
	if (asprintf(&marked, "%s~%.*s", *text, MARK, digits) < 0)
		return err_nomem(err);
	free(*text);
	*text = marked;
	return 0;
}

/* benchstat takes equal words for one thing: those get a mark of the name that each stands for. */
static int tell_apart(const struct strv *names, struct strv *texts, struct err *err)
{
	char ***order = calloc(texts->n + 1, sizeof(*order));
	bool *is_shared = calloc(texts->n + 1, sizeof(*is_shared));
	int rc = order && is_shared ? 0 : err_nomem(err);
	size_t i;

	for (i = 0; !rc && i < texts->n; i++)
		order[i] = &texts->v[i];
	if (!rc)
		qsort(order, texts->n, sizeof(*order), by_text);
	for (i = 1; !rc && i < texts->n; i++)
		if (!strcmp(*order[i], *order[i - 1]))
			is_shared[order[i] - texts->v] = is_shared[order[i - 1] - texts->v] = true;
	for (i = 0; !rc && i < texts->n; i++)
		if (is_shared[i])
			rc = mark(&texts->v[i], names->v[i], err);
	free(order);
	free(is_shared);
	return rc;
}

/* The words of all benchmarks. */
static int names_of(const struct summary *s, struct strv *out, struct err *err)
{
	struct strv names = STRV_INIT;
	struct buf text = BUF_INIT;
	int rc = 0;
	size_t i;

	for (i = 0; !rc && i < s->n_benchmarks; i++) {
		add_name(s->benchmarks[i].name, &text);
		rc = strv_add(&names, s->benchmarks[i].name, err) || strv_take(out, &text, err);
	}
	rc = rc || tell_apart(&names, out, err) ? -1 : 0;
	strv_release(&names);
	buf_release(&text);
	return rc;
}

/* The units of all metrics of a benchmark. */
static int units_of(const struct bench *b, struct strv *out, struct err *err)
{
	struct strv names = STRV_INIT;
	struct buf text = BUF_INIT;
	int rc = 0;
	size_t k;

	for (k = 0; !rc && k < b->n_metrics; k++) {
		add_unit(&b->metrics[k], &text);
		rc = strv_add(&names, b->metrics[k].name, err) || strv_take(out, &text, err);
	}
	rc = rc || tell_apart(&names, out, err) ? -1 : 0;
	strv_release(&names);
	buf_release(&text);
	return rc;
}

/* ---- lines -------------------------------------------------------------------------------- */

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

static void add_run(const struct bench *b, const char *name, const struct strv *units, size_t i,
		    struct buf *out)
{
	char text[NUMBER_TEXT];
	size_t k;

	buf_addf(out, "%s\t%llu", name, (unsigned long long)(b->iterations ? b->iterations : 1));
	for (k = 0; k < b->n_metrics; k++) {
		const struct metric *m = &b->metrics[k];

		if (!export_has(b, m) || i >= m->n)
			continue;
		buf_addf(out, "\t%s %s", number_print(m->samples[i], text), units->v[k]);
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
static void add_directions(const struct bench *b, const struct strv *units, struct buf *out)
{
	size_t k;

	for (k = 0; k < b->n_metrics; k++)
		if (export_has(b, &b->metrics[k]) && b->metrics[k].better == BETTER_HIGHER)
			buf_addf(out, "Unit %s better=higher\n", units->v[k]);
}

static int add_runs(const struct bench *b, const char *name, struct buf *out, struct err *err)
{
	struct strv units = STRV_INIT;
	int rc = units_of(b, &units, err);
	size_t i;

	if (!rc)
		add_directions(b, &units, out);
	for (i = 0; !rc && i < runs_of(b); i++)
		add_run(b, name, &units, i, out);
	strv_release(&units);
	return rc;
}

int export_benchstat(const struct summary *s, bool is_first, struct buf *out, struct err *err)
{
	struct strv names = STRV_INIT;
	int rc = names_of(s, &names, err);
	size_t i;

	(void)is_first;
	add_config("pkg", s->project, out);
	add_config("cpu", s->machine.cpu, out);
	add_config("commit", s->commit.id, out);
	for (i = 0; !rc && i < s->n_benchmarks; i++)
		rc = add_runs(&s->benchmarks[i], names.v[i], out, err);
	strv_release(&names);
	return rc || buf_check(out, err) ? -1 : 0;
}
