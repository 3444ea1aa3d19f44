/* What differs of two builds, by what the compiler really makes of them. */
#include "tests/unit/collector/extent/extent_fixture.h"

#include "lib/base/banned.h"

struct change {
	const char *what, *file, *script;
	const char *functions; /* that differ */
	const char *not_run, *executed;
};

static const struct change changes[] = {
	{ "a body", "part", "s/x \\* 7/x * 8/", "rare", "rare", "" },
	{ "a body that runs", "part", "s/x \\* 7/x * 8/", "rare", "usage", "rare" },
	{ "another size of it", "part", "s/x \\* 7/x * 7 \\/ (x + 3)/", "rare", "rare", "" },
	{ "a string", "main", "s/usage: this/usage: some other thing/", "usage", "usage", "" },
	{ "a string that is used", "main", "s/usage: this/usage: that/", "usage", "", "usage" },
	{ "a table", "part", "s/3, 5 }/3, 6 }/", "", "rare", "step (data)" },
	{ "a variable", "part", "s/limit = 3/limit = 4/", "", "rare", "" },
	{ "a variable that is used", "part", "s/limit = 3/limit = 4/", "", "", "rare (data)" },
	{ "a callee", "main", "s/+= x; }/+= x + 1; }/", "note", "note", "" },
	{ "a case", "main", "s/return 15/return 16/", "pick", "pick", "" },
	{ "a case that runs", "main", "s/return 15/return 16/", "pick", "", "pick" },
	{ "a line number", "part", "s/^int rare/\\n&/", "rare", "rare", "" },
	{ "a name", "part", "s/step(/stride(/g", "hot step stride", "usage", "hot step" },
	{ "a new function", "part", "$a int added(int x); int added(int x) { return x / 3; }",
	  "added", "", "" },
	{ "a member of an archive", "lib", "s/+= x/-= x/", "", "", "" }, /* not linked */
};

static void check_change(const struct change *c, const char *flags, const char *words)
{
	write_side("head");
	change(c->file, c->script);
	build_side("head", flags, words);
	check(c->what, c->functions, c->executed, c->not_run);
}

static void check_all(const char *flags, const char *words)
{
	size_t i;

	needs_compiler();
	write_side("base");
	build_side("base", flags, words);
	write_side("head");
	build_side("head", flags, words);
	check("nothing", "", "", "");
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		check_change(&changes[i], flags, words);
}

static void what_changes_is_named_and_nothing_else(void **state)
{
	(void)state;
	check_all("-O2", "");
}

/* Where texts are not merged they are data of the whole file. */
static void without_optimisation_data_is_of_the_whole_file(void **state)
{
	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O0", "");
	check_change(&changes[0], "-O0", "");
	write_side("head");
	change("main", "s/usage: this/usage: that/");
	build_side("head", "-O0", "");
	check("a string", "", "main (data) pick (data)", "usage");
}

static void so_it_is_with_sections_of_functions_and_at_fixed_addresses(void **state)
{
	(void)state;
	if (!getenv("PAWL_TEST_SLOW")) {
		print_message("# skipped: takes many seconds: make check-slow\n");
		skip();
	}
	check_all("-O2 -ffunction-sections -fdata-sections", "");
	check_all("-O1 -fno-pie", "-no-pie");
}

static void debug_information_is_no_difference(void **state)
{
	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O2", "");
	write_side("head");
	build_side("head", "-O2 -g", "");
	check("-g", "", "", "");
}

static void a_function_that_moved_to_another_place_is_the_same(void **state)
{
	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O2", "");
	write_side("head");
	change("part", "/^int hot/{h;s/.*//};$G");
	build_side("head", "-O2", "");
	check("order", "", "", "");
}

/* Two functions of one size that call each other's callee now: their bytes are the same. */
static void calling_another_function_of_the_same_section_is_a_difference(void **state)
{
	static const char part[] =
		"__attribute__((noinline)) static int one(int x) { return x * 3; }\n"
		"__attribute__((noinline)) static int two(int x) { return x * 5; }\n"
		"int hot(int x) { return one(x) + 1; }\nint rare(int x) { return two(x) + 1; }\n";

	(void)state;
	needs_compiler();
	write_side("base");
	write_source("base/part.c", part);
	build_side("base", "-O2", "");
	write_side("head");
	write_source("head/part.c", part);
	change("part", "s/one(int/tmp(int/; s/two(int/one(int/; s/tmp(int/two(int/; "
		       "s/x \\* 3/x * 9/; s/x \\* 5/x * 3/; s/x \\* 9/x * 5/");
	build_side("head", "-O2", "");
	/* one and two have changed places, and each is as it was */
	check("places", "", "", "");
	write_side("head");
	write_source("head/part.c", part);
	change("part", "s/return one/return two/");
	build_side("head", "-O2", "");
	check("callee", "hot one", "hot", "one");
}

/* Of each, that something differs which no function has. */
static void what_is_around_functions_is_compared(void **state)
{
	static const char *const cases[][3] = {
		{ "a constructor", "part",
		  "$a __attribute__((constructor)) static void second(void) { sum = 9; }" },
		{ "a library's function", "part",
		  "$a int puts(const char *); void added(void); void added(void) { puts(\"\"); }" },
		{ "another one", "part",
		  "$a int abs(int); int getpid(void); int more(void); int "
		  "more(void) { return getpid(); }" },
		{ "a section of its own", "part",
		  "$a __attribute__((section(\"plugins\"), used)) static int mine = 3;" },
		{ "a variable of threads", "part", "$a __thread int mine = 3;" },
	};
	struct parts base, head;
	struct difference d;
	size_t i;

	(void)state;
	needs_compiler();
	write_side("base");
	build_side("base", "-O2", "");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_side("head");
		change(cases[i][1], cases[i][2]);
		build_side("head", "-O2", "");
		compare(cases[i][0], &base, &head, &d);
		/* puts is asked for already */
		if (d.is_elsewhere != (i != 1))
			fail_msg("%s: %d", cases[i][0], d.is_elsewhere);
		release(&base, &head, &d);
	}
}

static void code_that_is_no_function_always_runs(void **state)
{
	struct parts base, head;
	struct difference d;
	struct strv runs = STRV_INIT;

	(void)state;
	needs_compiler();
	write_side("base");
	change_of("base", "part", "$a __asm__(\".text\\\\nmine: add $1, %eax\\\\nret\\\\n\");");
	build_side("base", "-O2", "");
	write_side("head");
	change("part", "$a __asm__(\".text\\\\nmine: add $2, %eax\\\\nret\\\\n\");");
	build_side("head", "-O2", "");
	compare("assembly", &base, &head, &d);
	assert_int_equal(differ_executed(&d, NULL, &runs, NULL), 0);
	assert_string_equal(joined(&runs), ".text of part.o");
	strv_release(&runs);
	release(&base, &head, &d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_changes_is_named_and_nothing_else),
		cmocka_unit_test(without_optimisation_data_is_of_the_whole_file),
		cmocka_unit_test(so_it_is_with_sections_of_functions_and_at_fixed_addresses),
		cmocka_unit_test(debug_information_is_no_difference),
		cmocka_unit_test(a_function_that_moved_to_another_place_is_the_same),
		cmocka_unit_test(calling_another_function_of_the_same_section_is_a_difference),
		cmocka_unit_test(what_is_around_functions_is_compared),
		cmocka_unit_test(code_that_is_no_function_always_runs),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
