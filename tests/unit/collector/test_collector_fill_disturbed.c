/* What was recorded around the runs: outputs against each other, tracks, helpers, the warm-up. */
#include "tests/unit/collector/fill_fixture.h"

#include "collector/schedule/fill_runs.h"

#include "lib/base/banned.h"

static void prints(struct run *run, const char *digest)
{
	assert_int_equal(0, str_set(&run->output, digest, NULL));
}

static struct unit *unit_that_prints(const char *head, const char *base)
{
	struct unit *u = add_unit("x");
	size_t i;

	for (i = 0; i < u->n_pairs; i++) {
		prints(&u->pairs[i].head, head);
		prints(&u->pairs[i].base, base);
	}
	return u;
}

static void equal_digests_of_all_runs_are_the_same_output(void **state)
{
	(void)state;
	unit_that_prints("aa", "aa");
	assert_int_equal(OUTPUT_SAME, fill()->output);
}

static void two_constant_outputs_that_differ_are_told(void **state)
{
	(void)state;
	unit_that_prints("aa", "bb");
	assert_int_equal(OUTPUT_DIFFERS, fill()->output);
}

static void an_answer_where_the_other_side_is_silent_differs(void **state)
{
	(void)state;
	unit_that_prints("aa", "");
	assert_int_equal(OUTPUT_DIFFERS, fill()->output);
}

static void one_run_that_prints_otherwise_makes_it_vary(void **state)
{
	struct unit *u = unit_that_prints("aa", "bb");

	(void)state;
	prints(&u->pairs[2].base, "aa");
	assert_int_equal(OUTPUT_VARIES, fill()->output);
}

/* The base may print something else in every run: one pair does not tell. */
static void one_pair_does_not_tell_another_answer_from_one_that_varies(void **state)
{
	struct unit *u = unit_that_prints("aa", "bb");
	size_t n = u->n_pairs;

	(void)state;
	u->n_pairs = 1;
	assert_int_equal(OUTPUT_UNKNOWN, fill()->output);
	u->n_pairs = n; /* all are released */
}

static void one_pair_may_give_the_same_answer(void **state)
{
	struct unit *u = unit_that_prints("aa", "aa");
	size_t n = u->n_pairs;

	(void)state;
	u->n_pairs = 1;
	assert_int_equal(OUTPUT_SAME, fill()->output);
	u->n_pairs = n;
}

static void silence_is_no_answer(void **state)
{
	(void)state;
	unit_that_prints("", "");
	assert_int_equal(OUTPUT_UNKNOWN, fill()->output);
}

static void one_missing_digest_leaves_it_unknown(void **state)
{
	struct unit *u = unit_that_prints("aa", "aa");

	(void)state;
	prints(&u->pairs[1].head, NULL);
	assert_int_equal(OUTPUT_UNKNOWN, fill()->output);
}

static void without_a_base_there_is_nothing_to_hold_it_against(void **state)
{
	struct unit *u = unit_that_prints("aa", "aa");

	(void)state;
	u->has_base = false;
	assert_int_equal(OUTPUT_UNKNOWN, fill()->output);
}

static const struct track *track_of(const struct bench *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->n_tracks; i++)
		if (!strcmp(b->tracks[i].name, name))
			return &b->tracks[i];
	return NULL;
}

static void disturbances_that_all_runs_know_become_tracks(void **state)
{
	struct unit *u = add_unit("x");
	const struct track *t;
	const struct bench *b;
	size_t i;

	(void)state;
	for (i = 0; i < u->n_pairs; i++) {
		u->pairs[i].head.migrations = (double)i;
		u->pairs[i].head.pressure_ns = 1e6 * (double)i;
		u->pairs[i].base.pressure_ns = 5;
		u->pairs[i].base.frequency_hz = 3e9;
		u->pairs[i].head.frequency_hz = i == 1 ? (double)NAN : 3e9;
	}
	b = fill();
	t = track_of(b, "migrations");
	assert_true(t && t->n_head == 3 && t->n_base == 3 && t->head[2] == 2 && t->base[2] == 0);
	t = track_of(b, "pressure_ns");
	assert_true(t && t->head[1] == 1e6 && t->base[1] == 5);
	assert_null(track_of(b, "frequency_hz")); /* one run does not know it */
}

static void helpers_of_any_run_of_either_side_make_the_process_count(void **state)
{
	struct unit *u = add_unit("x");
	const struct metric *m;

	(void)state;
	u->pairs[1].base.process_cpu_ns = 2 * u->pairs[1].base.cpu_ns;
	m = bench_find_metric(fill(), "cpu");
	assert_true(m && m->baseline_samples[1] == 198);
	assert_true(m && m->samples[1] == 119);
}

/* What their process used beyond that is how they waited for each other. */
static void threads_of_the_operation_are_all_in_its_own_time(void **state)
{
	struct unit *u = add_unit("x");
	const struct metric *m;

	(void)state;
	u->pairs[1].base.process_cpu_ns = 2 * u->pairs[1].base.cpu_ns;
	u->pairs[1].base.has_threads = true;
	m = bench_find_metric(fill(), "cpu");
	assert_true(m && m->baseline_samples[1] == 99);
}

static void the_warm_up_is_kept_beside_the_samples(void **state)
{
	struct unit *u = add_unit("x");
	const struct metric *m;
	const struct bench *b;
	const struct track *t;

	(void)state;
	u->has_warm_up = true;
	u->warm_up.head = make_run(500, 400);
	u->warm_up.base = make_run(600, (double)NAN);
	b = fill();
	t = track_of(b, "warm_up.wall");
	assert_true(t && t->n_head == 1 && t->n_base == 1 && t->head[0] == 500 &&
		    t->base[0] == 600);
	assert_null(track_of(b, "warm_up.cpu"));
	m = bench_find_metric(b, "wall");
	assert_true(m && m->n == 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_digests_of_all_runs_are_the_same_output),
		TEST(two_constant_outputs_that_differ_are_told),
		TEST(an_answer_where_the_other_side_is_silent_differs),
		TEST(one_run_that_prints_otherwise_makes_it_vary),
		TEST(one_pair_does_not_tell_another_answer_from_one_that_varies),
		TEST(one_pair_may_give_the_same_answer),
		TEST(silence_is_no_answer),
		TEST(one_missing_digest_leaves_it_unknown),
		TEST(without_a_base_there_is_nothing_to_hold_it_against),
		TEST(disturbances_that_all_runs_know_become_tracks),
		TEST(helpers_of_any_run_of_either_side_make_the_process_count),
		TEST(threads_of_the_operation_are_all_in_its_own_time),
		TEST(the_warm_up_is_kept_beside_the_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
