# Row 49: a shallow clone is collected, and told how to get its history.
# See: tests/cli/hooks/repositories.sh: and told how to get its history
# See: tests/cli/collector/compare.sh: says how to deepen it
