/* Which recorded causes stood out in the pairs that lie far off the others. */
#include "tests/unit/reporter/render_fixture.h"

#include "reporter/judge/disturbed.h"

#include "lib/base/banned.h"

#define PAIRS 12

static struct summary s;
static struct bench *bench;

/* Twelve pairs whose ratios lie between -0.003 and 0.003, but 9, 10 and 11, which are at 0.5. */
static int begin(void **state)
{
	struct metric *m;
	int i;

	(void)state;
	summary_init(&s);
	bench = summary_add_bench(&s, "x", NULL);
	m = bench ? bench_add_metric(bench, "cpu", "ns", BETTER_LOWER, NULL) : NULL;
	if (!m || str_set(&bench->gate, "cpu", NULL))
		return -1;
	bench->paired = true;
	bench->n_disturbed = 3;
	for (i = 0; i < PAIRS; i++) {
		double d = i >= 9 ? 0.5 : 0.001 * (i % 7 - 3);

		if (samples_add(&m->samples, &m->n, 1000 * exp(d), NULL) ||
		    samples_add(&m->baseline_samples, &m->n_baseline, 1000, NULL))
			return -1;
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	summary_release(&s);
	return 0;
}

/* 1 on each side of every pair, and the given excess on the head of the last three. */
static void record(const char *track, double ninth, double tenth, double eleventh)
{
	struct track *t = bench_add_track(bench, track, NULL);
	double more[PAIRS] = { [9] = ninth, [10] = tenth, [11] = eleventh };
	int i;

	assert_non_null(t);
	for (i = 0; i < PAIRS; i++) {
		assert_int_equal(0, samples_add(&t->head, &t->n_head, 1 + more[i], NULL));
		assert_int_equal(0, samples_add(&t->base, &t->n_base, 1, NULL));
	}
}

static void assert_said(const char *expected)
{
	struct disturbed d = { { 0 }, 0 };
	struct buf text = BUF_INIT;

	assert_int_equal(0, disturbed_add(bench, &d, NULL));
	disturbed_say(&d, &text);
	assert_string_equal(expected, buf_str(&text));
	buf_release(&text);
}

static void causes_are_counted_the_most_frequent_first(void **state)
{
	(void)state;
	record("steal_ticks", 0, 0, 4);
	record("involuntary_switches", 300, 200, 0);
	assert_said(": preempted 2, hypervisor 1");
}

static void a_pair_may_have_two_causes(void **state)
{
	(void)state;
	record("involuntary_switches", 1, 1, 1);
	record("pressure_ns", 1, 1, 1);
	record("frequency_hz", 0, 0, -0.5);
	assert_said(": preempted 3, busy machine 3, frequency 1");
}

static void a_pair_without_a_cause_is_counted_as_such(void **state)
{
	(void)state;
	record("involuntary_switches", 5, 0, 0);
	assert_said(": preempted 1, cause unknown 2");
}

static void what_other_pairs_had_as_much_of_does_not_stand_out(void **state)
{
	(void)state;
	record("steal_ticks", 7, 7, 7);
	bench->tracks[0].base[2] = 9;
	assert_said(": cause unknown 3");
}

static void without_tracks_no_cause_was_seen(void **state)
{
	(void)state;
	assert_said(": cause unknown 3");
}

static void a_track_with_holes_is_not_read(void **state)
{
	(void)state;
	record("steal_ticks", 7, 7, 7);
	bench->tracks[0].n_base--;
	assert_said(": cause unknown 3");
}

static void nothing_is_said_of_other_pairs_than_were_counted(void **state)
{
	(void)state;
	record("steal_ticks", 7, 7, 7);
	bench->n_disturbed = 2;
	assert_said("");
	bench->n_disturbed = 0;
	assert_said("");
}

static void the_remark_under_a_table_names_the_causes(void **state)
{
	struct render_options opt = wide(0);
	struct summary whole;
	struct bench *b;
	struct track *t;
	double *d;
	char *text;
	int i;

	(void)state;
	fixture_init(&whole);
	b = fixture_judged(&whole, "x", 1.0, 0.99, 1.01, VERDICT_UNCHANGED);
	b->paired = true;
	b->n_disturbed = 1;
	while (b->metrics[0].n < PAIRS)
		assert_int_equal(0, samples_add(&b->metrics[0].samples, &b->metrics[0].n, 1, NULL));
	d = b->metrics[0].samples;
	while (b->metrics[0].n_baseline < PAIRS)
		assert_int_equal(0, samples_add(&b->metrics[0].baseline_samples,
						&b->metrics[0].n_baseline, 1, NULL));
	t = bench_add_track(b, "steal_ticks", NULL);
	for (i = 0; i < PAIRS; i++) {
		b->metrics[0].baseline_samples[i] = 1e6;
		d[i] = i ? 1e6 + 100.0 * (i % 5) : 3e6;
		assert_int_equal(0, samples_add(&t->head, &t->n_head, i ? 0 : 3, NULL));
		assert_int_equal(0, samples_add(&t->base, &t->n_base, 0, NULL));
	}
	text = rendered(&whole, "text", &opt);
	assert_non_null(strstr(
		text, "x: 1 of 12 pairs far off the others, counted all the same: hypervisor 1\n"));
	free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(causes_are_counted_the_most_frequent_first),
		TEST(a_pair_may_have_two_causes),
		TEST(a_pair_without_a_cause_is_counted_as_such),
		TEST(what_other_pairs_had_as_much_of_does_not_stand_out),
		TEST(without_tracks_no_cause_was_seen),
		TEST(a_track_with_holes_is_not_read),
		TEST(nothing_is_said_of_other_pairs_than_were_counted),
		cmocka_unit_test(the_remark_under_a_table_names_the_causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
