/* What a comparison of two builds adds to the text: output, acceptance, class, looks, floor. */
#include "tests/unit/reporter/render_fixture.h"

#include "reporter/judge/effect.h"

#include "reporter/parts/context.h"

#include "lib/base/banned.h"

#define SLOWER 1.034, 1.021, 1.047, VERDICT_REGRESSED
#define FASTER 0.966, 0.953, 0.979, VERDICT_IMPROVED
#define UNCHANGED 1.001, 0.995, 1.006, VERDICT_UNCHANGED

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' in:\n%s", part, text);
}

static void set_work(struct bench *b, double head, double base)
{
	b->work.head = head;
	b->work.base = base;
	assert_int_equal(0, str_set(&b->work.how, "valgrind", NULL));
}

static void accept_it(struct bench *b, const char *because)
{
	assert_int_equal(0, str_set(&b->accepted.commit, HEAD_COMMIT, NULL));
	assert_int_equal(0, str_set(&b->accepted.because, because, NULL));
}

/* Expected texts stand as they are printed, however wide. */
/* clang-format off */

static void another_output_cannot_be_missed(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	assert_int_equal(0, str_set(&s.baseline.how, "rebuilt", NULL));
	fixture_judged(&s, "deflate", FASTER)->output = OUTPUT_DIFFERS;
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, both built and run side by side\n"
		  "\n"
		  "  benchmark     base    head    delta        interval  verdict                   detectable\n"
		  "✓ deflate    1.00 ms  966 us  -3.40 %  [-4.7, -2.1] %  improved, output differs       0.8 %\n"
		  "    its output differs from that of the base: the two sides give different answers\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "\n"
		  "deflate improved: it is 3.4 % faster [2.1, 4.7] than 0f1e2d3, but its output differs.\n");
}

static void an_accepted_regression_says_why(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	accept_it(fixture_judged(&s, "deflate", SLOWER), "the checksum is worth it");
	fixture_judged(&s, "inflate", UNCHANGED);
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark     base     head    delta          interval  verdict              detectable\n"
		  "✗ deflate    1.00 ms  1.03 ms  +3.40 %    [+2.1, +4.7] %  regressed, accepted       0.8 %\n"
		  "    accepted in a1b2c3d: the checksum is worth it\n"
		  "= inflate    1.00 ms  1.00 ms  +0.10 %  [-0.50, +0.60] %  unchanged                 0.8 %\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "\n"
		  "1 of 2 benchmarks regressed, accepted: deflate is 3.4 % slower [2.1, 4.7] than 0f1e2d3 (the checksum is worth it); 1 unchanged.\n");
}

/* clang-format on */

static void a_regression_that_nobody_accepted_comes_first(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	accept_it(fixture_judged(&s, "a", 1.5, 1.4, 1.6, VERDICT_REGRESSED), "x");
	fixture_judged(&s, "b", SLOWER);
	text = rendered(&s, "text", &opt);
	has(text, "1 of 2 benchmarks regressed: b is 3.4 % slower");
	has(text, "; 1 accepted.");
	assert_true(strstr(text, " b  ") < strstr(text, " a  "));
	free(text);
}

static void several_other_outputs_are_counted(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", UNCHANGED)->output = OUTPUT_DIFFERS;
	fixture_judged(&s, "b", UNCHANGED)->output = OUTPUT_DIFFERS;
	fixture_judged(&s, "c", UNCHANGED)->output = OUTPUT_SAME;
	text = rendered(&s, "text", &opt);
	has(text, "; but the output of 2 benchmarks differs, among them a.");
	assert_int_equal(2, count(text, "unchanged, output differs"));
	free(text);
	fixture_init(&s);
	fixture_judged(&s, "a", UNCHANGED)->output = OUTPUT_VARIES;
	fixture_judged(&s, "b", UNCHANGED)->output = OUTPUT_SAME;
	text = rendered(&s, "text", &opt);
	has_not(text, "output");
	free(text);
}

static void time_and_work_name_the_class(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	set_work(fixture_judged(&s, "a", SLOWER), 1050, 1000);
	set_work(fixture_judged(&s, "b", SLOWER), 1000.9, 1000);
	set_work(fixture_judged(&s, "c", UNCHANGED), 1050, 1000);
	fixture_judged(&s, "d", SLOWER);
	text = rendered(&s, "text", &opt);
	has(text, "    more work and slower\n");
	has(text, "    same work, slower (layout, cache, memory)\n");
	has(text, "    more work, not slower\n");
	assert_int_equal(3, count(text, "work"));
	free(text);
	fixture_init(&s);
	set_work(fixture_judged(&s, "a", SLOWER), 1050, 1000);
	text = rendered(&s, "markdown", &opt);
	has(text, "| regressed: more work and slower |");
	free(text);
}

static void every_class_has_its_phrase(void **state)
{
	(void)state;
	assert_string_equal("less work and faster", effect_phrase(VERDICT_IMPROVED, WORK_LESS));
	assert_string_equal("same work, faster (layout, cache, memory)",
			    effect_phrase(VERDICT_IMPROVED, WORK_SAME));
	assert_string_equal("more work, time undecided",
			    effect_phrase(VERDICT_INCONCLUSIVE, WORK_MORE));
	assert_null(effect_phrase(VERDICT_UNCHANGED, WORK_SAME));
	assert_null(effect_phrase(VERDICT_REGRESSED, WORK_UNKNOWN));
	assert_null(effect_phrase(VERDICT_IDENTICAL, WORK_MORE));
	assert_null(effect_phrase(VERDICT_FAILED, WORK_MORE));
}

static void the_work_is_counted_apart_or_in_the_pairs(void **state)
{
	static const struct {
		double ratio, low, high;
		enum work work;
	} cases[] = {
		{ 1.05, 1.04, 1.06, WORK_MORE },
		{ 0.95, 0.94, 0.96, WORK_LESS },
		{ 1.0005, 1.0004, 1.0006, WORK_SAME },
		{ 1.002, 0.999, 1.004, WORK_SAME },  /* inside the threshold of 1 % */
		{ 1.002, 0.95, 1.06, WORK_UNKNOWN }, /* too wide */
		{ 1.05, (double)NAN, (double)NAN, WORK_UNKNOWN },
	};
	struct summary s;
	struct bench *b;
	struct metric *m;
	size_t i;

	(void)state;
	fixture_init(&s);
	b = fixture_judged(&s, "a", SLOWER);
	b->threshold = 0.01;
	assert_int_equal(WORK_UNKNOWN, work_of(b));
	m = bench_add_metric(b, "instructions", "1", BETTER_LOWER, NULL);
	assert_non_null(m);
	assert_int_equal(WORK_UNKNOWN, work_of(b)); /* absent on this machine */
	assert_int_equal(0, samples_add(&m->samples, &m->n, 1000, NULL));
	m->has_delta = true;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		m->delta.ratio = cases[i].ratio;
		m->delta.low = cases[i].low;
		m->delta.high = cases[i].high;
		assert_int_equal(cases[i].work, work_of(b));
	}
	set_work(b, 900, 1000); /* counted apart: it is exact */
	assert_int_equal(WORK_LESS, work_of(b));
	b->work.base = (double)NAN;
	m->delta.ratio = m->delta.low = m->delta.high = 1.5;
	assert_int_equal(WORK_MORE, work_of(b));
	summary_release(&s);
}

static void verbose_tells_looks_work_and_floor(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	struct bench *b;
	char *text;

	(void)state;
	fixture_init(&s);
	b = fixture_judged(&s, "a", SLOWER);
	b->looks = (struct looks){ { 3, 25, 30 }, 3 };
	b->output = OUTPUT_SAME;
	b->pairs_ran = PAIRS_RAN_AT_ONCE;
	b->calibration = (struct calibration){ 20, 1, 0.004, 0, { .n = 0 } };
	b->calibration.layouts =
		(struct layout_calibration){ 16, 0.007, 0.005, 0.011, 0.0199, 0.0101 };
	set_work(b, 1050, 1000);
	opt.verbose = true;
	text = rendered(&s, "text", &opt);
	has(text, "the same code in another place: up to 2.0 % either way here\n");
	has(text, "decision points, in pairs: 3, 25, 30\n");
	has(text, "work: 1.00 k -> 1.05 k instructions by valgrind, +5.00 %\n");
	has(text, "identical code differed by up to 0.4 % here: 20 comparisons, 1 called\n");
	has(text, "its output is the same on both sides\n");
	has(text, "both sides ran at once on one processor: their CPU time scattered less so\n");
	has(text, "identical code differed by up to 0.4 % here (a); 1 of 20 such comparisons "
		  "were called\n");
	has_not(text, "stopped at pair");
	free(text);
}

static void by_how_much_few_comparisons_differed_is_not_said(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", SLOWER)->calibration =
		(struct calibration){ 2, 0, 0, 0, { .n = 0 } };
	opt.verbose = true;
	text = rendered(&s, "text", &opt);
	has(text, "identical code here: 2 comparisons, 0 called\n");
	has(text, "identical code here: 0 of 2 such comparisons were called\n");
	has_not(text, "differed by up to");
	free(text);
}

static void set_layouts(struct bench *b, size_t n, double floor, const char *why)
{
	b->layouts.n = n;
	b->layouts.between = floor > 0 ? 1.6e-5 : 0;
	b->layouts.within = 9e-6;
	b->layouts.floor = floor;
	assert_int_equal(0, str_set(&b->layouts.why, why, NULL));
}

static void layouts_are_told_once_and_their_floor_when_verbose(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	struct bench *script;
	char *text;

	(void)state;
	fixture_init(&s);
	set_layouts(fixture_judged(&s, "a", SLOWER), 24, 0.0079, NULL);
	set_layouts(fixture_judged(&s, "b", UNCHANGED), 14, 0, NULL);
	set_layouts(fixture_judged(&s, "c", UNCHANGED), 0, (double)NAN, "no record");
	set_layouts(fixture_judged(&s, "d", UNCHANGED), 0, (double)NAN, "no record");
	script = fixture_judged(&s, "e", UNCHANGED);
	set_layouts(script, 0, (double)NAN, "a script");
	assert_int_equal(0, str_set(&s.benchmarks[2].binary_id, "00", NULL));
	assert_int_equal(0, str_set(&s.benchmarks[3].binary_id, "00", NULL));
	assert_int_equal(0, str_set(&s.benchmarks[4].binary_id, NULL, NULL));
	text = rendered(&s, "markdown", &opt);
	has(text, "layouts: 14 to 24, drawn for the pairs");
	has(text, "layouts: 1 of c and 1 more");
	has_not(text, "a script");
	has_not(text, "in another place");
	free(text);
	fixture_init(&s);
	set_layouts(fixture_judged(&s, "a", SLOWER), 24, 0.0079, NULL);
	set_layouts(fixture_judged(&s, "b", UNCHANGED), 24, 0, NULL);
	set_layouts(fixture_judged(&s, "e", UNCHANGED), 0, (double)NAN, "a script");
	opt.verbose = true;
	text = rendered(&s, "text", &opt);
	has(text, "layouts: 24, drawn for the pairs\n");
	has(text, "layouts: 1 of e (a script)\n");
	has(text, "other layouts moved the change by up to 0.8 %; standard deviation of layouts "
		  "0.40 %, of pairs of one 0.30 %\n");
	has(text, "layouts did not move the change; standard deviation of pairs 0.30 %\n");
	free(text);
}

static void what_ran_out_of_time_says_so(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	s.settings.measured_identical = true;
	fixture_judged(&s, "a", UNCHANGED)->looks = (struct looks){ { 12, 17, 30 }, 3 };
	text = rendered(&s, "text", &opt);
	has(text, "    stopped at pair 3; the first decision point is 12\n");
	has(text, "identical code was measured on purpose");
	free(text);
}

static void hostile_reasons_are_shown_and_not_obeyed(void **state)
{
	static const char *const formats[] = { "text", "markdown" };
	struct render_options opt = wide(0);
	struct summary s;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct bench *b;
		char *text;

		fixture_init(&s);
		b = fixture_judged(&s, "a\n::error::n", SLOWER);
		accept_it(b, "b\n::error::x\x1b[31m</pre><img src=x>");
		b->calibration = (struct calibration){ 1, 0, 0.1, 0, { .n = 0 } };
		assert_int_equal(0, str_set(&b->work.reason, "no\n::error::y\x1b[0m", NULL));
		text = rendered(&s, formats[i], &opt);
		has_not(text, "\n::error::");
		has_not(text, "\x1b");
		if (i)
			has_not(text, "<img");
		free(text);
	}
}

/* Of a benchmark that the base does not have, nobody knows whether its code is the same. */
static void a_baseline_of_the_same_code_is_one_of_all(void **state)
{
	struct buf text = BUF_INIT;
	struct summary s;
	struct bench *b;

	(void)state;
	summary_init(&s);
	assert_int_equal(0, str_set(&s.baseline.commit, "0123456789abcdef", NULL));
	assert_int_equal(0, str_set(&s.baseline.how, "identical", NULL));
	b = summary_add_bench(&s, "new", NULL);
	assert_non_null(b);
	b->is_new = true;
	context_baseline(&s, &text);
	assert_non_null(strstr(buf_str(&text), ", not run where the code is the same"));
	s.n_benchmarks = 0;
	buf_reset(&text);
	context_baseline(&s, &text);
	assert_non_null(strstr(buf_str(&text), ", the same code, not run"));
	s.n_benchmarks = 1;
	buf_release(&text);
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_baseline_of_the_same_code_is_one_of_all),
		cmocka_unit_test(another_output_cannot_be_missed),
		cmocka_unit_test(an_accepted_regression_says_why),
		cmocka_unit_test(a_regression_that_nobody_accepted_comes_first),
		cmocka_unit_test(several_other_outputs_are_counted),
		cmocka_unit_test(time_and_work_name_the_class),
		cmocka_unit_test(every_class_has_its_phrase),
		cmocka_unit_test(the_work_is_counted_apart_or_in_the_pairs),
		cmocka_unit_test(verbose_tells_looks_work_and_floor),
		cmocka_unit_test(by_how_much_few_comparisons_differed_is_not_said),
		cmocka_unit_test(layouts_are_told_once_and_their_floor_when_verbose),
		cmocka_unit_test(what_ran_out_of_time_says_so),
		cmocka_unit_test(hostile_reasons_are_shown_and_not_obeyed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
