/* What each answer does to the queue, and who may send from it. */
#include "tests/unit/reporter/deliver/deliver_fixture.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/base/banned.h"

static void all_is_posted_oldest_first(void **state)
{
	(void)state;
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	check_posted("123");
	assert_string_equal(result.text, "posted 3 summaries to http://127.0.0.1:7295");
	assert_string_equal(result.cure, "");
	assert_true(world.slept_ns == 0);
}

static void what_is_long_goes_compressed(void **state)
{
	(void)state;
	queue_wide(4, 50);
	assert_int_equal(deliver(), 0);
	check_counts(4, 0, 0);
	check_posted("1234");
	assert_int_equal(server.n_coded, 2); /* the batch, which that server does not know, too */
}

static void a_server_that_takes_nothing_compressed_is_asked_once(void **state)
{
	(void)state;
	queue_wide(4, 50);
	queue_wide(5, 50);
	server.plain_only = true;
	assert_int_equal(deliver(), 0);
	check_counts(5, 0, 0);
	check_posted("12345");
	assert_int_equal(server.n_coded, 1);
	assert_int_equal(heard.n_warnings, 0);
}

static void what_fails_compressed_is_not_posted_plain(void **state)
{
	(void)state;
	queue_wide(4, 50);
	ANSWER(NEW, NEW, NEW, 422, NEW);
	assert_int_equal(deliver(), 0);
	check_counts(3, 1, 0);
	check_posted("1234");
}

static void an_empty_queue_is_silent(void **state)
{
	(void)state;
	assert_int_equal(deliver(), 0);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 0);
	assert_string_equal(result.text, "");
	assert_int_equal(server.n_posts, 0);
}

static void a_refused_summary_does_not_block_the_others(void **state)
{
	(void)state;
	ANSWER(422, NEW);
	assert_int_equal(deliver(), 0);
	check_counts(2, 1, 0);
	check_posted("123");
	assert_int_equal(heard.n_warnings, 1);
	assert_non_null(strstr(heard.last, "01ARZ3NDEKTSV4RRFFQ69G5F01"));
	assert_non_null(strstr(heard.last, "reason"));
	assert_non_null(strstr(result.text, "refused 1 summary"));
	assert_int_equal(deliver_as((struct deliver_options){ .all = true }), 0);
	assert_int_equal(server.n_posts, 0);
}

static void many_refusals_are_few_warnings(void **state)
{
	int i;

	(void)state;
	for (i = 4; i <= 9; i++)
		queue(i);
	ANSWER(400);
	assert_int_equal(deliver(), 0);
	check_counts(0, 9, 0);
	assert_int_equal(heard.n_warnings, 3);
	assert_non_null(strstr(result.text, "refused 9 summaries"));
}

static void a_wrong_token_costs_no_summary(void **state)
{
	(void)state;
	ANSWER(401);
	assert_int_equal(deliver(), 0);
	check_counts(0, 0, 3);
	check_posted("1");
	assert_non_null(strstr(result.cure, "PAWL_TOKEN"));
	ANSWER(NEW);
	assert_int_equal(deliver(), 0);
	check_counts(3, 0, 0);
	check_posted("123");
}

static void a_summary_of_a_forbidden_project_stays_and_the_rest_goes(void **state)
{
	(void)state;
	ANSWER(403, NEW);
	assert_int_equal(deliver(), 0);
	check_counts(2, 0, 1);
	check_posted("123");
	assert_non_null(strstr(result.text, "403"));
	assert_non_null(strstr(result.cure, "pawl.project"));
}

static void a_server_that_moved_stops_the_sending(void **state)
{
	(void)state;
	ANSWER(308);
	assert_int_equal(deliver_as((struct deliver_options){ .keep_trying = true }), 0);
	check_counts(0, 0, 3);
	check_posted("1");
}

static void only_one_sends_at_a_time(void **state)
{
	int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(deliver(), 0);
	assert_true(result.busy);
	check_counts(0, 0, 3);
	assert_int_equal(server.n_posts, 0);
	assert_non_null(strstr(result.text, "another pawl"));
	close(fd);
	assert_int_equal(deliver(), 0);
	assert_false(result.busy);
	check_counts(3, 0, 0);
}

static void a_lock_that_cannot_be_made_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(symlink("/tmp/pawl-elsewhere", lock_path), 0);
	assert_int_equal(deliver(), -1);
	assert_int_equal(err.code, ERR_IO);
	check_counts(0, 0, 3);
	assert_false(file_exists("/tmp/pawl-elsewhere"));
}

static void our_own_fault_is_an_error_and_loses_nothing(void **state)
{
	(void)state;
	ANSWER(NEW, FAULT);
	assert_int_equal(deliver(), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	check_counts(1, 0, 2);
	ANSWER(NEW);
	assert_int_equal(deliver(), 0);
	check_counts(2, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		QUEUED(all_is_posted_oldest_first),
		QUEUED(what_is_long_goes_compressed),
		QUEUED(a_server_that_takes_nothing_compressed_is_asked_once),
		QUEUED(what_fails_compressed_is_not_posted_plain),
		QUEUED(an_empty_queue_is_silent),
		QUEUED(a_refused_summary_does_not_block_the_others),
		QUEUED(many_refusals_are_few_warnings),
		QUEUED(a_wrong_token_costs_no_summary),
		QUEUED(a_summary_of_a_forbidden_project_stays_and_the_rest_goes),
		QUEUED(a_server_that_moved_stops_the_sending),
		QUEUED(only_one_sends_at_a_time),
		QUEUED(a_lock_that_cannot_be_made_is_an_error),
		QUEUED(our_own_fault_is_an_error_and_loses_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
