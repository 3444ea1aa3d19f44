#include "tests/unit/reporter_fixture.h"

#include "reporter/text/text.h"

#include "lib/base/banned.h"

static void expect_visible(const char *text, bool utf8, const char *expected)
{
	struct buf out = BUF_INIT;

	text_visible(text, utf8, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void ordinary_text_stays_as_it_is(void **state)
{
	(void)state;
	expect_visible("deflate/6 \"x\" a:b std::sort #1 caf\xc3\xa9", true,
		       "deflate/6 \"x\" a:b std::sort #1 caf\xc3\xa9");
	expect_visible("", true, "");
	expect_visible(NULL, true, "");
}

static void control_characters_become_escapes(void **state)
{
	(void)state;
	expect_visible("a\nb\rc\td\x07", true, "a\\nb\\rc\\td\\x07");
	expect_visible("\x1b[31mred\x1b]0;title\x07\x7f", true, "\\e[31mred\\e]0;title\\x07\\x7f");
	expect_visible("c1 \xc2\x9b"
		       "31m",
		       true, "c1 \\u{9b}31m");
}

static void bytes_that_are_not_utf8_become_escapes(void **state)
{
	(void)state;
	expect_visible("a\xff\xc3(\xe2\x82", true, "a\\xff\\xc3(\\xe2\\x82");
	expect_visible("\xed\xa0\x80", true, "\\xed\\xa0\\x80"); /* a lone surrogate */
}

static void characters_that_hide_or_turn_text_become_escapes(void **state)
{
	(void)state;
	expect_visible("a\xe2\x80\xae"
		       "b\xe2\x80\x8b"
		       "c\xef\xbb\xbf",
		       true, "a\\u{202e}b\\u{200b}c\\u{feff}");
	expect_visible("\xf3\xa0\x81\x81", true, "\\u{e0041}"); /* a tag character */
}

static void ascii_shows_every_other_character_by_number(void **state)
{
	(void)state;
	expect_visible("caf\xc3\xa9 \xf0\x9f\x98\x80", false, "caf\\u{e9} \\u{1f600}");
}

static void commands_to_a_log_lose_their_power(void **state)
{
	(void)state;
	expect_visible("::error::no", true, "\\::error::no");
	expect_visible("x ::set-output name=a::b", true, "x \\::set-output name=a::b");
	expect_visible("x\n::error::no", true, "x\\n\\::error::no");
	expect_visible("##vso[task.x]a ##[group]", true, "#\\#vso[task.x]a #\\#[group]");
	expect_visible("\\::error::no", true, "\\::error::no");
}

static void width_counts_code_points_but_no_combining_marks(void **state)
{
	(void)state;
	assert_int_equal(0, text_width(""));
	assert_int_equal(4, text_width("caf\xc3\xa9"));
	assert_int_equal(4, text_width("cafe\xcc\x81"));
	assert_int_equal(2, text_width("a\xff"));
}

static void expect_cut(const char *text, int width, bool utf8, const char *expected)
{
	struct buf out = BUF_INIT;

	text_cut(text, width, utf8, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void a_long_name_is_cut_in_the_middle(void **state)
{
	(void)state;
	expect_cut("abcdefghij", 10, true, "abcdefghij");
	expect_cut("abcdefghij", 9, true, "abcd\xe2\x80\xa6ghij");
	expect_cut("abcdefghij", 6, true, "abc\xe2\x80\xa6ij");
	expect_cut("abcdefghij", 7, false, "ab...ij");
	expect_cut("abcdefghij", 3, true, "a\xe2\x80\xa6j");
	expect_cut("abcdefghij", 4, false, "abcd");
	expect_cut("abcdefghij", 0, true, "");
}

static void a_cut_splits_no_character(void **state)
{
	(void)state;
	expect_cut("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa9", 3, true,
		   "\xc3\xa4\xe2\x80\xa6\xc3\xa9");
	expect_cut("e\xcc\x81"
		   "bcdef",
		   3, true,
		   "e\xcc\x81\xe2\x80\xa6"
		   "f");
}

static void expect_wrap(const char *text, int width, const char *expected)
{
	struct buf out = BUF_INIT;

	text_wrap(text, width, "> ", "  ", &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void lines_break_at_blanks_only(void **state)
{
	(void)state;
	expect_wrap("one two three", 0, "> one two three\n");
	expect_wrap("one two three", 9, "> one two\n  three\n");
	expect_wrap("one two three", 10, "> one two\n  three\n");
	expect_wrap("one twothreefour five", 8, "> one\n  twothreefour\n  five\n");
	expect_wrap("one two", 1, "> one\n  two\n");
	expect_wrap("", 9, "> \n");
	expect_wrap("one two   ", 9, "> one two\n");
}

static void leading_blanks_of_a_line_stay(void **state)
{
	(void)state;
	expect_wrap("   ^ here it is", 11, ">    ^ here\n  it is\n");
	expect_wrap("    wordlongerthanall", 8, ">     wordlongerthanall\n");
}

static void a_figure_stays_with_its_percent_and_an_interval_in_one_piece(void **state)
{
	(void)state;
	expect_wrap("up 3.4 % now", 8, "> up\n  3.4 %\n  now\n");
	expect_wrap("so [-2.1, +4.7] there", 14, "> so\n  [-2.1, +4.7]\n  there\n");
	expect_wrap("2 unchanged, 1 failed", 14, "> 2 unchanged,\n  1 failed\n");
}

static void xml_gets_entities_and_no_control_characters(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	text_xml("<a href=\"x\">'&\x01\xff", &out);
	assert_string_equal(buf_str(&out), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\x01\\xff");
	buf_release(&out);
}

static void expect_markdown(const char *text, const char *expected)
{
	struct buf out = BUF_INIT;

	text_markdown(text, &out);
	assert_string_equal(buf_str(&out), expected);
	buf_release(&out);
}

static void markdown_becomes_plain_text(void **state)
{
	(void)state;
	expect_markdown("a|b", "a&#124;b");
	expect_markdown("a\\|b", "a\\\\&#124;b");
	expect_markdown("`x` *b* _i_ [l](u) ![i] ~s~ $m$",
			"\\`x\\` \\*b\\* \\_i\\_ \\[l\\]\\(u\\) \\!\\[i\\] \\~s\\~ \\$m\\$");
	expect_markdown("<script>&amp;", "&lt;script&gt;&amp;amp;");
	expect_markdown("a\n\n# b", "a\\\\n\\\\n#&#8203; b");
}

static void markdown_mentions_and_links_nobody(void **state)
{
	(void)state;
	expect_markdown("@octocat", "@&#8203;octocat");
	expect_markdown("fix #12", "fix #&#8203;12");
	expect_markdown("https://example.org", "https&#58;//example.org");
	expect_markdown("www.example.org", "www&#46;example.org");
	expect_markdown("std::sort 1.5", "std::sort 1.5");
}

/* Widths by hand from UAX #11: CJK ideographs, Hangul and emoji are "W". */
static void east_asian_characters_take_two_columns(void **state)
{
	(void)state;
	assert_int_equal(4, text_width("\xe4\xb8\xad\xe6\x96\x87")); /* U+4E2D U+6587 */
	assert_int_equal(2, text_width("\xed\x95\x9c"));	     /* U+D55C */
	assert_int_equal(2, text_width("\xf0\x9f\x98\x80"));	     /* U+1F600 */
	assert_int_equal(1, text_width("\xc3\xa9"));		     /* U+00E9 */
	assert_int_equal(1, text_width("\xe2\x9c\x93"));	     /* U+2713, a mark of ours */
	assert_int_equal(1, text_width("e\xcc\x81"));		     /* e, U+0301 */
	assert_int_equal(2, text_width("\xe3\x82\xab\xcc\x81"));     /* U+30AB, U+0301 */
}

static void what_is_wide_is_not_split(void **state)
{
	/* 1 2 3 4 5 in full-width digits, ten columns */
	const char *five = "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x93\xef\xbc\x94\xef\xbc\x95";

	(void)state;
	expect_cut(five, 10, true, five);
	expect_cut(five, 9, true, "\xef\xbc\x91\xef\xbc\x92\xe2\x80\xa6\xef\xbc\x94\xef\xbc\x95");
	/* seven columns for both ends: two digits in front take four, of three behind one fits */
	expect_cut(five, 8, true, "\xef\xbc\x91\xef\xbc\x92\xe2\x80\xa6\xef\xbc\x95");
	expect_cut(five, 1, true, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ordinary_text_stays_as_it_is),
		cmocka_unit_test(control_characters_become_escapes),
		cmocka_unit_test(bytes_that_are_not_utf8_become_escapes),
		cmocka_unit_test(characters_that_hide_or_turn_text_become_escapes),
		cmocka_unit_test(ascii_shows_every_other_character_by_number),
		cmocka_unit_test(commands_to_a_log_lose_their_power),
		cmocka_unit_test(width_counts_code_points_but_no_combining_marks),
		cmocka_unit_test(a_long_name_is_cut_in_the_middle),
		cmocka_unit_test(a_cut_splits_no_character),
		cmocka_unit_test(lines_break_at_blanks_only),
		cmocka_unit_test(leading_blanks_of_a_line_stay),
		cmocka_unit_test(a_figure_stays_with_its_percent_and_an_interval_in_one_piece),
		cmocka_unit_test(xml_gets_entities_and_no_control_characters),
		cmocka_unit_test(markdown_becomes_plain_text),
		cmocka_unit_test(markdown_mentions_and_links_nobody),
		cmocka_unit_test(east_asian_characters_take_two_columns),
		cmocka_unit_test(what_is_wide_is_not_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
