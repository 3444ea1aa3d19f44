#include "tests/unit/harness/test_harness_fake.h"

#include <stdio.h>

#include "harness/show/table.h"

#include "lib/base/banned.h"

static struct outcome outcome[2];
static char printed[8192];

/* What `print` writes, in printed[]. */
static void capture(void (*print)(const struct table *t))
{
	FILE *file = tmpfile();
	assert_non_null(file);
	struct table t = { .to = file, .name_width = 10 };
	print(&t);
	rewind(file);
	size_t n = fread(printed, 1, sizeof(printed) - 1, file);
	printed[n] = '\0';
	(void)fclose(file);
}

static void has(const char *part)
{
	if (!strstr(printed, part))
		fail_msg("no '%s' in:\n%s", part, printed);
}

static void lines_of_both_kinds(const struct table *t)
{
	pawl_table_line(t, &fake_bench, &outcome[0]);
	pawl_table_line(t, &fake_bench, &outcome[1]);
}

static void a_failed_benchmark_says_why(void **state)
{
	struct measured *m = &outcome[0].measured;
	(void)state;
	memset(outcome, 0, sizeof(outcome));
	m->iterations = 8;
	m->errors = 3;
	m->mean_ns = 8460;
	m->estimate_ns = 1450;
	m->estimated = ESTIMATE_CLEAN;
	m->net_ns = 1449;
	m->throughput_per_s = 1e9 / 1450;
	m->dropped = 2;
	m->clean = (struct spread_figures){ 5, 1400, 1450, 1460, 12, 1490, 1500, 1455, 1465 };
	m->first_ns = 9000;
	(void)snprintf(outcome[1].fault, sizeof(outcome[1].fault), "setup failed with code 9");
	capture(lines_of_both_kinds);
	has("fake         1.450 us  0.34 %   1.449 us   8.460 us   9.000 us      689.7 k/s      "
	    "5/7\n");
	has("3 operations failed; they are not in these figures\n");
	has("fake       failed: setup failed with code 9\n");
}

static void head_of_both_strategies(const struct table *t)
{
	static struct session s;
	s.in = fake_instruments(1);
	s.in.empty_ns = 0.25;
	s.options.min_ns = 250e6;
	pawl_table_begin(t, &s);
	s.options.strategy = STRATEGY_BATCHES;
	pawl_table_begin(t, &s);
}

static void the_net_time_is_said_to_be_a_lower_bound(void **state)
{
	const char *line, *end;
	(void)state;
	capture(head_of_both_strategies);
	has("benchmark      median      +-        net       mean      first     throughput    "
	    "clean\n");
	has("\nmedian: of the clean batches, and throughput from it; mean: of everything,");
	has("net: at least; less the loop of an empty operation, 0.250 ns, which may cost less "
	    "beside one\n");
	for (line = printed; (end = strchr(line, '\n')); line = end + 1)
		assert_true(end - line <= 100);
}

static void print_counters(const struct table *t)
{
	const struct pawl_bench *benches[] = { &fake_bench, &fake_bench };
	pawl_table_counters(t, benches, outcome, 2);
}

static void set(struct outcome *o, int i, enum counter_state state, double value,
		const char *reason)
{
	o->counters[i].name = pawl_counter_name((size_t)i);
	o->counters[i].state = state;
	o->counters[i].value = value;
	(void)snprintf(o->counters[i].reason, COUNTER_REASON, "%s", reason);
}

static void counters_are_columns_and_what_is_missing_says_why(void **state)
{
	(void)state;
	memset(outcome, 0, sizeof(outcome));
	for (int k = 0; k < 2; k++) {
		outcome[k].counted = true;
		for (int i = 0; i < COUNTER_MAX; i++)
			set(&outcome[k], i, COUNTER_ABSENT, __builtin_nan(""), "not offered");
		set(&outcome[k], 4, COUNTER_FORBIDDEN, __builtin_nan(""), "paranoid");
	}
	set(&outcome[0], 0, COUNTER_OK, 1234, "");
	set(&outcome[1], 0, COUNTER_SCALED, 99, "");
	set(&outcome[1], 1, COUNTER_OK, 0, "");
	set(&outcome[1], 5, COUNTER_OK, 64, "counts user and kernel");
	capture(print_counters);
	has("cycles");
	has("1.234 k ");
	has("99.00*");
	has("* counted a part of the time and extrapolated\n");
	has("0.000 ");
	has("absent: branches, branch-misses, l1d-reads,");
	has("note: page-faults (counts user and kernel)\n");
	has("(not offered)\n");
	has("forbidden: kernel-instructions (paranoid)\n");
	has("absent: instructions, branches,"); /* of the first */
	/* In the first line instructions were not counted: a dash, not 0. */
	has("        - ");
}

static void without_counters_nothing_is_said_of_them(void **state)
{
	(void)state;
	memset(outcome, 0, sizeof(outcome));
	capture(print_counters);
	assert_string_equal(printed, "");
}

static void details(const struct table *t)
{
	struct table wanted = *t;
	wanted.details = true;
	pawl_table_line(&wanted, &fake_bench, &outcome[0]);
	pawl_table_line(&wanted, &fake_bench, &outcome[1]);
	print_counters(&wanted); /* they are in the block */
}

static void details_are_a_block_of_all_there_is(void **state)
{
	struct measured *m = &outcome[0].measured;
	(void)state;
	memset(outcome, 0, sizeof(outcome));
	outcome[0].counted = true;
	for (int i = 0; i < COUNTER_MAX; i++)
		set(&outcome[0], i, COUNTER_ABSENT, __builtin_nan(""), "not offered");
	set(&outcome[0], 1, COUNTER_OK, 12, "");
	outcome[0].counters[1].simulated = true;
	m->iterations = 8;
	m->errors = 3;
	m->wall_ns = 12000;
	m->mean_ns = 8460;
	m->estimate_ns = 1450;
	m->estimated = ESTIMATE_CLEAN;
	m->net_ns = 1449;
	m->throughput_per_s = 1e9 / 1450;
	m->cpu_ratio = 0.875;
	m->migrations = __builtin_nan("");
	m->notes = NOTE_APART;
	m->dropped = 5;
	m->dropped_by[CAUSE_MIGRATED] = 2;
	m->dropped_by[CAUSE_PREEMPTED] = 3;
	m->clean = (struct spread_figures){ 5, 1400, 1450, 1460, 12, 1490, 1510, 1455, 1465 };
	(void)snprintf(outcome[1].fault, sizeof(outcome[1].fault), "setup failed with code 9");
	capture(details);
	has("fake\n  time       median 1.450 us, mean 8.460 us, net 1.449 us, first (cold) 0.000 "
	    "ns\n");
	has(" min 1.400 us, p50 1.450 us, p99 1.490 us, max 1.510 us\n");
	has(" mean 1.460 us, 95 % from 1.455 us to 1.465 us, sd 12.00 ns\n");
	has("batches    5 clean, 5 dropped: 2 migrated, 3 preempted\n");
	has("gmpbench, 8 iterations in 12.00 us, 3 failed\n");
	has("87.5 % of the time");
	has(" - migrations,");
	has("note       the time was over");
	has("instructions              12.00  simulated\n");
	has("absent: cycles, branches,");
	has("failed: setup failed with code 9\n");
	if (strstr(printed, "per iteration"))
		fail_msg("the counters are there twice:\n%s", printed);
}

static void print_details(const struct table *t)
{
	pawl_table_details(t, &fake_bench, &outcome[0]);
}

static void details_say_what_the_estimate_is(void **state)
{
	struct measured *m = &outcome[0].measured;
	(void)state;
	memset(outcome, 0, sizeof(outcome));
	m->mean_ns = 2000;
	m->estimate_ns = 1000;
	m->estimated = ESTIMATE_CPU;
	capture(print_details);
	has("  time       cpu time 1.000 us, mean 2.000 us, net ");
	m->estimate_ns = 2000;
	m->estimated = ESTIMATE_MEAN;
	capture(print_details);
	has("  time       mean 2.000 us, net ");
}

static void wide_tables_are_cut_into_blocks(void **state)
{
	char *end;
	(void)state;
	memset(outcome, 0, sizeof(outcome));
	for (int k = 0; k < 2; k++) {
		outcome[k].counted = true;
		for (int i = 0; i < COUNTER_MAX; i++) {
			set(&outcome[k], i, COUNTER_OK, 1234.5, "");
			outcome[k].counters[i].simulated = true;
		}
	}
	capture(print_counters);
	for (char *at = printed; *at; at = end + 1) {
		end = strchr(at, '\n');
		assert_non_null(end);
		assert_true(end - at <= 100);
	}
	for (int i = 0; i < COUNTER_MAX; i++)
		has(pawl_counter_name((size_t)i));
	has("ipc");
	has(" 100.0 %~");
	has("1.234 k~");
	has("~ simulated by valgrind");
}

static void a_long_name_has_a_line_of_its_own(void **state)
{
	struct pawl_bench bench = fake_bench;
	(void)state;
	FILE *file = tmpfile();
	assert_non_null(file);
	struct table t = { .to = file, .name_width = 60 };
	bench.name = "a/name/that/is/longer/than/its/column";
	memset(outcome, 0, sizeof(outcome));
	pawl_table_line(&t, &bench, &outcome[0]);
	rewind(file);
	size_t n = fread(printed, 1, sizeof(printed) - 1, file);
	printed[n] = '\0';
	(void)fclose(file);
	has("a/name/that/is/longer/than/its/column\n                           0.000 ns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_benchmark_says_why),
		cmocka_unit_test(the_net_time_is_said_to_be_a_lower_bound),
		cmocka_unit_test(counters_are_columns_and_what_is_missing_says_why),
		cmocka_unit_test(details_are_a_block_of_all_there_is),
		cmocka_unit_test(details_say_what_the_estimate_is),
		cmocka_unit_test(wide_tables_are_cut_into_blocks),
		cmocka_unit_test(a_long_name_has_a_line_of_its_own),
		cmocka_unit_test(without_counters_nothing_is_said_of_them),
	};
	return cmocka_run_group_tests_name("harness/table", tests, NULL, NULL);
}
