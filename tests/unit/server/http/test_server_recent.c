/* Answers that are kept: found by all of their key, bounded, and the one that nobody asks for goes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/http/recent.h"

static struct recent k;

static int set_up(void **state)
{
	(void)state;
	recent_init(&k);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	recent_release(&k);
	return 0;
}

static void keep(const char *key, const char *body, size_t padding)
{
	struct reply r = { .status = 200, .type = "text/csv", .coding = "gzip" };

	buf_adds(&r.body, body);
	buf_addn(&r.body, '.', padding);
	buf_adds(&r.link, "next");
	recent_add(&k, key, &r);
	reply_release(&r);
}

static bool is_kept(const char *key)
{
	struct reply r = { .status = 0 };
	bool found = recent_find(&k, key, &r);

	reply_release(&r);
	return found;
}

static void what_was_kept_is_found_whole(void **state)
{
	struct reply r = { .status = 0 };

	(void)state;
	keep("a", "body", 0);
	assert_true(recent_find(&k, "a", &r));
	assert_int_equal(200, r.status);
	assert_string_equal("body", reply_bytes(&r)->data);
	assert_int_equal(4, reply_bytes(&r)->len);
	assert_string_equal("next", r.link.data);
	assert_string_equal("text/csv", r.type);
	assert_string_equal("gzip", r.coding);
	reply_release(&r);
}

static void another_key_finds_nothing_and_leaves_the_reply(void **state)
{
	struct reply r = { .status = 0 };

	(void)state;
	keep("a", "body", 0);
	assert_false(recent_find(&k, "a ", &r));
	assert_false(recent_find(&k, "", &r));
	assert_int_equal(0, r.status);
	assert_null(r.body.data);
	assert_null(r.shared);
}

static void one_that_is_kept_no_more_is_still_sent(void **state)
{
	struct reply made = { .status = 200 }, r = { .status = 0 };
	char key[16];
	int i;

	(void)state;
	buf_adds(&made.body, "body");
	recent_add(&k, "a", &made);
	assert_string_equal("body", reply_bytes(&made)->data);
	assert_true(recent_find(&k, "a", &r));
	assert_ptr_equal(reply_bytes(&made)->data, reply_bytes(&r)->data);
	for (i = 0; i < RECENT_SLOTS; i++) {
		snprintf(key, sizeof(key), "%d", i);
		keep(key, "x", 0);
	}
	assert_false(is_kept("a"));
	reply_release(&made);
	assert_string_equal("body", reply_bytes(&r)->data);
	reply_release(&r);
}

/* The first is asked for again and again, the second never. */
static void the_one_that_nobody_asks_for_goes_first(void **state)
{
	char key[16];
	int i;

	(void)state;
	for (i = 0; i <= RECENT_SLOTS; i++) {
		snprintf(key, sizeof(key), "%d", i);
		keep(key, "x", 0);
		assert_true(is_kept("0"));
	}
	assert_false(is_kept("1"));
	assert_true(is_kept("2"));
	assert_true(is_kept(key));
}

static void all_together_take_no_more_than_their_bound(void **state)
{
	char key[16];
	int i;

	(void)state;
	for (i = 0; i < 20; i++) {
		snprintf(key, sizeof(key), "%d", i);
		keep(key, "", 1000000);
		assert_in_range(k.n_bytes, 1000000, RECENT_MOST_BYTES);
	}
	assert_true(is_kept("19"));
	assert_true(is_kept("12")); /* eight of a million bytes fit into 8 MiB */
	assert_false(is_kept("11"));
}

static void what_is_too_large_puts_nothing_out(void **state)
{
	(void)state;
	keep("small", "x", 0);
	keep("large", "", RECENT_LARGEST);
	assert_false(is_kept("large"));
	assert_true(is_kept("small"));
}

/* Two made the same answer at once. */
static void an_answer_that_is_there_is_not_kept_twice(void **state)
{
	size_t bytes;

	(void)state;
	keep("a", "body", 100);
	bytes = k.n_bytes;
	keep("a", "body", 100);
	assert_int_equal(bytes, k.n_bytes);
	assert_true(is_kept("a"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_kept_is_found_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_key_finds_nothing_and_leaves_the_reply,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_that_is_kept_no_more_is_still_sent, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(the_one_that_nobody_asks_for_goes_first, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(all_together_take_no_more_than_their_bound, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_is_too_large_puts_nothing_out, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(an_answer_that_is_there_is_not_kept_twice, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
