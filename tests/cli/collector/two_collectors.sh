# Two collectors at once, in two worktrees of one repository: they take turns, nothing is lost.
# Runs alone: it holds the lock of the machine.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\truns = 4..4\n\tminTime = 1ms\n[benchmark "nap"]\n\tcommand = sleep 0.15\n' >.pawlconfig
commit_all . 'one'
commit_all . 'two'
git worktree add -q ../other HEAD~1 >/dev/null 2>&1
pawl collect >"$T/a.out" 2>"$T/a.err" &
first=$!
cd ../other || exit 1
pawl collect >"$T/b.out" 2>"$T/b.err" &
second=$!
wait "$first"
is 'the first ends well' "$?" 0
wait "$second"
is 'the second ends well' "$?" 0
cat "$T/a.err" "$T/b.err" >"$T/both"
like 'one waited for the other and said so' "$T/both" 'another pawl is measuring'
runs 0 'the store is sound' pawl fsck
like 'and holds both' "$T/out" '^2 results, 0 damaged$'
