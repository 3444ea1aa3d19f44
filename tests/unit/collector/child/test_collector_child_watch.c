/* A watched child: what all that it starts waited for a processor, and that it does not notice. */
#include "tests/unit/collector/child_fixture.h"

#include <math.h>
#include <signal.h>

#include "lib/process/stop.h"
#include "tests/helpers/fixture.h"

#include "lib/base/banned.h"

static void watch_fixture(const char *mode, const char *first, const char *second)
{
	/* The leak sanitizer cannot work in a process that is watched, and would fail it. */
	static char no_leaks[] = "ASAN_OPTIONS=detect_leaks=0", *env[] = { no_leaks, NULL };

	rig_start(mode, first, second);
	rig.spec.env = env;
	rig.spec.watch = true;
	if (rig_run())
		fail_msg("child_run: %s", rig.err.text);
}

/* Some systems forbid to watch, and then the sum is that of the main thread. */
static bool is_watched(void)
{
	return !isnan(rig.child.watched_delay_ns);
}

static void its_end_and_its_output_are_those_of_any_child(void **state)
{
	(void)state;
	watch_fixture("exit", "3", NULL);
	assert_int_equal(3, rig.result.exit_status);
	child_release(&rig.child);
	watch_fixture("signal", "11", NULL);
	assert_int_equal(SIGSEGV, rig.result.signal);
	child_release(&rig.child);
	watch_fixture("print", "70000", "5");
	assert_int_equal(70000, rig.child.out.n_bytes);
	assert_int_equal(5, rig.child.errors.n_bytes);
	assert_int_equal(fixture_byte(3), rig.child.out.head.data[3]);
}

static void its_helpers_are_counted_with_it(void **state)
{
	(void)state;
	watch_fixture("helper", "3", "5");
	assert_int_equal(0, rig.result.exit_status);
	assert_true(rig.result.cpu_ns >= 15 * MS);
	assert_int_equal(0, rig.result.n_left);
	if (!is_watched())
		return;
	/* At least the exec; of each helper its start and its first stop.  No end is one. */
	assert_true(rig.child.n_stops >= 1 + 3 * 2);
	assert_true(rig.result.run_delay_ns == rig.child.watched_delay_ns);
	assert_true(rig.result.late_ns > 0);
}

static void what_it_leaves_behind_is_ended(void **state)
{
	(void)state;
	watch_fixture("helper", "1", "1");
	assert_false(rig.result.has_unwaited);
	child_release(&rig.child);
	watch_fixture("daemons", "3", NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_true(rig.result.has_unwaited);
	assert_no_children();
	child_release(&rig.child);
	watch_fixture("children", "3", NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_no_children();
	child_release(&rig.child);
	/* The first thread of a process is told after all the others: who waits for it first waits
	 * for ever. */
	watch_fixture("crowd", "4", NULL);
	assert_int_equal(0, rig.result.exit_status);
	assert_no_children();
}

static void its_deadline_ends_it(void **state)
{
	(void)state;
	rig_start("hang", NULL, NULL);
	rig.spec.watch = true;
	rig.spec.timeout_ns = 50 * MS;
	assert_int_equal(0, rig_run());
	assert_true(rig.result.timed_out);
	assert_int_equal(SIGKILL, rig.result.signal);
}

static void a_stop_signal_ends_it(void **state)
{
	(void)state;
	rig_start("hang", NULL, NULL);
	rig.spec.watch = true;
	stop_signal = SIGINT;
	assert_int_equal(-1, rig_run());
	stop_signal = 0;
	assert_int_equal(ERR_STOPPED, rig.err.code);
}

/* The mask is as it was: who waits for children by SIGCHLD is not left waiting. */
static void our_signals_are_as_before(void **state)
{
	sigset_t before, after;

	(void)state;
	sigprocmask(SIG_SETMASK, NULL, &before);
	watch_fixture("exit", "0", NULL);
	sigprocmask(SIG_SETMASK, NULL, &after);
	assert_int_equal(sigismember(&before, SIGCHLD), sigismember(&after, SIGCHLD));
}

#define TEST(name) cmocka_unit_test_teardown(name, rig_release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(its_end_and_its_output_are_those_of_any_child),
		TEST(its_helpers_are_counted_with_it),
		TEST(what_it_leaves_behind_is_ended),
		TEST(its_deadline_ends_it),
		TEST(a_stop_signal_ends_it),
		TEST(our_signals_are_as_before),
	};

	return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
