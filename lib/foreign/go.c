/*
 * go - the text of `go test -bench`, with -count, -benchmem, several packages and -json
 * (go_events.c).
 *
 * Source: "Go Benchmark Data Format" (golang/proposal 14313): lines "BenchmarkName N value unit
 * ...", lines "key: value" before them, everything else ignored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/foreign/better.h"
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

#define PREFIX "Benchmark"
#define UNIT_TEXT 64
#define MOST_UNITS 256 /* of which a file says which way is better */

static bool has_prefix(const char *p, size_t n)
{
	return n > strlen(PREFIX) && !memcmp(p, PREFIX, strlen(PREFIX));
}

/* A line "BenchmarkX-8   100   12.3 ns/op": the name and N. */
static bool is_result(const struct doc_line *line, struct doc_word *name, double *out_n, size_t *at)
{
	struct doc_word word;
	size_t behind;

	*at = 0;
	if (!has_prefix(line->p, line->n) || !doc_next_word(line, at, name) ||
	    !doc_next_word(line, at, &word) || !doc_word_number(&word, out_n))
		return false;
	behind = *at;
	return doc_next_word(line, &behind, &word);
}

/* The digits behind the last dash of a name, GOMAXPROCS; 0: none. */
static unsigned long suffix_of(const struct doc_word *name, size_t *out_length)
{
	size_t i = name->n;
	unsigned long value = 0;

	while (i > 0 && name->p[i - 1] >= '0' && name->p[i - 1] <= '9' && name->n - i < 6)
		i--;
	*out_length = name->n - i + 1;
	if (i == name->n || i < 2 || name->p[i - 1] != '-' || name->p[i] == '0')
		return 0;
	for (; i < name->n; i++)
		value = value * 10 + (unsigned long)(name->p[i] - '0');
	return value > 1 ? value : 0;
}

/*
 * `go test` writes -GOMAXPROCS behind every name unless it is 1.  Only where all names of an input
 * end in the same one, it is no part of the name.
 */
static unsigned long common_suffix(const struct foreign_doc *doc)
{
	struct doc_line line = { 0 };
	struct doc_word name;
	unsigned long common = 0, own;
	size_t at, length;
	double n;

	while (doc_next_line(doc, &line)) {
		if (!is_result(&line, &name, &n, &at))
			continue;
		own = suffix_of(&name, &length);
		if (!own || (common && common != own))
			return 0;
		common = own;
	}
	return common;
}

/* What "key: value" lines have said so far. */
struct go_state {
	struct foreign_sink *to;
	struct buf package;
	bool several;	     /* packages: their names go in front */
	unsigned long procs; /* cut off the names */
	struct facts units;  /* "higher" or "lower" by name */
	bool has_failure;    /* of a benchmark, since the last package ended */
};

static bool value_of(const struct doc_line *line, const char *key, struct doc_word *out)
{
	size_t n = strlen(key);

	if (line->n <= n || memcmp(line->p, key, n) || line->p[n] != ':')
		return false;
	for (n++; n < line->n && line->p[n] == ' '; n++)
		;
	out->p = line->p + n;
	out->n = line->n - n;
	return true;
}

static bool has_several_packages(const struct foreign_doc *doc)
{
	struct doc_line line = { 0 };
	struct doc_word first = { NULL, 0 }, word;

	while (doc_next_line(doc, &line)) {
		if (!value_of(&line, "pkg", &word))
			continue;
		if (!first.p)
			first = word;
		else if (first.n != word.n || memcmp(first.p, word.p, word.n))
			return true;
	}
	return false;
}

/* "Unit NAME better=higher": what is said first counts. */
static int read_unit(const struct doc_line *line, struct facts *units, struct err *err)
{
	struct doc_word word, unit;
	char name[UNIT_TEXT];
	size_t at = 0;

	if (!doc_next_word(line, &at, &word) || !doc_word_is(&word, "Unit") ||
	    !doc_next_word(line, &at, &unit) || unit.n >= sizeof(name))
		return 0;
	memcpy(name, unit.p, unit.n);
	name[unit.n] = '\0';
	while (doc_next_word(line, &at, &word)) {
		bool is_higher = doc_word_is(&word, "better=higher");

		if ((is_higher || doc_word_is(&word, "better=lower")) && units->n < MOST_UNITS &&
		    !facts_find(units, name))
			return facts_add(units, name, is_higher ? "higher" : "lower", err);
	}
	return 0;
}

static int read_units(const struct foreign_doc *doc, struct facts *units, struct err *err)
{
	struct doc_line line = { 0 };

	while (doc_next_line(doc, &line))
		if (read_unit(&line, units, err))
			return -1;
	return 0;
}

static enum better better_of(const struct go_state *g, const char *unit)
{
	const char *told = facts_find(&g->units, unit);

	if (!told)
		return foreign_better(unit);
	return strcmp(told, "higher") ? BETTER_LOWER : BETTER_HIGHER;
}

/* value unit: "12.3 ns/op", "24 B/op", "300 MB/s", "10 pairs/op". */
static int read_value(struct go_state *g, struct bench *b, double value, const char *unit,
		      const char *where, struct err *err)
{
	if (!strcmp(unit, "ns/op"))
		return sink_time(b, "wall", value, 1, where, err) ||
				       sink_gate(g->to, b, "wall", err)
			       ? -1
			       : 0;
	return sink_sample(b, unit, !strcmp(unit, "allocs/op") ? "1" : unit, better_of(g, unit),
			   value, where, err);
}

static struct bench *bench_of(struct go_state *g, const struct doc_word *name, const char *where,
			      struct err *err)
{
	struct buf text = BUF_INIT;
	struct bench *b = NULL;
	size_t length = 0;
	char digits[24];

	if (g->procs && suffix_of(name, &length) != g->procs)
		length = 0; /* a failure is told without it */
	if (g->several && g->package.len)
		buf_addf(&text, "%s/", buf_str(&g->package));
	buf_add(&text, name->p, name->n - length);
	if (!buf_check(&text, err))
		b = sink_bench(g->to, buf_str(&text), where, err);
	buf_release(&text);
	snprintf(digits, sizeof(digits), "%lu", g->procs);
	if (b && ((g->procs && sink_fact(&b->facts, "gomaxprocs", digits, err)) ||
		  (g->package.len && sink_fact(&b->facts, "pkg", buf_str(&g->package), err))))
		return NULL;
	return b;
}

/*
 * Whether the last line of the input, which has no end, was cut in its unit: it is the beginning of
 * another one, and was not met whole.
 */
static bool is_cut(const struct foreign_sink *to, const char *unit)
{
	static const char *const own[] = { "ns/op", "MB/s", "B/op", "allocs/op" };
	size_t n = strlen(unit), i, k;
	bool begins = false;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		begins |= !strncmp(own[i], unit, n) && own[i][n];
	for (i = to->first; i < to->out->n_benchmarks; i++)
		for (k = 0; k < to->out->benchmarks[i].n_metrics; k++) {
			const char *name = to->out->benchmarks[i].metrics[k].name;

			if (!strcmp(name, unit))
				return false;
			begins |= !strncmp(name, unit, n);
		}
	return begins;
}

static int read_result(struct go_state *g, const struct doc_line *line, const struct doc_word *name,
		       double n, size_t at, struct err *err)
{
	struct doc_word number, unit;
	char where[SINK_WHERE], text[UNIT_TEXT];
	struct bench *b;
	double value;

	snprintf(where, sizeof(where), "line %u", line->number);
	if (!(n >= 1 && n < 9e18))
		return err_set(err, ERR_RANGE, "%s: not a number of iterations", where);
	b = bench_of(g, name, where, err);
	if (!b)
		return -1;
	if (!b->iterations)
		b->iterations = (uint64_t)n;
	while (doc_next_word(line, &at, &number)) {
		if (!doc_next_word(line, &at, &unit))
			return err_set(err, ERR_SYNTAX, "%s: a number without a unit at its end",
				       where);
		if (!doc_word_value(&number, &value))
			return err_set(err, ERR_SYNTAX, "%s: '%.*s' is not a number", where,
				       (int)(number.n < 40 ? number.n : 40), number.p);
		if (unit.n >= sizeof(text))
			return err_set(err, ERR_LIMIT, "%s: a unit of %zu bytes", where, unit.n);
		memcpy(text, unit.p, unit.n);
		text[unit.n] = '\0';
		if (!line->has_end && unit.p + unit.n == line->p + line->n && is_cut(g->to, text))
			return err_set(err, ERR_SYNTAX,
				       "%s: cut short in '%s', or the line lacks its end", where,
				       text);
		if (read_value(g, b, value, text, where, err))
			return -1;
	}
	return sink_gate(g->to, b, b->metrics[0].name, err); /* without ns/op */
}

/*
 * "--- FAIL: BenchmarkX"; behind its name "BenchmarkX-8 \t--- FAIL: BenchmarkX-8" where a first run
 * went well, and "BenchmarkX-8 \tpanic: ...".
 */
static bool is_failure(const struct doc_line *line, struct doc_word *name)
{
	struct doc_word word;
	size_t at = 0;

	if (!doc_next_word(line, &at, &word))
		return false;
	if (has_prefix(word.p, word.n)) {
		*name = word;
		if (!doc_next_word(line, &at, &word))
			return false;
		if (doc_word_is(&word, "panic:"))
			return true;
	}
	return doc_word_is(&word, "---") && doc_next_word(line, &at, &word) &&
	       doc_word_is(&word, "FAIL:") && doc_next_word(line, &at, name) &&
	       has_prefix(name->p, name->n);
}

static int fail(struct bench *b, const char *why, struct err *err)
{
	if (!b)
		return -1;
	b->status = BENCH_FAILED;
	return str_set(&b->detail, why, err);
}

/*
 * "FAIL \tpkg \t0.1s", "FAIL \tpkg [build failed]": where no benchmark is known to have failed, the
 * package has: what it did not measure must not look as if it were not there.
 */
static int read_package(struct go_state *g, const struct doc_line *line, struct err *err)
{
	struct doc_word word, name;
	size_t at = 0;
	bool failed, has_failure = g->has_failure;
	struct buf text = BUF_INIT;
	char where[SINK_WHERE];
	int result = -1;

	if (!doc_next_word(line, &at, &word))
		return 0;
	failed = doc_word_is(&word, "FAIL");
	if ((!failed && !doc_word_is(&word, "ok")) || !doc_next_word(line, &at, &name))
		return 0;
	g->has_failure = false;
	if (!failed || has_failure)
		return 0;
	snprintf(where, sizeof(where), "line %u", line->number);
	buf_add(&text, name.p, name.n);
	if (!buf_check(&text, err))
		result = fail(sink_bench(g->to, buf_str(&text), where, err),
			      "go test says that the package failed", err);
	buf_release(&text);
	return result;
}

/* They are there, without a value. */
static int read_failure(struct go_state *g, const struct doc_line *line, struct err *err)
{
	struct doc_word name;
	char where[SINK_WHERE];

	if (!is_failure(line, &name))
		return read_package(g, line, err);
	snprintf(where, sizeof(where), "line %u", line->number);
	g->has_failure = true;
	return fail(bench_of(g, &name, where, err), "go test says that it failed", err);
}

static int read_text(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	static const char *const keys[] = { "goos", "goarch", "cpu" };
	struct go_state g = { .to = to,
			      .package = BUF_INIT,
			      .several = has_several_packages(doc),
			      .procs = common_suffix(doc) };
	struct doc_line line = { 0 };
	struct doc_word word;
	int result = read_units(doc, &g.units, err);
	size_t i, at;
	double n;

	while (!result && doc_next_line(doc, &line)) {
		if (is_result(&line, &word, &n, &at)) {
			result = read_result(&g, &line, &word, n, at, err);
		} else if (value_of(&line, "pkg", &word)) {
			buf_reset(&g.package);
			buf_add(&g.package, word.p, word.n);
			result = buf_check(&g.package, err);
		} else {
			result = read_failure(&g, &line, err);
		}
		for (i = 0; !result && i < sizeof(keys) / sizeof(keys[0]); i++)
			if (value_of(&line, keys[i], &word))
				result = sink_fact_n(to->file, keys[i], word.p, word.n, err);
	}
	facts_release(&g.units);
	buf_release(&g.package);
	return result;
}

static bool has_result(const struct foreign_doc *doc)
{
	struct doc_line line = { 0 };
	struct doc_word name;
	size_t at;
	double n;

	while (doc_next_line(doc, &line))
		if (is_result(&line, &name, &n, &at))
			return true;
	return false;
}

bool go_recognise(const struct foreign_doc *doc)
{
	return go_has_event(doc) || (!doc->json && !doc->xml && has_result(doc));
}

int go_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	struct buf text = BUF_INIT;
	struct foreign_doc inner = { 0 };
	int result = -1;

	if (!go_has_event(doc))
		return read_text(doc, to, err);
	go_join_output(doc, &text);
	if (buf_check(&text, err))
		goto out;
	inner.name = doc->name;
	inner.data = buf_str(&text);
	inner.n = text.len;
	result = read_text(&inner, to, err);
	if (result)
		err_in(err, "in the output of the events");
out:
	buf_release(&text);
	return result;
}
