# Row 37: a metric in another unit, or runs of another length, are not compared with what was before.
# See: tests/unit/collector/test_collector_fill_base.c: stored_samples_of_another_unit_are_not_compared
# See: tests/unit/collector/test_collector_fill_base.c: stored_samples_come_from_the_nearest_of_the_same_n
# See: tests/unit/reporter/trend/test_reporter_trend_load.c: results_in_another_unit_are_in_no_line_with_the_newest
# See: tests/unit/lib/store/ledger/test_store_ledger_units.c: one_name_in_two_units_is_never_one_line
# See: tests/unit/reporter/judge/test_reporter_judge_stored.c: sessions_of_another_n_are_left_out
