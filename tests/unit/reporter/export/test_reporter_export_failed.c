/* What failed, or was not measured: no tracker is sent its times. */
#include "tests/unit/reporter/export/export_fixture.h"

#include "lib/base/banned.h"

static void what_was_not_measured_is_not_exported(void **state)
{
	static const char *const names[] = { "influx", "bencher", "codespeed",
					     "github-action-benchmark" };
	struct summary s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *text;

		fixture_init(&s);
		fixture_failed(&s, "broken", "no");
		bench_add_metric(&s.benchmarks[0], "cycles", "1", BETTER_LOWER, NULL)->state =
			METRIC_ABSENT;
		text = encoded(&s, names[i]);
		assert_null(strstr(text, "broken"));
		assert_null(strstr(text, "cycles"));
		free(text);
	}
}

/* Failed or out of time, with the samples that it had until then. */
static void add_unfinished(struct summary *s, enum bench_status status)
{
	struct bench *b;

	fixture_init(s);
	b = fixture_judged(s, "unfinished", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	b->status = status;
	if (status == BENCH_FAILED)
		assert_int_equal(0, str_set(&b->detail, "3 of 3 runs failed", NULL));
}

/* hyperfine -i goes on after a command that failed: its times came out as good values. */
static void the_times_of_what_failed_are_not_exported(void **state)
{
	static const char *const names[] = { "influx", "bencher", "codespeed", "benchstat",
					     "github-action-benchmark" };
	enum bench_status status = BENCH_FAILED;
	struct summary s;
	char *text;
	size_t i;

	(void)state;
	for (; status <= BENCH_TIMEOUT; status++) {
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			add_unfinished(&s, status);
			text = encoded(&s, names[i]);
			assert_null(strstr(text, "nfinished"));
			free(text);
		}
		add_unfinished(&s, status);
		text = encoded(&s, "lnt");
		has(text, "\"execution_status\": 1");
		assert_null(strstr(text, "execution_time"));
		free(text);
		add_unfinished(&s, status);
		text = encoded(&s, "pushgateway");
		has(text, "verdict=\"failed\"} 1");
		assert_null(strstr(text, "side=\"head\""));
		free(text);
	}
}

static void google_is_told_of_a_failure(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	add_unfinished(&s, BENCH_FAILED);
	text = encoded(&s, "google");
	has(text, "\"name\": \"unfinished\"");
	has(text, "\"error_occurred\": true");
	has(text, "\"error_message\": \"3 of 3 runs failed\"");
	has(text, "\"real_time\": 0");
	assert_int_equal(1, count(text, "\"real_time\""));
	free(text);
	add_unfinished(&s, BENCH_TIMEOUT);
	text = encoded(&s, "google");
	has(text, "\"error_message\": \"did not end in time\"");
	free(text);
}

/* No tracker is sent the change of what failed either, whatever its base was. */
static void the_change_of_what_failed_is_not_exported(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "moved", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	text = encoded(&s, "pushgateway");
	has(text, "pawl_change_ratio{benchmark=\"moved\"");
	free(text);
	add_unfinished(&s, BENCH_FAILED);
	text = encoded(&s, "pushgateway");
	has(text, "verdict=\"failed\"} 1");
	assert_null(strstr(text, "pawl_change"));
	assert_null(strstr(text, "metric="));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_not_measured_is_not_exported),
		cmocka_unit_test(the_times_of_what_failed_are_not_exported),
		cmocka_unit_test(google_is_told_of_a_failure),
		cmocka_unit_test(the_change_of_what_failed_is_not_exported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
