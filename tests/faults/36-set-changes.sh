# Row 36: benchmarks come and go: added and removed, no verdict.
# See: tests/cli/collector/compare.sh: was added
# See: tests/cli/collector/compare.sh: and removed
# See: tests/unit/collector/schedule/test_collector_join.c: what_one_side_lacks_is_marked_and_not_run
