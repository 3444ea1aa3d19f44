/* The pool of layouts: how many are made and when, with links that cost what a test says. */
#include "tests/unit/collector/pool/pool_fixture.h"

#include "lib/base/banned.h"

static void as_many_as_a_verdict_takes(void **state)
{
	(void)state;
	assert_int_equal(pool_needed(1, 1), 12);    /* 2^-8 is less than 0.005, and 12 at least */
	assert_int_equal(pool_needed(1, 9), 14);    /* 9 x 2^-11 */
	assert_int_equal(pool_needed(20, 9), 19);   /* 180 x 2^-16 */
	assert_int_equal(pool_needed(1000, 9), 24); /* 9000 x 2^-21 */
	assert_int_equal(pool_needed(10000000, 10), 32);
}

static void the_first_lot_is_made_before_the_first_pair(void **state)
{
	size_t i;

	(void)state;
	open_pool(12, 5 * S);
	draw(0);
	assert_int_equal(fake.n_made, 24);
	for (i = 1; i < 12; i++)
		draw(0);
	assert_int_equal(n_used(), 12);
	assert_int_equal(fake.n_made, 24);
	assert_null(pool_why(pool, &head, &base));
}

static void their_order_is_drawn_by_the_seed(void **state)
{
	unsigned one[12], i;
	bool rises = true;

	(void)state;
	open_pool(12, 5 * S);
	for (i = 0; i < 12; i++) {
		one[i] = draw(0);
		rises = rises && (!i || one[i] > one[i - 1]);
	}
	assert_false(rises);
	pool_close(pool);
	memset(uses, 0, sizeof(uses));
	open_pool(12, 5 * S);
	for (i = 0; i < 12; i++)
		assert_int_equal(draw(0), one[i]);
}

static void then_the_least_used_come_again(void **state)
{
	size_t i, k;

	(void)state;
	open_pool(12, 5 * S / 4);
	for (i = 0; i < 24; i++)
		draw(0);
	for (k = 1; k <= 12; k++)
		assert_int_equal(uses[k], 2);
}

/* Each of 0.1 s: 12 in 1.2 s, so a 13th when 3.9 s are over, a 19th at 5.7 s, no 20th at 5.9 s. */
static void more_come_in_a_third_of_the_time(void **state)
{
	size_t i;

	(void)state;
	open_pool(12, 5 * S / 4);
	for (i = 0; i < 40; i++)
		draw((double)S / 10);
	assert_int_equal(n_used(), 19);
	assert_true((uint64_t)fake.n_made * fake.link_ns * POOL_SHARE <= fake.now_ns);
	for (i = 0; i < 400; i++)
		draw((double)S / 10);
	assert_int_equal(n_used(), 32);
	assert_int_equal(fake.n_made, 64);
}

static void more_come_at_once_while_that_is_little(void **state)
{
	size_t i;

	(void)state;
	open_pool(12, 2 * S);
	for (i = 0; i < 40; i++)
		draw(0);
	assert_int_equal(n_used(), 20);
}

static void those_that_lie_there_cost_nothing(void **state)
{
	size_t i;

	(void)state;
	for (i = 1; i <= 20; i++)
		fake.kept[i] = true;
	fake.link_ns = 1000 * S;
	open_pool(12, 1);
	for (i = 0; i < 30; i++)
		draw(0);
	assert_int_equal(n_used(), 20);
	assert_int_equal(fake.n_made, 0);
}

static void slow_links_make_none(void **state)
{
	(void)state;
	fake.link_ns = S;
	open_pool(12, 5 * S);
	assert_int_equal(draw(0), 0);
	assert_int_equal(draw(0), 0);
	assert_int_equal(fake.n_made, 2);
	assert_string_equal(
		pool_why(pool, &head, &base),
		"two links take 2.0 s of the processor: too long for 12 layouts of each side");
}

/* 12 pairs of 4 s take 48, and two dozen links of 1 s half of that. */
static void slow_links_beside_slow_pairs_are_made(void **state)
{
	(void)state;
	fake.link_ns = S;
	open_pool(12, 5 * S);
	assert_int_not_equal(draw(4.0 * (double)S), 0);
	assert_int_equal(fake.n_made, 24);
}

/* 24 links of 0.1 s are 2.4 s, and take 24 where nine others work. */
static void others_do_not_make_links_too_slow(void **state)
{
	(void)state;
	fake.link_ns = S / 10;
	fake.busy = 9;
	open_pool(12, 5 * S);
	assert_int_not_equal(draw(0), 0);
	assert_int_equal(fake.n_made, 24);
}

static void a_budget_is_a_budget(void **state)
{
	(void)state;
	fake.link_ns = S;
	open_with((struct pool_terms){
		.first = 12, .most = 32, .allowed_ns = 20 * S, .has_budget = true });
	assert_int_equal(draw(4.0 * (double)S), 0);
}

static void what_is_asked_for_is_made(void **state)
{
	size_t i;

	(void)state;
	fake.link_ns = 100 * S;
	open_with((struct pool_terms){
		.first = 6, .most = 6, .allowed_ns = 5 * S, .is_asked = true });
	for (i = 0; i < 60; i++)
		draw(1000.0 * (double)S);
	assert_int_equal(n_used(), 6);
}

static void other_numbers_stand_in_for_wrong_ones(void **state)
{
	size_t i;

	(void)state;
	fake.wrong[2] = fake.wrong[5] = true;
	open_pool(12, 5 * S);
	for (i = 0; i < 12; i++)
		draw(0);
	assert_int_equal(n_used(), 12);
	assert_int_equal(uses[2] + uses[5], 0);
	assert_int_equal(uses[14], 1);
	assert_null(pool_why(pool, &head, &base));
}

static void too_many_wrong_ones_leave_it_as_it_was_built(void **state)
{
	size_t i;

	(void)state;
	for (i = 12; i <= LAYOUT_MOST; i++)
		fake.wrong[i] = true;
	open_pool(12, 5 * S);
	assert_int_equal(draw(0), 0);
	assert_string_equal(pool_why(pool, &head, &base), "layout 32 is thrown away");
}

static void a_full_tree_ends_it(void **state)
{
	size_t i;

	(void)state;
	fake.full_at = 15;
	fake.link_ns = 1;
	open_pool(12, 5 * S);
	for (i = 0; i < 40; i++)
		draw((double)S);
	assert_int_equal(n_used(), 14);
	pool_close(pool);
	memset(uses, 0, sizeof(uses));
	fake.full_at = 3;
	open_pool(12, 5 * S);
	assert_int_equal(draw(0), 0);
	assert_string_equal(pool_why(pool, &head, &base), "they take too much room");
}

static void a_signal_ends_all(void **state)
{
	const struct pool_job job = { &head, &base, uses, 0 };
	struct pool_draw out;

	(void)state;
	fake.stop_at = 4;
	open_pool(12, 5 * S);
	assert_int_equal(pool_draw(pool, &job, &out, &err), -1);
	assert_int_equal(err.code, ERR_STOPPED);
}

/* Opening them, and each of 12 numbers: what is asked for meanwhile is the head's. */
static void both_sides_are_linked_at_once(void **state)
{
	(void)state;
	fake.begins = true;
	open_pool(12, 5 * S);
	draw(0);
	assert_int_equal(fake.n_begun, 1 + 12);
	assert_int_equal(fake.n_meanwhile, 12);
	assert_int_equal(fake.n_made, 24);
}

static void what_lies_there_is_not_begun(void **state)
{
	size_t i;

	(void)state;
	fake.begins = true;
	for (i = 1; i <= 10; i++)
		fake.kept[i] = true;
	open_pool(12, 5 * S);
	draw(0);
	assert_int_equal(fake.n_begun, 1 + 2);
}

/* It is waited for also where the head's link is stopped or comes out wrong. */
static void what_was_begun_is_waited_for(void **state)
{
	const struct pool_job job = { &head, &base, uses, 0 };
	struct pool_draw out;

	(void)state;
	fake.begins = true;
	fake.wrong[2] = true;
	fake.stop_at = 4;
	open_pool(12, 5 * S);
	assert_int_equal(pool_draw(pool, &job, &out, &err), -1);
	assert_int_equal(err.code, ERR_STOPPED);
	assert_int_equal(fake.n_begun, 1 + 4);
	assert_int_equal(fake.begun, 0);
}

static void who_has_none_says_why(void **state)
{
	(void)state;
	fake.is_unrecorded = true;
	open_pool(12, 5 * S);
	assert_null(pool_why(pool, &head, &base));
	assert_int_equal(draw(0), 0);
	assert_string_equal(pool_why(pool, &head, &base), "its link was not recorded");
}

static void what_stays_as_it_was_built_is_named(void **state)
{
	(void)state;
	fake.rest = "libx.so ran as it was built: its link was not recorded";
	open_pool(12, 5 * S);
	assert_true(draw(0) > 0);
	assert_string_equal(pool_why(pool, &head, &base), fake.rest);
}

static void scripts_and_copies_have_none(void **state)
{
	(void)state;
	assert_int_equal(str_set(&head.binary_id, ID_B, NULL), 0);
	open_pool(12, 5 * S);
	assert_int_equal(draw(0), 0);
	assert_string_equal(pool_why(pool, &head, &base), "both sides are the same code");
	pool_close(pool);
	assert_int_equal(str_set(&head.binary_id, ID_A, NULL), 0);
	assert_int_equal(str_set(&base.binary_id, NULL, NULL), 0);
	open_pool(12, 5 * S);
	assert_int_equal(draw(0), 0);
	assert_string_equal(pool_why(pool, &head, &base), "it is no program that the build made");
	assert_int_equal(fake.n_made, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(as_many_as_a_verdict_takes),
		TEST(the_first_lot_is_made_before_the_first_pair),
		TEST(their_order_is_drawn_by_the_seed),
		TEST(then_the_least_used_come_again),
		TEST(more_come_in_a_third_of_the_time),
		TEST(more_come_at_once_while_that_is_little),
		TEST(those_that_lie_there_cost_nothing),
		TEST(slow_links_make_none),
		TEST(slow_links_beside_slow_pairs_are_made),
		TEST(others_do_not_make_links_too_slow),
		TEST(a_budget_is_a_budget),
		TEST(what_is_asked_for_is_made),
		TEST(other_numbers_stand_in_for_wrong_ones),
		TEST(too_many_wrong_ones_leave_it_as_it_was_built),
		TEST(a_full_tree_ends_it),
		TEST(a_signal_ends_all),
		TEST(both_sides_are_linked_at_once),
		TEST(what_lies_there_is_not_begun),
		TEST(what_was_begun_is_waited_for),
		TEST(who_has_none_says_why),
		TEST(what_stays_as_it_was_built_is_named),
		TEST(scripts_and_copies_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
