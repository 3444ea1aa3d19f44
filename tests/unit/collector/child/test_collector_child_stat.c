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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sleep_alone_takes_one_turn),
		cmocka_unit_test(who_was_sent_away_before_it_slept_is_not_only_woken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
