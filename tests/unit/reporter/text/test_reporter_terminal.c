#include "tests/unit/reporter_fixture.h"

#include <unistd.h>

#include "reporter/text/terminal.h"

#include "lib/base/banned.h"

static void colour_follows_the_option_before_anything_else(void **state)
{
	const struct terminal_facts quiet = { .is_tty = false, .no_color = "1", .term = "dumb" };
	const struct terminal_facts good = { .is_tty = true, .term = "xterm" };

	(void)state;
	assert_true(terminal_colour(&quiet, TERMINAL_ALWAYS));
	assert_false(terminal_colour(&good, TERMINAL_NEVER));
}

static void colour_is_for_terminals_that_are_not_dumb(void **state)
{
	struct terminal_facts facts = { .is_tty = true, .term = "xterm-256color" };

	(void)state;
	assert_true(terminal_colour(&facts, TERMINAL_AUTO));
	facts.term = "dumb";
	assert_false(terminal_colour(&facts, TERMINAL_AUTO));
	facts.term = NULL;
	assert_false(terminal_colour(&facts, TERMINAL_AUTO));
	facts = (struct terminal_facts){ .is_tty = false, .term = "xterm" };
	assert_false(terminal_colour(&facts, TERMINAL_AUTO));
}

static void no_color_forbids_and_force_color_demands(void **state)
{
	struct terminal_facts facts = { .is_tty = true, .term = "xterm", .no_color = "1" };

	(void)state;
	assert_false(terminal_colour(&facts, TERMINAL_AUTO));
	facts.force_color = "1";
	assert_false(terminal_colour(&facts, TERMINAL_AUTO));
	facts.no_color = "";
	facts.is_tty = false;
	assert_true(terminal_colour(&facts, TERMINAL_AUTO));
	facts.force_color = "0";
	assert_false(terminal_colour(&facts, TERMINAL_AUTO));
	facts.clicolor_force = "1";
	assert_true(terminal_colour(&facts, TERMINAL_AUTO));
}

static void utf8_is_what_the_first_locale_variable_says(void **state)
{
	struct terminal_facts facts = { .lang = "de_DE.UTF-8" };

	(void)state;
	assert_true(terminal_utf8(&facts));
	facts.lc_all = "C";
	assert_false(terminal_utf8(&facts));
	facts.lc_all = "";
	facts.lc_ctype = "C.utf8";
	facts.lang = "C";
	assert_true(terminal_utf8(&facts));
	facts = (struct terminal_facts){ .lang = NULL };
	assert_false(terminal_utf8(&facts));
}

static void width_comes_from_columns_then_the_terminal_then_80(void **state)
{
	struct terminal_facts facts = { .is_tty = true, .columns = 120, .columns_env = "72" };

	(void)state;
	assert_int_equal(72, terminal_width(&facts));
	facts.columns_env = "wide";
	assert_int_equal(120, terminal_width(&facts));
	facts.columns_env = "0";
	assert_int_equal(120, terminal_width(&facts));
	facts.columns_env = "99999999999999999999";
	assert_int_equal(120, terminal_width(&facts));
	facts.columns = 0;
	assert_int_equal(80, terminal_width(&facts));
	facts.is_tty = false;
	assert_int_equal(0, terminal_width(&facts));
}

static void a_pipe_is_no_terminal(void **state)
{
	struct terminal_facts facts;
	int fds[2];

	(void)state;
	assert_int_equal(0, pipe(fds));
	terminal_look(fds[1], &facts);
	assert_false(facts.is_tty);
	assert_int_equal(0, facts.columns);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colour_follows_the_option_before_anything_else),
		cmocka_unit_test(colour_is_for_terminals_that_are_not_dumb),
		cmocka_unit_test(no_color_forbids_and_force_color_demands),
		cmocka_unit_test(utf8_is_what_the_first_locale_variable_says),
		cmocka_unit_test(width_comes_from_columns_then_the_terminal_then_80),
		cmocka_unit_test(a_pipe_is_no_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
