/* The header that leads to the next page, whatever the address was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "server/http/link.h"

static void leads(const char *target, const char *wanted)
{
	struct buf out = BUF_INIT;

	link_next(target, "c0", &out);
	assert_string_equal(buf_str(&out), wanted);
	buf_release(&out);
}

static void it_is_the_same_address_with_the_cursor(void **state)
{
	(void)state;
	leads("/a", "</a?cursor=c0>; rel=\"next\"");
	leads("/a?b=1&c=%3F", "</a?b=1&c=%3F&cursor=c0>; rel=\"next\"");
}

static void an_older_cursor_goes(void **state)
{
	(void)state;
	leads("/a?cursor=b0&b=1", "</a?b=1&cursor=c0>; rel=\"next\"");
	leads("/a?cursors=1&cursor=b0&&", "</a?cursors=1&cursor=c0>; rel=\"next\"");
}

static void nothing_in_it_ends_the_header(void **state)
{
	(void)state;
	leads("/a<>?b=\"\r\n\xc3\xa9", "</a%3C%3E?b=%22%0D%0A%C3%A9&cursor=c0>; rel=\"next\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_same_address_with_the_cursor),
		cmocka_unit_test(an_older_cursor_goes),
		cmocka_unit_test(nothing_in_it_ends_the_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
