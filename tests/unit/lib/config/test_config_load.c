/* The layers over each other, and what a committed file may not do. */
#include "tests/unit/lib/config/test_config_fixture.h"

#include "lib/base/banned.h"

static void missing_file_means_built_in_values(void **state)
{
	(void)state;
	load();
	assert_int_equal(c.n_benchmarks, 0);
	assert_int_equal(c.runs_min, 12);
	assert_string_equal(buf_str(&warnings), "");
}

static void example_of_the_contract_is_read_whole(void **state)
{
	(void)state;
	loads("[pawl]\n\tproject = zlib\n\tbuild = make -j2 bench\n"
	      "\truns = 20..30            # fewest..most runs per side\n\tthreshold = 2%\n"
	      "\tconfidence = 0.95\n\tminTime = 250ms\n"
	      "[benchmark \"deflate\"]\n\tcommand = build/bench/deflate --level 6\n"
	      "\tformat = pawl            # or command\n\ttimeout = 60s\n\tthreshold = 5%\n"
	      "\tmetric = wall\n\tcache = no\n\tatOnce = no\n\tinput = a\n\tinput = b c\n"
	      "[benchmark \"Other one\"]\n\tcommand = \"x 'y z'\"\n");
	assert_string_equal(c.project, "zlib");
	assert_string_equal(c.build, "make -j2 bench");
	assert_int_equal(c.n_benchmarks, 2);
	assert_string_equal(c.benchmarks[0].name, "deflate");
	assert_int_equal(c.benchmarks[0].command.n, 3);
	assert_string_equal(c.benchmarks[0].command.v[2], "6");
	assert_int_equal(c.benchmarks[0].format, FORMAT_PAWL);
	assert_true(c.benchmarks[0].format_given);
	assert_int_equal(c.benchmarks[0].timeout_ns, UINT64_C(60000000000));
	assert_true(c.benchmarks[0].threshold == 0.05);
	assert_string_equal(c.benchmarks[0].metric, "wall");
	assert_false(c.benchmarks[0].cache);
	assert_true(c.benchmarks[0].in_turn);
	assert_int_equal(c.benchmarks[0].inputs.n, 2);
	assert_string_equal(c.benchmarks[0].inputs.v[1], "b c");
	assert_string_equal(c.benchmarks[0].origin, at("r/.pawlconfig:9"));
	assert_string_equal(c.benchmarks[1].name, "Other one");
	assert_string_equal(c.benchmarks[1].command.v[1], "y z");
	assert_false(c.benchmarks[1].format_given);
	assert_true(c.benchmarks[1].cache);
	assert_false(c.benchmarks[1].in_turn);
	assert_int_equal(c.benchmarks[1].timeout_ns, 0);
	assert_true(c.benchmarks[1].threshold == 0.02);
	assert_string_equal(buf_str(&warnings), "");
}

/* tests/run starts the programs at the top of the source tree. */
static void what_is_better_of_a_counter_is_told(void **state)
{
	(void)state;
	loads("[benchmark \"up\"]\n\tcommand = x\n\tbetter = higher\n\tmetric = hits\n"
	      "[benchmark \"down\"]\n\tcommand = x\n\tmetric = hits\n\tbetter = higher\n"
	      "\tbetter = lower\n"
	      "[benchmark \"untold\"]\n\tcommand = x\n\tmetric = hits\n");
	assert_true(c.benchmarks[0].better_given && c.benchmarks[0].more_is_better);
	assert_true(c.benchmarks[1].better_given && !c.benchmarks[1].more_is_better);
	assert_false(c.benchmarks[2].better_given);
}

static void example_of_the_manual_page_is_read_whole(void **state)
{
	struct buf page = BUF_INIT;
	struct err err = ERR_INIT;
	char *from, *to;

	(void)state;
	if (file_read_whole("docs/man/pawl-config.5", 1 << 20, &page, &err))
		fail_msg("%s", err.text);
	from = strstr(page.data, "\n.Bd -literal");
	to = from ? strstr(from, "\n.Ed") : NULL;
	assert_non_null(to);
	buf_truncate(&page, (size_t)(to - page.data));
	loads(strchr(from + 1, '\n') + 1);
	buf_release(&page);
	assert_int_equal(c.n_benchmarks, 2);
	assert_string_equal(c.benchmarks[1].name, "startup");
	assert_int_equal(c.benchmarks[1].command.n, 3);
	assert_string_equal(c.benchmarks[1].command.v[2],
			    "build/zpipe < bench/corpus.bin > /dev/null");
	assert_string_equal(buf_str(&warnings), "");
}

static void sections_of_one_name_merge_and_case_counts(void **state)
{
	(void)state;
	loads("[benchmark \"a\"]\n\tcommand = one\n\tinput = x\n[benchmark \"A\"]\n\tCommand = "
	      "two\n"
	      "[BENCHMARK \"a\"]\n\tcommand = three\n\tinput = y\n");
	assert_int_equal(c.n_benchmarks, 2);
	assert_string_equal(c.benchmarks[0].command.v[0], "three");
	assert_int_equal(c.benchmarks[0].inputs.n, 2);
	assert_string_equal(c.benchmarks[1].command.v[0], "two");
}

static void each_layer_covers_the_one_below(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	loads("[pawl]\n\truns = 5..6\n\tthreshold = 3%\n\tseed = 1\n\tconfidence = 0.9\n"
	      "[benchmark \"a\"]\n\tcommand = x\n[benchmark \"b\"]\n\tcommand = y\n"
	      "\tthreshold = 9%\n");
	assert_int_equal(c.runs_min, 5);
	run("r", "git", "config", "--global", "pawl.runs", "7");
	run("r", "git", "config", "--global", "pawl.seed", "2");
	run("r", "git", "config", "pawl.seed", "3");
	run("r", "git", "config", "benchmark.a.timeout", "5s");
	setenv("PAWL_SEED", "4", 1);
	setenv("PAWL_THRESHOLD", "4%", 1);
	setenv("PAWL_RUNS", "", 1);
	load();
	assert_int_equal(c.runs_min, 7);
	assert_int_equal(c.seed, 4);
	assert_true(c.confidence == 0.9);
	assert_int_equal(c.n_benchmarks, 2);
	assert_int_equal(c.benchmarks[0].timeout_ns, UINT64_C(5000000000));
	assert_true(c.benchmarks[0].threshold == 0.04);
	assert_true(c.benchmarks[1].threshold == 0.09);
	assert_int_equal(config_set(&c, "threshold", "7%", "--threshold", &err), 0);
	assert_true(c.benchmarks[0].threshold == 0.07);
	assert_true(c.benchmarks[1].threshold == 0.09);
}

static void an_open_quote_in_the_environment_is_told(void **state)
{
	(void)state;
	setenv("PAWL_ENV", "HOME 'PATH", 1);
	load_fails("PAWL_ENV: bad value 'HOME 'PATH' for 'env': expected names of variables, "
		   "without quotes",
		   "for example: env = VULKAN_SDK");
	unsetenv("PAWL_ENV");
}

static void without_a_repository_user_and_environment_count(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	put(at("r/.pawlconfig"), "[pawl]\n\truns = 5\n");
	run("r", "git", "config", "--global", "pawl.server", "https://s.example/");
	setenv("PAWL_PROJECT", "p", 1);
	assert_int_equal(config_load(NULL, &talk, &c, &err), 0);
	assert_int_equal(c.runs_min, 12);
	assert_string_equal(c.server, "https://s.example");
	assert_string_equal(c.project, "p");
}

static void bare_repository_has_the_committed_file_of_its_head(void **state)
{
	struct repo *bare = NULL;
	struct err err = ERR_INIT;

	(void)state;
	run(".", "git", "init", "-q", "--bare", "bare.git");
	put(at("bare.git/.pawlconfig"), "[pawl]\n\truns = 5\n");
	assert_int_equal(repo_open(at("bare.git"), &bare, &err), 0);
	assert_int_equal(config_load(bare, &talk, &c, &err), 0);
	assert_int_equal(c.runs_min, 12); /* what lies in its folder is not committed */
	repo_close(bare);
	config_release(&c);
	put(at("r/.pawlconfig"), "[pawl]\n\truns = 7\n\tserver = https://evil.example\n");
	run("r", "git", "add", ".pawlconfig");
	run("r", "git", "commit", "-q", "-m", "configured");
	run(".", "git", "clone", "-q", "--bare", "r", "clone.git");
	assert_int_equal(repo_open(at("clone.git"), &bare, &err), 0);
	assert_int_equal(config_load(bare, &talk, &c, &err), 0);
	assert_int_equal(c.runs_min, 7);
	assert_null(c.server);
	repo_close(bare);
}

/* A hostile repository must not choose where results and tokens go. */
static void committed_file_does_not_say_where_data_goes(void **state)
{
	(void)state;
	loads("[pawl]\n\tserver = https://evil.example\n\ttoken = hunter2\n\tinsecureHttp\n"
	      "\tserver = not a url\n[pawl \"hook\"]\n\tblock = false\n");
	assert_null(c.server);
	assert_null(c.token);
	assert_false(c.insecure_http);
	assert_string_equal(
		buf_str(&warnings),
		"'.pawlconfig' line 2: 'pawl.server' is ignored in a committed file "
		"(to set it for yourself: git config pawl.server VALUE)\n"
		"'.pawlconfig' line 3: 'pawl.token' is ignored: a token does not belong there "
		"(set PAWL_TOKEN, or leave the token to git's credential helpers)\n"
		"'.pawlconfig' line 4: 'pawl.insecureHttp' is ignored in a committed file "
		"(to set it for yourself: git config pawl.insecureHttp VALUE)\n"
		"'.pawlconfig' line 5: 'pawl.server' is ignored in a committed file "
		"(to set it for yourself: git config pawl.server VALUE)\n"
		"'.pawlconfig' line 7: 'pawl.hook.block' is ignored in a committed file "
		"(to set it for yourself: git config pawl.hook.block VALUE)\n");
}

/* Of a command the second half would be lost without a word. */
static void a_command_that_a_semicolon_cuts_is_told(void **state)
{
	(void)state;
	loads("[pawl]\n\tbuild = make; make bench\n\tproject = demo ; a comment\n\truns = 7;\n"
	      "[benchmark \"b\"]\n\tcommand = \"./b; true\" ; whole\n");
	assert_string_equal(c.build, "make");
	assert_string_equal(buf_str(&warnings),
			    "'.pawlconfig' line 2: ';' begins a comment there, so that 'build' is "
			    "'make' alone (put the whole value into double quotes)\n");
}

static void token_counts_in_the_environment_alone(void **state)
{
	(void)state;
	run("r", "git", "config", "pawl.token", "hunter2");
	run("r", "git", "config", "pawl.hook.block", "true");
	load();
	assert_null(c.token);
	assert_string_equal(buf_str(&warnings),
			    "git config (local): 'pawl.token' is ignored: a token does not belong "
			    "there (set PAWL_TOKEN, or leave the token to git's credential "
			    "helpers)\n");
	setenv("PAWL_TOKEN", "from-environment", 1);
	load();
	assert_string_equal(c.token, "from-environment");
}

static void command_line_replaces_all_benchmarks(void **state)
{
	char program[] = "./build/my bench\xff", flag[] = "--x=a b";
	char *argv[] = { program, flag, NULL };
	struct err err = ERR_INIT;

	(void)state;
	loads("[pawl]\n\tthreshold = 3%\n[benchmark \"a\"]\n\tcommand = x\n[benchmark \"b\"]\n"
	      "\tcommand = y\n");
	assert_int_equal(config_set_command(&c, argv, &err), 0);
	assert_int_equal(c.n_benchmarks, 1);
	assert_string_equal(c.benchmarks[0].name, "my%20bench%FF");
	assert_int_equal(c.benchmarks[0].command.n, 2);
	assert_string_equal(c.benchmarks[0].command.v[0], program);
	assert_string_equal(c.benchmarks[0].command.v[1], "--x=a b");
	assert_true(c.benchmarks[0].threshold == 0.03);
	assert_false(c.benchmarks[0].format_given);
	program[0] = '\0';
	assert_int_equal(config_set_command(&c, argv, &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_int_equal(c.n_benchmarks, 1);
}

static void one_metric_can_decide_about_all(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	loads("[benchmark \"a\"]\n\tcommand = x\n\tmetric = wall\n[benchmark \"b\"]\n"
	      "\tcommand = y\n\tmetric = hits\n\tbetter = higher\n[benchmark \"c\"]\n"
	      "\tcommand = z\n");
	assert_int_equal(config_set_metric(&c, "hits", &err), 0);
	assert_string_equal(c.benchmarks[0].metric, "hits");
	assert_true(c.benchmarks[1].better_given); /* it is of this metric */
	assert_string_equal(c.benchmarks[2].metric, "hits");
	assert_int_equal(config_set_metric(&c, "cpu", &err), 0);
	assert_string_equal(c.benchmarks[1].metric, "cpu");
	assert_false(c.benchmarks[1].better_given);
	assert_int_equal(config_set_metric(&c, "wal", &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_string_equal(err.text, "--metric 'wal': expected a metric or the name of a counter");
	assert_string_equal(err.hint, "did you mean 'wall'?");
}

static void long_and_slashed_programs_get_valid_names(void **state)
{
	char program[2000];
	char *argv[] = { program, NULL };

	(void)state;
	memset(program, '\x80', sizeof(program) - 1);
	program[sizeof(program) - 1] = '\0';
	assert_int_equal(config_set_command(&c, argv, NULL), 0);
	assert_int_equal(strlen(c.benchmarks[0].name), 252);
	snprintf(program, sizeof(program), "/");
	assert_int_equal(config_set_command(&c, argv, NULL), 0);
	assert_string_equal(c.benchmarks[0].name, "/");
	snprintf(program, sizeof(program), "a b");
	assert_int_equal(config_set_command(&c, argv, NULL), 0);
	assert_string_equal(c.benchmarks[0].name, "a b");
}

static void sources_add_up_until_an_empty_one(void **state)
{
	(void)state;
	loads("[pawl]\n\tsources = src\n\tsources = Makefile\n");
	assert_int_equal(c.sources.n, 2);
	assert_string_equal(c.sources.v[0], "src");
	assert_string_equal(c.sources.v[1], "Makefile");
	loads("[pawl]\n\tsources = src\n\tsources =\n\tsources = lib\n");
	assert_int_equal(c.sources.n, 1);
	assert_string_equal(c.sources.v[0], "lib");
	loads("");
	assert_int_equal(c.sources.n, 0);
	refuses("[pawl]\n\tsources = ../other\n", 2,
		"bad value '../other' for 'sources': expected a path below the top of the work "
		"tree",
		"for example: sources = src");
}

#define LOAD_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOAD_TEST(missing_file_means_built_in_values),
		LOAD_TEST(example_of_the_contract_is_read_whole),
		LOAD_TEST(what_is_better_of_a_counter_is_told),
		LOAD_TEST(example_of_the_manual_page_is_read_whole),
		LOAD_TEST(sections_of_one_name_merge_and_case_counts),
		LOAD_TEST(each_layer_covers_the_one_below),
		LOAD_TEST(sources_add_up_until_an_empty_one),
		LOAD_TEST(an_open_quote_in_the_environment_is_told),
		LOAD_TEST(without_a_repository_user_and_environment_count),
		LOAD_TEST(bare_repository_has_the_committed_file_of_its_head),
		LOAD_TEST(committed_file_does_not_say_where_data_goes),
		LOAD_TEST(a_command_that_a_semicolon_cuts_is_told),
		LOAD_TEST(token_counts_in_the_environment_alone),
		LOAD_TEST(command_line_replaces_all_benchmarks),
		LOAD_TEST(one_metric_can_decide_about_all),
		LOAD_TEST(long_and_slashed_programs_get_valid_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
