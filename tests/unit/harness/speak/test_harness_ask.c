/* The protocol from end to end, on a made-up clock and a real socket. */
#include "tests/unit/harness/speak/test_harness_session.h"

#include "lib/base/banned.h"

static void every_answer_begins_with_hello_and_ends_with_end(void **state)
{
	(void)state;
	for (int ask = ASK_ALL; ask <= ASK_RUN; ask++) {
		open_session(state);
		s->orders.ask = (enum ask)ask;
		s->orders.iterations = 4;
		assert_int_equal(run_session(), STATUS_OK);
		says(0, "{\"type\":\"hello\",\"protocol\":1,\"pawl\":\"");
		says(0, "\"clock\":\"fake\",\"granularity_ns\":1,\"overhead_ns\":0,"
			"\"ticks_hz\":null}");
		assert_string_equal(line(lines() - 1), "{\"type\":\"end\"}");
	}
}

/* Of another clock the processor's counter is not measured: that takes each process 10 ms. */
static void hello_has_the_frequency_of_a_clock_that_counts_ticks(void **state)
{
	static struct clock_row ticks;
	open_session(state);
	ticks = *s->in.wall.row;
	ticks.kind = KIND_TICKS;
	s->in.wall.row = &ticks;
	s->orders.ask = ASK_LIST;
	assert_int_equal(run_session(), STATUS_OK);
	says(0, "\"ticks_hz\":1000000000");
}

static void list_names_every_benchmark(void **state)
{
	struct pawl_bench two[] = { fake_bench, fake_bench };
	(void)state;
	two[1].name = "a \"quoted\" one";
	two[1].items = 3;
	two[1].bytes = 0.5;
	s->list = two;
	s->count = 2;
	s->orders.ask = ASK_LIST;
	assert_int_equal(run_session(), STATUS_OK);
	assert_int_equal(lines(), 4);
	assert_string_equal(line(1), "{\"type\":\"benchmark\",\"name\":\"fake\",\"items\":0,"
				     "\"bytes\":0}");
	assert_string_equal(line(2), "{\"type\":\"benchmark\",\"name\":\"a \\\"quoted\\\" one\","
				     "\"items\":3,\"bytes\":0.5}");
	assert_int_equal(fake.setups, 0);
}

static void calibrate_tells_the_iterations(void **state)
{
	(void)state;
	s->orders.ask = ASK_CALIBRATE;
	s->orders.min_ns = 100e6;
	assert_int_equal(run_session(), STATUS_OK);
	assert_int_equal(lines(), 3);
	assert_string_equal(line(1),
			    "{\"type\":\"calibration\",\"name\":\"fake\",\"iterations\":128,"
			    "\"wall_ns\":128000000,\"cpu_ns\":128000000,"
			    "\"process_cpu_ns\":128000000,\"run_delay_ns\":0,"
			    "\"voluntary_switches\":0,\"first_ns\":1000000}");
	assert_int_equal(fake.teardowns, 1);
	assert_int_equal(fake.iterations, 1 + 255);
}

static void run_cuts_the_stretch_into_slices_that_differ_by_one(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 11;
	s->orders.slices = 4;
	s->orders.counters = false;
	assert_int_equal(run_session(), STATUS_OK);
	assert_int_equal(lines(), 7);
	assert_string_equal(line(1), "{\"type\":\"slice\",\"slice\":0,\"iterations\":3,"
				     "\"wall_ns\":3000000,\"cpu_ns\":3000000}");
	says(2, "\"slice\":1,\"iterations\":3,");
	says(3, "\"slice\":2,\"iterations\":3,");
	says(4, "\"slice\":3,\"iterations\":2,");
	assert_string_equal(line(5),
			    "{\"type\":\"result\",\"name\":\"fake\",\"iterations\":11,"
			    "\"wall_ns\":11000000,\"cpu_ns\":11000000,"
			    "\"process_cpu_ns\":11000000,\"first_ns\":1000000,\"errors\":0,"
			    "\"voluntary_switches\":0,\"involuntary_switches\":0,"
			    "\"minor_faults\":0,\"major_faults\":0,\"run_delay_ns\":0,"
			    "\"migrations\":0,\"strategy\":\"iterations\","
			    "\"estimate_ns\":1000000,\"estimate_of\":\"clean\","
			    "\"throughput_per_s\":1000,\"net_ns\":1000000,\"empty_ns\":0,"
			    "\"mean_ns\":1000000,"
			    "\"items_per_s\":null,\"bytes_per_s\":null,\"cpu_ratio\":1,"
			    "\"clean\":{\"n\":11,\"dropped\":0,\"waiting\":0,\"min_ns\":1000000,"
			    "\"median_ns\":1000000,\"mean_ns\":1000000,\"sd_ns\":0,"
			    "\"p99_ns\":1000000,\"max_ns\":1000000,\"ci95_low_ns\":1000000,"
			    "\"ci95_high_ns\":1000000,\"clock\":0,\"failed\":0,"
			    "\"migrated\":0,\"preempted\":0},\"notes\":[],"
			    "\"counters\":[],\"derived\":[]}");
	assert_int_equal(fake.iterations, 12);
	assert_int_equal(fake.teardowns, 1);
}

static void a_steady_run_calls_the_operation_once_a_slice(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 1000;
	s->orders.slices = 2;
	s->orders.counters = false;
	s->orders.steady = true;
	assert_int_equal(run_session(), STATUS_OK);
	assert_int_equal(fake.calls, 3); /* the first one is alone */
	assert_int_equal(fake.iterations, 1001);
	says(0, "\"ticks_hz\":null");
	says(1, "{\"type\":\"slice\",\"slice\":0,\"iterations\":500,\"wall_ns\":0,\"cpu_ns\":0}");
	says(3, "\"wall_ns\":0,\"cpu_ns\":0,\"process_cpu_ns\":0,\"first_ns\":0,\"errors\":0,");
	says(3, "\"notes\":[]");
}

static void there_are_at_most_as_many_slices_as_iterations(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 2;
	s->orders.slices = 20;
	assert_int_equal(run_session(), STATUS_OK);
	assert_int_equal(lines(), 5);
}

static void counters_that_are_not_there_are_null_with_a_reason(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 1;
	assert_int_equal(run_session(), STATUS_OK);
	says(2, "\"counters\":[{\"name\":\"cycles\",\"state\":\"absent\",\"value\":null,"
		"\"reason\":\"this processor or VM does not offer the event\"}");
}

static void each_slice_waits_for_its_turn(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = 6;
	s->orders.slices = 3;
	s->orders.turns = true;
	assert_int_equal(write(peer, "1111", 4), 4);
	assert_int_equal(run_session(), STATUS_OK);
	assert_int_equal(lines(), 10);
	for (int i = 0; i < 3; i++) {
		says(1 + 2 * i, "{\"type\":\"ready\",\"slice\":");
		says(2 + 2 * i, "{\"type\":\"slice\",\"slice\":");
	}
	/* and once more before the counter passes */
	says(7, "{\"type\":\"ready\",\"slice\":3}");
	says(8, "\"type\":\"result\"");
}

/* A socket that keeps what was sent in one go apart from the rest. */
static void keep_apart(void)
{
	int fd[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	(void)close(s->orders.fd);
	(void)close(peer);
	s->orders.fd = fd[0];
	peer = fd[1];
}

/* Receives the next lot into said; whether there is one. */
static bool next_lot(void)
{
	ssize_t n = recv(peer, said, sizeof(said) - 1, MSG_DONTWAIT);
	said[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* To send wakes the collector, and slices would be disturbed by that. */
static void slices_are_sent_with_the_result(void **state)
{
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = s->orders.slices = 3;
	keep_apart();
	assert_int_equal(pawl_ask(s), STATUS_OK);
	assert_true(next_lot());
	says(0, "\"type\":\"hello\"");
	assert_true(next_lot());
	assert_int_equal(lines(), 5);
	says(0, "\"slice\":0");
	says(3, "\"type\":\"result\"");
	says(4, "\"type\":\"end\"");
	assert_false(next_lot());
}

static void more_slices_than_are_kept_are_sent_before_it(void **state)
{
	int n_lines = 0, n_lots;
	(void)state;
	s->orders.ask = ASK_RUN;
	s->orders.iterations = s->orders.slices = 200;
	keep_apart();
	assert_int_equal(pawl_ask(s), STATUS_OK);
	for (n_lots = 0; next_lot(); n_lots++)
		n_lines += lines();
	assert_int_equal(n_lines, 1 + 200 + 2);
	assert_in_range(n_lots, 3, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_answer_begins_with_hello_and_ends_with_end),
		TEST(hello_has_the_frequency_of_a_clock_that_counts_ticks),
		TEST(list_names_every_benchmark),
		TEST(calibrate_tells_the_iterations),
		TEST(run_cuts_the_stretch_into_slices_that_differ_by_one),
		TEST(a_steady_run_calls_the_operation_once_a_slice),
		TEST(there_are_at_most_as_many_slices_as_iterations),
		TEST(counters_that_are_not_there_are_null_with_a_reason),
		TEST(each_slice_waits_for_its_turn),
		TEST(slices_are_sent_with_the_result),
		TEST(more_slices_than_are_kept_are_sent_before_it),
	};
	return cmocka_run_group_tests_name("harness/ask", tests, NULL, NULL);
}
