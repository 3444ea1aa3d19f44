/* Which proxy is told for an address, and that its password is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reporter/deliver/proxy.h"

#include "lib/base/banned.h"

static char told[64];

static int forget(void **state)
{
	static const char *const names[] = { "http_proxy",  "HTTP_PROXY", "https_proxy",
					     "HTTPS_PROXY", "all_proxy",  "ALL_PROXY" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	memset(told, 0, sizeof(told));
	return 0;
}

/* The variable, "" for none. */
static const char *asked_for(const char *address)
{
	struct url url;
	const char *name;

	assert_int_equal(url_parse(address, &url, NULL), 0);
	name = proxy_of(&url, told, sizeof(told));
	return name ? name : "";
}

static void the_first_variable_that_is_set_is_told(void **state)
{
	(void)state;
	assert_string_equal(asked_for("https://h"), "");
	setenv("ALL_PROXY", "all:1", 1);
	setenv("https_proxy", "", 1); /* empty: not set */
	assert_string_equal(asked_for("https://h"), "ALL_PROXY");
	assert_string_equal(asked_for("http://h"), "ALL_PROXY");
	assert_string_equal(told, "all:1");
	setenv("https_proxy", "tls:2", 1);
	setenv("http_proxy", "plain:3", 1);
	assert_string_equal(asked_for("https://h"), "https_proxy");
	assert_string_equal(told, "tls:2");
	assert_string_equal(asked_for("http://h"), "http_proxy");
	assert_string_equal(told, "plain:3");
}

/* A web server sets HTTP_PROXY from a header of the request that it serves. */
static void http_in_capitals_is_not_believed(void **state)
{
	(void)state;
	setenv("HTTP_PROXY", "evil:1", 1);
	assert_string_equal(asked_for("http://h"), "");
	assert_string_equal(asked_for("https://h"), "");
	setenv("HTTPS_PROXY", "good:1", 1);
	assert_string_equal(asked_for("https://h"), "HTTPS_PROXY");
}

static void nothing_is_told_for_this_machine(void **state)
{
	(void)state;
	setenv("all_proxy", "all:1", 1);
	assert_string_equal(asked_for("http://localhost:7295"), "");
	assert_string_equal(asked_for("http://127.0.0.1"), "");
	assert_string_equal(asked_for("https://[::1]"), "");
	assert_string_equal(asked_for("https://h"), "all_proxy");
}

static void the_password_is_cut_off_and_signs_of_control_are_harmless(void **state)
{
	(void)state;
	setenv("https_proxy", "http://user:s3cret@in@it@proxy:3128", 1);
	assert_string_equal(asked_for("https://h"), "https_proxy");
	assert_string_equal(told, "proxy:3128");
	setenv("https_proxy", "http://proxy\x1b[31m\n", 1);
	assert_string_equal(asked_for("https://h"), "https_proxy");
	assert_null(strpbrk(told, "\x1b\n"));
	setenv("https_proxy",
	       "http://0123456789012345678901234567890123456789012345678901234567890123456789", 1);
	assert_string_equal(asked_for("https://h"), "https_proxy");
	assert_int_equal(strlen(told), sizeof(told) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_first_variable_that_is_set_is_told, forget),
		cmocka_unit_test_setup(http_in_capitals_is_not_believed, forget),
		cmocka_unit_test_setup(nothing_is_told_for_this_machine, forget),
		cmocka_unit_test_setup(the_password_is_cut_off_and_signs_of_control_are_harmless,
				       forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
