/* A benchmark on several threads: real threads, on clocks of this machine or made-up ones. */
#include "tests/unit/harness/test_harness_fake.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/engine/team.h"

#include "lib/base/banned.h"

#define MOST 8

static struct engine e;
static struct instruments real;
static struct pawl_bench bench;
static struct seen {
	uint64_t iterations[MOST], calls[MOST];
	int where[MOST];
	pid_t thread[MOST];
	atomic_int inside, most_inside;
	unsigned n, setups, teardowns;
	uint64_t fail_in;	  /* the thread that fails once a call, plus 1 */
	bool by_hand, first_only; /* by hand on the first thread only */
} seen;

static int set_up(void *ctx)
{
	(void)ctx;
	seen.setups++;
	return 0;
}

static void tear_down(void *ctx)
{
	(void)ctx;
	seen.teardowns++;
}

static void spend(uint64_t ns)
{
	uint64_t begin = real.wall.row->begin();
	while ((double)(real.wall.row->end() - begin) / real.wall.hz * 1e9 < (double)ns)
		;
}

/* Returns when all n threads are inside at once, so that it ends only where they run together. */
static void wait_for_all(void)
{
	int n = atomic_fetch_add(&seen.inside, 1) + 1;
	if (n > atomic_load(&seen.most_inside))
		atomic_store(&seen.most_inside, n);
	while (atomic_load(&seen.most_inside) < (int)seen.n)
		(void)sched_yield();
	atomic_fetch_sub(&seen.inside, 1);
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	unsigned i = pawl_thread(r);
	(void)ctx;
	assert_true(i < seen.n);
	seen.calls[i]++;
	seen.iterations[i] += n;
	seen.where[i] = sched_getcpu();
	seen.thread[i] = gettid();
	pawl_add(r, "sum", (double)n);
	pawl_set(r, "last", i + 1);
	if (seen.by_hand && !(seen.first_only && i)) {
		spend(1000 * n);
		pawl_start(r);
	} else if (n > 1) {
		wait_for_all();
	}
	spend(1000 * n);
	if (seen.by_hand)
		pawl_stop(r); /* does nothing where it was not started */
	if (seen.fail_in == i + 1)
		pawl_fail(r);
}

static int open_engine(unsigned threads)
{
	memset(&seen, 0, sizeof(seen));
	seen.n = threads;
	bench = (struct pawl_bench)PAWL_BENCH_FIXTURE("t", set_up, run, tear_down, NULL);
	bench.threads = threads;
	if (!real.wall.row)
		assert_int_equal(pawl_instruments_open(&real, NULL), 0);
	assert_int_equal(pawl_engine_open(&e, &real, &bench), 0);
	return pawl_engine_staff(&e);
}

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
		print_message("skipped: there is one processor\n");
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

static pid_t first_thread;
static atomic_uint first_began; /* its rounds */

/* The wall clock, which the first thread says that it has read. */
static uint64_t read_and_tell(void)
{
	uint64_t now = real.wall.row->begin();
	if (gettid() == first_thread)
		atomic_fetch_add(&first_began, 1);
	return now;
}

/*
 * The CPU clock, which all but the first thread come to 2 ms behind its beginning: a neighbour that
 * holds up the first one makes none of them early.
 */
static uint64_t read_late(void)
{
	static unsigned rounds; /* of the second thread alone */
	if (gettid() != first_thread) {
		uint64_t from = real.wall.row->begin();
		while (atomic_load(&first_began) == rounds &&
		       (double)(real.wall.row->end() - from) < real.wall.hz)
			(void)sched_yield();
		rounds = atomic_load(&first_began);
		spend(2000000);
	}
	return real.thread.row->end();
}

/* Two threads that are busy for 1 us an operation, of which one starts 2 ms behind the other. */
static void a_thread_that_starts_late_makes_no_clean_batch(void **state)
{
	struct clock_row late, telling;
	struct instruments in;
	struct slice slice;
	struct measured m;
	int tries = 0;
	(void)state;
	assert_int_equal(open_engine(2), 0);
	pawl_engine_close(&e);
	late = *real.thread.row;
	late.begin = read_late;
	telling = *real.wall.row;
	telling.begin = read_and_tell;
	in = real;
	in.thread.row = &late;
	in.wall.row = &telling;
	first_thread = gettid();
	/*
	 * What passed before the start is no reason to call few iterations a batch.  A neighbour
	 * that took the processor from the first batch is one, but not time and again.
	 */
	do {
		assert_int_equal(pawl_engine_open(&e, &in, &bench), 0);
		assert_int_equal(pawl_engine_staff(&e), 0);
		pawl_engine_slice(&e, 40000, &slice);
		pawl_engine_result(&e, &m);
		pawl_engine_close(&e);
	} while (e.step < 200 && ++tries < 20);
	assert_true(e.step >= 200);
	if (!m.pinned) {
		print_message("skipped: there are not two processors\n");
		skip();
	}
	assert_int_equal(m.clean.n, 0);
	assert_true(m.dropped_by[CAUSE_PREEMPTED] > 0);
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
		print_message("skipped: cannot become another user\n");
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
		cmocka_unit_test(a_thread_that_starts_late_makes_no_clean_batch),
		cmocka_unit_test(a_chunk_is_put_together_from_what_each_thread_read),
		cmocka_unit_test(threads_that_cannot_be_started_are_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
