/* What goes wrong while the collector asks, and how it is told. */
#include "tests/unit/harness/speak/test_harness_session.h"

#include "lib/base/banned.h"

static void a_collector_that_goes_away_ends_the_program_without_a_word(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 6;
	s->orders.slices = 3;
	s->orders.turns = true;
	assert_int_equal(write(peer, "1", 1), 1);
	assert_int_equal(shutdown(peer, SHUT_WR), 0);
	assert_int_equal(run_session(), STATUS_GONE);
	/* hello, ready, slice, ready: and nothing more */
	assert_int_equal(lines(), 4);
	says(3, "{\"type\":\"ready\",\"slice\":1}");
	assert_int_equal(fake.iterations, 1 + 2);
	assert_int_equal(fake.teardowns, 1);
}

static void turns_on_a_descriptor_that_cannot_be_read_are_an_error(void **state)
{
	int pipe_fd[2];
	(void)state;
	assert_int_equal(pipe(pipe_fd), 0);
	(void)close(s->orders.fd);
	(void)close(peer);
	s->orders.fd = pipe_fd[1];
	peer = pipe_fd[0];
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 1;
	s->orders.turns = true;
	assert_int_equal(pawl_ask(s), STATUS_USAGE);
	(void)close(s->orders.fd);
	s->orders.fd = -1;
	ssize_t n = read(peer, said, sizeof(said) - 1);
	assert_true(n > 0);
	said[n] = '\0';
	says(2, "\"type\":\"error\"");
	says(2, "cannot wait for a turn");
	says(3, "\"type\":\"end\"");
}

static void an_unknown_benchmark_is_an_error(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 1;
	s->orders.benchmark = "fak";
	assert_int_equal(run_session(), STATUS_USAGE);
	assert_string_equal(line(1), "{\"type\":\"error\",\"name\":\"fak\","
				     "\"message\":\"there is no such benchmark\"}");
	assert_int_equal(lines(), 3);
}

static void a_failed_setup_is_reported_with_its_code(void **state)
{
	for (int ask = ASK_ALL; ask <= ASK_RUN; ask++) {
		if (ask == ASK_LIST)
			continue;
		open_session(state);
		fake.setup_code = 42;
		s->orders.ask = (enum ask)ask;
		s->orders.iterations = 1;
		assert_int_equal(run_session(), STATUS_FAILED);
		assert_string_equal(line(1), "{\"type\":\"error\",\"name\":\"fake\","
					     "\"message\":\"setup failed with code 42\"}");
		assert_int_equal(lines(), 3);
		assert_int_equal(fake.calls, 0);
	}
}

static void operations_that_all_fail_are_a_result_without_a_time(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 5;
	fake.fail_each = 1;
	assert_int_equal(run_session(), STATUS_FAILED);
	says(2, "\"iterations\":0,\"wall_ns\":0,");
	says(2, "\"errors\":5,");
	says(2, "\"throughput_per_s\":null,\"net_ns\":null,\"empty_ns\":0,\"mean_ns\":null,");
}

static void a_clock_that_stands_still_is_an_error_in_every_answer(void **state)
{
	for (int ask = ASK_ALL; ask <= ASK_RUN; ask++) {
		if (ask == ASK_LIST)
			continue;
		open_session(state);
		s->orders.ask = (enum ask)ask;
		s->orders.iterations = 100;
		s->orders.slices = 1;
		fake.cost_ns = 0;
		assert_int_equal(run_session(), STATUS_FAILED);
		says(lines() - 2, "\"type\":\"error\"");
		says(lines() - 2, "took no time");
	}
}

static void without_a_question_all_are_measured_and_a_failure_does_not_stop_them(void **state)
{
	struct pawl_bench three[] = { fake_bench, fake_bench, fake_bench };
	(void)state;
	three[0].name = "x/1";
	three[1].name = "y/2";
	three[2].name = "x/3";
	three[1].setup = NULL;
	s->list = three;
	s->count = 3;
	fake.setup_code = 1;
	assert_int_equal(run_session(), STATUS_FAILED);
	assert_int_equal(lines(), 5);
	says(1, "\"type\":\"error\",\"name\":\"x/1\"");
	says(2, "\"type\":\"result\",\"name\":\"y/2\",\"iterations\":16,");
	says(3, "\"type\":\"error\",\"name\":\"x/3\"");
}

static void a_fault_is_told_on_the_descriptor(void **state)
{
	(void)state;
	assert_int_equal(pawl_ask_refuse(s, "something 'wrong'"), STATUS_USAGE);
	(void)shutdown(s->orders.fd, SHUT_WR);
	ssize_t n = read(peer, said, sizeof(said) - 1);
	assert_true(n > 0);
	said[n] = '\0';
	assert_int_equal(lines(), 3);
	says(0, "\"type\":\"hello\"");
	assert_string_equal(line(1), "{\"type\":\"error\",\"name\":null,"
				     "\"message\":\"something 'wrong'\"}");
	says(2, "\"type\":\"end\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_collector_that_goes_away_ends_the_program_without_a_word),
		TEST(turns_on_a_descriptor_that_cannot_be_read_are_an_error),
		TEST(an_unknown_benchmark_is_an_error),
		TEST(a_failed_setup_is_reported_with_its_code),
		TEST(operations_that_all_fail_are_a_result_without_a_time),
		TEST(a_clock_that_stands_still_is_an_error_in_every_answer),
		TEST(without_a_question_all_are_measured_and_a_failure_does_not_stop_them),
		TEST(a_fault_is_told_on_the_descriptor),
	};
	return cmocka_run_group_tests_name("harness/ask fault", tests, NULL, NULL);
}
