/* Unit tests of lib/net/url.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/net/url.h"

#include "lib/base/banned.h"

static void addresses_are_read_into_their_parts(void **state)
{
	struct url url;
	char text[URL_TEXT];

	(void)state;
	assert_int_equal(url_parse("https://Results.example:8443/team/pawl/", &url, NULL), 0);
	assert_true(url.is_https);
	assert_string_equal(url.host, "Results.example");
	assert_string_equal(url.port, "8443");
	assert_string_equal(url.path, "/team/pawl");
	assert_string_equal(url_print(&url, URL_API, text),
			    "https://Results.example:8443/team/pawl/api/v1/summaries");
	assert_int_equal(url_parse("HTTP://127.0.0.1", &url, NULL), 0);
	assert_false(url.is_https);
	assert_string_equal(url_print(&url, "", text), "http://127.0.0.1");
	assert_int_equal(url_parse("http://[::1]:7295", &url, NULL), 0);
	assert_string_equal(url_print(&url, URL_API, text), "http://[::1]:7295/api/v1/summaries");
}

static void the_path_that_pawl_appends_may_be_there_already(void **state)
{
	struct url url;

	(void)state;
	assert_int_equal(url_parse("https://h/x/api/v1/summaries", &url, NULL), 0);
	assert_string_equal(url.path, "/x");
	assert_int_equal(url_parse("https://h/api/v1/summaries/", &url, NULL), 0);
	assert_string_equal(url.path, "");
	assert_int_equal(url_parse("https://h///", &url, NULL), 0);
	assert_string_equal(url.path, "");
}

static void other_addresses_are_refused_with_a_cure(void **state)
{
	static const char *const bad[] = {
		"",
		"results.example",
		"ftp://h",
		"file:///etc/passwd",
		"https:/h",
		"https://",
		"https:///path",
		"https://-h",
		"https://.h",
		"https://h:",
		"https://h:0",
		"https://h:65536",
		"https://h:99999999999999999999",
		"https://h:80x",
		"https://h?query",
		"https://h/a?b",
		"https://h/a#b",
		"https://h/a b",
		"https://h/a'b",
		"https://h/$(id)",
		"https://h/a;b",
		"https://h/a\nb",
		"https://h\\evil",
		"https://h/\\evil",
		"https://\xc3\xa9",
		"https://[::1",
		"https://[1.2.3.4]",
		"https://[::1]x",
		"https://[]",
		" https://h",
		"gopher://h",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = ERR_INIT;
		struct url url;

		if (!url_parse(bad[i], &url, &err))
			fail_msg("accepted '%s'", bad[i]);
		assert_int_equal(err.code, ERR_CONFIG);
		assert_true(err.hint[0] != '\0');
	}
}

static void a_password_is_refused_and_never_repeated(void **state)
{
	static const char *const bad[] = { "https://user:s3cret@h/x", "https://s3cret@h",
					   "http://127.0.0.1:s3cret@evil.example/" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = ERR_INIT;
		struct url url;

		assert_int_equal(url_parse(bad[i], &url, &err), -1);
		assert_null(strstr(err.text, "s3cret"));
		assert_null(strstr(err.hint, "s3cret"));
		assert_non_null(strstr(err.hint, "PAWL_TOKEN"));
	}
}

static void too_long_an_address_is_refused(void **state)
{
	char text[2000];
	struct url url;

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memcpy(text, "https://", 8);
	assert_int_equal(url_parse(text, &url, NULL), -1);
	text[9] = '/';
	assert_int_equal(url_parse(text, &url, NULL), -1);
	text[9 + 511] = '\0';
	assert_int_equal(url_parse(text, &url, NULL), 0);
}

static bool is_loopback(const char *text)
{
	struct url url;

	assert_int_equal(url_parse(text, &url, NULL), 0);
	return url_is_loopback(&url);
}

static void only_this_machine_is_loopback(void **state)
{
	(void)state;
	assert_true(is_loopback("http://127.0.0.1:7295"));
	assert_true(is_loopback("http://127.255.0.9"));
	assert_true(is_loopback("http://localhost/x"));
	assert_true(is_loopback("http://LOCALHOST"));
	assert_true(is_loopback("http://[::1]"));
	assert_true(is_loopback("http://[0:0:0:0:0:0:0:1]"));
	assert_false(is_loopback("http://127.0.0.1.evil.example"));
	assert_false(is_loopback("http://127.1"));
	assert_false(is_loopback("http://0177.0.0.1"));
	assert_false(is_loopback("http://2130706433"));
	assert_false(is_loopback("http://0.0.0.0"));
	assert_false(is_loopback("http://128.0.0.1"));
	assert_false(is_loopback("http://localhost.evil.example"));
	assert_false(is_loopback("http://[::2]"));
	assert_false(is_loopback("http://[::ffff:127.0.0.1]"));
	assert_false(is_loopback("http://192.168.0.1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_read_into_their_parts),
		cmocka_unit_test(the_path_that_pawl_appends_may_be_there_already),
		cmocka_unit_test(other_addresses_are_refused_with_a_cure),
		cmocka_unit_test(a_password_is_refused_and_never_repeated),
		cmocka_unit_test(too_long_an_address_is_refused),
		cmocka_unit_test(only_this_machine_is_loopback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
