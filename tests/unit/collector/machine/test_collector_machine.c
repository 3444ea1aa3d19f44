/* What is said of the machine: warnings are of what was measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/machine/machine.h"

#include "lib/base/banned.h"

/* How many warnings there are of a machine that is busier than its processors allow. */
static size_t warnings_where(bool measured)
{
	struct environment env = { .warnings = STRV_INIT };
	struct environment_mark mark;
	struct summary s;
	struct err err = ERR_INIT;
	size_t n;

	summary_init(&s);
	environment_begin(&env, &mark);
	assert_int_equal(0, machine_describe(&s.machine, &err));
	env.load = 2.0 * s.machine.cores;
	assert_int_equal(0, environment_end(&env, &mark, &s.machine, measured, &err));
	n = env.warnings.n;
	strv_release(&env.warnings);
	summary_release(&s);
	return n;
}

static void a_busy_machine_is_warned_of(void **state)
{
	(void)state;
	assert_true(warnings_where(true) > 0);
}

static void where_nothing_was_measured_nothing_is_warned_of(void **state)
{
	(void)state;
	assert_int_equal(0, warnings_where(false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_busy_machine_is_warned_of),
		cmocka_unit_test(where_nothing_was_measured_nothing_is_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
