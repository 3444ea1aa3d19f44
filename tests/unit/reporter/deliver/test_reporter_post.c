/* Unit tests of reporter/deliver/post.c: what every answer of a server means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reporter/deliver/post.h"

#include "lib/base/banned.h"

#define ID "01ARZ3NDEKTSV4RRFFQ69G5FAV"
#define OTHER "01ARZ3NDEKTSV4RRFFQ69G5FAW"
#define JSON "application/json"
#define REFUSED \
	"{\"error\":{\"code\":\"c\",\"message\":\"the reason\",\"where\":\"benchmarks[2]\"}}"
#define NOW_US 1795168800000000 /* 2026-11-20T10:00:00Z */
#define S 1000000000ull

static void classify(enum post_link link, int status, const char *type, const char *body,
		     struct post_outcome *out)
{
	const struct post_request rq = { .url = "https://h/api/v1/summaries",
					 .token = "t0ken",
					 .id = ID };
	struct post_reply reply;

	post_reply_init(&reply);
	reply.link = link;
	reply.status = status;
	snprintf(reply.why, sizeof(reply.why), "%s", link == LINK_OK ? "" : "transport words");
	snprintf(reply.content_type, sizeof(reply.content_type), "%s", type);
	buf_adds(&reply.body, body);
	post_classify(&rq, &reply, NOW_US, out);
	post_reply_release(&reply);
}

/* The table of FAULTS: what came back, what it means, what has to be said. */
static const struct {
	const char *name;
	enum post_link link;
	int status;
	const char *type, *body;
	enum post_action action;
	bool for_all, keep;
	const char *why, *cure;
} rows[] = {
	{ "new", LINK_OK, 201, JSON, "{\"id\":\"" ID "\"}", POST_DELIVERED, false, false, "", "" },
	{ "known", LINK_OK, 200, JSON "; charset=utf-8", "{\"id\":\"" ID "\"}", POST_DELIVERED,
	  false, false, "", "" },
	{ "type in capitals", LINK_OK, 200, "Application/JSON", "{\"id\":\"" ID "\"}",
	  POST_DELIVERED, false, false, "", "" },
	{ "captive portal", LINK_OK, 200, "text/html", "<html>", POST_RETRY, true, false,
	  "captive portal", "log in" },
	{ "right body, wrong type", LINK_OK, 200, "text/plain", "{\"id\":\"" ID "\"}", POST_RETRY,
	  true, false, "text/plain", "pawl.server" },
	{ "a type that only begins alike", LINK_OK, 200, JSON "l", "{\"id\":\"" ID "\"}",
	  POST_RETRY, true, false, JSON "l", "pawl.server" },
	{ "no type", LINK_OK, 200, "", "{\"id\":\"" ID "\"}", POST_RETRY, true, false, "''",
	  "pawl.server" },
	{ "another id", LINK_OK, 200, JSON, "{\"id\":\"" OTHER "\"}", POST_RETRY, false, false,
	  OTHER, "pawl push" },
	{ "no id", LINK_OK, 201, JSON, "{}", POST_RETRY, false, false, "is for ''", "pawl push" },
	{ "garbage", LINK_OK, 201, JSON, "{\"id\":", POST_RETRY, false, false, "cannot be read",
	  "pawl push" },
	{ "empty body", LINK_OK, 200, JSON, "", POST_RETRY, false, false, "cannot be read",
	  "pawl push" },
	{ "202", LINK_OK, 202, JSON, "{\"id\":\"" ID "\"}", POST_RETRY, false, false, "202",
	  "pawl push" },
	{ "204", LINK_OK, 204, "", "", POST_RETRY, false, false, "204", "pawl push" },
	{ "no status", LINK_OK, 0, "", "", POST_RETRY, false, false, "HTTP 0", "pawl push" },
	{ "truncated", LINK_BROKEN, 200, JSON, "{\"id\":\"" ID "\"}", POST_RETRY, false, false,
	  "transport words", "pawl push" },
	{ "no server", LINK_UNREACHABLE, 0, "", "", POST_RETRY, true, false, "transport words",
	  "pawl push" },
	{ "huge answer", LINK_TOO_LARGE, 200, JSON, "{\"id\":\"" ID "\"}", POST_RETRY, false, false,
	  "1048576", "pawl push" },
	{ "bad certificate", LINK_TLS, 0, "", "", POST_REJECT, true, true, "certificate",
	  "CURL_CA_BUNDLE" },
	{ "301", LINK_OK, 301, "", "", POST_MOVED, true, true, "301", "pawl.server" },
	{ "304", LINK_OK, 304, "", "", POST_MOVED, true, true, "304", "pawl.server" },
	{ "400", LINK_OK, 400, JSON, REFUSED, POST_REJECT, false, false, "the reason",
	  "pawld --version" },
	{ "401", LINK_OK, 401, JSON, REFUSED, POST_REJECT, true, true, "the reason", "PAWL_TOKEN" },
	{ "403", LINK_OK, 403, JSON, REFUSED, POST_REJECT, false, true, "the reason",
	  "pawl.project" },
	{ "404", LINK_OK, 404, JSON, REFUSED, POST_REJECT, false, true, "the reason",
	  "pawl.server" },
	{ "404 of another server", LINK_OK, 404, "text/html", "<html>", POST_REJECT, true, true,
	  "404", "pawl.server" },
	{ "403 of a proxy", LINK_OK, 403, "text/html", "<html>", POST_REJECT, true, true, "403",
	  "pawl.project" },
	{ "409", LINK_OK, 409, JSON, REFUSED, POST_REJECT, false, false, "the reason",
	  "pawl fsck" },
	{ "413", LINK_OK, 413, JSON, REFUSED, POST_REJECT, false, false, "the reason", "fewer" },
	{ "413 of a proxy", LINK_OK, 413, "text/html", "<html>", POST_REJECT, false, true,
	  "a proxy in front of it", "client_max_body_size" },
	{ "413 in other JSON", LINK_OK, 413, JSON, "{\"message\":\"too big\"}", POST_REJECT, false,
	  true, "a proxy in front of it", "client_max_body_size" },
	{ "400 of a proxy", LINK_OK, 400, "text/html", "<html>", POST_REJECT, false, true, "400",
	  "pawld --version" },
	{ "415", LINK_OK, 415, JSON, REFUSED, POST_REJECT, false, false, "the reason",
	  "pawld --version" },
	{ "422", LINK_OK, 422, JSON, REFUSED, POST_REJECT, false, false, "benchmarks[2]",
	  "pawld --version" },
	{ "418", LINK_OK, 418, "", "", POST_REJECT, false, true, "418", "pawld --version" },
	{ "407", LINK_OK, 407, "", "", POST_RETRY, true, false, "login", "proxy" },
	{ "408", LINK_OK, 408, "", "", POST_RETRY, false, false, "408", "pawl push" },
	{ "425", LINK_OK, 425, "", "", POST_RETRY, false, false, "425", "pawl push" },
	{ "429", LINK_OK, 429, JSON, REFUSED, POST_RETRY, false, false, "too many", "pawl push" },
	{ "500", LINK_OK, 500, JSON, REFUSED, POST_RETRY, false, false, "500", "pawl push" },
	{ "502", LINK_OK, 502, "", "", POST_RETRY, false, false, "502", "pawl push" },
	{ "503", LINK_OK, 503, "", "", POST_RETRY, false, false, "not available", "pawl push" },
	{ "504", LINK_OK, 504, "", "", POST_RETRY, false, false, "504", "pawl push" },
	{ "511", LINK_OK, 511, "text/html", "<html>", POST_RETRY, true, false, "login", "log in" },
	{ "522", LINK_OK, 522, "", "", POST_RETRY, false, false, "522", "pawl push" },
	{ "524", LINK_OK, 524, "", "", POST_RETRY, false, false, "524", "pawl push" },
};

static void every_answer_has_its_meaning(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct post_outcome o;

		classify(rows[i].link, rows[i].status, rows[i].type, rows[i].body, &o);
		if (o.action != rows[i].action || o.for_all != rows[i].for_all ||
		    o.keep != rows[i].keep || o.asked)
			fail_msg("%s: action %d, for all %d, keep %d", rows[i].name, o.action,
				 o.for_all, o.keep);
		if (!strstr(o.why, rows[i].why) || !strstr(o.cure, rows[i].cure))
			fail_msg("%s: '%s', '%s'", rows[i].name, o.why, o.cure);
		if (o.action != POST_DELIVERED && (!o.why[0] || !o.cure[0]))
			fail_msg("%s says nothing", rows[i].name);
	}
}

static void what_a_server_says_cannot_steer_a_terminal(void **state)
{
	struct post_outcome o;

	(void)state;
	classify(LINK_OK, 422, JSON,
		 "{\"error\":{\"code\":\"c\",\"message\":\"\\u001b[2J\\nx\\u009b\"}}", &o);
	assert_non_null(strstr(o.why, "?[2J x??"));
	classify(LINK_OK, 200, "text/\033[2J", "", &o);
	assert_null(strchr(o.why, '\033'));
}

static void no_token_and_a_wrong_token_have_their_own_cure(void **state)
{
	struct post_request rq = { .url = "https://h", .id = ID };
	struct post_reply reply;
	struct post_outcome o;

	(void)state;
	post_reply_init(&reply);
	reply.status = 401;
	post_classify(&rq, &reply, NOW_US, &o);
	assert_non_null(strstr(o.cure, "set PAWL_TOKEN"));
	rq.token = "t0ken";
	post_classify(&rq, &reply, NOW_US, &o);
	assert_non_null(strstr(o.cure, "check the token"));
	assert_null(strstr(o.cure, "t0ken"));
	assert_null(strstr(o.why, "t0ken"));
}

static void move(const char *location, struct post_outcome *out)
{
	const struct post_request rq = { .url = "https://h", .id = ID };
	struct post_reply reply;

	post_reply_init(&reply);
	reply.status = 308;
	snprintf(reply.location, sizeof(reply.location), "%s", location);
	post_classify(&rq, &reply, NOW_US, out);
	assert_int_equal(out->action, POST_MOVED);
}

static void a_redirection_names_the_new_address_and_the_command(void **state)
{
	struct post_outcome o;

	(void)state;
	move("https://new.example/x/api/v1/summaries", &o);
	assert_non_null(strstr(o.why, "https://new.example/x/api/v1/summaries"));
	assert_string_equal(o.cure, "git config pawl.server https://new.example/x");
}

static void a_redirection_elsewhere_is_no_new_address(void **state)
{
	static const char *const elsewhere[] = {
		"https://login.example/?return=/api/v1/summaries",
		"https://h/login",
		"https://user:pw@h/api/v1/summaries",
		"https://h/$(id)/api/v1/summaries",
		"/api/v1/summaries",
	};
	struct post_outcome o;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
		move(elsewhere[i], &o);
		assert_non_null(strstr(o.cure, "pawl.server URL"));
	}
	move("http://h/api/v1/summaries", &o);
	assert_non_null(strstr(o.cure, "not encrypted"));
	move("http://127.0.0.1:80/api/v1/summaries", &o);
	assert_string_equal(o.cure, "git config pawl.server http://127.0.0.1:80");
}

static void check_wait(const char *text, uint64_t wanted)
{
	uint64_t ns = 1;

	if (!post_retry_after(text, NOW_US, &ns) || ns != wanted)
		fail_msg("'%s' gave %llu", text, (unsigned long long)ns);
}

static void retry_after_is_seconds_or_a_date(void **state)
{
	(void)state;
	check_wait("0", 0);
	check_wait("7", 7 * S);
	check_wait("30", 30 * S);
	check_wait("Fri, 20 Nov 2026 10:00:12 GMT", 12 * S);
	check_wait("Fri, 20 Nov 2026 10:00:00 GMT", 0);
	check_wait("Sun, 06 Nov 1994 08:49:37 GMT", 0);
}

static void retry_after_is_capped(void **state)
{
	(void)state;
	check_wait("31", 30 * S);
	check_wait("86400", 30 * S);
	check_wait("18446744073709551615", 30 * S);
	check_wait("99999999999999999999999999", 30 * S);
	check_wait("Fri, 20 Nov 2026 10:00:31 GMT", 30 * S);
	check_wait("Fri, 31 Dec 9999 23:59:59 GMT", 30 * S);
}

static void what_is_no_time_is_not_waited_for(void **state)
{
	static const char *const bad[] = { "",
					   "-5",
					   "+5",
					   "5s",
					   "5 ",
					   "1e3",
					   "0x10",
					   "soon",
					   "Fri, 31 Feb 2026 10:00:00 GMT",
					   "Fri, 20 Nov 2026 10:00:00 CET",
					   "Fri, 20 Nov 2026 10:00:00 GMT x",
					   "Fri, 20 ovD 2026 10:00:00 GMT",
					   "Fri, 20 No 2026 10:00:00 GMT",
					   "Friday, 20-Nov-26 10:00:00 GMT",
					   "2026-11-20T10:00:00Z" };
	uint64_t ns;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (post_retry_after(bad[i], NOW_US, &ns))
			fail_msg("accepted '%s'", bad[i]);
}

static void what_the_server_asks_for_reaches_the_outcome(void **state)
{
	const struct post_request rq = { .url = "https://h", .id = ID };
	struct post_reply reply;
	struct post_outcome o;

	(void)state;
	post_reply_init(&reply);
	reply.status = 503;
	snprintf(reply.retry_after, sizeof(reply.retry_after), "12");
	post_classify(&rq, &reply, NOW_US, &o);
	assert_true(o.asked);
	assert_true(o.wait_ns == 12 * S);
	snprintf(reply.retry_after, sizeof(reply.retry_after), "-12");
	post_classify(&rq, &reply, NOW_US, &o);
	assert_false(o.asked);
}

static void waits_double_up_to_a_cap_with_full_jitter(void **state)
{
	const struct post_outcome plain = { .action = POST_RETRY };
	const struct post_outcome asked = { .asked = true, .wait_ns = 7 * S };

	(void)state;
	assert_true(post_wait_ns(0, &plain, 0) == 0);
	assert_true(post_wait_ns(0, &plain, 0.5) == S / 2);
	assert_true(post_wait_ns(1, &plain, 0.5) == S);
	assert_true(post_wait_ns(4, &plain, 0.5) == 8 * S);
	assert_true(post_wait_ns(5, &plain, 0.5) == 15 * S);
	assert_true(post_wait_ns(4000000000u, &plain, 0.5) == 15 * S);
	assert_true(post_wait_ns(4000000000u, &plain, 0.999999) < POST_MAX_WAIT_NS);
	assert_true(post_wait_ns(0, &asked, 0.5) == 7 * S);
	assert_true(post_wait_ns(9, &asked, 0.5) == 15 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_answer_has_its_meaning),
		cmocka_unit_test(what_a_server_says_cannot_steer_a_terminal),
		cmocka_unit_test(no_token_and_a_wrong_token_have_their_own_cure),
		cmocka_unit_test(a_redirection_names_the_new_address_and_the_command),
		cmocka_unit_test(a_redirection_elsewhere_is_no_new_address),
		cmocka_unit_test(retry_after_is_seconds_or_a_date),
		cmocka_unit_test(retry_after_is_capped),
		cmocka_unit_test(what_is_no_time_is_not_waited_for),
		cmocka_unit_test(what_the_server_asks_for_reaches_the_outcome),
		cmocka_unit_test(waits_double_up_to_a_cap_with_full_jitter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
