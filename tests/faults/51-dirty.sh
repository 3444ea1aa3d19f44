# Row 51: uncommitted changes: tagged, warned of, never a baseline.
# See: tests/cli/collector/collect.sh: dirty
# See: tests/cli/collector/collect.sh: is not compared with the dirty result
