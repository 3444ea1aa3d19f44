#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/base64.h"

#include "lib/base/banned.h"

static void is_base64(const char *plain, size_t n, bool is_url, const char *expected)
{
	struct buf out = BUF_INIT;

	assert_int_equal(0, base64_add(plain, n, is_url, &out, NULL));
	assert_string_equal(expected, buf_str(&out));
	buf_release(&out);
}

/* The vectors of section 10 of the RFC. */
static void letters_are_those_of_rfc_4648(void **state)
{
	(void)state;
	is_base64("", 0, false, "");
	is_base64("f", 1, false, "Zg==");
	is_base64("fo", 2, false, "Zm8=");
	is_base64("foo", 3, false, "Zm9v");
	is_base64("foob", 4, false, "Zm9vYg==");
	is_base64("fooba", 5, false, "Zm9vYmE=");
	is_base64("foobar", 6, false, "Zm9vYmFy");
}

static void addresses_have_two_letters_of_their_own(void **state)
{
	(void)state;
	is_base64("\xfb\xff", 2, false, "+/8=");
	is_base64("\xfb\xff", 2, true, "-_8=");
}

/* By hand: three NULs are "AAAA"; 48 bytes are encoded at a time. */
static void long_texts_are_one_text(void **state)
{
	static const char nuls[100];
	char expected[137];
	size_t n;

	(void)state;
	memset(expected, 'A', sizeof(expected));
	for (n = 45; n <= 99; n += 3) {
		expected[n / 3 * 4] = '\0';
		is_base64(nuls, n, false, expected);
		expected[n / 3 * 4] = 'A';
	}
	memcpy(expected + 132, "AA==", 5);
	is_base64(nuls, 100, true, expected);
}

static void more_is_added_behind_what_is_there(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	buf_adds(&out, "Basic ");
	assert_int_equal(0, base64_add("foo", 3, false, &out, NULL));
	assert_string_equal("Basic Zm9v", buf_str(&out));
	buf_release(&out);
}

static void each_text_of_bytes_is_the_only_one(void **state)
{
	/* By hand: "A" is 000000, "B" 000001, "_" 111111. */
	static const struct {
		const char *text;
		int n; /* -1: it is none */
	} cases[] = { { "", 0 },      { "Zg", 1 },     { "Zm8", 2 },   { "Zm9v", 3 },
		      { "__-A", 3 },  { "Z", -1 },     { "Zh", -1 },   { "Zm9", -1 },
		      { "Zg==", -1 }, { "Zm 9v", -1 }, { "+/AA", -1 }, { "Zm9vZ", -1 } };
	struct buf out = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&out);
		assert_int_equal(cases[i].n >= 0,
				 base64url_read(cases[i].text, strlen(cases[i].text), &out));
		if (cases[i].n >= 0)
			assert_int_equal(cases[i].n, out.len);
	}
	buf_reset(&out);
	assert_true(base64url_read("Zm9v_-8", 7, &out));
	assert_memory_equal("foo\xff\xef", buf_str(&out), 5);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_are_those_of_rfc_4648),
		cmocka_unit_test(addresses_have_two_letters_of_their_own),
		cmocka_unit_test(long_texts_are_one_text),
		cmocka_unit_test(more_is_added_behind_what_is_there),
		cmocka_unit_test(each_text_of_bytes_is_the_only_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
