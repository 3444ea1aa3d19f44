/* What is posted, and every way in which a server can answer or fail to. */
#include "tests/unit/reporter/deliver/transport_fixture.h"

#include "lib/base/banned.h"

#define OTHER_ID "01KAG3R7M0C4V8Q2T6Y0ZB3D5G"

static const struct {
	const char *mode;
	uint64_t timeout_ns;
	enum post_link link;
	int status;
	enum post_action action;
	bool asked;
} rows[] = {
	{ "ok", LONG, LINK_OK, 201, POST_DELIVERED, false },
	{ "ok", LONG, LINK_OK, 200, POST_DELIVERED, false },
	{ "200-html", LONG, LINK_OK, 200, POST_RETRY, false },
	{ "204", LONG, LINK_OK, 204, POST_RETRY, false },
	{ "wrong-id", LONG, LINK_OK, 200, POST_RETRY, false },
	{ "garbage", LONG, LINK_OK, 200, POST_RETRY, false },
	{ "truncated", LONG, LINK_BROKEN, 201, POST_RETRY, false },
	{ "empty", LONG, LINK_BROKEN, 0, POST_RETRY, false },
	{ "reset", LONG, LINK_BROKEN, 0, POST_RETRY, false },
	{ "not-http", LONG, LINK_BROKEN, 0, POST_RETRY, false },
	{ "hang", SHORT, LINK_BROKEN, 0, POST_RETRY, false },
	{ "drip", SHORT, LINK_BROKEN, 201, POST_RETRY, false },
	{ "big", LONG, LINK_TOO_LARGE, 200, POST_RETRY, false },
	{ "302", LONG, LINK_OK, 302, POST_MOVED, false },
	{ "307", LONG, LINK_OK, 307, POST_MOVED, false },
	{ "308", LONG, LINK_OK, 308, POST_MOVED, false },
	{ "400", LONG, LINK_OK, 400, POST_REJECT, false },
	{ "401", LONG, LINK_OK, 401, POST_REJECT, false },
	{ "403", LONG, LINK_OK, 403, POST_REJECT, false },
	{ "404", LONG, LINK_OK, 404, POST_REJECT, false },
	{ "404-html", LONG, LINK_OK, 404, POST_REJECT, false },
	{ "409", LONG, LINK_OK, 409, POST_REJECT, false },
	{ "422", LONG, LINK_OK, 422, POST_REJECT, false },
	{ "429", LONG, LINK_OK, 429, POST_RETRY, true },
	{ "500", LONG, LINK_OK, 500, POST_RETRY, false },
	{ "503-seconds", LONG, LINK_OK, 503, POST_RETRY, true },
	{ "503-date", LONG, LINK_OK, 503, POST_RETRY, true },
	{ "503-huge", LONG, LINK_OK, 503, POST_RETRY, true },
	{ "503-negative", LONG, LINK_OK, 503, POST_RETRY, false },
};

static void every_misbehaviour_is_recognised(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct post_outcome o;

		if (post(url_of(rows[i].mode), rows[i].timeout_ns, &o))
			fail_msg("%s: %s", rows[i].mode, err.text);
		if (reply.link != rows[i].link || reply.status != rows[i].status ||
		    o.action != rows[i].action || o.asked != rows[i].asked)
			fail_msg("%s: link %d (%s), status %d, action %d, asked %d", rows[i].mode,
				 reply.link, reply.why, reply.status, o.action, o.asked);
		assert_true(o.wait_ns <= POST_MAX_WAIT_NS);
		assert_true(o.action == POST_DELIVERED || o.why[0]);
	}
	assert_int_equal(count_requests(0), sizeof(rows) / sizeof(rows[0]));
}

static void a_request_is_what_the_contract_says(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	assert_int_equal(post(url_of("422"), LONG, NULL), 0);
	assert_int_equal(file_read_whole(log_path, 1 << 20, &text, NULL), 0);
	assert_non_null(strstr(text.data, "POST /422/api/v1/summaries "));
	assert_non_null(strstr(text.data, " id=" ID " "));
	assert_non_null(strstr(text.data, " authorization='Bearer " TOKEN "' "));
	assert_non_null(strstr(text.data, " type='application/json' encoding='' "));
	assert_non_null(strstr(text.data, " agent='pawl/" PAWL_VERSION "'"));
	buf_release(&text);
}

static void failures_end_in_one_delivery(void **state)
{
	static const enum post_action wanted[] = { POST_RETRY, POST_RETRY, POST_RETRY, POST_RETRY,
						   POST_DELIVERED };
	struct post_outcome o;
	size_t i;

	(void)state;
	id = OTHER_ID;
	for (i = 0; i < 5; i++) {
		assert_int_equal(post(url_of(""), LONG, &o), 0);
		assert_int_equal(o.action, wanted[i]);
	}
	assert_int_equal(reply.status, 200); /* the truncated answer was to a stored summary */
	assert_int_equal(count_requests(0), 5);
}

static void an_early_413_is_heard_while_the_body_is_on_its_way(void **state)
{
	size_t n = 3 << 20;
	char *body = malloc(n);
	struct post_outcome o;

	(void)state;
	assert_non_null(body);
	memset(body, ' ', n);
	assert_int_equal(post_body(url_of("413-early"), body, n, LONG, &o), 0);
	assert_int_equal(reply.status, 413);
	assert_int_equal(o.action, POST_REJECT);
	assert_int_equal(post_body(url_of("422"), body, n, LONG, &o), 0);
	assert_int_equal(reply.status, 422);
	assert_int_equal(post_body(url_of("ok"), body, POST_MAX_BODY + 1, LONG, &o), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	assert_int_equal(count_requests(0), 2);
	free(body);
}

static void a_closed_port_is_unreachable(void **state)
{
	struct post_outcome o;

	(void)state;
	assert_int_equal(post("http://127.0.0.1:1/api/v1/summaries", LONG, &o), 0);
	assert_int_equal(reply.link, LINK_UNREACHABLE);
	assert_true(o.for_all);
	assert_true(reply.why[0] != '\0');
}

static void a_stop_gives_up_a_hanging_request(void **state)
{
	(void)state;
	stop = 1;
	assert_int_equal(post(url_of("hang"), LONG, NULL), -1);
	assert_int_equal(err.code, ERR_STOPPED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FRESH(failures_end_in_one_delivery),
		FRESH(every_misbehaviour_is_recognised),
		FRESH(a_request_is_what_the_contract_says),
		FRESH(an_early_413_is_heard_while_the_body_is_on_its_way),
		FRESH(a_closed_port_is_unreachable),
		FRESH(a_stop_gives_up_a_hanging_request),
	};

	return cmocka_run_group_tests(tests, start_server, stop_server);
}
