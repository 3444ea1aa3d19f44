/* Who has logged in: bounded, for a time, and gone when it ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/http/sessions.h"

#define SECOND_NS UINT64_C(1000000000)

static struct sessions *s;

static int set_up(void **state)
{
	(void)state;
	s = malloc(sizeof(*s));
	assert_non_null(s);
	sessions_init(s);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	sessions_release(s);
	free(s);
	return 0;
}

/* The id that it stands for, "" for none. */
static const char *token_of(const char *secret, uint64_t at_s)
{
	static char token[SESSION_TOKEN];

	token[0] = '\0';
	sessions_find(s, secret, at_s * SECOND_NS, token);
	return token;
}

static void new_session(const char *token, uint64_t at_s, char secret[SESSION_SECRET])
{
	assert_int_equal(sessions_open(s, token, at_s * SECOND_NS, secret, NULL), 0);
	assert_int_equal(strlen(secret), SESSION_SECRET - 1);
}

static void secret_stands_for_its_token_until_it_is_closed(void **state)
{
	char one[SESSION_SECRET], two[SESSION_SECRET];
	size_t i;

	(void)state;
	new_session("aaaaaaaaaaaa", 5, one);
	new_session("bbbbbbbbbbbb", 5, two);
	assert_string_not_equal(one, two);
	assert_string_equal(token_of(one, 6), "aaaaaaaaaaaa");
	assert_string_equal(token_of(two, 6), "bbbbbbbbbbbb");
	sessions_close(s, one);
	assert_string_equal(token_of(one, 6), "");
	assert_string_equal(token_of(two, 6), "bbbbbbbbbbbb");
	/* It is nowhere as it is. */
	for (i = 0; i + SESSION_SECRET <= sizeof(*s); i++)
		assert_memory_not_equal((char *)s + i, two, SESSION_SECRET - 1);
}

static void what_is_no_secret_finds_nothing(void **state)
{
	static const char zeros[] =
		"0000000000000000000000000000000000000000000000000000000000000000";
	char one[SESSION_SECRET];

	(void)state;
	new_session("aaaaaaaaaaaa", 5, one);
	assert_string_equal(token_of("", 6), "");
	assert_string_equal(token_of(zeros, 6), "");
	one[10] = one[10] == '0' ? '1' : '0';
	assert_string_equal(token_of(one, 6), "");
	sessions_close(s, "");
	sessions_close(s, zeros);
}

static void session_ends_after_its_hours(void **state)
{
	const uint64_t hours_s = SESSIONS_HOURS * 3600;
	char one[SESSION_SECRET];

	(void)state;
	new_session("aaaaaaaaaaaa", 5, one);
	assert_string_equal(token_of(one, 5 + hours_s), "aaaaaaaaaaaa");
	assert_string_equal(token_of(one, 6 + hours_s), "");
}

static void one_token_cannot_take_the_places_of_others(void **state)
{
	char other[SESSION_SECRET], first[SESSION_SECRET], more[SESSION_SECRET];
	unsigned i;

	(void)state;
	new_session("bbbbbbbbbbbb", 1, other);
	new_session("aaaaaaaaaaaa", 2, first);
	for (i = 1; i < SESSIONS_PER_TOKEN; i++)
		new_session("aaaaaaaaaaaa", 3, more);
	assert_string_equal(token_of(first, 9), "aaaaaaaaaaaa");
	for (i = 0; i < 2 * SESSIONS_MOST; i++)
		new_session("aaaaaaaaaaaa", 4, more);
	assert_string_equal(token_of(first, 9), "");
	assert_string_equal(token_of(more, 9), "aaaaaaaaaaaa");
	assert_string_equal(token_of(other, 9), "bbbbbbbbbbbb");
}

static void where_all_places_are_taken_the_oldest_ends(void **state)
{
	char first[SESSION_SECRET], second[SESSION_SECRET], more[SESSION_SECRET];
	char token[SESSION_TOKEN];
	unsigned i;

	(void)state;
	new_session("aaaaaaaaaaaa", 1, first);
	new_session("bbbbbbbbbbbb", 2, second);
	for (i = 2; i < SESSIONS_MOST; i++) {
		snprintf(token, sizeof(token), "c%011u", i);
		new_session(token, 3, more);
	}
	assert_string_equal(token_of(first, 9), "aaaaaaaaaaaa");
	new_session("dddddddddddd", 4, more);
	assert_string_equal(token_of(first, 9), "");
	assert_string_equal(token_of(second, 9), "bbbbbbbbbbbb");
	assert_string_equal(token_of(more, 9), "dddddddddddd");
}

#define ONE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(secret_stands_for_its_token_until_it_is_closed),
		ONE(what_is_no_secret_finds_nothing),
		ONE(session_ends_after_its_hours),
		ONE(one_token_cannot_take_the_places_of_others),
		ONE(where_all_places_are_taken_the_oldest_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
