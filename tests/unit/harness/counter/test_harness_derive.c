#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/counter/derive.h"

#include "lib/base/banned.h"

static struct counter counters[COUNTER_MAX];
static struct derived derived[DERIVE_N];

/* No counter has a value. */
static int clear(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTER_MAX; i++)
		counters[i] = (struct counter){ .name = pawl_counter_name((size_t)i),
						.state = COUNTER_ABSENT,
						.value = __builtin_nan("") };
	return 0;
}

static void set(const char *name, double value, enum counter_state state, bool simulated)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		if (strcmp(counters[i].name, name))
			continue;
		counters[i].value = value;
		counters[i].state = state;
		counters[i].simulated = simulated;
		return;
	}
	fail_msg("no counter is named %s", name);
}

static double of(enum derive which)
{
	pawl_derive(counters, derived);
	return derived[which].value;
}

static bool nothing(enum derive which)
{
	double value = of(which);
	return value != value;
}

static void ratios_are_part_by_whole(void **state)
{
	(void)state;
	set("instructions", 30, COUNTER_OK, false);
	set("cycles", 10, COUNTER_OK, false);
	set("branches", 8, COUNTER_OK, false);
	set("branch-misses", 2, COUNTER_OK, false);
	set("l1d-reads", 100, COUNTER_OK, false);
	set("l1d-misses", 5, COUNTER_OK, false);
	set("cache-references", 50, COUNTER_OK, false);
	set("cache-misses", 40, COUNTER_OK, false);
	set("llc-loads", 4, COUNTER_OK, false);
	set("llc-misses", 0, COUNTER_OK, false);
	assert_true(of(DERIVE_IPC) == 3);
	assert_true(of(DERIVE_BRANCH) == 0.25);
	assert_true(of(DERIVE_L1D) == 0.05);
	assert_true(of(DERIVE_CACHE) == 0.8);
	assert_true(of(DERIVE_LLC) == 0); /* counted, and there was none */
	assert_string_equal(derived[DERIVE_IPC].name, "ipc");
	assert_string_equal(pawl_derive_name(DERIVE_LLC), "llc-miss-ratio");
	assert_false(derived[DERIVE_IPC].scaled || derived[DERIVE_IPC].simulated);
}

static void what_was_not_counted_gives_nothing(void **state)
{
	(void)state;
	for (int i = 0; i < DERIVE_N; i++)
		assert_true(nothing((enum derive)i));
	set("instructions", 30, COUNTER_OK, false);
	assert_true(nothing(DERIVE_IPC));
	/* A number beside a state that says it was not counted is not one. */
	set("cycles", 10, COUNTER_STARVED, false);
	assert_true(nothing(DERIVE_IPC));
	set("cycles", 10, COUNTER_FORBIDDEN, false);
	assert_true(nothing(DERIVE_IPC));
	set("cycles", 10, COUNTER_OK, false);
	assert_true(of(DERIVE_IPC) == 3);
	set("instructions", 30, COUNTER_ABSENT, false);
	assert_true(nothing(DERIVE_IPC));
}

static void by_nothing_is_nothing_and_not_infinite(void **state)
{
	(void)state;
	set("branches", 0, COUNTER_OK, false);
	set("branch-misses", 0, COUNTER_OK, false);
	assert_true(nothing(DERIVE_BRANCH));
	set("branch-misses", 3, COUNTER_OK, false);
	assert_true(nothing(DERIVE_BRANCH));
}

static void what_is_extrapolated_is_marked(void **state)
{
	(void)state;
	set("instructions", 30, COUNTER_OK, false);
	set("cycles", 10, COUNTER_SCALED, false);
	assert_true(of(DERIVE_IPC) == 3 && derived[DERIVE_IPC].scaled);
}

static void simulated_and_counted_do_not_mix(void **state)
{
	(void)state;
	set("instructions", 30, COUNTER_OK, true);
	set("cycles", 10, COUNTER_OK, false);
	assert_true(nothing(DERIVE_IPC));
	set("branches", 8, COUNTER_OK, true);
	set("branch-misses", 2, COUNTER_OK, true);
	assert_true(of(DERIVE_BRANCH) == 0.25 && derived[DERIVE_BRANCH].simulated);
}

static void rates_are_by_the_second(void **state)
{
	double nothing = pawl_derive_rate(8, __builtin_nan(""));
	(void)state;
	assert_true(pawl_derive_rate(8, 4) == 2e9);
	assert_true(nothing != nothing);
	nothing = pawl_derive_rate(0, 4);
	assert_true(nothing != nothing);
	nothing = pawl_derive_rate(8, 0);
	assert_true(nothing != nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(ratios_are_part_by_whole, clear),
		cmocka_unit_test_setup(what_was_not_counted_gives_nothing, clear),
		cmocka_unit_test_setup(by_nothing_is_nothing_and_not_infinite, clear),
		cmocka_unit_test_setup(what_is_extrapolated_is_marked, clear),
		cmocka_unit_test_setup(simulated_and_counted_do_not_mix, clear),
		cmocka_unit_test_setup(rates_are_by_the_second, clear),
	};
	return cmocka_run_group_tests_name("harness/derive", tests, NULL, NULL);
}
