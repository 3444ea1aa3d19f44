/* From runs to the benchmarks of a summary: nothing lost, nothing made up. */
#include "tests/unit/collector/fill_fixture.h"

#include "collector/schedule/gate.h"

#include "lib/base/banned.h"

static void pairs_become_samples_in_run_order(void **state)
{
	struct bench *b;
	struct metric *m;
	int i;

	(void)state;
	add_unit("x");
	b = fill();
	assert_int_equal(BENCH_OK, b->status);
	assert_true(b->paired);
	assert_string_equal("./prog 'a b'", b->command);
	assert_string_equal("pawl", b->format);
	assert_string_equal("cpu", b->gate);
	assert_int_equal(64, b->iterations);
	assert_true(b->threshold == 0.02);
	m = bench_find_metric(b, "wall");
	assert_int_equal(N_PAIRS, m->n);
	assert_int_equal(N_PAIRS, m->n_baseline);
	for (i = 0; i < N_PAIRS; i++) {
		assert_true(m->samples[i] == 110 + 10 * i);
		assert_true(m->baseline_samples[i] == 100);
	}
	assert_true(bench_find_metric(b, "cpu")->samples[2] == 129);
	assert_string_equal("bytes", bench_find_metric(b, "peak-rss")->unit);
}

static void coins_ratios_and_anchors_become_tracks(void **state)
{
	struct bench *b;

	(void)state;
	add_unit("x");
	b = fill();
	assert_true(track_value(b, "order", 1) == 1);
	assert_true(track_value(b, "log_ratio.wall", 2) == 0.2);
	assert_true(track_value(b, "log_ratio.cpu", 2) == 0.4);
	assert_true(track_value(b, ANCHOR_ALU, 0) == 10);
	assert_true(track_value(b, ANCHOR_MALLOC, 0) == 11);
	assert_true(track_value(b, "start_ns", 0) == 0);
	assert_false(has_track(b, "run_delay_ns")); /* not known */
}

/* The judge reads these by name across rooms. */
static void the_anchor_tracks_keep_their_names(void **state)
{
	(void)state;
	assert_string_equal("anchor-alu", ANCHOR_ALU);
	assert_string_equal("anchor-malloc", ANCHOR_MALLOC);
}

static void one_unknown_number_leaves_the_whole_array_out(void **state)
{
	struct unit *u = add_unit("x");
	struct bench *b;

	(void)state;
	u->pairs[1].base.peak_rss_bytes = (double)NAN;
	u->pairs[2].log_ratio_cpu = (double)NAN;
	u->pairs[0].head.minor_faults = (double)INFINITY;
	u->anchors[1][2] = (double)NAN;
	b = fill();
	assert_int_equal(METRIC_ABSENT, bench_find_metric(b, "peak-rss")->state);
	assert_false(has_track(b, "log_ratio.cpu"));
	assert_false(has_track(b, "minor_faults"));
	assert_false(has_track(b, ANCHOR_MALLOC));
	assert_true(has_track(b, ANCHOR_ALU));
	assert_int_equal(N_PAIRS, bench_find_metric(b, "cpu")->n);
}

/* Runs beside each other have a CPU time and no wall time; which way they ran is told. */
static void pairs_at_once_have_no_wall_time_and_say_why(void **state)
{
	struct unit *u = add_unit("x");
	const struct metric *wall;
	struct bench *b;
	int i;

	(void)state;
	u->format = FORMAT_COMMAND;
	u->at_once = true;
	for (i = 0; i < N_PAIRS; i++)
		u->pairs[i].head.wall_ns = u->pairs[i].base.wall_ns = (double)NAN;
	b = fill();
	assert_int_equal(PAIRS_RAN_AT_ONCE, b->pairs_ran);
	assert_int_equal(N_PAIRS, bench_find_metric(b, "cpu")->n);
	wall = bench_find_metric(b, "wall");
	assert_non_null(wall);
	assert_int_equal(METRIC_ABSENT, wall->state);
	assert_int_equal(0, wall->n + wall->n_baseline);
	assert_string_equal("both sides ran at once and shared a processor", wall->reason);
}

static void other_pairs_of_a_command_ran_in_turn(void **state)
{
	struct bench *b;

	(void)state;
	add_unit("x")->format = FORMAT_COMMAND;
	add_unit("y"); /* slice by slice, if at all */
	b = fill();
	assert_int_equal(PAIRS_RAN_IN_TURN, b[0].pairs_ran);
	assert_int_equal(N_PAIRS, bench_find_metric(&b[0], "wall")->n);
	assert_int_equal(PAIRS_RAN_UNKNOWN, b[1].pairs_ran);
}

static void threads_make_cpu_the_time_of_the_process(void **state)
{
	struct unit *u = add_unit("x");
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++)
		u->pairs[i].head.process_cpu_ns = u->pairs[i].base.process_cpu_ns = 400;
	gate_see(u, &u->pairs[0]);
	assert_true(bench_find_metric(fill(), "cpu")->samples[0] == 400);
	assert_string_equal("wall", out.benchmarks[0].gate);
	assert_string_equal("it runs several threads", out.benchmarks[0].gate_why);
}

static void set_counter(struct run *run, const char *name, enum metric_state state, double value)
{
	run->counters = realloc(run->counters, (run->n_counters + 1) * sizeof(*run->counters));
	assert_non_null(run->counters);
	memset(&run->counters[run->n_counters], 0, sizeof(*run->counters));
	run->counters[run->n_counters].name = strdup(name);
	run->counters[run->n_counters].state = state;
	run->counters[run->n_counters].value = value;
	if (state > METRIC_SCALED)
		run->counters[run->n_counters].reason = strdup("not for this user");
	run->n_counters++;
}

/* Of that counter alone; who counts says "lower" of all here. */
static void what_is_better_of_a_counter_is_the_users_to_say(void **state)
{
	struct unit *u = add_unit("x");
	struct bench_config told = *u->config;
	struct bench *b;
	int i;

	(void)state;
	told.metric = (char[]){ "hits" };
	told.better_given = told.more_is_better = true;
	u->config = &told;
	for (i = 0; i < N_PAIRS; i++) {
		set_counter(&u->pairs[i].head, "hits", METRIC_OK, 7);
		set_counter(&u->pairs[i].base, "hits", METRIC_OK, 7);
		set_counter(&u->pairs[i].head, "misses", METRIC_OK, 7);
		set_counter(&u->pairs[i].base, "misses", METRIC_OK, 7);
	}
	b = fill();
	assert_int_equal(BETTER_HIGHER, bench_find_metric(b, "hits")->better);
	assert_int_equal(BETTER_LOWER, bench_find_metric(b, "misses")->better);
	assert_string_equal("hits", b->gate);
}

static void counters_are_metrics_or_say_why_not(void **state)
{
	struct unit *u = add_unit("x");
	struct bench *b;
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++) {
		set_counter(&u->pairs[i].head, "instructions", METRIC_OK, 7 + i);
		set_counter(&u->pairs[i].base, "instructions", i ? METRIC_OK : METRIC_SCALED, 7);
		set_counter(&u->pairs[i].head, "cycles", METRIC_FORBIDDEN, (double)NAN);
		set_counter(&u->pairs[i].base, "cycles", METRIC_FORBIDDEN, (double)NAN);
		set_counter(&u->pairs[i].head, "branches", METRIC_OK, 3);
		if (i)
			set_counter(&u->pairs[i].base, "branches", METRIC_OK, 3);
	}
	b = fill();
	assert_int_equal(METRIC_SCALED, bench_find_metric(b, "instructions")->state);
	assert_true(bench_find_metric(b, "instructions")->samples[2] == 9);
	assert_int_equal(N_PAIRS, bench_find_metric(b, "instructions")->n_baseline);
	assert_int_equal(METRIC_FORBIDDEN, bench_find_metric(b, "cycles")->state);
	assert_string_equal("not for this user", bench_find_metric(b, "cycles")->reason);
	assert_int_equal(0, bench_find_metric(b, "cycles")->n);
	assert_int_equal(METRIC_STARVED, bench_find_metric(b, "branches")->state);
	assert_int_equal(0, bench_find_metric(b, "branches")->n);
	assert_non_null(bench_find_metric(b, "branches")->reason);
}

/* 2 ms and 2000 us were a regression by 99,900 %. */
static void a_counter_in_another_unit_is_not_compared(void **state)
{
	struct unit *u = add_unit("x");
	const struct metric *m;
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++) {
		set_counter(&u->pairs[i].head, "frame", METRIC_OK, 2000);
		set_counter(&u->pairs[i].base, "frame", METRIC_OK, 2);
		assert_int_equal(0, str_set(&u->pairs[i].head.counters[0].unit, "us", NULL));
		assert_int_equal(0, str_set(&u->pairs[i].base.counters[0].unit, "ms", NULL));
	}
	m = bench_find_metric(fill(), "frame");
	assert_int_equal(METRIC_ABSENT, m->state);
	assert_int_equal(0, m->n);
	assert_int_equal(0, m->n_baseline);
	assert_string_equal("its unit is 'us' in some runs and 'ms' in others", m->reason);
}

static void a_failure_keeps_its_reason_and_no_numbers(void **state)
{
	struct bench *b;

	(void)state;
	assert_int_equal(0, str_set(&add_unit("x")->failure, "was killed by SIGSEGV", NULL));
	b = fill();
	assert_int_equal(BENCH_FAILED, b->status);
	assert_string_equal("was killed by SIGSEGV", b->detail);
	assert_int_equal(0, b->n_metrics);
	assert_int_equal(VERDICT_FAILED, bench_verdict(b));
}

static void a_timeout_is_told_apart(void **state)
{
	struct unit *u = add_unit("x");

	(void)state;
	assert_int_equal(0, str_set(&u->failure, "ran longer than its timeout", NULL));
	u->timed_out = true;
	assert_int_equal(BENCH_TIMEOUT, fill()->status);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pairs_become_samples_in_run_order),
		TEST(coins_ratios_and_anchors_become_tracks),
		TEST(the_anchor_tracks_keep_their_names),
		TEST(one_unknown_number_leaves_the_whole_array_out),
		TEST(pairs_at_once_have_no_wall_time_and_say_why),
		TEST(other_pairs_of_a_command_ran_in_turn),
		TEST(threads_make_cpu_the_time_of_the_process),
		TEST(what_is_better_of_a_counter_is_the_users_to_say),
		TEST(counters_are_metrics_or_say_why_not),
		TEST(a_counter_in_another_unit_is_not_compared),
		TEST(a_failure_keeps_its_reason_and_no_numbers),
		TEST(a_timeout_is_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
