/* A server that is away or busy: when the next attempt is made, and when no more. */
#include "tests/unit/reporter/deliver/deliver_fixture.h"

#include "lib/base/banned.h"

static void a_dead_server_is_tried_once(void **state)
{
	(void)state;
	ANSWER(GONE);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 3);
	check_posted("1");
	assert_true(world.slept_ns == 0);
	assert_non_null(strstr(result.text, "3 summaries still queued: cannot reach"));
	assert_non_null(strstr(result.cure, "pawl "));
}

static void what_failed_is_not_due_at_once_but_all_means_all(void **state)
{
	(void)state;
	ANSWER(GONE);
	assert_int_equal(deliver(), 0);
	assert_int_equal(deliver(), 0);
	check_posted("2");
	ANSWER(NEW);
	assert_int_equal(deliver(), 0);
	check_posted("3");
	check_counts(1, 0, 2);
	assert_non_null(strstr(result.text, "not due yet"));
	assert_int_equal(deliver_as((struct deliver_options){ .all = true }), 0);
	check_counts(2, 0, 0);
}

static void waiting_outlasts_a_restart(void **state)
{
	(void)state;
	ANSWER(GONE, GONE, GONE, GONE, NEW);
	assert_int_equal(deliver_as((struct deliver_options){ .keep_trying = true }), 0);
	check_counts(3, 0, 0);
	check_posted("1231231");
	assert_true(world.slept_ns == S / 2 + S + 2 * S + 4 * S);
}

static void a_busy_server_gets_the_time_it_asks_for(void **state)
{
	(void)state;
	ANSWER(503, NEW);
	server.retry_after = "7";
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	assert_true(world.slept_ns == 7 * S);
	check_posted("1231");
}

static void a_wait_beyond_the_budget_is_not_begun(void **state)
{
	(void)state;
	ANSWER(503);
	server.retry_after = "7";
	assert_int_equal(deliver_as((struct deliver_options){ .budget_ns = DELIVER_HOOK_NS }), 0);
	check_counts(0, 0, 3);
	check_posted("1");
	assert_true(world.slept_ns == 0);
	assert_non_null(strstr(result.text, "503"));
}

static void the_budget_is_kept_and_given_to_every_attempt(void **state)
{
	uint64_t start = world.now_ns;

	(void)state;
	ANSWER(500);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 3);
	assert_true(server.n_posts > 3);
	assert_true(world.now_ns - start <= DELIVER_INTERACTIVE_NS);
	assert_true(server.longest_ns == 0);
}

static void a_poisoned_summary_costs_the_others_one_wait(void **state)
{
	(void)state;
	id_of(1, server.poisoned);
	assert_int_equal(deliver_as((struct deliver_options){ .budget_ns = DELIVER_HOOK_NS }), 0);
	check_counts(2, 0, 1);
	assert_memory_equal(server.posted[1] + 25, "2", 1);
	assert_memory_equal(server.posted[2] + 25, "3", 1);
	assert_non_null(
		strstr(result.text, "1 summary still queued: the server answered HTTP 500"));
}

static void a_lost_answer_is_sent_again(void **state)
{
	(void)state;
	ANSWER(LOST, NEW);
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	check_posted("1231");
}

static void a_stop_ends_a_wait_soon(void **state)
{
	uint64_t start = world.now_ns;

	(void)state;
	ANSWER(NEW, 503);
	server.retry_after = "20";
	world.stop_at_ns = start + 3 * S;
	assert_int_equal(deliver(), -1);
	assert_int_equal(err.code, ERR_STOPPED);
	check_counts(1, 0, 2);
	assert_true(world.now_ns - start < 4 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUED(a_dead_server_is_tried_once),
		QUEUED(what_failed_is_not_due_at_once_but_all_means_all),
		QUEUED(waiting_outlasts_a_restart),
		QUEUED(a_busy_server_gets_the_time_it_asks_for),
		QUEUED(a_wait_beyond_the_budget_is_not_begun),
		QUEUED(the_budget_is_kept_and_given_to_every_attempt),
		QUEUED(a_poisoned_summary_costs_the_others_one_wait),
		QUEUED(a_lost_answer_is_sent_again),
		QUEUED(a_stop_ends_a_wait_soon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
