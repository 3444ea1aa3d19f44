/* Every fault of a configuration with its place and its cure. */
#include "tests/unit/lib/config/test_config_fixture.h"

#include "lib/base/banned.h"

static void bad_token_is_refused_and_never_shown(void **state)
{
	(void)state;
	setenv("PAWL_TOKEN", "hunter2\r\nX-Evil: 1", 1);
	load_fails("PAWL_TOKEN: bad value for 'token': expected no blanks, no line ends and "
		   "nothing beyond ASCII",
		   "for example: token = SECRET");
}

static void unknown_keys_are_named_with_line_and_nearest(void **state)
{
	(void)state;
	refuses("# x\n[pawl]\n\truns = 20\n\ttreshold = 2%\n", 4, "unknown key 'pawl.treshold'",
		"did you mean 'threshold'?");
	refuses("[pawl]\n\tcolour = 1\n", 2, "unknown key 'pawl.colour'",
		"pawl-config(5) lists the keys");
	refuses("[benchmark \"a\"]\n\tcommand = x\n\tcomand = y\n", 3,
		"unknown key 'comand' of benchmark 'a'", "did you mean 'command'?");
	refuses("[pawl]\n\ttimeout = 5s\n", 2, "unknown key 'pawl.timeout'",
		"'timeout' belongs in [benchmark \"NAME\"]");
	refuses("[benchmark \"a\"]\n\truns = 5\n", 2, "unknown key 'runs' of benchmark 'a'",
		"'runs' belongs in [pawl]");
}

static void unknown_sections_are_named_with_line_and_cure(void **state)
{
	(void)state;
	refuses("[pawlx]\n\truns = 3\n", 2, "unknown section 'pawlx'", "did you mean [pawl]?");
	refuses("[bench \"a\"]\n\tcommand = x\n", 2, "unknown section 'bench \"a\"'",
		"did you mean [benchmark \"NAME\"]?");
	refuses("[benchmarks \"a\"]\n\tcommand = x\n", 2, "unknown section 'benchmarks \"a\"'",
		"did you mean [benchmark \"NAME\"]?");
	refuses("\n[benchmark]\n\tcommand = x\n", 3, "a benchmark without a name",
		"write the section as [benchmark \"NAME\"]");
	refuses("[pawl \"x\"]\n\truns = 3\n", 2, "unknown section 'pawl \"x\"'",
		"did you mean [pawl]?");
	refuses("runs = 3\n", 1, "'runs' is before any section", "put [pawl] above it");
	refuses("[core]\n\teditor = x\n", 2, "unknown section 'core'",
		"the sections are [pawl] and [benchmark \"NAME\"]");
}

static void bad_values_are_named_with_line_and_example(void **state)
{
	(void)state;
	refuses("[pawl]\n\truns = 5x\n\truns = 5\n", 2,
		"bad value '5x' for 'runs': expected FEWEST..MOST or one number, from 2 to 1000",
		"for example: runs = 12..200");
	refuses("[pawl]\n\tbuild\n", 2, "'build' has no value",
		"for example: build = make -j2 bench");
	refuses("[benchmark \"a\"]\n\tcommand = x\n\tformat = xml\n", 3,
		"bad value 'xml' for 'format': expected pawl, command, "
		"google, go, hyperfine, criterion, catch2, nanobench, junit, perf, callgrind, "
		"bmf or lnt",
		"for example: format = pawl");
	refuses("[benchmark \"a\"]\n\ttimeout = 25h\n", 2,
		"bad value '25h' for 'timeout': expected a time from 1.00 ms to 86400 s",
		"for example: timeout = 60s");
	refuses("[benchmark \"a\"]\n\tmetric = wal\n", 2,
		"bad value 'wal' for 'metric': expected a metric or the name of a counter",
		"did you mean 'wall'?");
	refuses("[benchmark \"a\"]\n\tbetter = more\n", 2,
		"bad value 'more' for 'better': expected higher or lower",
		"for example: better = higher");
	refuses("[benchmark \"a\"]\n\tcommand = x\n\tbetter = higher\n", 2,
		"benchmark 'a' says what is better, and not of which metric",
		"add to [benchmark \"a\"]: metric = COUNTER");
	refuses("[benchmark \"a\"]\n\tcommand = x\n\tmetric = wall\n\tbetter = higher\n", 2,
		"benchmark 'a': less is always better of 'wall'",
		"leave 'better' out: it is for counters of the program's own");
	refuses("[benchmark \"a\"]\n\tcommand = x\n\tatOnce = maybe\n", 3,
		"bad value 'maybe' for 'atOnce': expected true or false",
		"for example: atOnce = false");
	refuses("[pawl]\n\tsubmodules = auto\n", 2,
		"bad value 'auto' for 'submodules': expected true or false",
		"for example: submodules = true");
	refuses("[benchmark \"a\"]\n\tinput = ../secret\n", 2,
		"bad value '../secret' for 'input': expected a path below the top of the work "
		"tree",
		"for example: input = data/corpus.bin");
	refuses("[benchmark \"a\"]\n\tcommand = x 'y\n", 2,
		"bad value 'x 'y' for 'command': command has an open single quote",
		"for example: command = build/bench/deflate --level 6");
	refuses("[benchmark \"a\"]\n\tcommand =\n", 2,
		"bad value '' for 'command': expected a program and its arguments",
		"for example: command = build/bench/deflate --level 6");
	refuses("[benchmark \"a\"]\n\tthreshold = 0\n", 2,
		"bad value '0' for 'threshold': expected a share above 0 and up to 100%",
		"for example: threshold = 5%");
}

static void bad_values_of_a_benchmark_are_refused(void **state)
{
	(void)state;
	refuses("[benchmark \"a\"]\n\twarmup = 1001\n", 2,
		"bad value '1001' for 'warmup': expected a number from 0 to 1000",
		"for example: warmup = 3");
}

static void bad_names_are_refused(void **state)
{
	(void)state;
	refuses("[benchmark \"a\tb\"]\n\tcommand = x\n", 2,
		"a benchmark's name is 1 to 255 bytes of printable UTF-8",
		"for example: [benchmark \"deflate\"]");
	refuses("[benchmark \"\xff\"]\n\tcommand = x\n", 2,
		"a benchmark's name is 1 to 255 bytes of printable UTF-8",
		"for example: [benchmark \"deflate\"]");
	refuses("[benchmark \"\"]\n\tcommand = x\n", 2,
		"a benchmark's name is 1 to 255 bytes of printable UTF-8",
		"for example: [benchmark \"deflate\"]");
}

static void benchmark_without_a_command_is_named_with_its_line(void **state)
{
	(void)state;
	refuses("[benchmark \"a\"]\n\tcommand = x\n[benchmark \"b\"]\n\n\ttimeout = 5s\n", 5,
		"benchmark 'b' has no command",
		"add to [benchmark \"b\"]: command = PROGRAM ARGUMENTS");
	run("r", "git", "config", "benchmark.b.command", "y");
	load();
	assert_string_equal(c.benchmarks[1].command.v[0], "y");
}

static void syntax_faults_and_includes_carry_file_and_line(void **state)
{
	(void)state;
	refuses("[pawl]\n\n[benchmark \"x\"\n", 3, "missing ']' in section header",
		"correct that line; pawl-config(5) shows the syntax");
	refuses("[pawl]\n[include]\n\tpath = /etc/passwd\n", 2,
		"a committed file may not include others",
		"write the settings into '.pawlconfig' itself");
}

static void other_layers_name_themselves(void **state)
{
	(void)state;
	run("r", "git", "config", "--global", "pawl.threshold", "0");
	load_fails("git config (global): bad value '0' for 'threshold': expected a share above 0 "
		   "and up to 100%",
		   "for example: threshold = 2%");
	run("r", "git", "config", "--global", "--unset", "pawl.threshold");
	run("r", "git", "config", "pawl.servre", "https://h");
	load_fails("git config (local): unknown key 'pawl.servre'", "did you mean 'server'?");
	run("r", "git", "config", "--unset", "pawl.servre");
	setenv("PAWL_MIN_TIME", "1y", 1);
	load_fails("PAWL_MIN_TIME: bad value '1y' for 'minTime': expected a time from 1.00 ms to "
		   "60.0 s",
		   "for example: minTime = 250ms");
}

#define LOAD_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOAD_TEST(bad_token_is_refused_and_never_shown),
		LOAD_TEST(unknown_keys_are_named_with_line_and_nearest),
		LOAD_TEST(unknown_sections_are_named_with_line_and_cure),
		LOAD_TEST(bad_values_are_named_with_line_and_example),
		LOAD_TEST(bad_names_are_refused),
		LOAD_TEST(bad_values_of_a_benchmark_are_refused),
		LOAD_TEST(benchmark_without_a_command_is_named_with_its_line),
		LOAD_TEST(syntax_faults_and_includes_carry_file_and_line),
		LOAD_TEST(other_layers_name_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
