# Row 30: what a benchmark leaves running: killed and told.
# See: tests/cli/cli/bad_input.sh: the daemon is gone
# See: tests/unit/collector/child/test_collector_child_left.c: daemons_in_sessions_of_their_own_are_killed
