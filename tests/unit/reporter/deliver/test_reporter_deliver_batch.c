/* What has piled up goes in one request, and each of it is noted by itself. */
#include "tests/unit/reporter/deliver/deliver_fixture.h"

#include "lib/base/banned.h"

static int deliver_batches(void)
{
	server.takes_batches = true;
	return deliver();
}

static void what_piled_up_goes_in_few_requests(void **state)
{
	int i;

	(void)state;
	for (i = 4; i <= 70; i++)
		queue(i);
	assert_int_equal(deliver_batches(), 0);
	check_counts(70, 0, 0);
	assert_int_equal(server.n_batches, 2);
	assert_int_equal(server.n_posts, 70);
	assert_string_equal(result.text, "posted 70 summaries to http://127.0.0.1:7295");
}

static void each_of_a_batch_is_noted_by_itself(void **state)
{
	(void)state;
	ANSWER(NEW, 422, NEW);
	assert_int_equal(deliver_batches(), 0);
	check_counts(2, 1, 0);
	check_posted("123");
	assert_int_equal(server.n_batches, 1);
	assert_non_null(strstr(heard.last, "01ARZ3NDEKTSV4RRFFQ69G5F02"));
	assert_non_null(strstr(heard.last, "reason"));
}

static void one_that_is_busy_stays_and_goes_alone(void **state)
{
	(void)state;
	ANSWER(NEW, 503, NEW, NEW);
	assert_int_equal(deliver_batches(), 0);
	check_counts(3, 0, 0);
	check_posted("1232");
	assert_int_equal(server.n_batches, 1);
}

static void one_that_is_answered_for_another_stays(void **state)
{
	(void)state;
	server.wrong_id = true;
	server.takes_batches = true;
	assert_int_equal(deliver_as((struct deliver_options){ .budget_ns = S }), 0);
	assert_int_equal(result.delivered, 0);
	assert_int_equal(result.left, 3);
}

static void a_batch_that_nobody_answers_is_one_failure(void **state)
{
	(void)state;
	ANSWER(GONE);
	assert_int_equal(deliver_batches(), 0);
	check_counts(0, 0, 3);
	assert_int_equal(server.n_batches, 1);
	assert_int_equal(server.n_posts, 0);
	assert_non_null(strstr(result.text, "cannot reach the server"));
	ANSWER(NEW);
	assert_int_equal(deliver_as((struct deliver_options){ .all = true }), 0);
	check_counts(3, 0, 0);
}

static void an_answer_with_a_line_less_counts_for_none(void **state)
{
	(void)state;
	server.loses_line = true;
	assert_int_equal(deliver_batches(), 0);
	check_counts(3, 0, 0);
	assert_int_equal(server.n_batches, 1);
	assert_true(server.n_posts > 3);
}

static void a_server_of_before_is_asked_once(void **state)
{
	(void)state;
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	check_posted("123");
	assert_int_equal(server.n_batches, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUED(what_piled_up_goes_in_few_requests),
		QUEUED(each_of_a_batch_is_noted_by_itself),
		QUEUED(one_that_is_busy_stays_and_goes_alone),
		QUEUED(one_that_is_answered_for_another_stays),
		QUEUED(a_batch_that_nobody_answers_is_one_failure),
		QUEUED(an_answer_with_a_line_less_counts_for_none),
		QUEUED(a_server_of_before_is_asked_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
