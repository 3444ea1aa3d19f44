# Row 40: a build that fails is a result: status 4, 125 for git bisect, the log is named.
# See: tests/cli/collector/compare.sh: a head that does not build
# See: tests/cli/collector/compare.sh: for git bisect it cannot be tested
# See: tests/cli/cli/bad_input.sh: and where the rest is
