/* Verdicts of two builds, each in one layout alone: widened where it is known what layouts do. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include <stdio.h>

#include "lib/base/banned.h"

#define ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static struct summary s;

/* +3 % of two builds. */
static struct bench *add_builds(const char *base_id)
{
	struct bench *b = add_change(&s, "x", 3);

	assert_int_equal(0, str_set(&b->binary_id, ID_A "-1", NULL));
	assert_int_equal(0, str_set(&b->base_binary_id, base_id, NULL));
	return b;
}

static int begin(void **state)
{
	(void)state;
	judge_init(&s);
	return 0;
}

static int end(void **state)
{
	(void)state;
	summary_release(&s);
	return 0;
}

static const char *note(void)
{
	const char *text = delta_of(&s, "x")->note;

	return text ? text : "";
}

static void known_layouts(struct bench *b, double scatter)
{
	b->calibration = (struct calibration){ 20, 0, 0.001, 0, { .n = 16 } };
	b->calibration.layouts.scatter = scatter;
	b->calibration.layouts.floor = 2 * scatter;
}

/* Student's t of 15 degrees of freedom at 0.99 is 2.602480: 2.6 % beside which 3 % is nothing. */
static void what_layouts_can_make_is_not_called(void **state)
{
	const struct delta *d;

	(void)state;
	known_layouts(add_builds(ID_B), 0.01);
	judge_well(&s);
	d = delta_of(&s, "x");
	assert_int_equal(d->verdict, VERDICT_INCONCLUSIVE);
	assert_near(log(d->ratio) - 0.0260248, log(d->low), 1e-4);
	assert_near(log(d->ratio) + 0.0260248, log(d->high), 1e-4);
	assert_true(d->noise_floor > 0.03);
	assert_non_null(strstr(note(), "widened by what layouts do here"));
}

static void what_they_cannot_make_is_called(void **state)
{
	(void)state;
	known_layouts(add_builds(ID_B), 0.002);
	judge_well(&s);
	assert_int_equal(verdict_of_bench(&s, "x"), VERDICT_REGRESSED);
	assert_non_null(strstr(note(), "widened by what layouts do here"));
}

static void where_nothing_is_known_a_note_says_so(void **state)
{
	(void)state;
	add_builds(ID_B);
	judge_well(&s);
	assert_int_equal(verdict_of_bench(&s, "x"), VERDICT_REGRESSED);
	assert_non_null(strstr(note(), "part of it may be where the linker put things"));
}

/* The same program with other arguments, or with itself: the layout is the same, too. */
static void the_same_code_has_the_same_layout(void **state)
{
	(void)state;
	known_layouts(add_builds(ID_A "-2"), 0.01);
	judge_well(&s);
	assert_int_equal(verdict_of_bench(&s, "x"), VERDICT_REGRESSED);
	assert_null(strstr(note(), "layout"));
}

static void pairs_that_drew_layouts_stay_as_they_are(void **state)
{
	struct bench *b = add_builds(ID_B);
	struct track *t = bench_add_track(b, SUMMARY_LAYOUTS, NULL);
	int i;

	(void)state;
	assert_non_null(t);
	for (i = 0; i < N_CHANGED; i++)
		assert_int_equal(samples_add(&t->head, &t->n_head, i + 1, NULL), 0);
	known_layouts(b, 0.01);
	judge_well(&s);
	assert_int_equal(verdict_of_bench(&s, "x"), VERDICT_REGRESSED);
	assert_null(strstr(note(), "layout"));
}

/* Of twenty judged together the widened one loses its verdict, and no other. */
static void a_family_takes_the_widened_p(void **state)
{
	char name[16];
	int i;

	(void)state;
	known_layouts(add_builds(ID_B), 0.01);
	for (i = 0; i < 19; i++) {
		snprintf(name, sizeof(name), "y%d", i);
		add_change(&s, name, 3);
	}
	judge_well(&s);
	assert_int_equal(verdict_of_bench(&s, "x"), VERDICT_INCONCLUSIVE);
	assert_int_equal(verdict_of_bench(&s, "y7"), VERDICT_REGRESSED);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_layouts_can_make_is_not_called),
		TEST(what_they_cannot_make_is_called),
		TEST(where_nothing_is_known_a_note_says_so),
		TEST(the_same_code_has_the_same_layout),
		TEST(pairs_that_drew_layouts_stay_as_they_are),
		TEST(a_family_takes_the_widened_p),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
