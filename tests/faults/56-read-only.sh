# Row 56: a repository that cannot be written: its own folder elsewhere, or a store that is only read.
# See: tests/unit/lib/store/local/test_store_store_open.c: store_in_a_read_only_folder_can_be_read
# See: tests/unit/lib/git/worktree/test_git_worktree_absent.c: a_repository_that_cannot_be_written_is_read
# See: tests/unit/lib/git/test_git_open.c: missing_home_is_no_fault
