# Row 35: zero, negative, constant, huge, too few values: no division by 0, inconclusive where nothing can be said.
# See: tests/unit/lib/stats/test_stats_signedrank_bad.c: bad_input_is_refused_and_nothing_is_written
# See: tests/unit/reporter/judge/test_reporter_judge.c: pairs_without_a_ratio_are_inconclusive
# See: tests/unit/reporter/judge/test_reporter_judge.c: a_value_too_large_fails_its_metric_alone
# See: tests/unit/reporter/judge/test_reporter_judge.c: eight_pairs_are_too_few_for_a_change
# See: tests/unit/reporter/judge/test_reporter_judge_figures.c: a_count_without_a_ratio_is_compared_by_difference
