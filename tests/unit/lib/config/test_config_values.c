/* What each value may look like, and what is said of one that may not. */
#include "tests/unit/test_git_fixture.h"

#include "lib/config/config.h"
#include "lib/config/nearest.h"
#include "lib/config/values.h"

#include "lib/base/banned.h"

static struct config c;

static int begin(void **state)
{
	(void)state;
	config_init(&c);
	return 0;
}

static int end(void **state)
{
	(void)state;
	config_release(&c);
	return 0;
}

static void accepts(const char *key, const char *value)
{
	struct err err = ERR_INIT;

	if (config_set(&c, key, value, "--option", &err))
		fail_msg("%s", err.text);
}

/* The fault is "--option: TEXT" with that hint. */
static void refuses(const char *key, const char *value, const char *text, const char *hint)
{
	struct err err = ERR_INIT;
	char want[1024];

	if (!config_set(&c, key, value, "--option", &err))
		fail_msg("accepted: %s = %s", key, value);
	snprintf(want, sizeof(want), "--option: %s", text);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(err.text, want);
	assert_string_equal(err.hint, hint);
}

/* Each value, with "bad value 'VALUE' for 'KEY': EXPECTED". */
static void refuses_each(const char *key, const char *const *wrong, size_t n, const char *expected,
			 const char *hint)
{
	char text[256];
	size_t i;

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "bad value '%s' for '%s': %s", wrong[i], key,
			 expected);
		refuses(key, wrong[i], text, hint);
	}
}

static void built_in_values_are_those_of_the_manual(void **state)
{
	(void)state;
	assert_int_equal(c.runs_min, 12);
	assert_int_equal(c.runs_max, 400);
	assert_false(c.runs_given);
	assert_true(c.threshold == 0.01);
	assert_true(c.confidence == 0.95);
	assert_int_equal(c.min_time_ns, 250000000);
	assert_int_equal(c.cache_bytes, 1073741824);
	assert_int_equal(c.build_timeout_ns, UINT64_C(1800000000000));
	assert_false(c.seed_given);
	assert_null(c.server);
	assert_null(c.token);
	assert_false(c.insecure_http);
	assert_int_equal(c.n_benchmarks, 0);
}

static void runs_are_one_number_or_two(void **state)
{
	static const char *const wrong[] = { "1",
					     "0",
					     "1001",
					     "2..1001",
					     "1..5",
					     "..5",
					     "5..",
					     "..",
					     "",
					     "a",
					     "-5",
					     "5...9",
					     "5..9..12",
					     "5 ..9",
					     "20-30",
					     "1e2",
					     "00000000000000000002..5" };

	(void)state;
	accepts("runs", "2..1000");
	assert_int_equal(c.runs_min, 2);
	assert_int_equal(c.runs_max, 1000);
	accepts("runs", "25");
	assert_int_equal(c.runs_min, 25);
	assert_int_equal(c.runs_max, 25);
	refuses_each("runs", wrong, sizeof(wrong) / sizeof(wrong[0]),
		     "expected FEWEST..MOST or one number, from 2 to 1000",
		     "for example: runs = 12..200");
	refuses("runs", "30..20",
		"bad value '30..20' for 'runs': expected the fewest runs first, then the most",
		"for example: runs = 12..200");
	assert_int_equal(c.runs_min, 25);
	assert_int_equal(c.runs_max, 25);
}

static void threshold_is_above_0_and_at_most_1(void **state)
{
	static const char *const wrong[] = { "0", "0%", "-1%", "1.01", "101%", "nan", "inf", "" };

	(void)state;
	accepts("threshold", "2%");
	assert_true(c.threshold == 0.02);
	accepts("threshold", "1");
	accepts("threshold", "0.001");
	refuses_each("threshold", wrong, sizeof(wrong) / sizeof(wrong[0]),
		     "expected a share above 0 and up to 100%", "for example: threshold = 2%");
	assert_true(c.threshold == 0.001);
}

static void confidence_lies_between_one_half_and_one(void **state)
{
	static const char *const wrong[] = { "0.5", "1", "95" };

	(void)state;
	accepts("confidence", "0.99");
	assert_true(c.confidence == 0.99);
	accepts("confidence", "95%");
	assert_true(c.confidence == 0.95);
	refuses_each("confidence", wrong, sizeof(wrong) / sizeof(wrong[0]),
		     "expected a share between 50% and 100%", "for example: confidence = 0.95");
}

static void times_have_units_and_bounds(void **state)
{
	(void)state;
	accepts("minTime", "1ms");
	assert_int_equal(c.min_time_ns, 1000000);
	accepts("minTime", "60s");
	refuses("minTime", "999us",
		"bad value '999us' for 'minTime': expected a time from 1.00 ms to 60.0 s",
		"for example: minTime = 250ms");
	refuses("minTime", "61s",
		"bad value '61s' for 'minTime': expected a time from 1.00 ms to 60.0 s",
		"for example: minTime = 250ms");
	refuses("minTime", "2 parsecs",
		"bad value '2 parsecs' for 'minTime': expected a time from 1.00 ms to 60.0 s",
		"for example: minTime = 250ms");
	accepts("buildTimeout", "2h");
	assert_int_equal(c.build_timeout_ns, UINT64_C(7200000000000));
	refuses("buildTimeout", "0",
		"bad value '0' for 'buildTimeout': expected a time from 1.00 s to 86400 s",
		"for example: buildTimeout = 30m");
}

static void sizes_seeds_and_switches_are_checked(void **state)
{
	(void)state;
	accepts("layouts", "auto");
	accepts("layouts", "off");
	accepts("layouts", "32");
	accepts("submodules", "yes");
	accepts("cacheSize", "2G");
	assert_int_equal(c.cache_bytes, UINT64_C(2) << 30);
	accepts("cachesize", "0");
	refuses("layouts", "1",
		"bad value '1' for 'layouts': expected auto, off or a number from 2 to 32",
		"for example: layouts = auto");
	refuses("layouts", "on",
		"bad value 'on' for 'layouts': expected auto, off or a number from 2 to 32",
		"for example: layouts = auto");
	refuses("cacheSize", "much",
		"bad value 'much' for 'cacheSize': expected a size such as 512M or 2G",
		"for example: cacheSize = 1G");
	accepts("seed", "18446744073709551615");
	assert_true(c.seed_given);
	assert_true(c.seed == UINT64_MAX);
	refuses("seed", "18446744073709551616",
		"bad value '18446744073709551616' for 'seed': expected a whole number from 0 to "
		"2^64 - 1",
		"for example: seed = 7");
	accepts("requirePush", "yes");
	assert_true(c.require_push);
	refuses("requirePush", "maybe",
		"bad value 'maybe' for 'requirePush': expected true or false",
		"for example: requirePush = false");
}

static void server_is_a_plain_web_address(void **state)
{
	static const struct {
		const char *value, *why;
	} cases[] = {
		{ "ftp://example.org", "expected a URL with http:// or https://" },
		{ "example.org", "expected a URL with http:// or https://" },
		{ "https://", "expected a URL that names a host" },
		{ "https:///path", "expected a URL that names a host" },
		{ "https://:7295", "expected a URL that names a host" },
		{ "https://h/?token=x", "expected a URL without '?' and '#'" },
		{ "https://h/#x", "expected a URL without '?' and '#'" },
		{ "https://h /", "expected a URL without blanks, line ends and characters beyond "
				 "ASCII" },
	};
	char text[512];
	size_t i;

	(void)state;
	accepts("server", "https://pawl.example.org:7295/base//");
	assert_string_equal(c.server, "https://pawl.example.org:7295/base");
	accepts("server", "HTTP://127.0.0.1:7295");
	accepts("server", "https://h/a@b");
	accepts("server", "http://[::1]:7295");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "bad value '%s' for 'server': %s", cases[i].value,
			 cases[i].why);
		refuses("server", cases[i].value, text,
			"for example: server = https://pawl.example.org");
	}
	assert_string_equal(c.server, "http://[::1]:7295");
	accepts("server", "");
	assert_null(c.server);
}

static void line_ends_in_a_server_are_refused(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(config_set(&c, "server", "https://h\r\nX: y", "--server", &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_int_equal(config_set(&c, "server", "https://h\xc3\xa4", "--server", &err), -1);
	assert_null(c.server);
}

static void password_in_a_server_is_refused_and_never_shown(void **state)
{
	(void)state;
	refuses("server", "https://user:hunter2@example.org",
		"bad value for 'server': expected a URL without user and password",
		"set PAWL_TOKEN, or leave the token to git's credential helpers");
	refuses("server", "user:hunter2@example.org",
		"bad value for 'server': expected a URL with http:// or https://",
		"for example: server = https://pawl.example.org");
}

static void token_is_no_option(void **state)
{
	(void)state;
	refuses("token", "hunter2", "'token' is not taken from the command line",
		"everybody on this machine can read it there; set PAWL_TOKEN");
	assert_null(c.token);
}

static void unknown_key_names_the_nearest(void **state)
{
	(void)state;
	refuses("treshold", "1%", "unknown key 'pawl.treshold'", "did you mean 'threshold'?");
	refuses("mintiem", "1s", "unknown key 'pawl.mintiem'", "did you mean 'minTime'?");
	refuses("run", "3", "unknown key 'pawl.run'", "did you mean 'runs'?");
	refuses("zzz", "3", "unknown key 'pawl.zzz'", "pawl-config(5) lists the keys");
	refuses("", "3", "unknown key 'pawl.'", "pawl-config(5) lists the keys");
}

static void project_is_printable(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	accepts("project", "zlib \xc3\xa4");
	assert_string_equal(c.project, "zlib \xc3\xa4");
	assert_int_equal(config_set(&c, "project", "a\x1b[1m", "--project", &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_string_equal(c.project, "zlib \xc3\xa4");
	accepts("project", "");
	assert_null(c.project);
}

static void names_are_1_to_255_bytes_of_printable_utf8(void **state)
{
	char name[258];

	(void)state;
	memset(name, 'a', sizeof(name));
	name[255] = '\0';
	assert_true(name_is_valid(name));
	name[255] = 'a';
	name[256] = '\0';
	assert_false(name_is_valid(name));
	assert_false(name_is_valid(""));
	assert_true(name_is_valid("deflate/6 \xe2\x82\xac"));
	assert_false(name_is_valid("\xff"));
	assert_false(name_is_valid("a\nb"));
	assert_false(name_is_valid("a\x7f"));
	assert_false(name_is_valid("a\xc2\x9b"
				   "31m"));
	assert_true(name_is_valid("a\xc2\xa0"));
}

static void metric_is_known_or_a_counter_and_no_slip(void **state)
{
	static const char *const good[] = { "wall",	  "peak-rss",	   "page-faults",
					    "cycles",	  "branch-misses", "L1-dcache-load-misses",
					    "my_counter", "allocs/op",	   "cycles:u",
					    "wall_clock" };
	static const char *const bad[] = { "", "two words", "7up", "-x", "a\xff" };
	static const struct {
		const char *value, *meant;
	} slips[] = { { "wal", "wall" },
		      { "Wall", "wall" },
		      { "cpus", "cpu" },
		      { "peak_rss", "peak-rss" },
		      { "cylces", "cycles" } };
	char *slot = NULL, hint[64];
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(value_metric(good[i], &slot, NULL), 0);
		assert_string_equal(slot, good[i]);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(value_metric(bad[i], &slot, NULL), -1);
	for (i = 0; i < sizeof(slips) / sizeof(slips[0]); i++) {
		err_clear(&err);
		assert_int_equal(value_metric(slips[i].value, &slot, &err), -1);
		snprintf(hint, sizeof(hint), "did you mean '%s'?", slips[i].meant);
		assert_string_equal(err.hint, hint);
	}
	assert_string_equal(slot, "wall_clock");
	free(slot);
}

static void inputs_stay_below_the_top(void **state)
{
	static const char *const bad[] = { "/etc/passwd", "..", "../x", "a/../../x", "a/.." };
	static const char *const good[] = { "x", "a/b", "..x", "a..b/c..", "./x", ".../x" };
	struct strv list = STRV_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(value_input(bad[i], &list, NULL), -1);
	assert_int_equal(list.n, 0);
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(value_input(good[i], &list, NULL), 0);
	assert_int_equal(list.n, 6);
	assert_int_equal(value_input("", &list, NULL), 0);
	assert_int_equal(list.n, 0);
}

#define VALUE_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static void one_word_may_begin_as_another(void **state)
{
	static const char *const known[] = { "go", "google", "junit", "json", "jsonl", NULL };

	(void)state;
	assert_string_equal(nearest_begun("google-benchmark", known), "google");
	assert_string_equal(nearest_begun("JUni", known), "junit");
	assert_null(nearest_begun("jsonl-lines", known)); /* of two */
	assert_null(nearest_begun("gopher", known));
	assert_null(nearest_begun("jun", known));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		VALUE_TEST(built_in_values_are_those_of_the_manual),
		VALUE_TEST(runs_are_one_number_or_two),
		VALUE_TEST(threshold_is_above_0_and_at_most_1),
		VALUE_TEST(confidence_lies_between_one_half_and_one),
		VALUE_TEST(times_have_units_and_bounds),
		VALUE_TEST(sizes_seeds_and_switches_are_checked),
		VALUE_TEST(server_is_a_plain_web_address),
		VALUE_TEST(line_ends_in_a_server_are_refused),
		VALUE_TEST(password_in_a_server_is_refused_and_never_shown),
		VALUE_TEST(token_is_no_option),
		VALUE_TEST(unknown_key_names_the_nearest),
		VALUE_TEST(project_is_printable),
		VALUE_TEST(names_are_1_to_255_bytes_of_printable_utf8),
		VALUE_TEST(metric_is_known_or_a_counter_and_no_slip),
		VALUE_TEST(one_word_may_begin_as_another),
		VALUE_TEST(inputs_stay_below_the_top),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
