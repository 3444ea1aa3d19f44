#include "tests/unit/reporter_fixture.h"

#include "reporter/text/table.h"

#include "lib/base/banned.h"

static const struct table_column columns[] = {
	{ "name", false, true, 0, 0 },
	{ "value", true, false, 2, 2 },
	{ "more", true, false, 1, 2 },
	{ "word", false, false, 0, 2 },
};

static void fill(struct table *t, const char *name, const char *more)
{
	table_init(t, columns, 4);
	table_cell(t, name, INK_PLAIN);
	table_cell(t, "12.5", INK_PLAIN);
	table_cell(t, more, INK_PLAIN);
	table_cell(t, "good", INK_GREEN);
	table_note(t, "a note on it");
	table_cell(t, "b", INK_PLAIN);
	table_cell(t, "1", INK_PLAIN);
	table_cell(t, TABLE_EMPTY, INK_PLAIN);
	table_cell(t, "", INK_PLAIN);
}

static void expect(const char *name, const char *more, int width, bool utf8, const char *expected)
{
	struct buf out = BUF_INIT;
	struct table t;

	fill(&t, name, more);
	assert_int_equal(0, table_print(&t, width, utf8, false, &out, NULL));
	assert_string_equal(buf_str(&out), expected);
	table_release(&t);
	buf_release(&out);
}

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	(void)state;
	expect("alpha", "7", 0, true,
	       "name   value  more  word\n"
	       "alpha   12.5     7  good\n"
	       "    a note on it\n"
	       "b          1     -\n");
}

static void a_column_without_content_is_left_out(void **state)
{
	(void)state;
	expect("alpha", "-", 0, true,
	       "name   value  word\n"
	       "alpha   12.5  good\n"
	       "    a note on it\n"
	       "b          1\n");
}

static void narrow_tables_lose_columns_in_their_order(void **state)
{
	(void)state;
	expect("alpha", "7", 24, true,
	       "name   value  more  word\n"
	       "alpha   12.5     7  good\n"
	       "    a note on it\n"
	       "b          1     -\n");
	expect("alpha", "7", 23, true,
	       "name   value  word\n"
	       "alpha   12.5  good\n"
	       "    a note on it\n"
	       "b          1\n");
	expect("alpha", "7", 17, true,
	       "name   word\n"
	       "alpha  good\n"
	       "    a note on it\n"
	       "b\n");
}

static void names_are_cut_when_no_column_is_left_to_drop(void **state)
{
	(void)state;
	expect("abcdefghijklmnopqrstuvwxyz", "7", 20, true,
	       "name            word\n"
	       "abcdefg\xe2\x80\xa6uvwxyz  good\n"
	       "    a note on it\n"
	       "b\n");
	expect("abcdefghijklmnopqrstuvwxyz", "7", 16, false,
	       "name        word\n"
	       "abcd...xyz  good\n"
	       "    a note on it\n"
	       "b\n");
	expect("abcdefghijklmnopqrstuvwxyz", "7", 1, true,
	       "name  word\n"
	       "ab\xe2\x80\xa6z  good\n"
	       "    a\n"
	       "    note\n"
	       "    on\n"
	       "    it\n"
	       "b\n");
}

static void names_keep_16_columns_before_others_go(void **state)
{
	(void)state;
	expect("abcdefghijklmnopqrstuvwxyz", "7", 35, true,
	       "name              value  more  word\n"
	       "abcdefgh\xe2\x80\xa6tuvwxyz   12.5     7  good\n"
	       "    a note on it\n"
	       "b                     1     -\n");
	expect("abcdefghijklmnopqrstuvwxyz", "7", 34, true,
	       "name                   value  word\n"
	       "abcdefghij\xe2\x80\xa6qrstuvwxyz   12.5  good\n"
	       "    a note on it\n"
	       "b                          1\n");
}

static void colour_changes_no_alignment(void **state)
{
	struct buf out = BUF_INIT;
	struct table t;

	(void)state;
	fill(&t, "alpha", "-");
	assert_int_equal(0, table_print(&t, 0, true, true, &out, NULL));
	assert_string_equal(buf_str(&out),
			    "\033[1mname\033[0m   \033[1mvalue\033[0m  \033[1mword\033[0m\n"
			    "alpha   12.5  \033[32mgood\033[0m\n"
			    "    a note on it\n"
			    "b          1\n");
	table_release(&t);
	buf_release(&out);
}

static void an_empty_table_has_its_titles(void **state)
{
	struct buf out = BUF_INIT;
	struct table t;

	(void)state;
	table_init(&t, columns, 4);
	assert_int_equal(0, table_print(&t, 0, true, false, &out, NULL));
	assert_string_equal(buf_str(&out), "name  word\n");
	table_release(&t);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(a_column_without_content_is_left_out),
		cmocka_unit_test(narrow_tables_lose_columns_in_their_order),
		cmocka_unit_test(names_are_cut_when_no_column_is_left_to_drop),
		cmocka_unit_test(names_keep_16_columns_before_others_go),
		cmocka_unit_test(colour_changes_no_alignment),
		cmocka_unit_test(an_empty_table_has_its_titles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
