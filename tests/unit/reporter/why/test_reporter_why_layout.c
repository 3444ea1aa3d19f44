/* What pawl why says where the work is the same and it is known what layouts do. */
#include "tests/unit/profile_fixture.h"
#include "tests/unit/reporter_fixture.h"

#include "lib/record/summary.h"
#include "reporter/why/why.h"

#include "lib/base/banned.h"

static struct profile base, head;
static struct buf out;

static struct why_report same_work(void)
{
	parse("events: Ir\nfn=f\n1 500000\n", &base);
	parse("events: Ir\nfn=f\n1 500000\n", &head);
	return (struct why_report){ .benchmark = "deflate/6",
				    .base = { BASE_COMMIT, NULL, &base },
				    .head = { HEAD_COMMIT, NULL, &head } };
}

static void render_as(const char *format, const struct why_report *why)
{
	buf_reset(&out);
	assert_int_equal(why_render(format, why, NULL, &out, NULL), 0);
}

static int release(void **state)
{
	(void)state;
	profile_release(&base);
	profile_release(&head);
	buf_release(&out);
	return 0;
}

static void has(const char *part)
{
	if (!strstr(buf_str(&out), part))
		fail_msg("without '%s': %s", part, buf_str(&out));
}

/* 16 layouts, of which two differ by up to 2 % in that metric. */
static struct calibrated calibrated_of(const char *metric)
{
	static double none;
	static char name[8];

	snprintf(name, sizeof(name), "%s", metric);
	return (struct calibrated){ .log_ratios = &none,
				    .n_log_ratios = 1,
				    .layouts = { 16, 0.007, 0.005, 0.011, 0.0199, 0.0101 },
				    .layouts_metric = name };
}

/* 1 % slower at the same work, where two layouts differ by up to 2 %; then 5 %. */
static void a_difference_of_layout_alone_is_named(void **state)
{
	struct why_report why = same_work();
	struct calibrated known = calibrated_of("cpu");
	struct summary s;
	struct bench *b;

	(void)state;
	why.known = &known;
	render_as("text", &why);
	has("look at layout, caches, memory; the same code in another place: up to 2.0 % either "
	    "way here, in cpu");
	fixture_init(&s);
	why.counters = b = fixture_judged(&s, "deflate/6", 1.01, 1.005, 1.015, VERDICT_REGRESSED);
	render_as("text", &why);
	has("layout alone can make that difference: the same code in another place: up to 2.0 %");
	render_as("json", &why);
	has("\"layout_floor\": 0.0199,\n  \"layout_metric\": \"cpu\"");
	bench_find_metric(b, b->gate)->delta.ratio = 1.05;
	render_as("text", &why);
	has("look at caches, memory; layout alone makes less: the same code");
	b->layouts.n = 14;
	render_as("text", &why);
	has("14 layouts were measured");
	known.layouts.low = 0;
	b->layouts.n = 0;
	render_as("text", &why);
	has("look at layout, caches, memory; what another place does to the same code is lost in "
	    "noise here: under 3.1 % either way");
	summary_release(&s);
}

/* What was calibrated is wall time, and CPU time decides: of that nothing is known. */
static void what_layouts_do_to_another_metric_is_not_said(void **state)
{
	struct why_report why = same_work();
	struct calibrated known = calibrated_of("wall");
	struct summary s;

	(void)state;
	why.known = &known;
	render_as("text", &why);
	has("up to 2.0 % either way here, in wall");
	fixture_init(&s);
	why.counters = fixture_judged(&s, "deflate/6", 1.01, 1.005, 1.015, VERDICT_REGRESSED);
	assert_string_equal(why.counters->gate, "cpu");
	render_as("text", &why);
	has("look at layout, caches, memory (pawl calibrate finds what layout alone can make)");
	render_as("json", &why);
	has("\"layout_floor\": null,\n  \"layout_metric\": null");
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_difference_of_layout_alone_is_named, release),
		cmocka_unit_test_teardown(what_layouts_do_to_another_metric_is_not_said, release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
