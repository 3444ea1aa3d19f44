# Row 28: a benchmark that fails or crashes: failed with its reason, the others go on.
# See: tests/cli/cli/bad_input.sh: is failed with its status
# See: tests/cli/cli/bad_input.sh: is failed with the signal
# See: tests/cli/cli/bad_input.sh: the others are measured
# See: tests/unit/collector/child/test_collector_child_output.c: only_the_last_twenty_lines_are_told
