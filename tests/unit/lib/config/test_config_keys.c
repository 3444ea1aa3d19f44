/* The table of keys: names, variables, examples, the page that lists them, slips of the pen. */
#include "tests/unit/test_git_fixture.h"

#include "lib/config/config.h"
#include "lib/config/keys.h"
#include "lib/config/nearest.h"

#include "lib/base/banned.h"

/* Distances by hand: one swap, one letter too many, two letters wrong. */
static void nearest_word_is_the_one_with_fewest_slips(void **state)
{
	static const char *const known[] = { "command", "format", "timeout", NULL };

	(void)state;
	assert_string_equal(nearest("comamnd", known, 1), "command");
	assert_string_equal(nearest("FORMATT", known, 1), "format");
	assert_null(nearest("tameaut", known, 1));
	assert_string_equal(nearest("tameaut", known, 2), "timeout");
	assert_null(nearest("", known, 5));
	assert_string_equal(nearest("", known, 6), "format");
	assert_null(nearest("a word longer than any that is known", known, 100));
}

static void variables_follow_the_names(void **state)
{
	char out[KEY_VARIABLE];

	(void)state;
	assert_string_equal(key_variable(key_find(pawl_keys, "runs"), out), "PAWL_RUNS");
	assert_string_equal(key_variable(key_find(pawl_keys, "MINTIME"), out), "PAWL_MIN_TIME");
	assert_string_equal(key_variable(key_find(pawl_keys, "insecureHttp"), out),
			    "PAWL_INSECURE_HTTP");
}

static void every_key_accepts_its_own_example(void **state)
{
	const struct config_key *key;
	struct err err = ERR_INIT;
	struct config c;

	(void)state;
	config_init(&c);
	for (key = pawl_keys; key->name; key++)
		if (key_set(key, &c, key->example, "example", &err))
			fail_msg("%s", err.text);
	for (key = benchmark_keys; key->name; key++) {
		struct bench_config b = { .name = NULL };

		if (key_set(key, &b, key->example, "example", &err))
			fail_msg("%s", err.text);
		strv_release(&b.command);
		strv_release(&b.inputs);
		free(b.metric);
		free(b.output);
		free(b.prepare);
		free(b.cleanup);
		free(b.input);
		free(b.shell);
		free(b.line);
	}
	config_release(&c);
}

/* tests/run starts the programs at the top of the source tree. */
static void manual_page_names_every_key_and_variable(void **state)
{
	const struct config_key *const tables[] = { pawl_keys, benchmark_keys };
	const struct config_key *key;
	struct buf page = BUF_INIT;
	struct err err = ERR_INIT;
	char want[KEY_VARIABLE + 16];
	size_t i;

	(void)state;
	if (file_read_whole("docs/man/pawl-config.5", 1 << 20, &page, &err))
		fail_msg("%s", err.text);
	for (i = 0; i < 2; i++) {
		for (key = tables[i]; key->name; key++) {
			snprintf(want, sizeof(want), "\n.It Cm %s", key->name);
			if (!strstr(buf_str(&page), want))
				fail_msg("the page has no entry '%s'", key->name);
		}
	}
	for (key = pawl_keys; key->name; key++) {
		snprintf(want, sizeof(want), "\n.Ev ");
		key_variable(key, want + strlen(want));
		if (!strstr(buf_str(&page), want))
			fail_msg("the page has no variable '%s'", want);
	}
	buf_release(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_word_is_the_one_with_fewest_slips),
		cmocka_unit_test(variables_follow_the_names),
		cmocka_unit_test(every_key_accepts_its_own_example),
		cmocka_unit_test(manual_page_names_every_key_and_variable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
