/* What an answer means for a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "server/alert/send.h"

#define S ((int64_t)1000000)
#define FIRST_NS 5000000000u

static struct send_outcome judge(bool is_mail, int status, int64_t age_s, int64_t after_s)
{
	struct outward_reply reply = { .status = status, .retry_after_s = after_s };
	struct send_outcome out;

	snprintf(reply.why, sizeof(reply.why), "%s", status ? "" : "no answer");
	send_judge(is_mail, &reply, 100 * S, (100 + age_s) * S, FIRST_NS, &out);
	if (out.state == MESSAGE_WAITS)
		out.next_us -= (100 + age_s) * S;
	return out;
}

static void taken_is_delivered(void **state)
{
	(void)state;
	assert_int_equal(judge(false, 200, 0, 0).state, MESSAGE_DELIVERED);
	assert_int_equal(judge(false, 204, 99, 0).state, MESSAGE_DELIVERED);
	assert_int_equal(judge(true, 250, 0, 0).state, MESSAGE_DELIVERED);
	assert_int_equal(judge(false, 302, 0, 0).state, MESSAGE_WAITS);
}

static void pause_grows_with_age(void **state)
{
	(void)state;
	assert_int_equal(judge(false, 503, 0, 0).next_us, 5 * S);
	assert_int_equal(judge(false, 503, 60, 0).next_us, 30 * S);
	assert_int_equal(judge(false, 503, 86400, 0).next_us, 3600 * S);
}

static void receiver_may_ask_for_more_but_not_for_days(void **state)
{
	(void)state;
	assert_int_equal(judge(false, 429, 0, 60).next_us, 60 * S);
	assert_int_equal(judge(false, 429, 600, 60).next_us, 300 * S);
	assert_int_equal(judge(false, 429, 0, 86400).next_us, 3600 * S);
	assert_int_equal(judge(false, 429, 0, INT64_MAX).next_us, 3600 * S);
}

static void what_can_never_be_taken_fails(void **state)
{
	(void)state;
	assert_int_equal(judge(false, 400, 0, 0).state, MESSAGE_FAILED);
	assert_int_equal(judge(false, 410, 0, 0).state, MESSAGE_FAILED);
	assert_int_equal(judge(false, 401, 0, 0).state, MESSAGE_WAITS);
	assert_int_equal(judge(false, 422, 0, 0).state, MESSAGE_WAITS);
	assert_int_equal(judge(true, 550, 0, 0).state, MESSAGE_FAILED);
	assert_int_equal(judge(true, 535, 0, 0).state, MESSAGE_WAITS);
	assert_int_equal(judge(true, 450, 0, 0).state, MESSAGE_WAITS);
}

static void nothing_is_tried_for_ever(void **state)
{
	(void)state;
	assert_int_equal(judge(false, 0, 3 * 86400, 0).state, MESSAGE_WAITS);
	assert_int_equal(judge(false, 0, 3 * 86400 + 1, 0).state, MESSAGE_FAILED);
}

static void target_that_is_unwell_rests(void **state)
{
	(void)state;
	assert_true(judge(false, 0, 0, 0).rest);
	assert_true(judge(false, 503, 0, 0).rest);
	assert_true(judge(false, 429, 0, 0).rest);
	assert_false(judge(false, 422, 0, 0).rest);
	assert_true(judge(true, 421, 0, 0).rest);
}

/* The clock went back behind the message's time. */
static void clock_that_went_back_makes_no_pause_of_the_past(void **state)
{
	(void)state;
	assert_int_equal(judge(false, 503, -1000, 0).next_us, 5 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(taken_is_delivered),
		cmocka_unit_test(pause_grows_with_age),
		cmocka_unit_test(receiver_may_ask_for_more_but_not_for_days),
		cmocka_unit_test(what_can_never_be_taken_fails),
		cmocka_unit_test(nothing_is_tried_for_ever),
		cmocka_unit_test(target_that_is_unwell_rests),
		cmocka_unit_test(clock_that_went_back_makes_no_pause_of_the_past),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
