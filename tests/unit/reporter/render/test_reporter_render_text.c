#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

/* Expected texts stand as they are printed, however wide. */
/* clang-format off */

static void each_verdict_has_its_row_the_worst_first(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_of_each(&s);
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark     base     head    delta          interval  verdict       detectable\n"
		  "✗ worse      1.00 ms  1.03 ms  +3.40 %    [+2.1, +4.7] %  regressed          0.8 %\n"
		  "! broken           -        -        -                 -  failed                 -\n"
		  "    ended with status 1\n"
		  "    no such file\n"
		  "~ stored     1.00 ms  1.12 ms  +12.0 %   [+2.0, +22.0] %  suspect            0.8 %\n"
		  "    compared with stored samples\n"
		  "✓ better     1.00 ms   931 us  -6.90 %    [-7.9, -5.7] %  improved           0.8 %\n"
		  "? unsure     1.00 ms  1.01 ms  +0.90 %    [-1.5, +3.1] %  inconclusive       0.8 %\n"
		  "    undecided after 3 pairs of runs\n"
		  "+ alpha/new        -        -        -                 -  added                  -\n"
		  "≡ code             -        -        -                 -  identical              -\n"
		  "- gone             -        -        -                 -  removed                -\n"
		  "· left out         -        -        -                 -  skipped                -\n"
		  "· lonely           -   500 us        -                 -  no-baseline            -\n"
		  "= same/9     1.00 ms   999 us  -0.12 %  [-0.38, +0.31] %  unchanged          0.8 %\n"
		  "= same/10    1.00 ms  1.00 ms  +0.10 %  [-0.50, +0.60] %  unchanged          0.8 %\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "\n"
		  "1 of 12 benchmarks regressed: worse is 3.4 % slower [2.1, 4.7] than 0f1e2d3; 1 failed, 1 suspect, 1 improved, 1 inconclusive, 2 unchanged, 1 identical, 1 added, 1 removed, 1 without a baseline, 1 skipped.\n");
}

static void in_80_columns_the_noise_floor_goes(void **state)
{
	struct render_options opt = wide(80);
	struct summary s;

	(void)state;
	fixture_of_each(&s);
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark     base     head    delta          interval  verdict\n"
		  "✗ worse      1.00 ms  1.03 ms  +3.40 %    [+2.1, +4.7] %  regressed\n"
		  "! broken           -        -        -                 -  failed\n"
		  "    ended with status 1\n"
		  "    no such file\n"
		  "~ stored     1.00 ms  1.12 ms  +12.0 %   [+2.0, +22.0] %  suspect\n"
		  "    compared with stored samples\n"
		  "✓ better     1.00 ms   931 us  -6.90 %    [-7.9, -5.7] %  improved\n"
		  "? unsure     1.00 ms  1.01 ms  +0.90 %    [-1.5, +3.1] %  inconclusive\n"
		  "    undecided after 3 pairs of runs\n"
		  "+ alpha/new        -        -        -                 -  added\n"
		  "≡ code             -        -        -                 -  identical\n"
		  "- gone             -        -        -                 -  removed\n"
		  "· left out         -        -        -                 -  skipped\n"
		  "· lonely           -   500 us        -                 -  no-baseline\n"
		  "= same/9     1.00 ms   999 us  -0.12 %  [-0.38, +0.31] %  unchanged\n"
		  "= same/10    1.00 ms  1.00 ms  +0.10 %  [-0.50, +0.60] %  unchanged\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of\n"
		  "  runs\n"
		  "intervals hold at 95 %\n"
		  "\n"
		  "1 of 12 benchmarks regressed: worse is 3.4 % slower [2.1, 4.7] than 0f1e2d3; 1\n"
		  "failed, 1 suspect, 1 improved, 1 inconclusive, 2 unchanged, 1 identical, 1\n"
		  "added, 1 removed, 1 without a baseline, 1 skipped.\n");
}

static void in_60_columns_base_and_head_go(void **state)
{
	struct render_options opt = wide(60);
	struct summary s;

	(void)state;
	fixture_of_each(&s);
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark    delta          interval  verdict\n"
		  "✗ worse      +3.40 %    [+2.1, +4.7] %  regressed\n"
		  "! broken           -                 -  failed\n"
		  "    ended with status 1\n"
		  "    no such file\n"
		  "~ stored     +12.0 %   [+2.0, +22.0] %  suspect\n"
		  "    compared with stored samples\n"
		  "✓ better     -6.90 %    [-7.9, -5.7] %  improved\n"
		  "? unsure     +0.90 %    [-1.5, +3.1] %  inconclusive\n"
		  "    undecided after 3 pairs of runs\n"
		  "+ alpha/new        -                 -  added\n"
		  "≡ code             -                 -  identical\n"
		  "- gone             -                 -  removed\n"
		  "· left out         -                 -  skipped\n"
		  "· lonely           -                 -  no-baseline\n"
		  "= same/9     -0.12 %  [-0.38, +0.31] %  unchanged\n"
		  "= same/10    +0.10 %  [-0.50, +0.60] %  unchanged\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes\n"
		  "  from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "\n"
		  "1 of 12 benchmarks regressed: worse is 3.4 % slower\n"
		  "[2.1, 4.7] than 0f1e2d3; 1 failed, 1 suspect, 1 improved, 1\n"
		  "inconclusive, 2 unchanged, 1 identical, 1 added, 1 removed,\n"
		  "1 without a baseline, 1 skipped.\n");
}

static void in_20_columns_names_and_verdicts_stay(void **state)
{
	struct render_options opt = wide(20);
	struct summary s;

	(void)state;
	fixture_of_each(&s);
	opt.utf8 = false;
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look\n"
		  "  further\" on main\n"
		  "machine: EPYC, 8\n"
		  "  cores\n"
		  "baseline: 0f1e2d3,\n"
		  "  rerun side by side\n"
		  "\n"
		  "  benc  verdict\n"
		  "x wors  regressed\n"
		  "! brok  failed\n"
		  "    ended with\n"
		  "    status 1\n"
		  "    no such file\n"
		  "~ stor  suspect\n"
		  "    compared with\n"
		  "    stored samples\n"
		  "* bett  improved\n"
		  "? unsu  inconclusive\n"
		  "    undecided after\n"
		  "    3 pairs of runs\n"
		  "+ alph  added\n"
		  "= code  identical\n"
		  "- gone  removed\n"
		  ". left  skipped\n"
		  ". lone  no-baseline\n"
		  "= same  unchanged\n"
		  "= same  unchanged\n"
		  "\n"
		  "judged by cpu time:\n"
		  "  base and head are\n"
		  "  medians, delta\n"
		  "  comes from the\n"
		  "  pairs of runs\n"
		  "intervals hold at\n"
		  "  95 %\n"
		  "\n"
		  "1 of 12 benchmarks\n"
		  "regressed: worse is\n"
		  "3.4 % slower\n"
		  "[2.1, 4.7] than\n"
		  "0f1e2d3; 1 failed, 1\n"
		  "suspect, 1 improved,\n"
		  "1 inconclusive, 2\n"
		  "unchanged, 1\n"
		  "identical, 1 added,\n"
		  "1 removed, 1 without\n"
		  "a baseline, 1\n"
		  "skipped.\n");
}

static void ascii_has_other_marks(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_of_each(&s);
	opt.utf8 = false;
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark     base     head    delta          interval  verdict       detectable\n"
		  "x worse      1.00 ms  1.03 ms  +3.40 %    [+2.1, +4.7] %  regressed          0.8 %\n"
		  "! broken           -        -        -                 -  failed                 -\n"
		  "    ended with status 1\n"
		  "    no such file\n"
		  "~ stored     1.00 ms  1.12 ms  +12.0 %   [+2.0, +22.0] %  suspect            0.8 %\n"
		  "    compared with stored samples\n"
		  "* better     1.00 ms   931 us  -6.90 %    [-7.9, -5.7] %  improved           0.8 %\n"
		  "? unsure     1.00 ms  1.01 ms  +0.90 %    [-1.5, +3.1] %  inconclusive       0.8 %\n"
		  "    undecided after 3 pairs of runs\n"
		  "+ alpha/new        -        -        -                 -  added                  -\n"
		  "= code             -        -        -                 -  identical              -\n"
		  "- gone             -        -        -                 -  removed                -\n"
		  ". left out         -        -        -                 -  skipped                -\n"
		  ". lonely           -   500 us        -                 -  no-baseline            -\n"
		  "= same/9     1.00 ms   999 us  -0.12 %  [-0.38, +0.31] %  unchanged          0.8 %\n"
		  "= same/10    1.00 ms  1.00 ms  +0.10 %  [-0.50, +0.60] %  unchanged          0.8 %\n"
		  "\n"
		  "judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "intervals hold at 95 %\n"
		  "\n"
		  "1 of 12 benchmarks regressed: worse is 3.4 % slower [2.1, 4.7] than 0f1e2d3; 1 failed, 1 suspect, 1 improved, 1 inconclusive, 2 unchanged, 1 identical, 1 added, 1 removed, 1 without a baseline, 1 skipped.\n");
}

static void an_unborn_summary_is_still_told(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	summary_init(&s);
	render_is(&s, "text", &opt,
		  "(no project) (no commit yet)\n"
		  "machine: unknown processor\n"
		  "baseline: none\n"
		  "\n"
		  "No benchmark was run.\n");
}

static void a_benchmark_without_metrics_is_a_row(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_bench(&s, "bare");
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "  benchmark  verdict\n"
		  "· bare       no-baseline\n"
		  "\n"
		  "bare was measured, with nothing to compare it with.\n");
}

static void no_benchmarks_give_a_heading_and_a_sentence(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	render_is(&s, "text", &opt,
		  "zlib a1b2c3d \"look further\" on main\n"
		  "machine: EPYC, 8 cores\n"
		  "baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "No benchmark was run.\n");
}

/* clang-format on */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_verdict_has_its_row_the_worst_first),
		cmocka_unit_test(in_80_columns_the_noise_floor_goes),
		cmocka_unit_test(in_60_columns_base_and_head_go),
		cmocka_unit_test(in_20_columns_names_and_verdicts_stay),
		cmocka_unit_test(ascii_has_other_marks),
		cmocka_unit_test(an_unborn_summary_is_still_told),
		cmocka_unit_test(a_benchmark_without_metrics_is_a_row),
		cmocka_unit_test(no_benchmarks_give_a_heading_and_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
