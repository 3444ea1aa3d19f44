/* Addresses to listen on, and the count of wrong tokens by address. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "server/http/limit.h"
#include "server/http/listen.h"

static void reads(const char *text, const char *url, bool loopback)
{
	struct listen_address a;
	char got[96];

	assert_int_equal(listen_parse(text, &a, NULL), 0);
	listen_url(&a, got, sizeof(got));
	assert_string_equal(got, url);
	assert_int_equal(a.loopback, loopback);
}

static void addresses_are_read_and_loopback_is_known(void **state)
{
	(void)state;
	reads("127.0.0.1:7295", "http://127.0.0.1:7295", true);
	reads("127.9.8.7:1", "http://127.9.8.7:1", true);
	reads("localhost:0", "http://127.0.0.1:0", true);
	reads("[::1]:80", "http://[::1]:80", true);
	reads("0.0.0.0:65535", "http://0.0.0.0:65535", false);
	reads("192.0.2.1:80", "http://192.0.2.1:80", false);
	reads("[::]:80", "http://[::]:80", false);
	/* An IPv4 loopback in IPv6 clothes is reached by other ways: not taken for one. */
	reads("[::ffff:127.0.0.1]:80", "http://[::ffff:127.0.0.1]:80", false);
}

static void other_texts_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"127.0.0.1",
		"127.0.0.1:",
		"127.0.0.1:65536",
		"127.0.0.1:-1",
		":80",
		"127.0.0.1:8 ",
		"example.com:80",
		"127.0.0.1.1:80",
		"[127.0.0.1:80",
		"127.0.0.01x:80",
		"[]:80",
		"300.1.1.1:80",
		"::g:80",
		"LOCALHOST.evil:80",
		"127.1:80",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct listen_address a;
		struct err err = ERR_INIT;

		assert_int_equal(listen_parse(texts[i], &a, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
	}
}

static void port_0_picks_one_and_a_taken_port_is_told(void **state)
{
	struct listen_address a, again;
	struct err err = ERR_INIT;
	int fds[2], more[2];
	char url[96];

	(void)state;
	assert_int_equal(listen_parse("127.0.0.1:0", &a, NULL), 0);
	assert_int_equal(listen_open(&a, fds, 2, NULL), 0);
	listen_url(&a, url, sizeof(url));
	assert_string_not_equal(url, "http://127.0.0.1:0");
	assert_int_equal(listen_parse(url + strlen("http://"), &again, NULL), 0);
	assert_int_equal(listen_open(&again, more, 2, &err), -1);
	assert_int_equal(err.code, ERR_BUSY);
	close(fds[0]);
	close(fds[1]);
}

static struct sockaddr_storage address(const char *text)
{
	struct sockaddr_storage out = { .ss_family = AF_UNSPEC };
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
		memcpy(&out, &v4, sizeof(v4));
	else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1)
		memcpy(&out, &v6, sizeof(v6));
	return out;
}

/* How many of n counts at one time were within the limit. */
static int counted(struct limit *l, const char *text, uint64_t now_ns, int n)
{
	struct sockaddr_storage a = address(text);
	int within = 0;

	while (n--)
		within += limit_count(l, (struct sockaddr *)&a, now_ns);
	return within;
}

static void ten_a_minute_and_address(void **state)
{
	static struct limit l;

	(void)state;
	limit_init(&l);
	assert_int_equal(counted(&l, "192.0.2.1", 1000, 12), LIMIT_PER_MINUTE);
	assert_int_equal(counted(&l, "192.0.2.2", 1000, 1), 1);
	assert_int_equal(counted(&l, "192.0.2.1", 59000000000u, 1), 0);
	assert_int_equal(counted(&l, "192.0.2.1", 60000001000u, 12), LIMIT_PER_MINUTE);
	limit_release(&l);
}

static void one_network_of_ipv6_counts_as_one(void **state)
{
	static struct limit l;

	(void)state;
	limit_init(&l);
	assert_int_equal(counted(&l, "2001:db8::1", 1000, 8), 8);
	assert_int_equal(counted(&l, "2001:db8::2", 1000, 8), 2);
	assert_int_equal(counted(&l, "2001:db8:0:1::1", 1000, 1), 1);
	limit_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_read_and_loopback_is_known),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(port_0_picks_one_and_a_taken_port_is_told),
		cmocka_unit_test(ten_a_minute_and_address),
		cmocka_unit_test(one_network_of_ipv6_counts_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
