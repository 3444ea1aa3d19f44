/* Which processor is quietest, by two readings of /proc/stat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <sched.h>
#include <string.h>

#include <cmocka.h>

#include "collector/machine/machine.h"

#include "lib/base/banned.h"

/* user nice system idle iowait irq softirq steal guest guest_nice */
#define BEFORE \
	"cpu  400 0 40 4000 0 4 4 4 0 0\n" \
	"cpu0 100 0 10 1000 0 1 1 1 0 0\n" \
	"cpu1 100 0 10 1000 0 1 1 1 0 0\n" \
	"cpu2 100 0 10 1000 0 1 1 1 0 0\n" \
	"cpu10 100 0 10 1000 0 1 1 1 0 0\n" \
	"intr 12345 0 0\n"

static const bool all[16] = { true, true, true, true, true, true, true, true,
			      true, true, true, true, true, true, true, true };

static int quietest_after(const char *after, const bool *may)
{
	return machine_quietest(BEFORE, after, may, 16);
}

static void the_least_busy_one_is_taken(void **state)
{
	(void)state;
	assert_int_equal(1, quietest_after("cpu  0\n"
					   "cpu0 110 0 10 1010 0 1 1 1 0 0\n"
					   "cpu1 102 0 10 1018 0 1 1 1 0 0\n"
					   "cpu2 110 0 12 1008 0 1 1 1 0 0\n"
					   "cpu10 100 6 10 1014 0 1 1 1 0 0\n",
					   all));
}

static void steal_and_interrupts_count_and_waiting_for_a_disk_does_not(void **state)
{
	(void)state;
	assert_int_equal(2, quietest_after("cpu  0\n"
					   "cpu0 100 0 10 1010 0 1 1 11 0 0\n"
					   "cpu1 100 0 10 1010 0 6 6 1 0 0\n"
					   "cpu2 100 0 10 1000 20 1 1 1 0 0\n"
					   "cpu10 100 0 20 1010 0 1 1 1 0 0\n",
					   all));
}

static void of_equals_the_last_is_taken_and_one_tick_is_no_difference(void **state)
{
	(void)state;
	assert_int_equal(10, quietest_after(BEFORE, all));
	assert_int_equal(10, quietest_after("cpu  0\n"
					    "cpu0 100 0 10 1020 0 1 1 1 0 0\n"
					    "cpu1 100 0 10 1020 0 1 1 1 0 0\n"
					    "cpu2 100 0 10 1020 0 1 1 1 0 0\n"
					    "cpu10 101 0 10 1019 0 1 1 1 0 0\n",
					    all));
	assert_int_equal(2, quietest_after("cpu  0\n"
					   "cpu0 100 0 10 1020 0 1 1 1 0 0\n"
					   "cpu1 100 0 10 1020 0 1 1 1 0 0\n"
					   "cpu2 100 0 10 1020 0 1 1 1 0 0\n"
					   "cpu10 102 0 10 1018 0 1 1 1 0 0\n",
					   all));
}

static void only_marked_ones_are_taken(void **state)
{
	const bool may[16] = { true, true };

	(void)state;
	assert_int_equal(1, quietest_after(BEFORE, may));
	assert_int_equal(-1, machine_quietest(BEFORE, BEFORE, all, 0));
}

static void one_that_went_offline_meanwhile_is_not_taken(void **state)
{
	(void)state;
	assert_int_equal(1, quietest_after("cpu  0\n"
					   "cpu0 100 0 10 1020 0 1 1 1 0 0\n"
					   "cpu1 100 0 10 1020 0 1 1 1 0 0\n",
					   all));
}

static void a_text_that_tells_nothing_gives_none(void **state)
{
	(void)state;
	assert_int_equal(-1, quietest_after("", all));
	assert_int_equal(-1, quietest_after("cpu0", all));
	assert_int_equal(-1, quietest_after("x\ncpu0 \n", all));
	assert_int_equal(-1, machine_quietest("", "", all, 16));
}

static void lists_of_processors_are_read(void **state)
{
	bool got[16] = { false };

	(void)state;
	assert_int_equal(4, machine_mark_list("2-4,7", got, 16));
	assert_true(!got[1] && got[2] && got[3] && got[4] && !got[5] && !got[6] && got[7]);
	assert_int_equal(0, machine_mark_list("", got, 16));
	assert_int_equal(0, machine_mark_list("(null)", got, 16));
	assert_int_equal(0, machine_mark_list("16-99999", got, 16));
	assert_int_equal(1, machine_mark_list("15-99999", got, 16));
	assert_int_equal(0, machine_mark_list("3-", got, 4));
}

static void with_one_processor_nothing_is_pinned(void **state)
{
	struct machine_look look = MACHINE_LOOK_INIT;
	cpu_set_t ours, one;
	int cpu;

	(void)state;
	assert_int_equal(0, sched_getaffinity(0, sizeof(ours), &ours));
	assert_int_equal(CPU_COUNT(&ours), machine_processors());
	for (cpu = 0; !CPU_ISSET((size_t)cpu, &ours); cpu++)
		;
	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	assert_int_equal(0, sched_setaffinity(0, sizeof(one), &one));
	assert_int_equal(1, machine_processors());
	assert_int_equal(-1, machine_pick_cpu(&look));
	machine_look_release(&look);
	assert_int_equal(0, sched_setaffinity(0, sizeof(ours), &ours));
}

/* Other work lies between: what is left of the look is not waited for twice. */
static void a_look_that_began_before_is_taken_up(void **state)
{
	struct machine_look look = MACHINE_LOOK_INIT;
	uint64_t began;

	(void)state;
	machine_look_begin(&look);
	assert_true(look.began_ns > 0);
	assert_non_null(strstr(buf_str(&look.stat), "\ncpu0 "));
	look.began_ns -= 1000000000; /* a second ago */
	began = look.began_ns;
	assert_true(machine_pick_cpu(&look) >= -1);
	assert_true(look.began_ns == began);
	machine_look_release(&look);
}

static void the_one_picked_may_be_used_and_our_mask_is_as_before(void **state)
{
	struct machine_look look = MACHINE_LOOK_INIT;
	cpu_set_t before, after, one;
	int cpu;

	(void)state;
	assert_int_equal(0, sched_getaffinity(0, sizeof(before), &before));
	cpu = machine_pick_cpu(&look);
	machine_look_release(&look);
	assert_int_equal(0, sched_getaffinity(0, sizeof(after), &after));
	assert_true(CPU_EQUAL(&before, &after));
	if (CPU_COUNT(&before) < 2) {
		assert_int_equal(-1, cpu);
		return;
	}
	assert_true(cpu >= 0);
	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	assert_int_equal(0, sched_setaffinity(0, sizeof(one), &one));
	assert_int_equal(0, sched_setaffinity(0, sizeof(before), &before));
}

static void no_processor_has_no_frequency(void **state)
{
	(void)state;
	assert_true(isnan(machine_frequency_hz(-1)));
	assert_true(isnan(machine_frequency_hz(1 << 20)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_busy_one_is_taken),
		cmocka_unit_test(steal_and_interrupts_count_and_waiting_for_a_disk_does_not),
		cmocka_unit_test(of_equals_the_last_is_taken_and_one_tick_is_no_difference),
		cmocka_unit_test(only_marked_ones_are_taken),
		cmocka_unit_test(one_that_went_offline_meanwhile_is_not_taken),
		cmocka_unit_test(a_text_that_tells_nothing_gives_none),
		cmocka_unit_test(lists_of_processors_are_read),
		cmocka_unit_test(with_one_processor_nothing_is_pinned),
		cmocka_unit_test(a_look_that_began_before_is_taken_up),
		cmocka_unit_test(the_one_picked_may_be_used_and_our_mask_is_as_before),
		cmocka_unit_test(no_processor_has_no_frequency),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
