/*
 * junit - the times of the test cases of a JUnit XML report, in seconds.
 *
 * Source: the description of the de facto format, github.com/testmoapp/junitxml.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/when.h"
#include "lib/foreign/formats.h"

#include "lib/base/banned.h"

#define S_NS 1e9
#define DIGITS "0123456789"

bool junit_recognise(const struct foreign_doc *doc)
{
	const char *root = doc->xml ? xml_root(doc->xml)->name : "";

	return !strcmp(root, "testsuites") || !strcmp(root, "testsuite");
}

/*
 * Some writers group the digits, "1,234.5", and some write a comma for the dot, "0,25".  What could
 * be either, "1,234", is neither.
 */
static bool is_grouped(const char *text)
{
	size_t n = strspn(text, DIGITS), groups = 0;

	if (n < 1 || n > 3 || *text == '0')
		return false;
	for (text += n; *text == ',' && strspn(text + 1, DIGITS) == 3; text += 4)
		groups++;
	return *text == '.' ? groups && !text[1 + strspn(text + 1, DIGITS)] : groups > 1 && !*text;
}

static bool read_seconds(const char *text, double *out)
{
	char plain[64];
	size_t n = 0;

	if (strchr(text, ',') && !is_grouped(text))
		return false;
	for (; *text && n + 1 < sizeof(plain); text++)
		if (*text != ',')
			plain[n++] = *text;
	plain[n] = '\0';
	return !*text && number_double(plain, out);
}

static int refuse_time(const char *time, const char *where, const struct bench *b, struct err *err)
{
	err_set(err, ERR_RANGE, "%s: time=\"%.40s\" of '%s' is not a number of seconds", where,
		time, b->name);
	return strchr(time, ',') ? err_hint(err, "write it with a dot: of '1,234' nobody can tell "
						 "what the comma is")
				 : -1;
}

static int read_outcome(struct bench *b, const struct xml_element *e, struct err *err)
{
	static const char *const bad[] = { "failure", "error", "skipped" };
	const char *status = xml_attribute(e, "status");
	size_t i;

	for (i = 0; i < 3; i++) {
		const struct xml_element *why = xml_child(e, bad[i]);
		const char *text = why ? xml_attribute(why, "message") : NULL;

		if (!why)
			continue;
		b->status = i < 2 ? BENCH_FAILED : BENCH_SKIPPED;
		if (!text)
			text = why->text ? why->text : bad[i];
		return str_set(&b->detail, text, err);
	}
	/* CTest and GoogleTest, of what did not run; its time is 0. */
	if (status && (!strcmp(status, "disabled") || !strcmp(status, "notrun"))) {
		b->status = BENCH_SKIPPED;
		return str_set(&b->detail, status, err);
	}
	return 0;
}

static struct bench *bench_of(struct foreign_sink *to, const struct xml_element *e,
			      const char *where, struct err *err)
{
	const char *class = xml_attribute(e, "classname"), *name = xml_attribute(e, "name");
	struct buf text = BUF_INIT;
	struct bench *b = NULL;

	buf_addf(&text, "%s%s%s", class ? class : "", class && *class ? "/" : "", name ? name : "");
	if (!name || !*name)
		err_set(err, ERR_RANGE, "%s: <testcase> without a name", where);
	else if (!buf_check(&text, err))
		b = sink_new_bench(to, buf_str(&text), where, err);
	buf_release(&text);
	return b;
}

static int read_case(struct foreign_sink *to, const struct xml_element *e, struct err *err)
{
	const char *time = xml_attribute(e, "time");
	char where[SINK_WHERE];
	struct bench *b;
	double seconds;
	size_t i;

	snprintf(where, sizeof(where), "line %u", e->line);
	b = bench_of(to, e, where, err);
	if (!b || read_outcome(b, e, err))
		return -1;
	for (i = 0; i < e->n_attributes; i++)
		if (strcmp(e->attributes[i].name, "time") != 0 &&
		    sink_fact(&b->facts, e->attributes[i].name, e->attributes[i].value, err))
			return -1;
	if (b->status != BENCH_OK)
		return 0;
	if (!time || !read_seconds(time, &seconds))
		return refuse_time(time ? time : "", where, b, err);
	return sink_time(b, "wall", seconds, S_NS, where, err) || sink_gate(to, b, "wall", err) ? -1
												: 0;
}

/* Of a suite: when it ran, and its properties. */
static int read_suite(struct foreign_sink *to, const struct xml_element *e, struct err *err)
{
	const char *stamp = xml_attribute(e, "timestamp");
	char text[64];
	int64_t us;

	if (stamp) {
		snprintf(text, sizeof(text), "%.40sZ", stamp); /* often written without a zone */
		if (when_parse(stamp, &us) || when_parse(text, &us))
			sink_when(to, us);
	}
	if (xml_attribute(e, "hostname"))
		return sink_fact(to->file, "hostname", xml_attribute(e, "hostname"), err);
	return 0;
}

static int read_property(struct foreign_sink *to, const struct xml_element *e, struct err *err)
{
	const char *name = xml_attribute(e, "name"), *value = xml_attribute(e, "value");

	return name && value ? sink_fact(to->file, name, value, err) : 0;
}

int junit_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err)
{
	const struct xml_element *root, *e;

	if (doc_need_xml(doc, err))
		return -1;
	root = xml_root(doc->xml);
	for (e = root; e; e = xml_next(root, e)) {
		int result = 0;

		if (!strcmp(e->name, "testcase"))
			result = read_case(to, e, err);
		else if (!strcmp(e->name, "testsuite"))
			result = read_suite(to, e, err);
		else if (!strcmp(e->name, "property"))
			result = read_property(to, e, err);
		if (result)
			return -1;
	}
	return 0;
}
