/* Frequencies out of what processors and kernels tell, and registers that are forbidden. */
#include "tests/unit/harness/test_harness_fake.h"

#include <signal.h>
#include <unistd.h>

#include "harness/clock/told.h"

#include "lib/base/banned.h"

static void a_crystal_and_its_ratio_give_a_frequency(void **state)
{
	(void)state;
	/* 24 MHz * 216 / 2, as a desktop processor of 2.592 GHz tells */
	assert_true(pawl_told_of_crystal(2, 216, 24000000) == 2592e6);
	/* ... and 25 MHz * 168 / 2 of a server's, whose product fits in no 32 bits */
	assert_true(pawl_told_of_crystal(2, 168, 25000000) == 2100e6);
	assert_true(pawl_told_of_crystal(0, 216, 24000000) == 0);
	assert_true(pawl_told_of_crystal(2, 0, 24000000) == 0);
	assert_true(pawl_told_of_crystal(2, 216, 0) == 0);
}

static void the_kernels_scale_gives_a_frequency(void **state)
{
	(void)state;
	/* 62.5 MHz: a tick is 16 ns = (16 << 20) >> 20; 10 MHz: 100 ns */
	assert_true(pawl_told_of_scale(16 << 20, 20) == 62.5e6);
	assert_true(pawl_told_of_scale(100, 0) == 1e7);
	assert_true(pawl_told_of_scale(0, 10) == 0);
	assert_true(pawl_told_of_scale(1, 64) == 0);
}

static void what_the_kernel_tells_is_a_frequency_or_nothing(void **state)
{
	double hz = pawl_told_by_kernel();
	(void)state;
	assert_true(hz == 0 || (hz > 1e6 && hz < 1e11));
}

static uint64_t is_refused(void)
{
	(void)raise(SIGILL);
	return 1;
}

static uint64_t is_allowed(void)
{
	return 1;
}

static volatile sig_atomic_t caught;

static void catch (int signal)
{
	(void)signal;
	caught++;
}

static void a_forbidden_register_is_found_out(void **state)
{
	struct sigaction before, after;
	(void)state;
	assert_int_equal(sigaction(SIGILL, NULL, &before), 0);
	assert_true(pawl_clock_survives(is_allowed));
	assert_false(pawl_clock_survives(is_refused));
	assert_true(pawl_clock_survives(is_allowed));
	assert_false(pawl_clock_survives(is_refused)); /* the signal is not left blocked */
	assert_int_equal(sigaction(SIGILL, NULL, &after), 0);
	assert_true(before.sa_handler == after.sa_handler);
}

static void the_programs_own_handler_is_put_back(void **state)
{
	struct sigaction own, before;
	(void)state;
	memset(&own, 0, sizeof(own));
	own.sa_handler = catch;
	assert_int_equal(sigaction(SIGILL, &own, &before), 0);
	caught = 0;
	assert_false(pawl_clock_survives(is_refused));
	assert_int_equal(caught, 0);
	(void)raise(SIGILL);
	assert_int_equal(caught, 1);
	assert_int_equal(sigaction(SIGILL, &before, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_crystal_and_its_ratio_give_a_frequency),
		cmocka_unit_test(the_kernels_scale_gives_a_frequency),
		cmocka_unit_test(what_the_kernel_tells_is_a_frequency_or_nothing),
		cmocka_unit_test(a_forbidden_register_is_found_out),
		cmocka_unit_test(the_programs_own_handler_is_put_back),
	};
	return cmocka_run_group_tests_name("harness/clock_told", tests, NULL, NULL);
}
