/*
 * sentence_fixture - the closing sentence of a summary made by hand.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_SENTENCE_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_SENTENCE_FIXTURE_H

#include "tests/unit/reporter_fixture.h"

#include "reporter/parts/sentence.h"
#include "reporter/text/text.h"

#define UNCHANGED 1.001, 0.995, 1.006, VERDICT_UNCHANGED
#define SLOWER 1.034, 1.021, 1.047, VERDICT_REGRESSED
#define MUCH_SLOWER 1.5, 1.4, 1.6, VERDICT_REGRESSED
#define FASTER 0.966, 0.953, 0.979, VERDICT_IMPROVED
#define UNDECIDED 1.009, 0.985, 1.031, VERDICT_INCONCLUSIVE

static inline void put(const char *text, const struct render_options *opt, struct buf *out)
{
	text_visible(text, opt->utf8, out);
}

/* The sentence of s, which is released. */
static inline void expect_with(struct summary *s, bool strict, const char *expected)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	struct buf out = BUF_INIT;
	struct rows rows;

	opt.strict = strict;
	assert_int_equal(0, rows_of(s, &rows, NULL));
	sentence_add(s, &rows, &opt, put, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
	rows_release(&rows);
	summary_release(s);
}

static inline void expect(struct summary *s, const char *expected)
{
	expect_with(s, false, expected);
}

#endif
