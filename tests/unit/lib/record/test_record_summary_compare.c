/* What a comparison adds to the document: read back to the bit, refused when wrong, else absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/summary.h"

#define ID "01JD0000000000000000000000"
#define SHA "0123456789abcdef0123456789abcdef01234567"
#define OLD "89abcdef0123456789abcdef0123456789abcdef"

static void fill_plain(struct summary *s)
{
	summary_init(s);
	assert_int_equal(str_set(&s->id, ID, NULL), 0);
	assert_int_equal(str_set(&s->project, "zlib", NULL), 0);
	assert_int_equal(str_set(&s->machine.id, "0011223344556677", NULL), 0);
	s->settings.runs_min = 20;
	s->settings.runs_max = 30;
	s->settings.confidence = 0.95;
	assert_non_null(summary_add_bench(s, "deflate", NULL));
}

static void fill(struct summary *s)
{
	struct bench *b;

	fill_plain(s);
	s->settings.budget_ns = 60000000000;
	s->settings.measured_identical = true;
	s->settings.shard = (struct shard){ 2, 4, 40, NULL, NULL };
	assert_int_equal(str_set(&s->settings.shard.group, "run 17", NULL), 0);
	assert_int_equal(str_set(&s->settings.shard.split, "0011aabb", NULL), 0);
	assert_int_equal(str_set(&s->settings.build_key, "8899ccdd", NULL), 0);
	s->settings.lacks_parts = true;
	assert_int_equal(strv_add(&s->settings.asked, "work/a", NULL), 0);
	assert_int_equal(strv_add(&s->settings.asked, "work/b", NULL), 0);
	assert_int_equal(str_set(&s->sides.base, "make CC=gcc", NULL), 0);
	assert_int_equal(str_set(&s->sides.head, "make CC=clang", NULL), 0);
	assert_int_equal(str_set(&s->unbuilt.base, SHA, NULL), 0);
	b = &s->benchmarks[0];
	b->looks = (struct looks){ { 12, 17, 30 }, 3 };
	b->output = OUTPUT_DIFFERS;
	b->pairs_ran = PAIRS_RAN_AT_ONCE;
	b->work.head = 412.5;
	b->work.base = 1.0 / 3.0;
	assert_int_equal(str_set(&b->work.how, "valgrind", NULL), 0);
	assert_int_equal(str_set(&b->work.reason, "a reason", NULL), 0);
	b->layouts = (struct layout_spread){ 24, 4e-5, 1e-6 / 3, 0.0125, NULL };
	assert_int_equal(str_set(&b->layouts.why, "no record", NULL), 0);
	b->changes = (struct code_changes){
		.is_known = true, .is_explained = true, .n_functions = 1240, .n_changed = 3
	};
	assert_int_equal(strv_add(&b->changes.changed, "usage", NULL), 0);
	assert_int_equal(strv_add(&b->changes.executed, "main (data)", NULL), 0);
	assert_int_equal(str_set(&b->changes.why, "of no use", NULL), 0);
	b->calibration = (struct calibration){ 20, 1, 0.004, 1763632800000000, { .n = 0 } };
	b->calibration.layouts =
		(struct layout_calibration){ 16, 0.007, 0.0051, 0.0113, 0.0196, 1.0 / 99 };
	assert_int_equal(str_set(&b->accepted.commit, SHA, NULL), 0);
	assert_int_equal(str_set(&b->accepted.because, "worth\nit", NULL), 0);
	assert_int_equal(summary_add_accepted(s, OLD, "deflate/*", "needed", 0.0625, NULL), 0);
	assert_int_equal(summary_add_accepted(s, OLD, "x", NULL, (double)INFINITY, NULL), 0);
}

static void encode(void (*make)(struct summary *s), struct buf *out)
{
	struct summary s;

	make(&s);
	assert_int_equal(summary_encode(&s, 0, out, NULL), 0);
	summary_release(&s);
}

static void every_field_is_read_back_to_the_bit(void **state)
{
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct err err = ERR_INIT;
	const struct bench *b;
	struct summary s;

	(void)state;
	encode(fill, &one);
	assert_int_equal(summary_decode(one.data, one.len, &s, &err), 0);
	b = &s.benchmarks[0];
	assert_int_equal(s.settings.budget_ns, 60000000000);
	assert_true(s.settings.measured_identical);
	assert_int_equal(s.settings.shard.index, 2);
	assert_int_equal(s.settings.shard.count, 4);
	assert_int_equal(s.settings.shard.n_all, 40);
	assert_string_equal(s.settings.shard.group, "run 17");
	assert_string_equal(s.settings.shard.split, "0011aabb");
	assert_string_equal(s.settings.build_key, "8899ccdd");
	assert_true(s.settings.lacks_parts);
	assert_int_equal(s.settings.asked.n, 2);
	assert_string_equal(s.settings.asked.v[1], "work/b");
	assert_string_equal(s.sides.base, "make CC=gcc");
	assert_string_equal(s.sides.head, "make CC=clang");
	assert_string_equal(s.unbuilt.base, SHA);
	assert_null(s.unbuilt.head);
	assert_int_equal(b->looks.n, 3);
	assert_int_equal(b->looks.pairs[2], 30);
	assert_int_equal(b->output, OUTPUT_DIFFERS);
	assert_int_equal(b->pairs_ran, PAIRS_RAN_AT_ONCE);
	assert_true(b->work.head == 412.5 && b->work.base == 1.0 / 3.0);
	assert_string_equal(b->work.how, "valgrind");
	assert_string_equal(b->work.reason, "a reason");
	assert_int_equal(b->layouts.n, 24);
	assert_true(b->layouts.between == 4e-5 && b->layouts.within == 1e-6 / 3);
	assert_true(b->layouts.floor == 0.0125);
	assert_string_equal(b->layouts.why, "no record");
	assert_true(b->changes.is_known && b->changes.is_explained);
	assert_int_equal(b->changes.n_functions, 1240);
	assert_int_equal(b->changes.n_changed, 3);
	assert_true(strv_has(&b->changes.changed, "usage") && b->changes.changed.n == 1);
	assert_true(strv_has(&b->changes.executed, "main (data)") && b->changes.executed.n == 1);
	assert_string_equal(b->changes.why, "of no use");
	assert_int_equal(b->calibration.n, 20);
	assert_int_equal(b->calibration.n_false, 1);
	assert_true(b->calibration.floor == 0.004);
	assert_int_equal(b->calibration.when_us, 1763632800000000);
	assert_int_equal(b->calibration.layouts.n, 16);
	assert_true(b->calibration.layouts.spread == 0.007);
	assert_true(b->calibration.layouts.low == 0.0051 && b->calibration.layouts.high == 0.0113);
	assert_true(b->calibration.layouts.floor == 0.0196);
	assert_true(b->calibration.layouts.scatter == 1.0 / 99);
	assert_string_equal(b->accepted.commit, SHA);
	assert_string_equal(b->accepted.because, "worth\nit");
	assert_int_equal(s.n_accepted, 2);
	assert_string_equal(s.accepted[0].commit, OLD);
	assert_string_equal(s.accepted[0].benchmark, "deflate/*");
	assert_string_equal(s.accepted[0].because, "needed");
	assert_true(s.accepted[0].change == 0.0625);
	assert_null(s.accepted[1].because);
	assert_true(isinf(s.accepted[1].change));
	assert_int_equal(summary_encode(&s, 0, &two, NULL), 0);
	assert_string_equal(buf_str(&one), buf_str(&two));
	summary_release(&s);
	buf_release(&one);
	buf_release(&two);
}

static void what_is_not_set_is_not_written(void **state)
{
	static const char *const names[] = { "looks",	   "output",	  "pairs_ran",
					     "work",	   "calibration", "layouts",
					     "accepted",   "budget_ns",	  "measured_identical",
					     "shard",	   "sides",	  "changes",
					     "unbuilt",	   "build_key",	  "asked",
					     "lacks_parts" };
	struct buf doc = BUF_INIT;
	struct summary s;
	size_t i;

	(void)state;
	encode(fill_plain, &doc);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_null(strstr(buf_str(&doc), names[i]));
	assert_int_equal(summary_decode(doc.data, doc.len, &s, NULL), 0);
	assert_int_equal(s.benchmarks[0].looks.n, 0);
	assert_int_equal(s.benchmarks[0].output, OUTPUT_UNKNOWN);
	assert_true(isnan(s.benchmarks[0].work.head));
	assert_true(isnan(s.benchmarks[0].layouts.floor));
	assert_null(s.benchmarks[0].accepted.commit);
	summary_release(&s);
	buf_release(&doc);
}

/* Work that nobody counted is not 0 instructions, whoever filled the struct. */
static void work_that_was_not_counted_is_null(void **state)
{
	struct buf doc = BUF_INIT;
	struct summary s;

	(void)state;
	fill_plain(&s);
	s.benchmarks[0].work.head = s.benchmarks[0].work.base = 0;
	assert_int_equal(str_set(&s.benchmarks[0].work.reason, "no valgrind", NULL), 0);
	assert_int_equal(summary_encode(&s, 0, &doc, NULL), 0);
	summary_release(&s);
	assert_int_equal(summary_decode(doc.data, doc.len, &s, NULL), 0);
	assert_true(isnan(s.benchmarks[0].work.head) && isnan(s.benchmarks[0].work.base));
	assert_string_equal(s.benchmarks[0].work.reason, "no valgrind");
	summary_release(&s);
	buf_release(&doc);
}

static void each_fault_names_its_place(void **state)
{
	static const struct {
		const char *from, *to;
		enum err_code code;
		const char *text;
	} cases[] = {
		{ "[12,17,30]", "[20,20,30]", ERR_RANGE, "looks.pairs: must be rising" },
		{ "[12,17,30]", "[0,25,30]", ERR_RANGE, "looks.pairs: must be rising" },
		{ "[12,17,30]", "[20.5]", ERR_RANGE, "looks.pairs: must be rising" },
		{ "[12,17,30]", "[20,null]", ERR_RANGE, "looks.pairs: must be rising" },
		{ "[12,17,30]", "[20,10001]", ERR_RANGE, "looks.pairs: must be rising" },
		{ "[12,17,30]", "[1,2,3,4,5,6,7,8,9,10,11]", ERR_LIMIT,
		  "looks.pairs: has more than 10 items" },
		{ "[12,17,30]", "[]", ERR_RANGE, "looks.pairs: is empty" },
		{ "[12,17,30]", "20", ERR_RANGE, "looks.pairs: must be an array" },
		{ "\"output\":\"differs\"", "\"output\":\"nice\"", ERR_RANGE, "[0].output" },
		{ "\"output\":\"differs\"", "\"output\":3", ERR_RANGE, "[0].output" },
		{ "\"at once\"", "\"at twice\"", ERR_RANGE, "[0].pairs_ran" },
		{ "\"head\":412.5", "\"head\":-1", ERR_RANGE, "work.head: must not be negative" },
		{ "\"how\":\"valgrind\"", "\"how\":\"\"", ERR_RANGE, "work.how: is empty" },
		{ "\"n\":24", "\"n\":-1", ERR_RANGE, "layouts.n" },
		{ "\"n\":24", "\"n\":10001", ERR_RANGE, "layouts.n" },
		{ "\"floor\":0.0125", "\"floor\":-0.1", ERR_RANGE, "layouts.floor: must not" },
		{ "\"within\":", "\"within\":-", ERR_RANGE, "layouts.within: must not" },
		{ "\"n_changed\":3", "\"n_changed\":-3", ERR_RANGE, "changes.n_changed" },
		{ "\"known\":true", "\"known\":7", ERR_RANGE, "changes.known" },
		{ "\"n\":20", "\"n\":0", ERR_RANGE, "calibration.n" },
		{ "\"n\":20", "\"n\":4294967297", ERR_RANGE, "calibration.n" },
		{ "\"n_false\":1", "\"n_false\":21", ERR_RANGE, "calibration.n_false: must not" },
		{ "\"floor\":0.004", "\"floor\":-0.1", ERR_RANGE, "calibration.floor: must not" },
		{ "\"floor\":0.004", "\"floor\":null", ERR_RANGE, "calibration.floor: is missing" },
		{ "\"when\":\"2025-11-20T10:00:00Z\"", "\"when\":1", ERR_RANGE,
		  "calibration.when: must be a time" },
		{ "\"n\":16", "\"n\":1", ERR_RANGE, "calibration.layouts.n" },
		{ "\"spread\":0.007", "\"spread\":0.005", ERR_RANGE,
		  "calibration.layouts.low: must be from 0 to spread" },
		{ "\"high\":0.0113", "\"high\":0.006", ERR_RANGE,
		  "calibration.layouts.high: must not be less" },
		{ "\"floor\":0.0196", "\"floor\":-1", ERR_RANGE,
		  "calibration.layouts.floor: must not be negative" },
		{ "\"scatter\":", "\"scatter\":-", ERR_RANGE,
		  "calibration.layouts.scatter: must not be negative" },
		{ "\"commit\":\"" SHA "\"", "\"commit\":\"HEAD\"", ERR_RANGE,
		  "accepted.commit: must be 40" },
		{ "\"commit\":\"" SHA "\"", "\"commit\":null", ERR_RANGE,
		  "accepted.commit: is missing" },
		{ "\"commit\":\"" OLD "\"", "\"commit\":\"HEAD\"", ERR_RANGE,
		  "accepted[0].commit: must be 40" },
		{ "\"benchmark\":\"deflate/*\",", "", ERR_RANGE,
		  "accepted[0].benchmark: is missing" },
		{ "\"change\":0.0625", "\"change\":-0.1", ERR_RANGE,
		  "accepted[0].change: must not be negative" },
		{ "\"benchmark\":\"x\",", "\"benchmark\":\"\",", ERR_RANGE,
		  "accepted[1].benchmark: is empty" },
		{ "worth", "wor\\u001bth", ERR_RANGE, "accepted.because" },
		{ "\"budget_ns\":60000000000", "\"budget_ns\":-1", ERR_RANGE,
		  "settings.budget_ns" },
		{ "\"measured_identical\":true", "\"measured_identical\":\"yes\"", ERR_RANGE,
		  "settings.measured_identical" },
		{ "\"index\":2", "\"index\":5", ERR_RANGE, "settings.shard.index" },
		{ "\"index\":2", "\"index\":0", ERR_RANGE, "settings.shard.index" },
		{ "\"count\":4", "\"count\":1001", ERR_RANGE, "settings.shard.count" },
		{ "\"count\":4", "\"count\":null", ERR_RANGE, "settings.shard.count" },
		{ "run 17", "run\\u000717", ERR_RANGE, "settings.shard.group" },
		{ "\"asked\":[\"work/a\"", "\"asked\":[1", ERR_RANGE, "settings.asked" },
		{ "8899ccdd", "8899CCDD", ERR_RANGE, "settings.build_key: must be hex" },
		{ "0011aabb", "0011AABB", ERR_RANGE, "settings.shard.split: must be hex" },
		{ "make CC=gcc", "", ERR_RANGE, "sides.base: is empty" },
		{ "\"head\":\"make CC=clang\"", "\"head\":1", ERR_RANGE, "sides.head" },
		{ ",\"head\":\"make CC=clang\"", "", ERR_RANGE, "sides.head: is missing" },
		{ "\"unbuilt\":{\"base\":\"" SHA "\"", "\"unbuilt\":{\"base\":\"HEAD\"", ERR_RANGE,
		  "unbuilt.base: must be 40" },
		{ "\"unbuilt\":{\"base\":\"" SHA "\"", "\"unbuilt\":{\"base\":1", ERR_RANGE,
		  "unbuilt.base" },
		{ "\"unbuilt\":{\"base\":\"" SHA "\",\"head\":null}", "\"unbuilt\":null", ERR_NONE,
		  NULL },
		{ "\"group\":\"run 17\"", "\"group\":null", ERR_NONE, NULL },
		{ "\"output\":\"differs\"", "\"output\":null", ERR_NONE, NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf doc = BUF_INIT, bad = BUF_INIT;
		struct err err = ERR_INIT;
		struct summary s;
		const char *at;
		int result;

		encode(fill, &doc);
		at = strstr(doc.data, cases[i].from);
		if (!at)
			fail_msg("no '%s' in the document", cases[i].from);
		buf_add(&bad, doc.data, (size_t)(at - doc.data));
		buf_adds(&bad, cases[i].to);
		buf_adds(&bad, at + strlen(cases[i].from));
		result = summary_decode(bad.data, bad.len, &s, &err);
		if (result != (cases[i].code == ERR_NONE ? 0 : -1) || err.code != cases[i].code)
			fail_msg("'%s': %d '%s'", cases[i].to, result, err.text);
		if (cases[i].text && !strstr(err.text, cases[i].text))
			fail_msg("'%s' does not say '%s'", err.text, cases[i].text);
		if (!result)
			summary_release(&s);
		buf_release(&doc);
		buf_release(&bad);
	}
}

static void fill_difference(struct summary *s)
{
	struct metric *m;

	fill_plain(s);
	m = bench_add_metric(&s->benchmarks[0], "allocs", "1", BETTER_LOWER, NULL);
	assert_non_null(m);
	m->has_delta = true;
	m->delta = (struct delta){ .ratio = (double)NAN,
				   .low = (double)NAN,
				   .high = (double)NAN,
				   .by_difference = true,
				   .difference = 5,
				   .difference_low = 4.5,
				   .difference_high = 6,
				   .noise_floor = (double)NAN,
				   .verdict = VERDICT_REGRESSED };
}

static void assert_refused(const struct buf *text, const char *why)
{
	struct err err = ERR_INIT;
	struct summary s;

	assert_int_equal(summary_decode(text->data, text->len, &s, &err), -1);
	if (!strstr(err.text, why))
		fail_msg("%s", err.text);
}

static void a_difference_stands_where_there_is_no_ratio(void **state)
{
	struct buf one = BUF_INIT, two = BUF_INIT;
	const struct delta *d;
	struct summary s;
	char *at;

	(void)state;
	encode(fill_difference, &one);
	assert_non_null(strstr(one.data, "\"ratio\":null,\"ci\":null,\"difference\":5,"
					 "\"difference_ci\":[4.5,6]"));
	assert_int_equal(summary_decode(one.data, one.len, &s, NULL), 0);
	d = &s.benchmarks[0].metrics[0].delta;
	assert_true(d->by_difference && isnan(d->ratio));
	assert_true(d->difference == 5 && d->difference_low == 4.5 && d->difference_high == 6);
	assert_int_equal(summary_encode(&s, 0, &two, NULL), 0);
	assert_string_equal(one.data, two.data);
	summary_release(&s);
	at = strstr(one.data, "\"ratio\":null");
	memcpy(at, "\"ratio\":1.25", 12);
	assert_refused(&one, "delta.ratio: must be null beside a difference");
	memcpy(at, "\"ratio\":null", 12);
	memcpy(strstr(one.data, "\"difference\":"), "\"otherthing\":", 13);
	assert_refused(&one, "ratio");
	buf_release(&one);
	buf_release(&two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_difference_stands_where_there_is_no_ratio),
		cmocka_unit_test(every_field_is_read_back_to_the_bit),
		cmocka_unit_test(what_is_not_set_is_not_written),
		cmocka_unit_test(work_that_was_not_counted_is_null),
		cmocka_unit_test(each_fault_names_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
