# Row 34: broken records, too many names, too long lines: that run is refused, with the place.
# See: tests/cli/cli/bad_input.sh: is failed and says so
# See: tests/unit/collector/run/test_collector_session.c: a_line_of_garbage_is_told_with_its_place
# See: tests/unit/collector/run/test_collector_session.c: too_many_or_equal_names_are_refused
# See: tests/unit/collector/run/test_collector_session.c: two_results_are_no_result
