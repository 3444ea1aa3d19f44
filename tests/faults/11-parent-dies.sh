# Row 11: SIGKILL of pawl or of the hook: builds and benchmarks end, what they left is cleared later.
# See: tests/cli/hooks/interrupt.sh: the build goes on until: killed
# See: tests/cli/hooks/interrupt.sh: the build goes on until: hook-killed
# See: tests/cli/hooks/interrupt.sh: after which nothing runs on
# See: tests/unit/lib/git/worktree/test_git_worktree.c: a_work_tree_of_a_killed_process_is_pruned
. "$(dirname "$0")/../lib.sh"

# In a container that was entered from outside nobody sees who leads the session: it is number 0.
inside() {
	unshare -rpf --mount-proc sh -c '"$@"; exit $?' sh "$@" # the shell sees to what was left
}

if ! inside true 2>/dev/null; then
	skip 'in a session that began outside' 'no namespace of processes here'
	exit 0
fi
for name in process_stop reporter_credential; do
	runs 0 "in a session that began outside what is ended and what is spared is the same: $name" \
		inside "$BUILD/tests/test_$name"
done
