/* Blocks: IANA's IPv4 and IPv6 special-purpose address registries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "lib/net/private.h"

/* The address that text is, in *out. */
static const struct sockaddr *read(const char *text, struct sockaddr_storage *out)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)(void *)out;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)(void *)out;

	memset(out, 0, sizeof(*out));
	out->ss_family = strchr(text, ':') ? AF_INET6 : AF_INET;
	if (out->ss_family == AF_INET)
		assert_int_equal(inet_pton(AF_INET, text, &v4->sin_addr), 1);
	else
		assert_int_equal(inet_pton(AF_INET6, text, &v6->sin6_addr), 1);
	return (const struct sockaddr *)(const void *)out;
}

static void expect(const char *const *texts, bool is_private)
{
	struct sockaddr_storage address;

	for (; *texts; texts++)
		if (address_is_private(read(*texts, &address)) != is_private)
			fail_msg("%s is %sprivate", *texts, is_private ? "not " : "");
}

static void addresses_of_machines_and_their_networks_are_private(void **state)
{
	static const char *const texts[] = { "127.0.0.1",
					     "127.255.255.255",
					     "0.0.0.0",
					     "10.0.0.1",
					     "10.255.255.255",
					     "100.64.0.1",
					     "100.127.255.255",
					     "169.254.169.254",
					     "172.16.0.1",
					     "172.31.255.255",
					     "192.0.0.1",
					     "192.168.1.1",
					     "198.18.0.1",
					     "198.19.255.255",
					     "224.0.0.1",
					     "255.255.255.255",
					     "::",
					     "::1",
					     "fe80::1",
					     "fec0::1",
					     "fc00::1",
					     "fdff::1",
					     "ff02::1",
					     NULL };

	(void)state;
	expect(texts, true);
}

static void private_addresses_in_disguise_are_private(void **state)
{
	static const char *const texts[] = { "::ffff:127.0.0.1",
					     "::127.0.0.1",
					     "::ffff:10.1.2.3",
					     "64:ff9b::192.168.0.1",
					     "64:ff9b:1::1.1.1.1",
					     "2002:7f00:1::",
					     "2002:a00:1::",
					     "2001::1",
					     NULL };

	(void)state;
	expect(texts, true);
}

static void addresses_of_others_are_not(void **state)
{
	static const char *const texts[] = { "1.1.1.1",
					     "9.255.255.255",
					     "11.0.0.0",
					     "100.63.255.255",
					     "100.128.0.0",
					     "126.255.255.255",
					     "128.0.0.0",
					     "172.15.255.255",
					     "172.32.0.0",
					     "192.0.1.0",
					     "198.17.255.255",
					     "198.20.0.0",
					     "223.255.255.255",
					     "2606:4700::1111",
					     "2a00::1",
					     "::ffff:1.1.1.1",
					     "64:ff9b::1.1.1.1",
					     "2002:101:101::",
					     NULL };

	(void)state;
	expect(texts, false);
}

static void other_families_are_private(void **state)
{
	struct sockaddr_storage address;

	(void)state;
	memset(&address, 0, sizeof(address));
	address.ss_family = AF_UNIX;
	assert_true(address_is_private((const struct sockaddr *)(const void *)&address));
}

static void loopback_is_this_machine_alone(void **state)
{
	struct sockaddr_storage a;

	(void)state;
	assert_true(address_is_loopback(read("127.9.9.9", &a)));
	assert_true(address_is_loopback(read("::1", &a)));
	assert_false(address_is_loopback(read("10.0.0.1", &a)));
	assert_false(address_is_loopback(read("::2", &a)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_machines_and_their_networks_are_private),
		cmocka_unit_test(private_addresses_in_disguise_are_private),
		cmocka_unit_test(addresses_of_others_are_not),
		cmocka_unit_test(other_families_are_private),
		cmocka_unit_test(loopback_is_this_machine_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
