/* The files of a static site: a name of its own for every benchmark, whatever it is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lib/base/strv.h"
#include "reporter/trend/site.h"

#include "lib/base/banned.h"

static struct buf page;

static const char *page_of(const char *name)
{
	buf_reset(&page);
	assert_int_equal(0, site_page(name, &page, NULL));
	return buf_str(&page);
}

static void plain_names_stay_as_they_are(void **state)
{
	(void)state;
	assert_string_equal("b-deflate-6.5+x.html", page_of("deflate-6.5+x"));
	buf_release(&page);
}

static void all_other_bytes_are_written_out(void **state)
{
	(void)state;
	assert_string_equal("b-a_2F..._2Fb.html", page_of("a/.../b"));
	assert_string_equal("b-_22_3C_C3_A4.html", page_of("\"<\xc3\xa4"));
	buf_release(&page);
}

static void two_names_never_share_a_page(void **state)
{
	char first[300], second[300];
	char *one;

	(void)state;
	one = str_dup(page_of("a/b"), NULL);
	assert_string_not_equal(one, page_of("a_2Fb"));
	str_set(&one, NULL, NULL);
	/* alike as far as a file's name can hold them */
	memset(first, 'x', sizeof(first));
	first[255] = '\0';
	memcpy(second, first, sizeof(first));
	second[254] = 'y';
	one = str_dup(page_of(first), NULL);
	assert_true(strlen(one) < 200);
	assert_string_not_equal(one, page_of(second));
	/* and what a long one is cut to is no short one's */
	second[120] = '\0';
	assert_string_not_equal(one, page_of(second));
	str_set(&one, NULL, NULL);
	buf_release(&page);
}

static void an_empty_set_is_a_page(void **state)
{
	struct trend_set none = TREND_SET_INIT;
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(0, site_index(&none, "<p>", false, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "<h1>&lt;p&gt;</h1>"));
	assert_null(strstr(buf_str(&out), SITE_NEWEST));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_names_stay_as_they_are),
		cmocka_unit_test(all_other_bytes_are_written_out),
		cmocka_unit_test(two_names_never_share_a_page),
		cmocka_unit_test(an_empty_set_is_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
