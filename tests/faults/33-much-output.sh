# Row 33: a gigabyte, NULs, escapes, commands of a CI: bounded and made harmless.
# See: tests/unit/collector/child/test_collector_child.c: a_gigabyte_of_output_takes_bounded_memory
# See: tests/cli/collector/compare.sh: its output commands no log of a CI
# See: tests/unit/lib/base/test_base_err.c: a_fault_is_one_line_that_cannot_steer_a_terminal
