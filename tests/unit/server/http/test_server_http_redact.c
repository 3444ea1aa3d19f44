/* No token gets into a log, however it is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "server/http/redact.h"

#define ID "abcdefghjkmn"
#define SECRET "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE"
#define TOKEN "pawl_s_" ID "_" SECRET

static void gives(const char *text, const char *wanted)
{
	struct buf out = BUF_INIT;

	redact(text, &out);
	assert_string_equal(buf_str(&out), wanted);
	buf_release(&out);
}

static void token_is_replaced_wherever_it_stands(void **state)
{
	(void)state;
	gives("/api/v1/projects/" TOKEN, "/api/v1/projects/pawl_s_***");
	gives("/" TOKEN "/x/" TOKEN "?a", "/pawl_s_***/x/pawl_s_***?a");
	gives(TOKEN, "pawl_s_***");
	gives("/PAWL_S_" ID "_" SECRET, "/pawl_s_***");
	gives("/pawl_s_" ID, "/pawl_s_***");
}

static void encoded_token_is_replaced_too(void **state)
{
	(void)state;
	gives("/a%20b/pawl%5Fs%5F" ID "%5f" SECRET, "/a b/pawl_s_***");
	gives("/%70awl_s_" ID "_%41" SECRET, "/pawl_s_***");
	gives("/pawl%255Fs%255F" ID "%255F" SECRET, "/pawl_s_***");
	gives("/pawl_s_" ID "%5F" SECRET, "/pawl_s_***");
}

static void other_text_stays_as_it_came(void **state)
{
	(void)state;
	gives("", "");
	gives("/api/v1/projects/pawl%20s%zz%", "/api/v1/projects/pawl%20s%zz%");
	gives("/pawl_%00s_x", "/pawl_%00s_x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(token_is_replaced_wherever_it_stands),
		cmocka_unit_test(encoded_token_is_replaced_too),
		cmocka_unit_test(other_text_stays_as_it_came),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
