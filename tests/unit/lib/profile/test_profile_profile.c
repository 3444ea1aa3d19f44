/* Unit tests of lib/profile: reading, adding up, subtracting. */
#include "tests/unit/profile_fixture.h"

#include "lib/base/banned.h"

/* Sums by hand: main 20 + 400 + 400, func1 100 + 300, func2 700; 820 in all. */
static const char plain[] = "# callgrind format\n"
			    "events: Instructions\n"
			    "\n"
			    "fl=file1.c\n"
			    "fn=main\n"
			    "16 20\n"
			    "cfn=func1\n"
			    "calls=1 50\n"
			    "16 400\n"
			    "cfi=file2.c\n"
			    "cfn=func2\n"
			    "calls=3 20\n"
			    "16 400\n"
			    "\n"
			    "fn=func1\n"
			    "51 100\n"
			    "cfi=file2.c\n"
			    "cfn=func2\n"
			    "calls=2 20\n"
			    "51 300\n"
			    "\n"
			    "fl=file2.c\n"
			    "fn=func2\n"
			    "20 700\n";

static const char compressed[] = "version: 1\n"
				 "events: Cycles Ir\n"
				 "fl=(1) file1.c\n"
				 "fn=(1) main\n"
				 "16 9 20\n"
				 "cfn=(2) func1\n"
				 "calls=1 50\n"
				 "* 9 400\n"
				 "cfi=(2) file2.c\n"
				 "cfn=(3) func2\n"
				 "calls=3 20\n"
				 "+0 9 400\n"
				 "fn=(2)\n"
				 "+35 9 100\n"
				 "cfi=(2)\n"
				 "cfn=(3)\n"
				 "calls=2 20\n"
				 "* 9 300\n"
				 "fl=(2)\n"
				 "fn=(3)\n"
				 "-31 9 700\n"
				 "totals: 27 820\n";

static void self_and_inclusive_costs_are_added_up(void **state)
{
	struct profile p;

	(void)state;
	parse(plain, &p);
	assert_true(p.total == 820);
	assert_int_equal(p.n, 3);
	expect_cost(&p, "main", 20, 820);
	expect_cost(&p, "func1", 100, 400);
	expect_cost(&p, "func2", 700, 700);
	assert_string_equal(find(&p, "func1")->file, "file1.c");
	assert_string_equal(find(&p, "func2")->file, "file2.c");
	assert_string_equal(find(&p, "func2")->object, PROFILE_UNKNOWN);
	profile_release(&p);
}

static void compressed_names_and_positions_say_the_same(void **state)
{
	struct profile p;

	(void)state;
	parse(compressed, &p);
	assert_true(p.total == 820);
	expect_cost(&p, "main", 20, 820);
	expect_cost(&p, "func1", 100, 400);
	expect_cost(&p, "func2", 700, 700);
	assert_int_equal(find(&p, "func1")->lines[0].line, 51);
	assert_int_equal(find(&p, "func2")->lines[0].line, 20);
	profile_release(&p);
}

static void inlined_code_keeps_the_file_it_comes_from(void **state)
{
	const struct profile_function *f;
	struct profile p;

	(void)state;
	parse("positions: instr line\nevents: Ir\nob=(1) /t/prog\nfl=(1) /t/a.c\nfn=(1) f\n"
	      "0x401000 10 1\nfi=(2) /t/a.h\n+4 3 2\n+4 +1 4\nfe=(1)\n+4 11 8\nfi=(2)\n+4 3 16\n"
	      "fn=(2) g\n+4 5 32\nsummary: 63\n",
	      &p);
	f = find(&p, "f");
	assert_true(f->self == 31);
	assert_string_equal(f->file, "/t/a.c");
	assert_int_equal(f->n_lines, 4);
	assert_string_equal(f->lines[0].file, "/t/a.c");
	assert_int_equal(f->lines[0].line, 10);
	assert_string_equal(f->lines[2].file, "/t/a.h");
	assert_int_equal(f->lines[2].line, 3);
	assert_true(f->lines[2].self == 18);
	assert_string_equal(find(&p, "g")->file, "/t/a.h");
	assert_string_equal(f->object, "/t/prog");
	profile_strip(&p, "/t", NULL, NULL);
	assert_string_equal(find(&p, "g")->file, "a.h");
	assert_string_equal(f->object, "prog");
	profile_release(&p);
}

static bool is_source(const void *ctx, const char *name)
{
	return !strcmp(name, ctx) || !strcmp(name, "sub/./own.c");
}

/* As CMake gives it to the compiler, which writes ./ for the top of the tree. */
static void a_whole_path_is_found_behind_the_folder_of_its_build(void **state)
{
	struct profile p;

	(void)state;
	parse("events: Ir\nob=(1) /t/prog\nfl=(1) ./build/./src/a.c\nfn=(1) f\n1 10\n"
	      "fl=(2) ./sub/./own.c\nfn=(2) g\n1 10\nfl=(3) ./build/./gone.c\nfn=(3) h\n1 10\n",
	      &p);
	profile_strip(&p, "/t", is_source, "src/a.c");
	assert_string_equal(find(&p, "f")->file, "src/a.c");
	assert_string_equal(find(&p, "g")->file, "sub/./own.c");
	assert_string_equal(find(&p, "h")->file, "build/./gone.c");
	profile_release(&p);
}

static void recursion_is_not_counted_twice(void **state)
{
	struct profile p;

	(void)state;
	parse("events: Ir\nfn=(1) f\n1 10\ncfn=(1)\ncalls=3 1\n1 8\nfn=(2) g\n2 1\ncfn=(3) h\n"
	      "calls=1 1\n2 9\nfn=(3)\n3 1\ncfn=(2)\ncalls=1 1\n3 11\n",
	      &p);
	expect_cost(&p, "f", 10, 10);
	expect_cost(&p, "g", 1, 10);
	expect_cost(&p, "h", 1, 12); /* at most everything */
	profile_release(&p);
}

static void parts_and_files_of_one_run_are_added(void **state)
{
	static const char part[] = "part: 1\nevents: Ir\nsummary: 5\nfn=(1) f\n1 5\ntotals: 5\n"
				   "part: 2\nevents: Ir\nsummary: 2\nfn=(1)\n1 2\n";
	static const char other[] = "events: Ir\nfl=x.c\nfn=(1) g\n7 4\nfl=???\nfn=f\n1 1\n";
	const struct profile_text texts[] = { { part, sizeof(part) - 1 },
					      { other, sizeof(other) - 1 } };
	struct profile p;

	(void)state;
	assert_int_equal(0, profile_read(texts, 2, &p, NULL));
	assert_true(p.total == 12);
	expect_cost(&p, "f", 8, 8);
	expect_cost(&p, "g", 4, 4);
	profile_release(&p);
}

static void names_in_parentheses_are_names(void **state)
{
	struct profile p;

	(void)state;
	parse("events: Ir\nfn=(below main)\n0 3\nfn=(4) (anonymous namespace)::f(int)\n1 2\n"
	      "fn=operator()\n1 1\nfn=\n1 1\njump=3 5\n7\njcnd=1/2 +3\n*\n",
	      &p);
	expect_cost(&p, "(below main)", 3, 3);
	expect_cost(&p, "(anonymous namespace)::f(int)", 2, 2);
	expect_cost(&p, "operator()", 1, 1);
	expect_cost(&p, PROFILE_UNKNOWN, 1, 1);
	profile_release(&p);
}

static void what_both_runs_did_drops_out(void **state)
{
	struct profile once, twice, p;

	(void)state;
	parse("events: Ir\nfn=start\n1 1000\n2 7\nfn=op\n3 100\n4 10\n", &once);
	parse("events: Ir\nfn=start\n1 1000\n2 8\nfn=op\n3 200\n4 20\n", &twice);
	assert_int_equal(0, profile_subtract(&twice, &once, 1.0 / 10, &p, NULL));
	profile_release(&once);
	profile_release(&twice);
	assert_true(fabs(p.total - 11.1) < 1e-12);
	assert_int_equal(p.n, 2);
	assert_true(fabs(find(&p, "op")->self - 11) < 1e-12);
	assert_int_equal(find(&p, "start")->n_lines, 1);
	assert_int_equal(find(&p, "start")->lines[0].line, 2);
	profile_release(&p);

	parse("events: Ir\nfn=start\n1 1000\n", &once);
	parse("events: Ir\nfn=start\n1 1000\n", &twice);
	assert_int_equal(0, profile_subtract(&twice, &once, 1.0 / 3, &p, NULL));
	assert_int_equal(p.n, 0);
	assert_true(p.total == 0);
	profile_release(&p);
	profile_release(&once);
	profile_release(&twice);
}

static void a_stripped_program_is_recognised(void **state)
{
	struct profile p;

	(void)state;
	parse("events: Ir\nfn=0x0000000000001130\n0 90\nfn=main\n0 10\n", &p);
	assert_true(profile_is_stripped(&p));
	profile_release(&p);
	parse(plain, &p);
	assert_false(profile_is_stripped(&p));
	profile_release(&p);
}

static void damage_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text, *message;
		enum err_code code;
	} bad[] = {
		{ "", "names no events", ERR_SYNTAX },
		{ "hello\n", "line 1 of the profile: not understood", ERR_SYNTAX },
		{ "fn=f\n1 2\n", "line 2 of the profile: a cost before", ERR_SYNTAX },
		{ "events:\n", "no event is named", ERR_SYNTAX },
		{ "events: Ir\nfn=(3)\n", "line 2 of the profile: a name is used", ERR_SYNTAX },
		{ "events: Ir\nfn=(99999999) f\n", "too large", ERR_RANGE },
		{ "events: Ir\nfn=f\n1 2 3\n", "more costs than events", ERR_SYNTAX },
		{ "events: Ir\nfn=f\n1 x\n", "a number is expected", ERR_SYNTAX },
		{ "events: Ir\nfn=f\n1x 2\n", "a position is no number", ERR_SYNTAX },
		{ "events: Ir\nfn=f\n1 2x\n", "a cost is no number", ERR_SYNTAX },
		{ "events: Ir\nfn=f\n-1 2\n", "outside its file", ERR_RANGE },
		{ "events: Ir\nfn=f\n1 99999999999999999999\n", "too large", ERR_RANGE },
		{ "events: Ir\nfn=f\n1 9007199254740992\n1 9007199254740992\n", "too large",
		  ERR_RANGE },
		{ "events: Ir\nfn=f\ncfn=g\ncalls=1 2\n", "a call without its cost", ERR_SYNTAX },
		{ "events: Ir\nfn=f\ncalls=1 2\nfn=g\n1 1\n", "a call without its cost",
		  ERR_SYNTAX },
		{ "events: Ir\nsummary: 10\nfn=f\n1 9\n", "is cut short", ERR_SYNTAX },
		{ "events: Ir\nfn=f\n1 9\ntotals: 10\n", "is cut short", ERR_SYNTAX },
		{ "positions: page\nevents: Ir\n", "unknown kind of position", ERR_SYNTAX },
		{ "positions: instr line\nevents: Ir\nfn=f\n0x1\n", "a position is missing",
		  ERR_SYNTAX },
	};
	struct profile p = PROFILE_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = ERR_INIT;

		if (!profile_parse(bad[i].text, strlen(bad[i].text), &p, &err))
			fail_msg("was accepted: %s", bad[i].text);
		if (!strstr(err.text, bad[i].message) || err.code != bad[i].code)
			fail_msg("%s: %s", bad[i].text, err.text);
		assert_null(p.functions);
	}
	assert_int_equal(-1, profile_parse("events: Ir\0\n", 12, &p, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(self_and_inclusive_costs_are_added_up),
		cmocka_unit_test(compressed_names_and_positions_say_the_same),
		cmocka_unit_test(inlined_code_keeps_the_file_it_comes_from),
		cmocka_unit_test(a_whole_path_is_found_behind_the_folder_of_its_build),
		cmocka_unit_test(recursion_is_not_counted_twice),
		cmocka_unit_test(parts_and_files_of_one_run_are_added),
		cmocka_unit_test(names_in_parentheses_are_names),
		cmocka_unit_test(what_both_runs_did_drops_out),
		cmocka_unit_test(a_stripped_program_is_recognised),
		cmocka_unit_test(damage_is_refused_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
