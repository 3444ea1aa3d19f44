/* The protocol from end to end, on a made-up clock and a real socket. */
#include "tests/unit/test_harness_fake.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/counter_perf.h"
#include "harness/session.h"

#include "lib/base/banned.h"

#define MS 1000000u

static struct session *s;
static int peer; /* the collector's end */
static char said[65536];

static int no_event(struct perf_event_attr *attr, int group_fd)
{
	(void)attr, (void)group_fd;
	return -ENOENT;
}

static int no_paranoid(void)
{
	return 2;
}

static const struct counter_calls no_counters = { .open = no_event,
						  .paranoid = no_paranoid,
						  .devices = "/nonexistent" };

static int close_session(void **state)
{
	(void)state;
	if (s) {
		(void)close(s->orders.fd);
		(void)close(peer);
	}
	free(s);
	s = NULL;
	return 0;
}

/* A new session in place of the one before. */
static int open_session(void **state)
{
	int fd[2];
	close_session(state);
	s = calloc(1, sizeof(*s));
	if (!s || socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		return -1;
	peer = fd[1];
	s->program = "test";
	s->list = &fake_bench;
	s->count = 1;
	s->in = fake_instruments(1 * MS);
	s->calls = &no_counters;
	s->options = (struct options){ .counters = true, .min_ns = 10e6 };
	s->orders = (struct orders){ .fd = fd[0], .slices = 1, .counters = true };
	s->orders.benchmark = "fake";
	pawl_text_init(&s->text, s->memory, sizeof(s->memory));
	return 0;
}

/* Runs the session and collects what it said. */
static int run_session(void)
{
	size_t used = 0;
	ssize_t n;
	int status = pawl_session_ask(s);
	(void)shutdown(s->orders.fd, SHUT_WR);
	while ((n = read(peer, said + used, sizeof(said) - 1 - used)) > 0)
		used += (size_t)n;
	said[used] = '\0';
	return status;
}

static int lines(void)
{
	int n = 0;
	for (const char *c = said; *c; c++)
		n += *c == '\n';
	return n;
}

/* Line i, without its newline. */
static const char *line(int i)
{
	static char out[RECORD_SIZE];
	const char *at = said, *end;
	for (; i > 0; i--) {
		at = strchr(at, '\n');
		assert_non_null(at);
		at++;
	}
	end = strchr(at, '\n');
	assert_non_null(end);
	memcpy(out, at, (size_t)(end - at));
	out[end - at] = '\0';
	return out;
}

static void says(int i, const char *part)
{
	if (!strstr(line(i), part))
		fail_msg("line %d is %s, without %s", i, line(i), part);
}

static void every_answer_begins_with_hello_and_ends_with_end(void **state)
{
	(void)state;
	for (int ask = ASK_ALL; ask <= ASK_RUN; ask++) {
		open_session(state);
		s->orders.ask = (enum ask)ask;
		s->orders.iterations = 4;
		assert_int_equal(run_session(), STATUS_OK);
		says(0, "{\"type\":\"hello\",\"protocol\":1,\"pawl\":\"");
		says(0, "\"clock\":\"fake\",\"granularity_ns\":1,\"overhead_ns\":0,\"ticks_hz\":");
		assert_string_equal(line(lines() - 1), "{\"type\":\"end\"}");
	}
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
			    "\"migrations\":0,\"mean_ns\":1000000,\"throughput_per_s\":1000,"
			    "\"strategy\":\"iterations\",\"estimate_ns\":1000000,"
			    "\"estimate_of\":\"mean\",\"net_ns\":1000000,\"empty_ns\":0,"
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
	says(1, "\"slice\":0,\"iterations\":500,");
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
	assert_int_equal(pawl_session_ask(s), STATUS_USAGE);
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
	says(2, "\"mean_ns\":null,\"throughput_per_s\":null");
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
	assert_int_equal(pawl_session_refuse(s, "something 'wrong'"), STATUS_USAGE);
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
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)
	const struct CMUnitTest tests[] = {
		TEST(every_answer_begins_with_hello_and_ends_with_end),
		TEST(list_names_every_benchmark),
		TEST(calibrate_tells_the_iterations),
		TEST(run_cuts_the_stretch_into_slices_that_differ_by_one),
		TEST(a_steady_run_calls_the_operation_once_a_slice),
		TEST(there_are_at_most_as_many_slices_as_iterations),
		TEST(counters_that_are_not_there_are_null_with_a_reason),
		TEST(each_slice_waits_for_its_turn),
		TEST(a_collector_that_goes_away_ends_the_program_without_a_word),
		TEST(turns_on_a_descriptor_that_cannot_be_read_are_an_error),
		TEST(an_unknown_benchmark_is_an_error),
		TEST(a_failed_setup_is_reported_with_its_code),
		TEST(operations_that_all_fail_are_a_result_without_a_time),
		TEST(a_clock_that_stands_still_is_an_error_in_every_answer),
		TEST(without_a_question_all_are_measured_and_a_failure_does_not_stop_them),
		TEST(a_fault_is_told_on_the_descriptor),
	};
	return cmocka_run_group_tests_name("harness/ask", tests, NULL, NULL);
}
