# Row 48: bare, empty, unborn, no parent: said, with what to do.
# See: tests/cli/collector/compare.sh: an empty repository
# See: tests/cli/collector/compare.sh: a first commit has nothing before it
# See: tests/cli/hooks/repositories.sh: a bare repository measures a command
