# Row 50: the first parent of a merge is its baseline.
# See: tests/cli/hooks/repositories.sh: is the baseline
# See: tests/unit/lib/git/history/test_git_history.c: merge_has_both_parents_and_the_first_is_the_branch
