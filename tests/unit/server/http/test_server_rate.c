/* How many requests a token may make, by a clock of our own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "server/http/rate.h"

#define SECOND 1000000000u

static void a_minutes_worth_at_once_then_one_by_one(void **state)
{
	struct rate r;
	unsigned wait_s = 0;
	int i;

	(void)state;
	rate_init(&r, 20); /* one in 3 s */
	for (i = 0; i < 20; i++)
		assert_true(rate_take(&r, "a", false, 5 * SECOND, &wait_s));
	assert_false(rate_take(&r, "a", false, 5 * SECOND, &wait_s));
	assert_int_equal(3, wait_s);
	assert_false(rate_take(&r, "a", false, 7 * SECOND, &wait_s));
	assert_int_equal(1, wait_s);
	assert_true(rate_take(&r, "a", false, 8 * SECOND, &wait_s));
	assert_false(rate_take(&r, "a", false, 8 * SECOND, &wait_s));
	assert_int_equal(3, atomic_load(&r.n_refused));
	for (i = 0; i < 20; i++)
		assert_true(rate_take(&r, "a", false, 68 * (uint64_t)SECOND, &wait_s));
	assert_false(rate_take(&r, "a", false, 68 * (uint64_t)SECOND, &wait_s));
	rate_release(&r);
}

static void each_token_has_its_own(void **state)
{
	struct rate r;
	unsigned wait_s = 0;

	(void)state;
	rate_init(&r, 1);
	assert_true(rate_take(&r, "a", false, SECOND, &wait_s));
	assert_true(rate_take(&r, "b", false, SECOND, &wait_s));
	assert_false(rate_take(&r, "a", false, SECOND, &wait_s));
	assert_true(rate_take(&r, "a", true, SECOND, &wait_s));
	assert_false(rate_take(&r, "a", true, SECOND, &wait_s));
	assert_int_equal(60, wait_s);
	rate_release(&r);
}

/* As many as a table of the size has room for twice: who is over the limit still is. */
static void many_tokens_do_not_free_one(void **state)
{
	struct rate r;
	unsigned wait_s = 0;
	char name[16];
	int i;

	(void)state;
	rate_init(&r, 2);
	assert_true(rate_take(&r, "a", false, SECOND, &wait_s));
	assert_true(rate_take(&r, "a", false, SECOND, &wait_s));
	for (i = 0; i < 2 * RATE_SETS * RATE_WAYS; i++) {
		snprintf(name, sizeof(name), "other-%d", i);
		assert_true(rate_take(&r, name, false, SECOND, &wait_s));
	}
	assert_false(rate_take(&r, "a", false, SECOND, &wait_s));
	rate_release(&r);
}

static void without_a_limit_there_is_none(void **state)
{
	struct rate r;
	unsigned wait_s = 0;
	int i;

	(void)state;
	rate_init(&r, 0);
	for (i = 0; i < 100000; i++)
		assert_true(rate_take(&r, "a", false, SECOND, &wait_s));
	rate_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_minutes_worth_at_once_then_one_by_one),
		cmocka_unit_test(each_token_has_its_own),
		cmocka_unit_test(many_tokens_do_not_free_one),
		cmocka_unit_test(without_a_limit_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
