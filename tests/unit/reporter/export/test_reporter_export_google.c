/* google-benchmark's JSON, and what pawl reads of its own. */
#include "tests/unit/reporter/export/export_fixture.h"

#include "lib/foreign/foreign.h"

#include "lib/base/banned.h"

static void add(struct bench *b, const char *name, const char *unit, double value)
{
	struct metric *m = bench_add_metric(b, name, unit, BETTER_LOWER, NULL);

	assert_non_null(m);
	assert_int_equal(0, samples_add(&m->samples, &m->n, value, NULL));
}

static double value_of(const struct summary *s, const char *name)
{
	const struct metric *m = bench_find_metric(&s->benchmarks[0], name);

	if (!m)
		fail_msg("no metric '%s'", name);
	assert_int_equal(1, m->n);
	return m->samples[0];
}

/* Exports it, and reads that; s is another one then. */
static void there_and_back(struct summary *s)
{
	char *text = encoded(s, "google");
	const struct foreign_text input = { "in", text, strlen(text), NULL };
	struct err err = ERR_INIT;

	summary_init(s);
	if (foreign_read(&input, NULL, s, &err))
		fail_msg("%s", err.text);
	free(text);
}

/* A "counter." was put in front each time. */
static void names_are_the_same_the_second_time(void **state)
{
	struct summary s;
	struct bench *b;
	int i;

	(void)state;
	fixture_init(&s);
	b = summary_add_bench(&s, "x", NULL);
	assert_non_null(b);
	add(b, "cpu", "ns", 1);
	add(b, "wall", "ns", 2);
	add(b, "peak-rss", "bytes", 3);
	add(b, "counter.cpu", "1", 4);
	add(b, "counter.counter.y", "1", 5);
	add(b, "counter.counter.cpu", "1", 7);
	add(b, "hits", "1", 6);
	for (i = 0; i < 3; i++) {
		there_and_back(&s);
		assert_int_equal(7, s.benchmarks[0].n_metrics);
		assert_true(value_of(&s, "cpu") == 1);
		assert_true(value_of(&s, "wall") == 2);
		assert_true(value_of(&s, "counter.peak-rss") == 3);
		assert_true(value_of(&s, "counter.cpu") == 4);
		assert_true(value_of(&s, "counter.counter.y") == 5);
		assert_true(value_of(&s, "counter.counter.cpu") == 7);
		assert_true(value_of(&s, "hits") == 6);
	}
	summary_release(&s);
}

/* A name twice in an object is whichever its reader likes. */
static void no_two_counters_become_one(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	fixture_init(&s);
	b = summary_add_bench(&s, "x", NULL);
	assert_non_null(b);
	add(b, "cpu", "ns", 1);
	add(b, "peak-rss", "bytes", 3);
	add(b, "counter.peak-rss", "1", 4);
	add(b, "counter.name", "1", 5); /* is no name of pawl, and was not put there */
	there_and_back(&s);
	assert_true(value_of(&s, "counter.peak-rss") == 3);
	assert_true(value_of(&s, "counter.counter.peak-rss") == 4);
	assert_true(value_of(&s, "counter.counter.name") == 5);
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_the_same_the_second_time),
		cmocka_unit_test(no_two_counters_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
