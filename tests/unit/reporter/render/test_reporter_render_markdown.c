#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

/* Expected texts stand as they are printed, however wide. */
/* clang-format off */

static void markdown_has_the_answer_first(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_of_each(&s);
	render_is(&s, "markdown", &opt,
		  "**1 of 12 benchmarks regressed: worse is 3.4 % slower [2.1, 4.7] than 0f1e2d3; 1 failed, 1 suspect, 1 improved, 1 inconclusive, 2 unchanged, 1 identical, 1 added, 1 removed, 1 without a baseline, 1 skipped.**\n"
		  "\n"
		  "|  | benchmark | base | head | delta | interval | verdict | detectable |\n"
		  "|---|---|---:|---:|---:|---:|---|---:|\n"
		  "| ✗ | worse | 1.00 ms | 1.03 ms | +3.40 % | [+2.1, +4.7] % | regressed | 0.8 % |\n"
		  "| ! | broken | - | - | - | - | failed | - |\n"
		  "| ~ | stored | 1.00 ms | 1.12 ms | +12.0 % | [+2.0, +22.0] % | suspect | 0.8 % |\n"
		  "| ✓ | better | 1.00 ms | 931 us | -6.90 % | [-7.9, -5.7] % | improved | 0.8 % |\n"
		  "| ? | unsure | 1.00 ms | 1.01 ms | +0.90 % | [-1.5, +3.1] % | inconclusive | 0.8 % |\n"
		  "| + | alpha/new | - | - | - | - | added | - |\n"
		  "| ≡ | code | - | - | - | - | identical | - |\n"
		  "| - | gone | - | - | - | - | removed | - |\n"
		  "| · | left out | - | - | - | - | skipped | - |\n"
		  "| · | lonely | - | 500 us | - | - | no-baseline | - |\n"
		  "| = | same/9 | 1.00 ms | 999 us | -0.12 % | [-0.38, +0.31] % | unchanged | 0.8 % |\n"
		  "| = | same/10 | 1.00 ms | 1.00 ms | +0.10 % | [-0.50, +0.60] % | unchanged | 0.8 % |\n"
		  "\n"
		  "<details>\n"
		  "<summary>Commit, machine, baseline</summary>\n"
		  "\n"
		  "- commit: zlib a1b2c3d &quot;look further&quot; on main\n"
		  "- machine: EPYC, 8 cores\n"
		  "- baseline: 0f1e2d3, rerun side by side\n"
		  "- judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "- intervals hold at 95 %\n"
		  "\n"
		  "</details>\n"
		  "\n"
		  "<details>\n"
		  "<summary>Notes on the benchmarks</summary>\n"
		  "\n"
		  "**broken**: failed\n"
		  "\n"
		  "<pre>\n"
		  "ended with status 1\n"
		  "no such file\n"
		  "</pre>\n"
		  "\n"
		  "**stored**: suspect\n"
		  "\n"
		  "<pre>\n"
		  "compared with stored samples\n"
		  "</pre>\n"
		  "\n"
		  "**unsure**: inconclusive\n"
		  "\n"
		  "<pre>\n"
		  "undecided after 3 pairs of runs\n"
		  "</pre>\n"
		  "\n"
		  "</details>\n");
}

static void markdown_escapes_hostile_texts(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_hostile(&s);
	render_is(&s, "markdown", &opt,
		  "**1 of 2 benchmarks regressed: \\\\::error::a&#124;b\\`c\\`\\\\e\\[31m&lt;img src=x&gt;@&#8203;octocat\\\\n#&#8203; x has 3.4 % more cpu [2.1, 4.7] against 0f1e2d3; 1 failed.**\n"
		  "\n"
		  "|  | benchmark | base | head | delta | interval | verdict | detectable |\n"
		  "|---|---|---:|---:|---:|---:|---|---:|\n"
		  "| ✗ | \\\\::error::a&#124;b\\`c\\`\\\\e\\[31m&lt;img src=x&gt;@&#8203;octocat\\\\n#&#8203; x | 1.00 M &#124;\\\\x07 | 1.03 M &#124;\\\\x07 | +3.40 % | [+2.1, +4.7] % | regressed | 0.8 % |\n"
		  "| ! | café | - | - | - | - | failed | - |\n"
		  "\n"
		  "<details>\n"
		  "<summary>Commit, machine, baseline</summary>\n"
		  "\n"
		  "- commit: \\\\e\\]0;p\\\\x07 a1b2c3d &quot;fix #&#8203;1 for @&#8203;octocat\\\\u\\{202e\\}&quot; on b\\\\xff&#124;\n"
		  "- machine: EPYC, 8 cores\n"
		  "- baseline: 0f1e2d3, rerun side by side\n"
		  "- judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "- intervals hold at 95 %\n"
		  "- **warning:** \\\\::stop-commands::x\\\\n&#124; &#124;\n"
		  "\n"
		  "</details>\n"
		  "\n"
		  "<details>\n"
		  "<summary>Notes on the benchmarks</summary>\n"
		  "\n"
		  "**\\\\::error::a&#124;b\\`c\\`\\\\e\\[31m&lt;img src=x&gt;@&#8203;octocat\\\\n#&#8203; x**: regressed\n"
		  "\n"
		  "<pre>\n"
		  "&lt;/pre&gt;&lt;b&gt;\\xff\n"
		  "</pre>\n"
		  "\n"
		  "**café**: failed\n"
		  "\n"
		  "<pre>\n"
		  "first\n"
		  "\\::warning::x\n"
		  "#\\#[error]y\n"
		  "</pre>\n"
		  "\n"
		  "</details>\n");
}

static void markdown_folds_a_plot(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "worse", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	opt.plot = true;
	opt.colour = true;
	render_is(&s, "markdown", &opt,
		  "**worse regressed: it is 3.4 % slower [2.1, 4.7] than 0f1e2d3.**\n"
		  "\n"
		  "|  | benchmark | base | head | delta | interval | verdict | detectable |\n"
		  "|---|---|---:|---:|---:|---:|---|---:|\n"
		  "| ✗ | worse | 1.00 ms | 1.03 ms | +3.40 % | [+2.1, +4.7] % | regressed | 0.8 % |\n"
		  "\n"
		  "<details>\n"
		  "<summary>Distributions</summary>\n"
		  "\n"
		  "<pre>\n"
		  "worse: cpu in ms, share of runs at or below\n"
		  "100 % ┤                           ┌──────────────────────────────────────────┲━━\n"
		  "      │                           │                                          ┃\n"
		  "      │                           │                                          ┃\n"
		  " 75 % ┤                           │                                          ┃\n"
		  "      │               ┌───────────┘                             ┏━━━━━━━━━━━━┛\n"
		  "      │               │                                         ┃\n"
		  " 50 % ┤               │                                         ┃\n"
		  "      │               │                                         ┃\n"
		  "      │  ┌────────────┘                            ┏━━━━━━━━━━━━┛\n"
		  " 25 % ┤  │                                         ┃\n"
		  "      │  │                                         ┃\n"
		  "      │  │                                         ┃\n"
		  "  0 % ┤━━┷━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛\n"
		  "      └──┬────────────┬───────────┬────────────┬───────────┬───────────┬────────\n"
		  "       0.99         1.00        1.01         1.02        1.03        1.04\n"
		  "── base 0f1e2d3: median 1.00 ms of 3 runs\n"
		  "━━ head a1b2c3d: median 1.03 ms of 3 runs\n"
		  "</pre>\n"
		  "\n"
		  "</details>\n"
		  "\n"
		  "<details>\n"
		  "<summary>Commit, machine, baseline</summary>\n"
		  "\n"
		  "- commit: zlib a1b2c3d &quot;look further&quot; on main\n"
		  "- machine: EPYC, 8 cores\n"
		  "- baseline: 0f1e2d3, rerun side by side\n"
		  "- judged by cpu time: base and head are medians, delta comes from the pairs of runs\n"
		  "- intervals hold at 95 %\n"
		  "\n"
		  "</details>\n");
}

static void markdown_without_benchmarks_has_no_table(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;

	(void)state;
	fixture_init(&s);
	render_is(&s, "markdown", &opt,
		  "**No benchmark was run.**\n"
		  "\n"
		  "<details>\n"
		  "<summary>Commit, machine, baseline</summary>\n"
		  "\n"
		  "- commit: zlib a1b2c3d &quot;look further&quot; on main\n"
		  "- machine: EPYC, 8 cores\n"
		  "- baseline: 0f1e2d3, rerun side by side\n"
		  "\n"
		  "</details>\n");
}

static void markdown_is_cut_at_its_limit_and_says_so(void **state)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	size_t limits[] = { 1, RENDER_LIMIT_LEAST, RENDER_LIMIT_COMMENT, 200000 }, i;
	char *text, *left;
	struct summary s;

	(void)state;
	for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		fixture_many(&s, 3000);
		opt.limit = limits[i];
		opt.verbose = true; /* notes that all share are not put together */
		text = rendered(&s, "markdown", &opt);
		assert_true(strlen(text) <= (limits[i] < RENDER_LIMIT_LEAST ? RENDER_LIMIT_LEAST
									    : limits[i]));
		assert_memory_equal("**1 of 3000 benchmarks regressed", text, 32);
		left = strstr(text, " more rows are left out here; `--format json` has them all.");
		assert_non_null(left);
		assert_non_null(strstr(text, "more are left out here.\n\n</details>\n"));
		assert_string_equal("</details>\n", text + strlen(text) - 11);
		free(text);
	}
}

static void markdown_rows_left_out_and_shown_are_all_rows(void **state)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	struct summary s;
	unsigned long left = 0;
	char *text, *at;

	(void)state;
	fixture_many(&s, 3000);
	opt.limit = RENDER_LIMIT_COMMENT;
	text = rendered(&s, "markdown", &opt);
	at = strstr(text, " more rows");
	assert_non_null(at);
	while (at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	left = strtoul(at, NULL, 10);
	assert_int_equal(3000 - left, count(text, "\n| ") - 1);
	free(text);
}

/* clang-format on */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markdown_has_the_answer_first),
		cmocka_unit_test(markdown_escapes_hostile_texts),
		cmocka_unit_test(markdown_folds_a_plot),
		cmocka_unit_test(markdown_without_benchmarks_has_no_table),
		cmocka_unit_test(markdown_is_cut_at_its_limit_and_says_so),
		cmocka_unit_test(markdown_rows_left_out_and_shown_are_all_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
