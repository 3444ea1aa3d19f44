/* The command line of a linker: read, and written again for another output. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include "collector/link/arguments.h"

#include "lib/base/banned.h"

static struct err fault;

/* What is made of "@words" in the workshop. */
static int expand(const char *text, struct strv *out)
{
	char at[200], *argv[] = { at, NULL };

	write_source("words", text);
	snprintf(at, sizeof(at), "@%s", in_workshop("words"));
	return arguments_expand(argv, out, &fault);
}

static void response_files_are_read_as_linkers_read_them(void **state)
{
	/* by hand, from the comment of buildargv() in libiberty/argv.c */
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "-o p a.o\n\tb.o", "[-o][p][a.o][b.o]" },
		{ "'a b.o' \"c d.o\" e\\ f.o", "[a b.o][c d.o][e f.o]" },
		{ "'it\\'s' \"a\\\\b\" \\\"", "[it's][a\\b][\"]" },
		{ "\"\" x''y", "[][xy]" },
		{ " \n ", "" },
		{ "open' end", "[open end]" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strv words = STRV_INIT;

		assert_int_equal(expand(cases[i].text, &words), 0);
		assert_string_equal(line_of(&words), cases[i].words);
		strv_release(&words);
	}
}

static void response_files_in_response_files_are_read(void **state)
{
	char text[300];
	struct strv words = STRV_INIT;

	(void)state;
	write_source("inner", "b.o c.o");
	snprintf(text, sizeof(text), "a.o @%s d.o @/nowhere/at/all", in_workshop("inner"));
	assert_int_equal(expand(text, &words), 0);
	assert_string_equal(line_of(&words), "[a.o][b.o][c.o][d.o][@/nowhere/at/all]");
	strv_release(&words);
}

static void a_response_file_that_names_itself_is_refused(void **state)
{
	char text[300];
	struct strv words = STRV_INIT;

	(void)state;
	snprintf(text, sizeof(text), "a.o @%s", in_workshop("words"));
	assert_int_equal(expand(text, &words), -1);
	assert_int_equal(fault.code, ERR_LIMIT);
	strv_release(&words);
}

static void what_is_written_for_a_linker_reads_back(void **state)
{
	static const char *const hard[] = { "plain",	 "two words",	   "",
					    "it's",	 "\"q\"",	   "back\\slash",
					    "new\nline", "$ORIGIN/../lib", NULL };
	struct strv words = STRV_INIT, back = STRV_INIT;
	struct buf text = BUF_INIT;
	char first[200];

	(void)state;
	assert_int_equal(strv_add_all(&words, (char *const *)(uintptr_t)hard, NULL), 0);
	arguments_respond(&words, &text);
	assert_int_equal(expand(buf_str(&text), &back), 0);
	snprintf(first, sizeof(first), "%s", line_of(&words));
	assert_string_equal(line_of(&back), first);
	strv_release(&words);
	strv_release(&back);
	buf_release(&text);
}

static void only_what_makes_programs_is_a_link(void **state)
{
	static const struct {
		const char *line;
		bool is_link;
	} cases[] = {
		{ "-o p a.o", true },
		{ "a.o b.o", true },
		{ "-shared -o l.so a.o", true },
		{ "-v -o p a.o", true },
		{ "-h libx.so.1 -shared a.o", true },
		{ "-soname -r a.o", false }, /* rather one link too few */
		{ "-r -o all.o a.o b.o", false },
		{ "--relocatable -o all.o a.o", false },
		{ "-i -o all.o a.o", false },
		{ "-v", false },
		{ "--version", false },
		{ "--help", false },
		{ "-V", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strv words = words_of(cases[i].line);

		if (arguments_are_link(&words) != cases[i].is_link)
			fail_msg("%s", cases[i].line);
		strv_release(&words);
	}
}

static void the_output_is_found_in_all_its_forms(void **state)
{
	static const char *const cases[][2] = {
		{ "-o p a.o", "p" },
		{ "a.o -op", "p" },
		{ "--output p a.o", "p" },
		{ "--output=p a.o", "p" },
		{ "-o p a.o -o q", "q" },
		{ "a.o b.o", "a.out" },
		{ "a.o --oformat x", "a.out" },
		{ "a.o -o", "a.out" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strv words = words_of(cases[i][0]);

		assert_string_equal(arguments_output(&words), cases[i][1]);
		strv_release(&words);
	}
}

static void made_again_it_writes_nothing_but_its_output(void **state)
{
	static const char *const cases[][2] = {
		{ "-o p a.o -lm", "[a.o][-lm][-o][/k/1]" },
		{ "-op a.o -s --strip-all", "[a.o][-o][/k/1]" },
		{ "a.o -Map=m -Map m --Map m -M", "[a.o][-o][/k/1]" },
		{ "a.o --dependency-file=d --out-implib i", "[a.o][-o][/k/1]" },
		{ "-soname s -static -shared", "[-soname][s][-static][-shared][-o][/k/1]" },
		{ "-plugin-opt=-fresolution=/tmp/x.res a.o",
		  "[-plugin-opt=-fresolution=/k/1.resolution][a.o][-o][/k/1]" },
		{ "-plugin-opt -fresolution=/tmp/x.res",
		  "[-plugin-opt][-fresolution=/k/1.resolution][-o][/k/1]" },
		{ "a.o -o", "[a.o][-o][-o][/k/1]" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strv words = words_of(cases[i][0]), again = STRV_INIT;

		assert_int_equal(arguments_again(&words, "/k/1", &again, NULL), 0);
		assert_string_equal(line_of(&again), cases[i][1]);
		strv_release(&words);
		strv_release(&again);
	}
}

static void a_script_of_its_own_is_no_other_layout(void **state)
{
	static const char *const own[] = { "-T s.ld a.o", "a.o -Ts.ld", "--script=s.ld", "-dT s.ld",
					   "--default-script s.ld" };
	static const char *const none[] = { "-o p a.o", "-Ttext=0x1000 a.o", "-Tbss 0x1000 a.o",
					    "-lT", "-u T" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		struct strv a = words_of(own[i]), b = words_of(none[i]);

		assert_non_null(arguments_refusal(&a));
		assert_null(arguments_refusal(&b));
		strv_release(&a);
		strv_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(response_files_are_read_as_linkers_read_them),
		cmocka_unit_test(response_files_in_response_files_are_read),
		cmocka_unit_test(a_response_file_that_names_itself_is_refused),
		cmocka_unit_test(what_is_written_for_a_linker_reads_back),
		cmocka_unit_test(only_what_makes_programs_is_a_link),
		cmocka_unit_test(the_output_is_found_in_all_its_forms),
		cmocka_unit_test(made_again_it_writes_nothing_but_its_output),
		cmocka_unit_test(a_script_of_its_own_is_no_other_layout),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
