# Row 47: who held the lock died: nobody waits for it.
# See: tests/unit/collector/machine/test_collector_runlock.c: one_that_was_killed_is_not_waited_for
# See: tests/unit/lib/git/worktree/test_git_worktree.c: names_of_makers_tell_who_lives
