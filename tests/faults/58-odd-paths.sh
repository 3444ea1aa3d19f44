# Row 58: blanks, quotes, line ends, no UTF-8.
# See: tests/cli/hooks/repositories.sh: a path with blank, quote and line break
# See: tests/unit/lib/git/test_git_repo.c: paths_with_blanks_quotes_newlines_and_no_utf8_work
