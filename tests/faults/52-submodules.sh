# Row 52: submodules are filled on request, from what is here; nothing is fetched, and a name leads nowhere.
# See: tests/unit/lib/git/worktree/test_git_worktree_absent.c: submodules_are_filled_on_request_from_what_is_here
# See: tests/unit/lib/git/worktree/test_git_worktree_absent.c: a_submodule_that_is_not_here_is_noted_and_not_fetched
# See: tests/unit/lib/git/worktree/test_git_worktree_absent.c: a_hostile_submodule_name_leads_nowhere
# See: tests/unit/lib/git/test_git_dirty.c: submodule_counts_by_its_commit_and_not_by_its_files
# See: tests/cli/hooks/repositories.sh: and found out
# See: tests/cli/collector/compare_trust.sh: work inside a submodule
