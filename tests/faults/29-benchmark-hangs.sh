# Row 29: a benchmark that hangs and ignores SIGTERM: ended at its timeout.
# See: tests/cli/cli/bad_input.sh: is ended at its timeout
# See: tests/unit/collector/child/test_collector_child.c: a_hanging_child_is_killed_at_its_deadline
