# Row 11: SIGKILL of pawl or of the hook: builds and benchmarks end, what they left is cleared later.
# See: tests/cli/hooks/interrupt.sh: the build goes on until: killed
# See: tests/cli/hooks/interrupt.sh: the build goes on until: hook-killed
# See: tests/cli/hooks/interrupt.sh: after which nothing runs on
# See: tests/unit/lib/git/worktree/test_git_worktree.c: a_work_tree_of_a_killed_process_is_pruned
