/* How often an address may be wrong within a minute, by a clock of our own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "server/http/limit.h"

#define SECOND UINT64_C(1000000000)

/* One more of that address; whether it is within the limit. */
static bool count(struct limit *l, const char *address, uint64_t now_ns)
{
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	bool is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;

	if (!is_v4)
		assert_int_equal(inet_pton(AF_INET6, address, &v6.sin6_addr), 1);
	return limit_count(
		l, is_v4 ? (struct sockaddr *)(void *)&v4 : (struct sockaddr *)(void *)&v6, now_ns);
}

static void ten_within_a_minute_and_no_eleventh(void **state)
{
	struct limit l;
	uint64_t i;

	(void)state;
	limit_init(&l);
	for (i = 0; i < 10; i++)
		assert_true(count(&l, "192.0.2.1", (5 + i) * SECOND));
	assert_false(count(&l, "192.0.2.1", 15 * SECOND));
	assert_false(count(&l, "192.0.2.1", 65 * SECOND - 1));
	limit_release(&l);
}

static void the_next_minute_is_another_one(void **state)
{
	struct limit l;
	int i;

	(void)state;
	limit_init(&l);
	for (i = 0; i < 11; i++)
		count(&l, "192.0.2.1", 5 * SECOND);
	for (i = 0; i < 10; i++)
		assert_true(count(&l, "192.0.2.1", 65 * SECOND));
	assert_false(count(&l, "192.0.2.1", 65 * SECOND));
	limit_release(&l);
}

static void other_addresses_are_counted_apart(void **state)
{
	struct limit l;
	int i;

	(void)state;
	limit_init(&l);
	for (i = 0; i < 11; i++)
		count(&l, "192.0.2.1", 5 * SECOND);
	assert_true(count(&l, "192.0.2.2", 5 * SECOND));
	assert_true(count(&l, "2001:db8::1", 5 * SECOND));
	limit_release(&l);
}

static void a_network_of_ipv6_is_one_address(void **state)
{
	struct limit l;
	int i;

	(void)state;
	limit_init(&l);
	for (i = 0; i < 10; i++)
		assert_true(count(&l, i % 2 ? "2001:db8::1" : "2001:db8::2:3", 5 * SECOND));
	assert_false(count(&l, "2001:db8::ffff", 5 * SECOND));
	assert_true(count(&l, "2001:db8:0:1::1", 5 * SECOND));
	limit_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_within_a_minute_and_no_eleventh),
		cmocka_unit_test(the_next_minute_is_another_one),
		cmocka_unit_test(other_addresses_are_counted_apart),
		cmocka_unit_test(a_network_of_ipv6_is_one_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
