/* What changed in a benchmark's code, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reporter/parts/changes.h"

#include "lib/base/banned.h"

static void add(struct strv *list, const char *words)
{
	assert_int_equal(words_split(words, list, NULL), 0);
}

static void says(const struct bench *b, bool verbose, const char *expected)
{
	struct buf text = BUF_INIT;

	changes_note(b, verbose, &text);
	assert_string_equal(buf_str(&text), expected);
	buf_release(&text);
}

static void what_is_not_executed_is_named(void **state)
{
	struct bench b;

	(void)state;
	memset(&b, 0, sizeof(b));
	says(&b, true, "");
	b.changes = (struct code_changes){ .is_known = true, .n_functions = 1240, .n_changed = 3 };
	add(&b.changes.changed, "usage version help");
	says(&b, false,
	     "of 1240 functions 3 changed, none is executed by it (usage, version, help)");
	b.changes.n_changed = 12;
	add(&b.changes.changed, "d e f g h i j");
	says(&b, false,
	     "of 1240 functions 12 changed, none is executed by it (usage, version, help, d, e, f, "
	     "g, h and 4 more)");
	says(&b, true,
	     "of 1240 functions 12 changed, none is executed by it (usage, version, help, d, e, f, "
	     "g, h, i, j and 2 more)");
	code_changes_release(&b.changes);
	b.changes = (struct code_changes){ .is_known = true, .n_functions = 12 };
	says(&b, false, "of 12 functions none changed, and no data it uses");
}

static void what_is_executed_is_named_where_that_is_asked_for(void **state)
{
	static const char text[] = "of 12 functions 2 changed; it executes what changed: hot, b";
	struct bench b;

	(void)state;
	memset(&b, 0, sizeof(b));
	b.changes = (struct code_changes){ .is_known = true, .n_functions = 12, .n_changed = 2 };
	add(&b.changes.executed, "hot b");
	says(&b, false, "");
	says(&b, true, text);
	b.changes.is_explained = true;
	says(&b, false, text);
	code_changes_release(&b.changes);
}

static void each_reason_is_told_once(void **state)
{
	static const char *const why[] = { "it may make code", NULL, "it is linked statically",
					   "it may make code" };
	struct strv remarks = STRV_INIT;
	struct summary s;
	size_t i;

	(void)state;
	summary_init(&s);
	for (i = 0; i < sizeof(why) / sizeof(why[0]); i++) {
		char name[2] = { (char)('a' + i), '\0' };
		struct bench *b = summary_add_bench(&s, name, NULL);

		assert_non_null(b);
		assert_int_equal(str_set(&b->changes.why, why[i], NULL), 0);
	}
	assert_int_equal(changes_remarks(&s, &remarks, NULL), 0);
	assert_int_equal(remarks.n, 2);
	assert_string_equal(remarks.v[0], "what a and 1 more execute of what changed is not known "
					  "(it may make code)");
	assert_string_equal(remarks.v[1], "what c executes of what changed is not known "
					  "(it is linked statically)");
	strv_release(&remarks);
	summary_release(&s);
}

/* Where one function that changed is among it, another compiler option changes nothing. */
static void coarse_objects_are_told_with_the_cure(void **state)
{
	static const char *const executed[][2] = { { "hot (data)", "main (data)" },
						   { ".text of tree/start.o", NULL },
						   { "hot (data)", "hot" },
						   { "hot (data)", NULL },
						   { NULL, NULL } };
	struct strv remarks = STRV_INIT;
	struct summary s;
	size_t i, k;

	(void)state;
	summary_init(&s);
	for (i = 0; i < sizeof(executed) / sizeof(executed[0]); i++) {
		char name[2] = { (char)('a' + i), '\0' };
		struct bench *b = summary_add_bench(&s, name, NULL);

		assert_non_null(b);
		b->changes.is_known = true;
		for (k = 0; k < 2 && executed[i][k]; k++)
			assert_int_equal(strv_add(&b->changes.executed, executed[i][k], NULL), 0);
	}
	assert_int_equal(changes_remarks(&s, &remarks, NULL), 0);
	assert_int_equal(remarks.n, 2);
	assert_string_equal(remarks.v[0],
			    "a and 1 more: no function that changed runs, but it may read data "
			    "that did (hot (data)); with -ffunction-sections -fdata-sections "
			    "each variable is compared by itself");
	assert_string_equal(
		remarks.v[1],
		"b: code changed that cannot be cut into functions, so that it is taken "
		"to run (.text of tree/start.o); with -ffunction-sections it can be cut");
	strv_release(&remarks);
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_executed_is_named),
		cmocka_unit_test(what_is_executed_is_named_where_that_is_asked_for),
		cmocka_unit_test(each_reason_is_told_once),
		cmocka_unit_test(coarse_objects_are_told_with_the_cure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
