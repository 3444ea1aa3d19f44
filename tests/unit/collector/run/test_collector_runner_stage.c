/* Pairs from copies: where they run, with what environment, and what they print. */
#include "tests/unit/collector/run/runner_fixture.h"

#include <math.h>
#include <sched.h>

#include "lib/base/banned.h"

static struct stage stage;

/* Both sides are the fixture itself, told the same words. */
static void set_words(enum bench_format format, char *const *words)
{
	strv_release(&bed.config.command);
	assert_int_equal(0, strv_add(&bed.config.command, "fixture", NULL));
	assert_int_equal(0, strv_add_all(&bed.config.command, words, NULL));
	bed.unit.format = format;
	bed.unit.has_base = true;
	assert_int_equal(0, str_set(&bed.unit.head.exe, bed.fixture, NULL));
	assert_int_equal(0, str_set(&bed.unit.base.exe, bed.fixture, NULL));
	assert_int_equal(0, str_set(&bed.unit.head.binary_id, "00", NULL));
	assert_int_equal(0, str_set(&bed.unit.base.binary_id, "00", NULL));
}

static int begin(void **state)
{
	stage = (struct stage)STAGE_INIT;
	bed.runner.stage = NULL;
	return bed_begin(state);
}

static int end(void **state)
{
	stage_close(&stage);
	bed.runner.stage = NULL;
	return bed_end(state);
}

static void open_stage(bool padding)
{
	if (stage_open(in_bed("state"), 7, &stage, &bed.err))
		fail_msg("stage_open: %s", bed.err.text);
	stage.padding = padding;
	bed.runner.stage = &stage;
}

/* What the head printed; both sides must have printed the same. */
static void run_same(char out[CHILD_DIGEST_HEX])
{
	run_pair_in(0);
	assert_null(bed.pair.head.failure);
	assert_null(bed.pair.base.failure);
	assert_non_null(bed.pair.head.output);
	assert_non_null(bed.pair.base.output);
	assert_string_equal(bed.pair.head.output, bed.pair.base.output);
	snprintf(out, CHILD_DIGEST_HEX, "%s", bed.pair.head.output);
}

static char *const show[] = { (char[]){ "show" }, NULL };

static void commands_run_from_their_copies(void **state)
{
	char first[CHILD_DIGEST_HEX], second[CHILD_DIGEST_HEX];

	(void)state;
	set_words(FORMAT_COMMAND, show);
	open_stage(false);
	run_same(first);
	bed.unit.n_pairs = 1;
	run_same(second);
	bed.unit.n_pairs = 0;
	assert_string_equal(first, second);
	assert_int_equal(1, stage.n);
	assert_int_equal(2, stage.n_made);
	assert_null(stage.failure);
}

static void the_environment_is_padded_alike_on_both_sides_and_otherwise_each_pair(void **state)
{
	char plain[CHILD_DIGEST_HEX], first[CHILD_DIGEST_HEX], second[CHILD_DIGEST_HEX];

	(void)state;
	set_words(FORMAT_COMMAND, show);
	run_same(plain);
	open_stage(true);
	run_same(first);
	bed.unit.n_pairs = 1;
	run_same(second);
	bed.unit.n_pairs = 0;
	assert_string_not_equal(plain, first);
	assert_string_not_equal(first, second);
}

static void a_side_runs_in_its_own_folder(void **state)
{
	char out[CHILD_DIGEST_HEX];

	(void)state;
	set_words(FORMAT_COMMAND, show);
	bed.runner.top = "/";
	run_same(out);
	assert_int_equal(0, str_set(&bed.unit.base.dir, bed.dir, NULL));
	run_pair_in(0);
	assert_string_not_equal(bed.pair.head.output, bed.pair.base.output);
	assert_int_equal(0, str_set(&bed.unit.head.dir, bed.dir, NULL));
	open_stage(false);
	run_same(out);
	bed.runner.top = NULL;
}

static void sessions_take_turns_from_their_copies(void **state)
{
	char *const words[] = {
		(char[]){ "records" },
		(char[]){ "{\"type\":\"hello\",\"protocol\":1}" },
		(char[]){ "{\"type\":\"ready\",\"slice\":0}" },
		(char[]){ "@wait" },
		(char[]){ "{\"type\":\"slice\",\"slice\":0,\"iterations\":20,\"wall_ns\":200,"
			  "\"cpu_ns\":200}" },
		(char[]){ "{\"type\":\"ready\",\"slice\":1}" },
		(char[]){ "@wait" },
		(char[]){ "{\"type\":\"result\",\"name\":\"b\",\"iterations\":20,\"wall_ns\":200,"
			  "\"cpu_ns\":200,\"process_cpu_ns\":200,\"migrations\":3}" },
		(char[]){ "{\"type\":\"end\"}" },
		NULL,
	};

	(void)state;
	set_words(FORMAT_PAWL, words);
	open_stage(true);
	run_pair_in(1);
	assert_null(bed.pair.head.failure);
	assert_null(bed.pair.base.failure);
	assert_true(bed.pair.log_ratio_cpu == 0);
	assert_int_equal(1, stage.n_made);
	assert_string_equal("", bed.pair.head.output); /* asked for, and nothing printed */
	assert_true(bed.pair.head.migrations == 3);
}

static void what_surrounds_a_run_is_known_or_not_a_number(void **state)
{
	const struct run *run = &bed.pair.head;

	(void)state;
	set_words(FORMAT_COMMAND, show);
	run_pair_in(0);
	assert_true(isnan(run->pressure_ns) || run->pressure_ns >= 0);
	assert_true(isnan(run->frequency_hz)); /* pinned to no processor */
	assert_true(isnan(run->migrations) || run->migrations >= 0);
	assert_true(run->processors >= 1);
	assert_false(run->lost_processor);
}

/* The benchmark itself takes all processors but one from us, as an administrator might. */
static void a_run_in_which_processors_were_taken_from_us_is_marked(void **state)
{
	static const char script[] = "#!/bin/sh\n"
				     "cpu=$(taskset -cp $PPID | sed 's/.*[: ,-]//')\n"
				     "taskset -cp \"$cpu\" $PPID\n";
	cpu_set_t ours;
	bool lost;
	int left;

	(void)state;
	assert_int_equal(0, sched_getaffinity(0, sizeof(ours), &ours));
	if (CPU_COUNT(&ours) < 2) {
		print_message("skip: there is one processor only\n");
		skip();
	}
	set_sides(FORMAT_COMMAND, "burn 1", NULL);
	assert_int_equal(0, file_write_whole(in_bed("head"), script, strlen(script), 0755, NULL));
	run_pair_in(0);
	lost = bed.pair.head.lost_processor;
	left = bed.pair.head.processors;
	run_pair_in(0);
	assert_int_equal(0, sched_setaffinity(0, sizeof(ours), &ours));
	assert_true(lost);
	assert_int_equal(1, left);
	assert_false(bed.pair.head.lost_processor); /* it was gone before */
}

static void a_processor_that_is_gone_leaves_the_run_unpinned(void **state)
{
	(void)state;
	set_words(FORMAT_COMMAND, show);
	bed.runner.cpu = CPU_SETSIZE - 1;
	bed.unit.pinned = true;
	run_pair_in(0);
	bed.runner.cpu = -1;
	assert_null(bed.pair.head.failure);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(commands_run_from_their_copies),
		TEST(the_environment_is_padded_alike_on_both_sides_and_otherwise_each_pair),
		TEST(a_side_runs_in_its_own_folder),
		TEST(sessions_take_turns_from_their_copies),
		TEST(a_run_in_which_processors_were_taken_from_us_is_marked),
		TEST(a_processor_that_is_gone_leaves_the_run_unpinned),
		TEST(what_surrounds_a_run_is_known_or_not_a_number),
	};

	return cmocka_run_group_tests(tests, bed_make, bed_remove);
}
