/*
 * foreign_fixture - an input of another harness, read into a summary.
 */
#ifndef PAWL_TESTS_UNIT_FOREIGN_FOREIGN_FIXTURE_H
#define PAWL_TESTS_UNIT_FOREIGN_FOREIGN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/file.h"
#include "lib/foreign/foreign.h"
#include "lib/record/summary.h"

#define DATA "tests/data/foreign/"

static struct summary s;
static struct err err;

static inline int begin(void **state)
{
	(void)state;
	summary_init(&s);
	err_clear(&err);
	return 0;
}

static inline int end(void **state)
{
	(void)state;
	summary_release(&s);
	return 0;
}

static inline int read_text(const char *name, const char *format, const char *text, size_t n)
{
	const struct foreign_text what = { name, text, n, NULL };

	return foreign_read(&what, format ? foreign_find(format) : NULL, &s, &err);
}

/* Reads a file of tests/data/foreign, told by its content. */
static inline void read_file(const char *name, const char *format)
{
	struct buf text = BUF_INIT;
	char path[256];

	snprintf(path, sizeof(path), DATA "%s", name);
	if (file_read_whole(path, 1 << 20, &text, &err))
		fail_msg("%s", err.text);
	if (read_text(path, NULL, buf_str(&text), text.len))
		fail_msg("%s", err.text);
	assert_string_equal(format, s.imported.v[s.imported.n - 1].format);
	buf_release(&text);
}

/* Refused, and the text names the place. */
static inline void assert_refused(const char *format, const char *text, enum err_code code,
				  const char *place)
{
	summary_release(&s);
	if (!read_text("in", format, text, strlen(text)))
		fail_msg("accepted: %.100s", text);
	if (!strstr(err.text, place) || !strstr(err.text, "'in'"))
		fail_msg("'%s' does not name '%s'", err.text, place);
	assert_int_equal(code, err.code);
	summary_release(&s);
}

static inline const struct bench *bench(const char *name)
{
	const struct bench *b = summary_find(&s, name);

	if (!b)
		fail_msg("no benchmark '%s'", name);
	return b;
}

static inline const struct metric *metric(const char *of, const char *name)
{
	const struct metric *m = bench_find_metric(bench(of), name);

	if (!m)
		fail_msg("'%s' has no metric '%s'", of, name);
	return m;
}

static inline void assert_near(double wanted, double got)
{
	if (!(fabs(wanted - got) <= 1e-9 * fabs(wanted)))
		fail_msg("%.17g is not %.17g", got, wanted);
}

static inline void assert_sample(const char *of, const char *name, size_t i, double wanted)
{
	const struct metric *m = metric(of, name);

	if (i >= m->n)
		fail_msg("'%s' has %zu samples of '%s'", of, m->n, name);
	assert_near(wanted, m->samples[i]);
}

static inline void assert_fact(const struct facts *facts, const char *name, const char *wanted)
{
	const char *got = facts_find(facts, name);

	assert_non_null(got);
	assert_string_equal(wanted, got);
}

#endif
