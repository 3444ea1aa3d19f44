# Row 54: sha256, reftable, extensions: the same results by git itself.
# See: tests/cli/hooks/repositories.sh: a sha256 repository
# See: tests/unit/lib/git/worktree/test_git_worktree.c: reftable_repositories_work_too
# See: tests/unit/lib/git/test_git_repo.c: extensions_that_do_not_matter_open_in_libgit2
