/* Counting by the real valgrind, where it is installed; and what is said where it is not. */
#include "tests/unit/collector/compile_fixture.h"

#include <math.h>
#include <unistd.h>

#include "collector/run/profile_run.h"
#include "collector/run/work_count.h"

#include "lib/base/banned.h"

/* A loop of four instructions a step at -O1 and more at -O0: twice the steps, twice the work. */
static const char steps[] = "#include <stdlib.h>\n"
			    "__attribute__((noinline)) static unsigned spin(unsigned n)\n"
			    "{\n"
			    "\tvolatile unsigned x = 1;\n"
			    "\twhile (n--)\n"
			    "\t\tx = x * 3 + 1;\n"
			    "\treturn x;\n"
			    "}\n"
			    "int main(int argc, char **argv)\n"
			    "{\n"
			    "\t(void)argv;\n"
			    "\tif (argc > 1)\n"
			    "\t\tabort();\n"
			    "\treturn spin(STEPS) == 7;\n"
			    "}\n";

/* By how many runs there were, the file being at its end. */
static const char moody[] = "#include <stdio.h>\n"
			    "int main(void)\n"
			    "{\n"
			    "\tFILE *f = fopen(\"runs\", \"a\");\n"
			    "\tif (!f || fputc('x', f) < 0)\n"
			    "\t\treturn 1;\n"
			    "\tfor (volatile long i = 1000000 * (MILLIONS); i; i--)\n"
			    "\t\t;\n"
			    "\treturn fclose(f);\n"
			    "}\n";

static struct process_runner runner;
static struct bench_config config;
static struct unit unit;

static bool has_valgrind(void)
{
	struct buf path = BUF_INIT;
	bool found = profile_run_find("/", &path);

	buf_release(&path);
	return found;
}

static void needs_valgrind(void)
{
	needs_compiler();
	if (has_valgrind() && !getenv("PAWL_TEST_NO_VALGRIND"))
		return;
	print_message("# skipped: valgrind is not installed\n");
	skip();
}

static void begin(enum bench_format format, const char *head, const char *base)
{
	memset(&config, 0, sizeof(config));
	memset(&unit, 0, sizeof(unit));
	runner = (struct process_runner){ .top = workshop, .cpu = -1, .min_time_ns = 1000000 };
	unit.config = &config;
	unit.format = format;
	unit.has_base = base != NULL;
	assert_int_equal(0, strv_add(&config.command, "bench", NULL));
	assert_int_equal(0, str_set(&unit.name, "b", NULL));
	assert_int_equal(0, str_set(&unit.head.exe, in_workshop(head), NULL));
	if (base)
		assert_int_equal(0, str_set(&unit.base.exe, in_workshop(base), NULL));
}

static void count(void)
{
	struct err err = ERR_INIT;

	if (work_count(&runner, &unit, workshop, NULL, &err))
		fail_msg("%s", err.text);
}

static void end(void)
{
	unit_release(&unit);
	strv_release(&config.command);
	assert_int_equal(0, shell("! ls -d count.* 2>/dev/null"));
}

static void twice_the_steps_are_twice_the_instructions(void **state)
{
	(void)state;
	needs_valgrind();
	write_source("steps.c", steps);
	COMPILE("-O1 -DSTEPS=1000000 -o one steps.c");
	COMPILE("-O1 -DSTEPS=2000000 -o two steps.c");
	begin(FORMAT_COMMAND, "two", "one");
	count();
	if (unit.work.reason)
		print_message("%s\n", unit.work.reason);
	assert_null(unit.work.reason);
	assert_string_equal(unit.work.how, "valgrind");
	/* The rest, some 100,000 to 200,000, is the loader's. */
	assert_true(unit.work.base > 4e6);
	assert_true(unit.work.head / unit.work.base > 1.9 && unit.work.head / unit.work.base < 2.1);
	end();
}

static void of_a_libpawl_program_one_iteration_is_counted(void **state)
{
	char *work = build_path("helpers/work");

	(void)state;
	if (strstr(work, "asan") || strstr(work, "coverage")) {
		print_message("# skipped: the helper is instrumented\n");
		free(work);
		skip();
	}
	needs_valgrind();
	begin(FORMAT_PAWL, "work", NULL);
	assert_int_equal(0, str_set(&unit.head.exe, work, NULL));
	assert_int_equal(0, str_set(&unit.inner, "chain", NULL));
	count();
	if (unit.work.reason)
		print_message("%s\n", unit.work.reason);
	assert_null(unit.work.reason);
	/* 1,000 steps of at least a multiplication, an addition and a branch, at most eight. */
	assert_true(unit.work.head > 3000 && unit.work.head < 8100);
	assert_true(isnan(unit.work.base));
	free(work);
	end();
}

static void children_are_counted_too(void **state)
{
	(void)state;
	if (!getenv("PAWL_TEST_SLOW")) {
		print_message("# skipped: takes many seconds: make check-slow\n");
		skip();
	}
	needs_valgrind();
	write_source("steps.c", steps);
	/* So many that what a shell does more when it is interrupted is nothing beside them. */
	COMPILE("-O1 -DSTEPS=5000000 -o one steps.c");
	assert_int_equal(0, shell("printf '#!/bin/sh\\n./one\\n./one\\nexit 0\\n' >script && "
				  "chmod +x script"));
	begin(FORMAT_COMMAND, "script", NULL);
	count();
	if (unit.work.reason)
		print_message("%s\n", unit.work.reason);
	assert_null(unit.work.reason);
	assert_true(unit.work.head > 40e6);
	end();
}

static void count_moody(const char *millions)
{
	char words[100];

	needs_valgrind();
	write_source("moody.c", moody);
	snprintf(words, sizeof(words), "-O1 -DMILLIONS='%s' -o moody moody.c", millions);
	compile_words(words);
	begin(FORMAT_COMMAND, "moody", NULL);
	count();
}

static void what_is_never_the_same_has_no_count(void **state)
{
	(void)state;
	count_moody("ftell(f)");
	assert_non_null(unit.work.reason);
	assert_non_null(strstr(unit.work.reason, "not repeatable"));
	assert_true(isnan(unit.work.head) && !unit.work.how);
	end();
}

static void one_that_is_disturbed_now_and_then_is_counted_again(void **state)
{
	(void)state;
	count_moody("1 + ftell(f) % 2");
	assert_null(unit.work.reason);
	assert_true(unit.work.head > 4e6);
	end();
}

static void a_program_that_dies_says_how(void **state)
{
	(void)state;
	needs_valgrind();
	write_source("steps.c", steps);
	COMPILE("-O1 -DSTEPS=10 -o one steps.c");
	begin(FORMAT_COMMAND, "one", "one");
	assert_int_equal(0, strv_add(&config.command, "die", NULL));
	count();
	assert_non_null(unit.work.reason);
	assert_non_null(strstr(unit.work.reason, "under valgrind it was killed by SIGABRT"));
	assert_true(isnan(unit.work.head) && isnan(unit.work.base));
	assert_null(unit.failure);
	end();
}

static void without_valgrind_the_cure_is_told(void **state)
{
	char *path = strdup(getenv("PATH"));

	(void)state;
	assert_non_null(path);
	assert_int_equal(0, setenv("PATH", "/nowhere", 1));
	begin(FORMAT_COMMAND, "empty", NULL);
	count();
	assert_int_equal(0, setenv("PATH", path, 1));
	free(path);
	assert_non_null(
		strstr(unit.work.reason, "valgrind is not installed: apt install valgrind"));
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twice_the_steps_are_twice_the_instructions),
		cmocka_unit_test(of_a_libpawl_program_one_iteration_is_counted),
		cmocka_unit_test(children_are_counted_too),
		cmocka_unit_test(what_is_never_the_same_has_no_count),
		cmocka_unit_test(one_that_is_disturbed_now_and_then_is_counted_again),
		cmocka_unit_test(a_program_that_dies_says_how),
		cmocka_unit_test(without_valgrind_the_cure_is_told),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
