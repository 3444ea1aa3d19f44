/* A benchmark on several threads: real threads, on clocks of this machine or made-up ones. */
#include "tests/unit/harness/engine/team_fixture.h"

#include <errno.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "lib/base/banned.h"

static void processors_of(cpu_set_t *out)
{
	assert_int_equal(sched_getaffinity(0, sizeof(*out), out), 0);
}

static void every_thread_does_its_share_and_all_run_at_once(void **state)
{
	struct slice slice;
	struct measured m;
	(void)state;
	assert_int_equal(open_engine(4), 0);
	pawl_engine_first(&e);
	for (int i = 0; i < 4; i++)
		assert_int_equal(seen.iterations[i], 1);
	pawl_engine_clear(&e);
	pawl_engine_hold_steady(&e);
	pawl_engine_slice(&e, 4002, &slice);
	assert_int_equal(slice.iterations, 4002);
	/* 1000 each, and one more on the first ones */
	assert_int_equal(seen.iterations[0], 1 + 1001);
	assert_int_equal(seen.iterations[1], 1 + 1001);
	assert_int_equal(seen.iterations[2], 1 + 1000);
	assert_int_equal(seen.iterations[3], 1 + 1000);
	assert_int_equal(seen.most_inside, 4);
	for (int i = 1; i < 4; i++)
		assert_int_not_equal(seen.thread[i], seen.thread[0]);
	assert_int_equal(seen.thread[0], gettid());
	pawl_engine_result(&e, &m);
	assert_int_equal(m.threads, 4);
	assert_true(m.mean_ns == m.wall_ns / 4002);
	assert_string_equal(m.tally.entry[0].name, "sum");
	assert_true(m.tally.entry[0].value == 4002);
	assert_true(m.tally.entry[1].value == 1 + 2 + 3 + 4);
	pawl_engine_close(&e);
	assert_int_equal(seen.setups, 1);
	assert_int_equal(seen.teardowns, 1);
}

static void fewer_iterations_than_threads_leave_some_idle(void **state)
{
	struct slice slice;
	(void)state;
	assert_int_equal(open_engine(3), 0);
	pawl_engine_clear(&e);
	seen.most_inside = 3; /* nobody waits for anybody */
	pawl_engine_slice(&e, 2, &slice);
	assert_int_equal(slice.iterations, 2);
	assert_true(slice.wall_ns >= 1000);
	assert_int_equal(seen.calls[0], 1);
	assert_int_equal(seen.calls[1], 1);
	assert_int_equal(seen.calls[2], 0);
	pawl_engine_close(&e);
}

static void time_is_from_the_first_start_to_the_last_end(void **state)
{
	struct slice slice;
	(void)state;
	assert_int_equal(open_engine(2), 0);
	pawl_engine_clear(&e);
	pawl_engine_hold_steady(&e);
	pawl_engine_slice(&e, 2000, &slice);
	/* Each thread spends 1000 us of wall time; they share it, or take turns. */
	assert_true(slice.wall_ns >= 0.99e6);
	assert_true(slice.cpu_ns > 0);
	pawl_engine_close(&e);
}

static void threads_get_processors_of_their_own_and_the_caller_its_old_ones(void **state)
{
	cpu_set_t before, after;
	struct slice slice;
	struct measured m;
	(void)state;
	processors_of(&before);
	unsigned n = (unsigned)CPU_COUNT(&before);
	unsigned threads = n < MOST ? n : MOST;
	if (threads < 2) {
		print_message("# skipped: there is one processor\n");
		skip();
	}
	assert_int_equal(open_engine(threads), 0);
	pawl_engine_clear(&e);
	pawl_engine_slice(&e, threads, &slice);
	for (unsigned i = 0; i < threads; i++)
		for (unsigned k = 0; k < i; k++)
			assert_int_not_equal(seen.where[i], seen.where[k]);
	pawl_engine_result(&e, &m);
	assert_true(m.pinned);
	assert_int_equal(m.processors, n);
	pawl_engine_close(&e);
	processors_of(&after);
	assert_true(CPU_EQUAL(&before, &after));
}

static void more_threads_than_processors_are_not_bound(void **state)
{
	cpu_set_t before, after, one;
	struct slice slice;
	struct measured m;
	(void)state;
	processors_of(&before);
	CPU_ZERO(&one);
	for (int i = 0; !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &before))
			CPU_SET(i, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(open_engine(3), 0);
	pawl_engine_clear(&e);
	/* or it may run one iteration at a time, which waits for none */
	pawl_engine_hold_steady(&e);
	pawl_engine_slice(&e, 30, &slice);
	pawl_engine_result(&e, &m);
	assert_false(m.pinned);
	assert_int_equal(m.processors, 1);
	assert_int_equal(seen.most_inside, 3);
	pawl_engine_close(&e);
	processors_of(&after);
	assert_true(CPU_EQUAL(&one, &after));
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

static void the_iterations_double_for_each_thread(void **state)
{
	struct measured m;
	(void)state;
	assert_int_equal(open_engine(3), 0);
	seen.most_inside = 3; /* rounds of one iteration each must not wait */
	pawl_engine_first(&e);
	assert_int_equal(pawl_engine_double(&e, 4e6), 0);
	pawl_engine_result(&e, &m);
	assert_int_equal(m.iterations % 3, 0);
	assert_int_equal(m.iterations / 3 & (m.iterations / 3 - 1), 0);
	assert_true(m.wall_ns >= 4e6);
	assert_true(m.first_ns >= 1000);
	pawl_engine_close(&e);
}

static void a_failure_of_one_thread_throws_the_round_away(void **state)
{
	struct slice slice;
	struct measured m;
	(void)state;
	assert_int_equal(open_engine(2), 0);
	seen.fail_in = 2;
	pawl_engine_clear(&e);
	pawl_engine_hold_steady(&e);
	pawl_engine_slice(&e, 20, &slice);
	assert_int_equal(slice.iterations, 0);
	pawl_engine_result(&e, &m);
	assert_int_equal(m.errors, 1);
	assert_int_equal(m.iterations, 0);
	assert_int_equal(m.tally.n, 0);
	pawl_engine_close(&e);
	assert_int_equal(seen.teardowns, 1);
}

static void by_hand_the_time_is_the_mean_over_the_threads(void **state)
{
	struct slice slice;
	(void)state;
	assert_int_equal(open_engine(2), 0);
	seen.by_hand = true;
	pawl_engine_clear(&e);
	pawl_engine_hold_steady(&e);
	pawl_engine_slice(&e, 2000, &slice);
	/* Each spends 1 ms before pawl_start(), which is not in it, and 1 ms behind it. */
	assert_true(slice.wall_ns >= 0.99e6);
	assert_true(e.stretch.outer_ns >= slice.wall_ns + 0.99e6);
	assert_true(isnan(slice.cpu_ns));
	pawl_engine_close(&e);
}

static void threads_of_which_only_some_time_by_hand_are_mixed(void **state)
{
	struct slice slice;
	(void)state;
	assert_int_equal(open_engine(2), 0);
	seen.by_hand = true;
	pawl_engine_slice(&e, 20, &slice);
	pawl_engine_slice(&e, 1, &slice); /* the second thread is not called */
	assert_false(pawl_run_is_mixed(&e.run));
	pawl_engine_close(&e);
	assert_int_equal(open_engine(2), 0);
	seen.by_hand = true;
	seen.first_only = true;
	seen.most_inside = 2; /* nobody waits for the other */
	pawl_engine_slice(&e, 20, &slice);
	assert_true(pawl_run_is_mixed(&e.run));
	pawl_engine_close(&e);
}

/* Of two threads with one iteration only the first reads the made-up clock. */
static void a_chunk_is_put_together_from_what_each_thread_read(void **state)
{
	struct instruments in = fake_instruments(0);
	struct slice slice;
	struct pawl_bench of_two = PAWL_BENCH("two", fake_run);
	(void)state;
	of_two.threads = 2;
	in.thread.state = -1; /* the made-up clocks are for one thread: only wall is read */
	in.process.state = -1;
	assert_int_equal(pawl_engine_open(&e, &in, &of_two), 0);
	assert_int_equal(pawl_engine_staff(&e), 0);
	pawl_engine_clear(&e);
	fake.cost_ns = 1000;
	pawl_engine_slice(&e, 1, &slice); /* one thread alone */
	assert_int_equal(slice.iterations, 1);
	assert_true(slice.wall_ns == 1000);
	assert_true(isnan(slice.cpu_ns));
	pawl_engine_close(&e);
}

/* In a child of its own, as a user who may have no further process. */
static void threads_that_cannot_be_started_are_an_error(void **state)
{
	const struct rlimit none = { 1, 1 };
	cpu_set_t before, after;
	int status;
	(void)state;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		processors_of(&before);
		if ((geteuid() == 0 && (setgid(65534) || setuid(65534))) ||
		    setrlimit(RLIMIT_NPROC, &none))
			_exit(77);
		int error = open_engine(3);
		pawl_engine_close(&e);
		processors_of(&after);
		_exit(error != -EAGAIN ? 1 : seen.teardowns != 1 ? 2 : !CPU_EQUAL(&before, &after));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77) {
		print_message("# skipped: cannot become another user\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_thread_does_its_share_and_all_run_at_once),
		cmocka_unit_test(fewer_iterations_than_threads_leave_some_idle),
		cmocka_unit_test(time_is_from_the_first_start_to_the_last_end),
		cmocka_unit_test(threads_get_processors_of_their_own_and_the_caller_its_old_ones),
		cmocka_unit_test(more_threads_than_processors_are_not_bound),
		cmocka_unit_test(the_iterations_double_for_each_thread),
		cmocka_unit_test(a_failure_of_one_thread_throws_the_round_away),
		cmocka_unit_test(by_hand_the_time_is_the_mean_over_the_threads),
		cmocka_unit_test(threads_of_which_only_some_time_by_hand_are_mixed),
		cmocka_unit_test(a_chunk_is_put_together_from_what_each_thread_read),
		cmocka_unit_test(threads_that_cannot_be_started_are_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
