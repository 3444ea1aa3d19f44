/* What we ourselves waited for a processor, and whether a sleep ended with it; the kernel's own
 * figures. */
#include "tests/unit/collector/child_fixture.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "collector/child/stat.h"

#include "lib/base/banned.h"

static void doze(void)
{
	nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
}

static struct own_wait known_wait(void)
{
	struct own_wait now = child_stat_own_wait();

	if (!isfinite(now.ns)) {
		print_message("# skipped: this kernel does not tell how long a thread waited\n");
		skip();
	}
	return now;
}

/* Others may send us away in between, but not each time. */
static void a_sleep_alone_takes_one_turn(void **state)
{
	bool seen = false;
	int i;

	(void)state;
	for (i = 0; i < 1000 && !seen; i++) {
		struct own_wait then = known_wait(), now;

		doze();
		now = child_stat_own_wait();
		assert_true(now.turns > then.turns && now.ns >= then.ns);
		seen = child_stat_only_woke(&then, &now);
	}
	assert_true(seen);
}

static long n_sent_away(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
	return usage.ru_nivcsw;
}

/* A neighbour on our only processor takes it from us; what we waited then is not of the sleep. */
static void who_was_sent_away_before_it_slept_is_not_only_woken(void **state)
{
	struct own_wait then = known_wait(), now;
	cpu_set_t all, one;
	long before;
	pid_t hog;
	int cpu = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	hog = fork();
	if (!hog)
		for (;;)
			;
	then = child_stat_own_wait();
	before = n_sent_away();
	while (n_sent_away() == before)
		;
	doze();
	now = child_stat_own_wait();
	kill(hog, SIGKILL);
	assert_int_equal(waitpid(hog, NULL, 0), hog);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_false(child_stat_only_woke(&then, &now));
	assert_true(now.ns > then.ns);
}

static int some_cpu(void)
{
	cpu_set_t all;
	int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET((size_t)cpu, &all))
		cpu++;
	return cpu;
}

/* Until it has left its processor: what it does to end takes time, too. */
static void wait_until_gone(pid_t pid)
{
	struct timespec then, now = { 0, 0 };

	do {
		then = now;
		doze();
		assert_int_equal(clock_gettime(child_stat_clock_of(pid), &now), 0);
	} while (then.tv_sec != now.tv_sec || then.tv_nsec != now.tv_nsec);
}

/* Runs what the rig is set up for; what /proc tells of it when it is over. */
static void run_and_look(double *out_cpu_ns, double *out_delay_ns)
{
	char path[64], line[128], *end;

	assert_int_equal(child_start(&rig.spec, &rig.child, &rig.err), 0);
	assert_int_equal(child_poll(&rig.child, false), CHILD_DONE);
	wait_until_gone(rig.child.pid);
	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)rig.child.pid);
	assert_true(file_first_line(path, line, sizeof(line)));
	*out_cpu_ns = strtod(line, &end);
	*out_delay_ns = strtod(end, NULL);
	child_finish(&rig.child, NULL, false, &rig.result);
	child_release(&rig.child);
}

/* How long is not the same to the nanosecond: it is reckoned. */
static void what_never_left_its_processor_waited_only_before_it_began(void **state)
{
	bool stayed = false;
	double cpu, delay;
	int i;

	(void)state;
	known_wait();
	for (i = 0; i < 1000 && !stayed; i++) {
		rig_start("exit", "0", NULL);
		rig.spec.cpu = some_cpu();
		run_and_look(&cpu, &delay);
		assert_true(fabs(rig.result.main_cpu_ns - cpu) < 1);
		assert_true(fabs(rig.result.threads_cpu_ns - cpu) < 1);
		assert_true(rig.result.main_delay_ns >= 0);
		assert_true(rig.result.main_delay_ns <= (double)rig.result.wall_ns);
		stayed = fabs(rig.result.main_delay_ns - delay) > 0;
	}
	if (!stayed) {
		print_message("# skipped: others took the processor from each of 1,000 runs\n");
		skip();
	}
}

static void what_gave_its_processor_up_is_looked_up(void **state)
{
	char sh[] = "sh", c[] = "-c", line[] = "sleep 0; sleep 0; sleep 0";
	char *const argv[] = { sh, c, line, NULL };
	double cpu, delay;

	(void)state;
	known_wait();
	rig_start("exit", "0", NULL);
	rig.spec.exe = "/bin/sh";
	rig.spec.argv = argv;
	rig.spec.cpu = some_cpu();
	run_and_look(&cpu, &delay);
	assert_true(fabs(rig.result.main_cpu_ns - cpu) < 1);
	assert_true(fabs(rig.result.main_delay_ns - delay) < 1);
	assert_true(rig.result.cpu_ns > rig.result.threads_cpu_ns); /* its helpers' is in the one */
}

/* On any processor it may have been moved, which is told there as well. */
static void what_runs_anywhere_is_looked_up(void **state)
{
	double cpu, delay;

	(void)state;
	known_wait();
	rig_start("exit", "0", NULL);
	run_and_look(&cpu, &delay);
	assert_true(fabs(rig.result.main_cpu_ns - cpu) < 1);
	assert_true(fabs(rig.result.main_delay_ns - delay) < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sleep_alone_takes_one_turn),
		cmocka_unit_test(who_was_sent_away_before_it_slept_is_not_only_woken),
		cmocka_unit_test(what_never_left_its_processor_waited_only_before_it_began),
		cmocka_unit_test(what_gave_its_processor_up_is_looked_up),
		cmocka_unit_test(what_runs_anywhere_is_looked_up),
	};

	return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
