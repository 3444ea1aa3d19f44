/*
 * catch2 - the BenchmarkResults of Catch2's XML reporter, versions 2 and 3; all values are in ns.
 *
 * Source: docs/benchmarks.md and src/catch2/reporters/catch_reporter_xml.cpp of catchorg/Catch2.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

bool catch2_recognise(const struct foreign_doc *doc)
{
	const char *root = doc->xml ? xml_root(doc->xml)->name : "";

	return !strcmp(root, "Catch") || !strcmp(root, "Catch2TestRun");
}

/* "case/section/benchmark": the names of what it lies in. */
static void add_names(const struct xml_element *e, struct buf *out)
{
	const char *name = xml_attribute(e, "name");
	bool counts = !strcmp(e->name, "TestCase") || !strcmp(e->name, "Section");

	if (e->parent)
		add_names(e->parent, out);
	if (!name || (!counts && strcmp(e->name, "BenchmarkResults") != 0))
		return;
	buf_addf(out, "%s%s", out->len ? "/" : "", name);
}

static const struct xml_element *test_case_of(const struct xml_element *e)
{
	while (e && strcmp(e->name, "TestCase") != 0)
		e = e->parent;
	return e;
}

/* An attribute as a number.  Errors: ERR_RANGE when it is none, or absent. */
static int read_number(const struct xml_element *e, const char *name, double *out, struct err *err)
{
	const char *text = e ? xml_attribute(e, name) : NULL;

	if (text && number_double(text, out))
		return 0;
	return err_set(err, ERR_RANGE, "line %u: <%s> %s=\"%.40s\" is not a number",
		       e ? e->line : 0, e ? e->name : "", name, text ? text : "");
}

/*
 * The mean over the run's own samples, which the report does not hold: one sample, as what any
 * other harness tells of one run.  Its bounds and the deviation stay among the facts.
 */
static int read_mean(struct bench *b, const struct xml_element *e, const char *where,
		     struct err *err)
{
	const struct xml_element *mean = xml_child(e, "mean");
	double value;

	if (!mean)
		return err_set(err, ERR_RANGE, "%s: <BenchmarkResults> without a <mean>", where);
	return read_number(mean, "value", &value, err) || sink_time(b, "wall", value, 1, where, err)
		       ? -1
		       : 0;
}

/* All attributes of it and of what lies in it, as "outliers.highMild". */
static int keep_attributes(struct bench *b, const struct xml_element *e, const char *prefix,
			   struct err *err)
{
	char name[120];
	size_t i;

	for (i = 0; i < e->n_attributes; i++) {
		if (!strcmp(e->attributes[i].name, "name") ||
		    (!strcmp(prefix, "mean") && !strcmp(e->attributes[i].name, "value")))
			continue;
		snprintf(name, sizeof(name), "%.50s%s%.50s", prefix, *prefix ? "." : "",
			 e->attributes[i].name);
		if (sink_fact(&b->facts, name, e->attributes[i].value, err))
			return -1;
	}
	for (e = *prefix ? NULL : e->child; e; e = e->next)
		if (keep_attributes(b, e, e->name, err))
			return -1;
	return 0;
}

static int read_result(struct foreign_sink *to, const struct xml_element *e, struct err *err)
{
	const struct xml_element *failed = xml_child(e, "failed"), *in = test_case_of(e);
	struct buf name = BUF_INIT;
	char where[SINK_WHERE];
	struct bench *b = NULL;
	double iterations;

	snprintf(where, sizeof(where), "line %u", e->line);
	add_names(e, &name);
	if (!buf_check(&name, err))
		b = sink_new_bench(to, buf_str(&name), where, err);
	buf_release(&name);
	if (!b || keep_attributes(b, e, "", err) ||
	    (in && xml_attribute(in, "name") &&
	     sink_fact(&b->facts, "test_case", xml_attribute(in, "name"), err)))
		return -1;
	if (failed) {
		const char *why = xml_attribute(failed, "message");

		b->status = BENCH_FAILED;
		return str_set(&b->detail, why && *why ? why : "the program gave no reason", err);
	}
	if (!read_number(e, "iterations", &iterations, NULL) && iterations >= 1 &&
	    iterations < 9e18)
		b->iterations = (uint64_t)iterations;
	return read_mean(b, e, where, err) || sink_gate(to, b, "wall", err) ? -1 : 0;
}

int catch2_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	const struct xml_element *root, *e;

	if (doc_need_xml(doc, err))
		return -1;
	root = xml_root(doc->xml);
	for (e = root; e; e = xml_next(root, e))
		if (!strcmp(e->name, "BenchmarkResults") && read_result(to, e, err))
			return -1;
	return 0;
}
