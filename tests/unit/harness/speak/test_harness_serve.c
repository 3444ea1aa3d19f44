/* Several orders for one process, on a made-up clock and a real socket. */
#include "tests/unit/harness/speak/test_harness_session.h"

#include "lib/base/banned.h"

static struct pawl_bench list[3];

static int refuse(void *ctx)
{
	(void)ctx;
	return 7;
}

/* "fake", "other one", and "bad", whose setup fails; the first is asked for. */
static void begin(enum ask ask)
{
	for (int i = 0; i < 3; i++)
		list[i] = fake_bench;
	list[1].name = "other one";
	list[2].name = "bad";
	list[2].setup = refuse;
	s->list = list;
	s->count = 3;
	s->orders.ask = ask;
	s->orders.iterations = 4;
	s->orders.min_ns = 10e6;
	s->orders.serve = true;
}

/* What the collector will have sent by the time it is read. */
static void order(const char *lines_sent)
{
	assert_int_equal(write(peer, lines_sent, strlen(lines_sent)), (ssize_t)strlen(lines_sent));
}

static void one_process_runs_one_order_after_the_other(void **state)
{
	(void)state;
	begin(ASK_RUN);
	order("6 2 other one\n2 1 fake\nend\n");
	assert_int_equal(run_session(), STATUS_OK);
	assert_int_equal(lines(), 12);
	says(1, "\"slice\":0,\"iterations\":4");
	says(2, "\"type\":\"result\",\"name\":\"fake\",\"iterations\":4,");
	assert_string_equal(line(3), "{\"type\":\"next\"}");
	says(4, "\"slice\":0,\"iterations\":3");
	says(5, "\"slice\":1,\"iterations\":3");
	says(6, "\"type\":\"result\",\"name\":\"other one\",\"iterations\":6,");
	assert_string_equal(line(7), "{\"type\":\"next\"}");
	says(9, "\"type\":\"result\",\"name\":\"fake\",\"iterations\":2,");
	assert_string_equal(line(11), "{\"type\":\"end\"}");
	assert_int_equal(fake.setups, 3);
	assert_int_equal(fake.teardowns, 3);
}

static void each_order_has_turns_of_its_own(void **state)
{
	(void)state;
	begin(ASK_RUN);
	s->orders.turns = true;
	order("gg4 1 other one\nggend\n");
	assert_int_equal(run_session(), STATUS_OK);
	assert_string_equal(line(1), "{\"type\":\"ready\",\"slice\":0}");
	says(4, "\"name\":\"fake\"");
	assert_string_equal(line(6), "{\"type\":\"ready\",\"slice\":0}");
	says(9, "\"name\":\"other one\"");
	assert_string_equal(line(11), "{\"type\":\"end\"}");
}

static void calibrations_share_a_process_too(void **state)
{
	(void)state;
	begin(ASK_CALIBRATE);
	order("1 1 other one\nend\n");
	assert_int_equal(run_session(), STATUS_OK);
	says(1, "\"type\":\"calibration\",\"name\":\"fake\"");
	says(3, "\"type\":\"calibration\",\"name\":\"other one\"");
}

static void a_benchmark_that_fails_does_not_end_the_process(void **state)
{
	(void)state;
	begin(ASK_RUN);
	order("4 1 bad\n4 1 other one\nend\n");
	assert_int_equal(run_session(), STATUS_FAILED);
	says(4, "\"type\":\"error\",\"name\":\"bad\",\"message\":\"setup failed with code 7\"");
	assert_string_equal(line(5), "{\"type\":\"next\"}");
	says(7, "\"name\":\"other one\"");
}

static void what_is_no_order_ends_it_with_an_error(void **state)
{
	static const char *const wrong[] = { "4 1\n",	   "4 1 \n",	  "0 1 fake\n",
					     "4 0 fake\n", "x 1 fake\n",  "4 1 nobody\n",
					     "\n",	   "4 -1 fake\n", "run fake\n" };
	char longest[SESSION_ORDER + 2];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		open_session(state);
		begin(ASK_RUN);
		order(wrong[i]);
		assert_int_equal(run_session(), STATUS_USAGE);
		says(lines() - 2, "\"type\":\"error\"");
		assert_string_equal(line(lines() - 1), "{\"type\":\"end\"}");
	}
	open_session(state);
	begin(ASK_RUN);
	memset(longest, 'x', sizeof(longest));
	memcpy(longest, "4 1 ", 4);
	longest[sizeof(longest) - 1] = '\0';
	order(longest);
	assert_int_equal(run_session(), STATUS_USAGE);
	says(lines() - 2, "cannot read the next order");
}

static void a_collector_that_is_gone_ends_it_without_a_word(void **state)
{
	(void)state;
	begin(ASK_RUN);
	assert_int_equal(shutdown(peer, SHUT_WR), 0);
	assert_int_equal(run_session(), STATUS_GONE);
	assert_string_equal(line(lines() - 1), "{\"type\":\"next\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_process_runs_one_order_after_the_other),
		TEST(each_order_has_turns_of_its_own),
		TEST(calibrations_share_a_process_too),
		TEST(a_benchmark_that_fails_does_not_end_the_process),
		TEST(what_is_no_order_ends_it_with_an_error),
		TEST(a_collector_that_is_gone_ends_it_without_a_word),
	};
	return cmocka_run_group_tests_name("harness/serve", tests, NULL, NULL);
}
