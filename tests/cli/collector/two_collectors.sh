# Two collectors at once, in two worktrees of one repository: they take turns, nothing is lost.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
# The first measures for as long as the second has not said that it waits.
cat >"$T/job" <<'END'
: >"$0.began"
until [ -e "$0.go" ]; do sleep 0.05; done
END
printf '[pawl]\n\truns = 4..4\n\tminTime = 1ms\n[benchmark "nap"]\n\tcommand = sh %s\n' "$T/job" >.pawlconfig
commit_all . 'one'
commit_all . 'two'
git worktree add -q ../other HEAD~1 >/dev/null 2>&1
pawl collect >"$T/a.out" 2>"$T/a.err" &
first=$!
check 'the first measures' wait_for [ -e "$T/job.began" ]
cd ../other || exit 1
pawl collect >"$T/b.out" 2>"$T/b.err" &
second=$!
check 'the second says that it waits' wait_for grep -q 'another pawl is measuring' "$T/b.err"
: >"$T/job.go"
wait "$first"
is 'the first ends well' "$?" 0
wait "$second"
is 'the second ends well' "$?" 0
runs 0 'the store is sound' pawl fsck
like 'and holds both' "$T/out" '^2 results, 0 damaged$'
