/*
 * lnt - the plain text that `lnt importreport` takes: "benchmark.metric value", one a line.
 *
 * A line that comes again is a further sample, as LNT takes it.
 *
 * Source: "lnt importreport" in docs/tools.rst of llvm-lnt, and its standard test suite schema.
 */
#include <stdio.h>
#include <string.h>

#include "lib/foreign/better.h"
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

/* LNT's own metrics: its times are in seconds. */
static const struct lnt_metric {
	const char *name, *metric, *unit;
	double scale; /* to ns; 0: no time */
	enum better better;
} metrics[] = {
	{ "execution_time", "wall", "ns", 1e9, BETTER_LOWER },
	{ "exec_time", "wall", "ns", 1e9, BETTER_LOWER },
	{ "exec", "wall", "ns", 1e9, BETTER_LOWER },
	{ "compile_time", "compile_time", "ns", 1e9, BETTER_LOWER },
	{ "compile", "compile_time", "ns", 1e9, BETTER_LOWER },
	{ "mem_bytes", "mem_bytes", "bytes", 0, BETTER_LOWER },
	{ "mem", "mem_bytes", "bytes", 0, BETTER_LOWER },
	{ "code_size", "code_size", "bytes", 0, BETTER_LOWER },
	{ "score", "score", "1", 0, BETTER_HIGHER },
};

static bool is_skipped(const struct doc_line *line)
{
	struct doc_word word;
	size_t at = 0;

	return !doc_next_word(line, &at, &word) || word.p[0] == '#';
}

/* "name.metric value" and nothing else; *out_dot: of the last dot. */
static bool split(const struct doc_line *line, struct doc_word *name, size_t *out_dot,
		  double *out_value)
{
	struct doc_word value, more;
	size_t at = 0, i;

	if (!doc_next_word(line, &at, name) || !doc_next_word(line, &at, &value) ||
	    doc_next_word(line, &at, &more) || !doc_word_value(&value, out_value))
		return false;
	for (i = name->n; i > 0 && name->p[i - 1] != '.'; i--)
		;
	*out_dot = i ? i - 1 : 0;
	return i > 1 && i < name->n;
}

bool lnt_recognise(const struct foreign_doc *doc)
{
	struct doc_line line = { 0 };
	struct doc_word name;
	size_t dot, n = 0;
	double value;

	if (doc->json || doc->xml || doc->n_lines)
		return false;
	while (doc_next_line(doc, &line)) {
		if (is_skipped(&line))
			continue;
		if (!split(&line, &name, &dot, &value))
			return false;
		n++;
	}
	return n > 0;
}

static int read_line(struct foreign_sink *to, const struct doc_word *name, size_t dot, double value,
		     const char *where, struct err *err)
{
	struct lnt_metric m = { NULL, NULL, "1", 0, BETTER_LOWER };
	struct buf bench = BUF_INIT, metric = BUF_INIT;
	struct bench *b = NULL;
	int result = -1;
	size_t i;

	buf_add(&bench, name->p, dot);
	buf_add(&metric, name->p + dot + 1, name->n - dot - 1);
	if (buf_check(&bench, err) || buf_check(&metric, err))
		goto out;
	m.metric = buf_str(&metric);
	m.better = foreign_better(m.metric);
	for (i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		if (!strcmp(metrics[i].name, buf_str(&metric)))
			m = metrics[i];
	b = sink_bench(to, buf_str(&bench), where, err);
	if (!b)
		goto out;
	result = m.scale > 0 ? sink_time(b, m.metric, value, m.scale, where, err)
			     : sink_sample(b, m.metric, m.unit, m.better, value, where, err);
	if (!result)
		result = sink_gate(to, b, m.metric, err);
out:
	buf_release(&bench);
	buf_release(&metric);
	return result;
}

int lnt_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	struct doc_line line = { 0 };
	struct doc_word name;
	char where[SINK_WHERE];
	double value;
	size_t dot;

	while (doc_next_line(doc, &line)) {
		if (is_skipped(&line))
			continue;
		snprintf(where, sizeof(where), "line %u", line.number);
		if (!split(&line, &name, &dot, &value))
			return err_set(err, ERR_SYNTAX, "%s: expected 'benchmark.metric value'",
				       where);
		if (read_line(to, &name, dot, value, where, err))
			return -1;
	}
	return 0;
}
