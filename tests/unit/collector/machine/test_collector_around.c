/* What surrounds the runs is read now and then, and not in every run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "collector/machine/around.h"

#include "lib/base/banned.h"

#define START 5000000000u

/* Something nobody reads: it shows whether it was overwritten. */
#define MARK -7.0

static struct around around;

static int begin(void **state)
{
	(void)state;
	around = (struct around){ .is_read = false };
	around_look(&around, -1, START);
	around.steal_ticks = MARK;
	return 0;
}

static void it_is_read_the_first_time(void **state)
{
	(void)state;
	around = (struct around){ .steal_ticks = MARK };
	around_look(&around, -1, 0);
	assert_true(around.steal_ticks >= 0);
	assert_true(isnan(around.frequency_hz)); /* of no processor */
}

static void it_is_read_again_when_it_is_old(void **state)
{
	(void)state;
	around_look(&around, -1, START + AROUND_NS - 1);
	assert_true(around.steal_ticks == MARK);
	around_look(&around, -1, START + AROUND_NS);
	assert_true(around.steal_ticks >= 0);
	assert_true(around.read_ns == START + AROUND_NS);
}

static void another_processor_is_looked_at_at_once(void **state)
{
	(void)state;
	around_look(&around, 0, START + 1);
	assert_true(around.steal_ticks >= 0);
	assert_int_equal(0, around.cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(it_is_read_the_first_time, begin),
		cmocka_unit_test_setup(it_is_read_again_when_it_is_old, begin),
		cmocka_unit_test_setup(another_processor_is_looked_at_at_once, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
