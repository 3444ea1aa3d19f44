/* What the text says of the metrics that judge. */
#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

#define UNCHANGED 1.001, 0.995, 1.006, VERDICT_UNCHANGED

static void what_judges_is_told_once_for_each_kind(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	struct bench *b;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", UNCHANGED);
	fixture_judged(&s, "b", UNCHANGED);
	b = fixture_judged(&s, "c", UNCHANGED);
	b->paired = false;
	assert_int_equal(0, str_set(&b->metrics[0].name, "wall", NULL));
	assert_int_equal(0, str_set(&b->gate, "wall", NULL));
	b = fixture_judged(&s, "d", UNCHANGED);
	assert_int_equal(0, str_set(&b->metrics[0].name, "instructions", NULL));
	assert_int_equal(0, str_set(&b->gate, "instructions", NULL));
	text = rendered(&s, "text", &opt);
	assert_non_null(strstr(
		text,
		"\njudged by cpu time or wall time or instructions: base and head are medians\n"));
	free(text);
}

static void of_many_metrics_that_judge_some_are_named(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char name[2] = "a", *text;

	(void)state;
	fixture_init(&s);
	for (; *name <= 'j'; (*name)++) {
		struct bench *b = fixture_judged(&s, name, UNCHANGED);

		assert_int_equal(0, str_set(&b->metrics[0].name, name, NULL));
		assert_int_equal(0, str_set(&b->gate, name, NULL));
	}
	text = rendered(&s, "text", &opt);
	assert_non_null(strstr(
		text, "judged by a or b or c or d or e or f or g or h or 2 more: base and head"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_judges_is_told_once_for_each_kind),
		cmocka_unit_test(of_many_metrics_that_judge_some_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
