#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

/* Expected texts stand as they are printed, however wide. */
/* clang-format off */

static void remarks_stand_once_below_the_table(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_detailed(&s);
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark     base     head    delta          interval  verdict    detectable\n"
		  "✗ deep       1.00 ms  1.03 ms  +3.40 %    [+2.1, +4.7] %  regressed       0.8 %\n"
		  "= flat       1.00 ms  1.00 ms  +0.10 %  [-0.50, +0.60] %  unchanged       0.8 %\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %, some at 98.75 %\n"
		  "2 benchmarks: 3 of 6 pairs far off the others, counted all the same; most in flat, 2\n"
		  "not measured: cycles, instructions (no such counter here)\n"
		  "not measured: switches (the system refuses it to this user)\n"
		  "\n"
		  "1 of 2 benchmarks regressed: deep is 3.4 % slower [2.1, 4.7] than 0f1e2d3; 1 unchanged.\n");
}

/* What one of them lacks is not said of all. */
static void what_others_have_is_missing_in_one(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_detailed(&s);
	assert_non_null(bench_add_metric(&s.benchmarks[0], "allocs", "1", BETTER_LOWER, NULL));
	assert_non_null(bench_add_metric(&s.benchmarks[1], "allocs", "1", BETTER_LOWER, NULL));
	s.benchmarks[0].metrics[s.benchmarks[0].n_metrics - 1].state = METRIC_ABSENT;
	s.benchmarks[1].metrics[s.benchmarks[1].n_metrics - 1].state = METRIC_OK;
	text = rendered(&s, "text", &opt);
	assert_non_null(strstr(text, "allocs in deep (this machine does not offer it)\n"));
	free(text);
}

static void verbose_tells_how_it_was_judged(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_detailed(&s);
	s.benchmarks[1].iterations = 1;
	opt.verbose = true;
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark     base     head    delta          interval  verdict    detectable\n"
		  "✗ deep       1.00 ms  1.03 ms  +3.40 %    [+2.1, +4.7] %  regressed       0.8 %\n"
		  "    judged by cpu (one thread), threshold 1 %, p 0.0004, adjusted 0.002, interval at 98.75 %, 4096 iterations a run\n"
		  "    head: 3 runs, mean 1.03 ms [1.02 ms, 1.04 ms], stddev 10.0 us, min 1.02 ms, max 1.05 ms, p99 1.05 ms, throughput 971 /s\n"
		  "    1 of 3 pairs far off the others, counted all the same; 2 pairs void and repeated\n"
		  "    peak-rss 1.00 MiB -> 2.00 MiB, +100 % [+90.0, +110.0] %\n"
		  "= flat       1.00 ms  1.00 ms  +0.10 %  [-0.50, +0.60] %  unchanged       0.8 %\n"
		  "    judged by cpu, interval at 95 %, 1 iteration a run\n"
		  "    2 of 3 pairs far off the others, counted all the same\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %, some at 98.75 %\n"
		  "2 benchmarks: 3 of 6 pairs far off the others, counted all the same; most in flat, 2\n"
		  "not measured: cycles, instructions (no such counter here)\n"
		  "not measured: switches (the system refuses it to this user)\n"
		  "measured with 20 to 30 runs a side of 250 ms, interleaved, seed 7, governor performance, load 0.25, processor pressure 1.5 %, 0.3 % taken by the hypervisor\n"
		  "\n"
		  "1 of 2 benchmarks regressed: deep is 3.4 % slower [2.1, 4.7] than 0f1e2d3; 1 unchanged.\n");
}

static void hostile_texts_are_shown_and_not_obeyed(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_hostile(&s);
	render_is(&s, "text", &opt,
		  "\\e]0;p\\x07 a1b2c3d \"fix #1 for @octocat\\u{202e}\" on b\\xff|\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark                                               base          head    delta        interval  verdict    detectable\n"
		  "✗ \\::error::a|b`c`\\e[31m<img src=x>@octocat\\n# x  1.00 M |\\x07  1.03 M |\\x07  +3.40 %  [+2.1, +4.7] %  regressed       0.8 %\n"
		  "    </pre><b>\\xff\n"
		  "! café                                                       -             -        -               -  failed              -\n"
		  "    first\n"
		  "    \\::warning::x\n"
		  "    #\\#[error]y\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "warning: \\::stop-commands::x\\n| |\n"
		  "\n"
		  "1 of 2 benchmarks regressed: \\::error::a|b`c`\\e[31m<img src=x>@octocat\\n# x has 3.4 % more cpu [2.1, 4.7] against 0f1e2d3; 1 failed.\n");
}

static void hostile_texts_are_shown_in_ascii(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_hostile(&s);
	opt.utf8 = false;
	render_is(&s, "text", &opt,
		  "\\e]0;p\\x07 a1b2c3d \"fix #1 for @octocat\\u{202e}\" on b\\xff|\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark                                               base          head    delta        interval  verdict    detectable\n"
		  "x \\::error::a|b`c`\\e[31m<img src=x>@octocat\\n# x  1.00 M |\\x07  1.03 M |\\x07  +3.40 %  [+2.1, +4.7] %  regressed       0.8 %\n"
		  "    </pre><b>\\xff\n"
		  "! caf\\u{e9}                                                  -             -        -               -  failed              -\n"
		  "    first\n"
		  "    \\::warning::x\n"
		  "    #\\#[error]y\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "warning: \\::stop-commands::x\\n| |\n"
		  "\n"
		  "1 of 2 benchmarks regressed: \\::error::a|b`c`\\e[31m<img src=x>@octocat\\n# x has 3.4 % more cpu [2.1, 4.7] against 0f1e2d3; 1 failed.\n");
}

static void a_plot_stands_before_the_sentence(void **state)
{
	struct render_options opt = wide(60);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "same", 1.001, 0.995, 1.006, VERDICT_UNCHANGED);
	fixture_judged(&s, "worse", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	opt.plot = true;
	opt.benchmark = "same";
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark     head    delta          interval  verdict\n"
		  "✗ worse      1.03 ms  +3.40 %    [+2.1, +4.7] %  regressed\n"
		  "= same       1.00 ms  +0.10 %  [-0.50, +0.60] %  unchanged\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes\n"
		  "  from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "\n"
		  "same: cpu in ms, share of runs at or below\n"
		  "100 % ┤                                                ┌──┲━\n"
		  "      │                                                │  ┃\n"
		  "      │                                                │  ┃\n"
		  " 75 % ┤                                                │  ┃\n"
		  "      │                         ┌─┲━━━━━━━━━━━━━━━━━━━━┷━━┛\n"
		  "      │                         │ ┃\n"
		  " 50 % ┤                         │ ┃\n"
		  "      │                         │ ┃\n"
		  "      │ ┌──┲━━━━━━━━━━━━━━━━━━━━┷━┛\n"
		  " 25 % ┤ │  ┃\n"
		  "      │ │  ┃\n"
		  "      │ │  ┃\n"
		  "  0 % ┤━┷━━┛\n"
		  "      └─┬───────────────────────┬──────────────────────┬────\n"
		  "      0.99                    1.00                   1.01\n"
		  "── base 0f1e2d3: median 1.00 ms of 3 runs\n"
		  "━━ head a1b2c3d: median 1.00 ms of 3 runs\n"
		  "\n"
		  "1 of 2 benchmarks regressed: worse is 3.4 % slower\n"
		  "[2.1, 4.7] than 0f1e2d3; 1 unchanged.\n");
}

static void figures_that_are_no_numbers_are_dashes(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "odd", (double)NAN, (double)NAN, (double)NAN, VERDICT_INCONCLUSIVE)->metrics[0].delta.noise_floor = (double)NAN;
	s.benchmarks[0].metrics[0].n = s.benchmarks[0].metrics[0].n_baseline = 0;
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark  verdict\n"
		  "? odd        inconclusive\n"
		  "    undecided after 0 pairs of runs\n"
		  "\n"
		  "odd is inconclusive.\n");
}

/* The line below "undecided" of one benchmark with this change; the threshold is 1 %. */
static void undecided_line_is(double ratio, double low, double high, double p, bool is_likely)
{
	static const char LIKELY[] =
		"pairs of runs: a change is likely, but not sure enough to be called\n";
	struct render_options opt = wide(0);
	struct buf out = BUF_INIT;
	struct summary s;

	fixture_init(&s);
	fixture_judged(&s, "x", ratio, low, high, VERDICT_INCONCLUSIVE);
	s.benchmarks[0].threshold = 0.01;
	s.benchmarks[0].metrics[0].delta.p_adjusted = p;
	assert_int_equal(0, render("text", &s, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "undecided after "));
	assert_int_equal(is_likely, strstr(buf_str(&out), LIKELY) != NULL);
	buf_release(&out);
	summary_release(&s);
}

static void what_leaves_out_0_but_is_not_called_says_why(void **state)
{
	(void)state;
	undecided_line_is(1.08, 1.01, 1.15, 0.02, true);
	undecided_line_is(0.92, 0.85, 0.99, 0.02, true);
	undecided_line_is(1.08, 1.004, 1.15, 0.001, true); /* nearer to 0 than half the threshold */
	undecided_line_is(1.08, 0.99, 1.15, 0.02, false);
	undecided_line_is(1.008, 1.001, 1.015, 0.02, false); /* below the threshold */
	/* Called, but for failed pairs or a calibration: more pairs would not help. */
	undecided_line_is(1.08, 1.01, 1.15, 0.001, false);
}

static void what_many_share_is_one_line(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	struct render_options opt = wide(0);
	struct buf out = BUF_INIT;
	struct summary s;
	size_t i;

	(void)state;
	fixture_init(&s);
	for (i = 0; i < 5; i++) {
		struct bench *b =
			fixture_judged(&s, names[i], 1.02, 0.9, 1.15, VERDICT_INCONCLUSIVE);

		b->looks = (struct looks){ { 2, 3, 200 }, 3 };
		assert_int_equal(0, str_set(&b->detail, "first\nsecond", NULL));
	}
	assert_int_equal(0, render("text", &s, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out),
			       "\n5 benchmarks: undecided after 3 pairs of runs\n"
			       "5 benchmarks: first\n  second\n"));
	assert_non_null(strstr(buf_str(&out), "--pairs 200 would find changes from "));
	assert_null(strstr(strstr(buf_str(&out), "undecided after") + 1, "undecided after"));
	assert_null(strstr(buf_str(&out), "    first"));
	buf_release(&out);
	opt.verbose = true;
	assert_int_equal(0, render("text", &s, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "    first\n"));
	assert_null(strstr(buf_str(&out), "5 benchmarks: first"));
	buf_release(&out);
	summary_release(&s);
}

static void one_pair_is_one(void **state)
{
	struct render_options opt = wide(0);
	struct buf out = BUF_INIT;
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "x", 1.02, 0.9, 1.15, VERDICT_INCONCLUSIVE);
	s.benchmarks[0].metrics[0].n = 1;
	assert_int_equal(0, render("text", &s, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "undecided after 1 pair of runs"));
	buf_release(&out);
	summary_release(&s);
}

static void what_was_given_up_says_so(void **state)
{
	struct render_options opt = wide(0);
	struct buf out = BUF_INIT;
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "x", 1.02, 0.9, 1.15, VERDICT_INCONCLUSIVE)->looks =
		(struct looks){ { 2, 3, 200 }, 3 };
	assert_int_equal(0, render("text", &s, &opt, &out, NULL));
	assert_non_null(strstr(buf_str(&out), "undecided after 3 pairs of runs; --pairs 200 would find "
					      "changes from "));
	buf_release(&out);
	s.benchmarks[0].looks = (struct looks){ { 2, 3 }, 2 }; /* it went on to the last one */
	assert_int_equal(0, render("text", &s, &opt, &out, NULL));
	assert_null(strstr(buf_str(&out), "would find"));
	buf_release(&out);
	summary_release(&s);
}

static void without_a_baseline_its_columns_are_left_out(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	assert_int_equal(0, str_set(&s.baseline.commit, NULL, NULL));
	assert_int_equal(0, str_set(&s.baseline.how, NULL, NULL));
	assert_int_equal(0, str_set(&s.baseline.why, "this is the first commit", NULL));
	fixture_gate(fixture_bench(&s, "lonely"), 5e5, (double)NAN);
	s.commit.dirty = true;
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main, with uncommitted changes\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: none: this is the first commit\n"
		  "\n"
		  "  benchmark    head  verdict\n"
		  "· lonely     500 us  no-baseline\n"
		  "\n"
		  "lonely was measured, with nothing to compare it with: this is the first commit.\n");
}

static void colour_adds_only_colour(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "worse", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	assert_int_equal(0, strv_add(&s.environment.warnings, "no governor: set one", NULL));
	opt.colour = true;
	render_is(&s, "text", &opt,
		  "\033[1mzlib a1b2c3d \"look further\" on main\033[0m\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  \033[1mbenchmark\033[0m     \033[1mbase\033[0m     \033[1mhead\033[0m    \033[1mdelta\033[0m        \033[1minterval\033[0m  \033[1mverdict\033[0m    \033[1mdetectable\033[0m\n"
		  "\033[31m✗\033[0m worse      1.00 ms  1.03 ms  +3.40 %  [+2.1, +4.7] %  \033[31mregressed\033[0m       0.8 %\n"
		  "\n"
		  "\033[2mjudged by cpu time: base and head are medians, delta comes from the pairs of runs\033[0m\n"
		  "\033[2mintervals hold at 95 %\033[0m\n"
		  "\033[33mwarning: no governor: set one\033[0m\n"
		  "\n"
		  "\033[1mworse regressed: it is 3.4 % slower [2.1, 4.7] than 0f1e2d3.\033[0m\n");
}

/* clang-format on */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remarks_stand_once_below_the_table),
		cmocka_unit_test(what_others_have_is_missing_in_one),
		cmocka_unit_test(verbose_tells_how_it_was_judged),
		cmocka_unit_test(hostile_texts_are_shown_and_not_obeyed),
		cmocka_unit_test(hostile_texts_are_shown_in_ascii),
		cmocka_unit_test(a_plot_stands_before_the_sentence),
		cmocka_unit_test(figures_that_are_no_numbers_are_dashes),
		cmocka_unit_test(what_leaves_out_0_but_is_not_called_says_why),
		cmocka_unit_test(what_many_share_is_one_line),
		cmocka_unit_test(one_pair_is_one),
		cmocka_unit_test(what_was_given_up_says_so),
		cmocka_unit_test(without_a_baseline_its_columns_are_left_out),
		cmocka_unit_test(colour_adds_only_colour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
