# A range that was never measured: gaps are halved, what is known is not measured again, a commit
# that does not build is left out, and the history has it all.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"

new_work_repo "$T/repo"
cd "$T/repo" || exit 1
sed 's/runs = .*/runs = 12..12\n\tthreshold = 20%/' .pawlconfig >c && mv c .pawlconfig
set_work 1000 one
git tag v1
echo text >README
commit_all . 'a document'
set_work 1000 'nothing at all'
echo '#error no' >>work.c
commit_all . 'does not build'
broken=$(git rev-parse HEAD)
git revert -n HEAD
set_work 3000 'three times the work'
moved=$(git rev-parse HEAD)
before=$(git status --porcelain; git for-each-ref; git worktree list)

runs 0 'a range' pawl backfill v1..HEAD
like 'the commit that does not build is left out' "$T/err" "$(printf %.10s "$broken") is left out: the head .*: the build exited"
like 'what moved is told' "$T/err" "\.\.$(printf %.10s "$moved"): work/chain regressed \+"
like 'what is the same code too' "$T/err" "$(git rev-parse --short=10 v1)\.\..*: identical code"
like 'and in the end all of it' "$T/out" '^5 commits, 1 step measured side by side, 2 of identical code, [3-9] comparisons now, 1 commit left out; up to 2 commits measured in one step$'
branches() {
	for commit in $(git rev-list "$1"); do
		pawl export --format json "$commit" 2>/dev/null
	done | awk '{ print match($0, /"branch":"[^"]*"/) ? substr($0, RSTART, RLENGTH) : "none" }' | sort -u
}
is 'each commit came in by the branch, not HEAD alone' "$(branches v1..main)" '"branch":"main"'
is 'the work tree is as it was' "$(git status --porcelain; git for-each-ref; git worktree list)" "$before"
pawl history work/chain >"$T/history"
runs 1 'the history has it' pawl history work/chain --json
like 'and counts its steps as the range did' "$T/history" '^1 step measured side by side: 1 moved it'
is 'the step is where it was made' \
	"$(json "$T/out" '[p["commit"] for p in d["points"] if p["verdict"] == "regressed"]')" "['$moved']"
# For a server each result is a step of its commit: of a change in a wide range the last one is not to blame.
start_server --no-auth || exit 1
git config pawl.server "$SERVER"
runs 0 'a server gets it' pawl push --all --require-push
like 'but what was compared in smaller steps' "$T/err" '[1-3] stays? here: '
ask '/api/v1/projects/demo/history?benchmark=work/chain&format=csv'
is 'and knows the same step' "$(/usr/bin/python3 -ISc 'import csv, sys
print([r["commit"] for r in csv.DictReader(open(sys.argv[1])) if r["moved"] == "1"])' "$T/body")" "['$moved']"
runs 0 'that is all there is' pawl push
unlike 'nothing is missing there' "$T/err" 'never queued'
git config --unset pawl.server
stop_server
runs 0 'the same again' pawl backfill v1..HEAD
like 'measures nothing' "$T/out" '1 step measured side by side, 2 of identical code, 0 comparisons now'
unlike 'and builds nothing' "$T/err" 'is built|the build'
cp "$T/out" "$T/again"

pawl accept "$moved" --benchmark work/chain --change any --because 'more work' >/dev/null 2>&1
runs 0 'built with other flags' env CFLAGS=-g pawl backfill v1..HEAD
like 'what was accepted is told so' "$T/err" "\.\.$(printf %.10s "$moved"): work/chain regressed .*% \(accepted\)\$"
rm .pawlaccepted
like 'which is told' "$T/err" '^pawl: [0-9]+ results? (is|are) of another build, or another command: measured again$'
like 'it is measured again' "$T/out" '1 step measured side by side, 2 of identical code, [3-9] comparisons now'
runs 0 'once' env CFLAGS=-g pawl backfill v1..HEAD
like 'then it is known' "$T/out" '1 step measured side by side, 2 of identical code, 0 comparisons now'
unlike 'and nothing is told' "$T/err" 'of another build'
if slow_only 'one more benchmark, another command'; then
	git config benchmark.work.command 'build/bench --no-counters'
	runs 0 'with another command' pawl backfill v1..HEAD
	like 'too' "$T/err" '^pawl: [0-9]+ results? (is|are) of another build, or another command: measured again$'
	git config --unset benchmark.work.command
	git config benchmark.later.command build/bench
	runs 0 'with one more benchmark' pawl backfill v1..HEAD
	like 'all is measured again' "$T/out" '1 step measured side by side, 2 of identical code, [3-9] comparisons now'
	runs 0 'and that is kept' pawl backfill v1..HEAD
	like 'with it' "$T/out" '1 step measured side by side, 2 of identical code, 0 comparisons now'
	runs 0 'one alone' pawl backfill --benchmark later v1..HEAD
	like 'is among them' "$T/out" '1 step measured side by side, 2 of identical code, 0 comparisons now'
	git config --unset benchmark.later.command
fi

# ---- which commits, for how long ---------------------------------------------------------------------

rm -rf .git/pawl/results.db
runs 0 'out of time before it began' pawl backfill --budget 1ms v1..HEAD
like 'it says how to go on' "$T/out" 'out of time: the same command goes on'
runs 0 "nothing is stored of what was cut off" pawl backfill v1..HEAD
like "it is measured then" "$T/out" "1 step measured side by side, 2 of identical code, [3-9] comparisons now"
rm -rf .git/pawl/results.db
git tag v2
git checkout -q --detach v1
runs 0 'commits with a tag' pawl backfill --tags v1..v2
is 'they are of the branch wherever HEAD is' "$(branches v1..main)" '"branch":"main"'
git checkout -q -b side
echo more >>README
commit_all . 'a document of another branch'
git checkout -q main
like 'are two' "$T/out" '^2 commits, 1 step measured side by side, 1 comparison now$'
runs 0 'some of them' pawl backfill --points 3 v1..v2
like 'are three' "$T/out" '^3 commits, .*, 1 commit left out|^3 commits, 1 step measured side by side, 1 of identical code, 2 comparisons now'

runs 0 'another branch' pawl backfill v1..side
is 'has its own name' "$(branches v1..side)" '"branch":"side"'

# ---- killed ------------------------------------------------------------------------------------------

# The third build, of a commit between the two that were compared first, does not end.
built() {
	[ "$(grep -c built "$T/built")" -ge 3 ]
}
nap=1000.$$ # nobody else's
git config pawl.build "make && echo built >>'$T/built' && { [ \$(grep -c built '$T/built') -ne 3 ] || sleep $nap; }"
rm -rf .git/pawl/results.db
pawl backfill --points 3 v1..v2 >/dev/null 2>"$T/killed" &
pid=$!
check 'one comparison is over, the next begins' wait_for built
kill -9 $pid
wait $pid 2>/dev/null
check 'what it ran ends with it' wait_for not running "^sleep $nap"
first="^pawl: $(git rev-parse v1 | cut -c 1-10)\.\.$(git rev-parse v2 | cut -c 1-10): work/chain regressed"
like 'the first result was there' "$T/killed" "$first"
runs 0 'the same command goes on' pawl backfill --points 3 v1..v2
unlike 'without that comparison' "$T/err" "$first"
like 'to the end' "$T/out" '^3 commits, 1 step measured side by side, 1 of identical code, 2 comparisons now'
runs 0 'the store is sound' pawl fsck
is 'nothing is left in the repository' "$(git worktree prune --dry-run; git worktree list | wc -l)" 1
git config --unset pawl.build

# ---- what fails ----------------------------------------------------------------------------------------

like 'of what does not build it is said why, and what tries it again' "$T/again" \
	"^left out, as it failed: $(printf %.10s "$broken"): the build exited with status 2: .*error no\$"
git config pawl.build 'make -s'
pawl backfill --budget 1ms v1..HEAD >"$T/other" 2>&1
unlike 'with another build it is to be tried anew' "$T/other" 'left out'
git config pawl.build 'echo "curl: (6) Could not resolve host: x.invalid"; exit 6'
runs 4 'several that fail alike' pawl backfill "v1..$broken"
is 'have one reason' "$(grep -c 'is left out: ' "$T/err") $(grep -c 'is left out for the same reason$' "$T/err")" '1 2'
for nth in once twice; do
	git config pawl.build 'echo "curl: (6) Could not resolve host: x.invalid"; exit 6'
	runs 4 "without a network, $nth" pawl backfill "$broken^..$broken"
	unlike 'no commit is at fault' "$T/out" '^left out, as'
	git config pawl.build nothing-of-this-name
	runs 4 "without a program to build with, $nth" pawl backfill "$broken^..$broken"
	[ $nth != once ] || unlike 'it may be the machine' "$T/out" '^left out, as'
done
like 'and then it is the commit' "$T/out" '^left out, as it failed: .*nothing-of-this-name: not found$'
git config --unset pawl.build
echo "#include <unistd.h>
__attribute__((constructor)) static void crash(void) { if (!access(\"$T/crashes\", F_OK)) __builtin_trap(); }" >>work.c
: >"$T/crashes"
commit_all . crashes
crash=$(git rev-parse HEAD)
git revert -n HEAD
commit_all . 'does not'
runs 4 'compared, it fails, though it dies before it can tell its benchmarks' pawl compare "v2..$crash"
like 'and none of them is merely gone' "$T/out" 'work/chain +failed$'
unlike 'nor added' "$T/out" 'added|removed'
runs 4 'nor is one of them that is asked for by its name' pawl compare -b work/chain "v2..$crash"
unlike 'merely gone' "$T/out" 'added|removed'
tried="^pawl: warning: $(printf %.10s "$crash") is left out: "
for nth in once twice; do
	runs 0 "a commit that crashes, $nth" pawl backfill v2..HEAD
	like 'it is tried' "$T/err" "$tried"
done
runs 0 'a third time' pawl backfill v2..HEAD
unlike 'it is not' "$T/err" "$tried"
like 'it is said why' "$T/out" "^left out, as it failed: $(printf %.10s "$crash"): .*SIG"
like 'and what tries it again' "$T/out" '^to try again what failed: the same command with --again$'
runs 4 'nor as the first of a range' pawl backfill "$crash..HEAD"
unlike 'is it tried' "$T/err" 'is left out'
rm "$T/crashes"
runs 0 'where the machine was at fault, it is tried again' pawl backfill --again "$crash..HEAD"
like 'and measured' "$T/out" '^2 commits, 1 step measured side by side, 1 comparison now$'
runs 0 'and later calls' pawl backfill "$crash..HEAD"
unlike 'leave nothing out' "$T/out" 'left out'
git reset -q --hard v2

for wrong in '' 'v1' 'v1 v2' 'v2..v1' 'v1..v1' 'v1..v2 --points 1' 'v1..v2 --points 3 --tags' 'v1..v2 --budget soon'; do
	# shellcheck disable=SC2086  # options
	runs 2 "refused: '$wrong'" pawl backfill $wrong
done
git rm -q --cached .pawlconfig && mv .pawlconfig ../c && git commit -qm 'no configuration'
runs 2 'without a benchmark' pawl backfill v1..v2
runs 0 'a command does' pawl backfill --build make --points 2 v1..v2 -- build/bench

# ---- a commit that builds everything but the benchmark -------------------------------------------------

new_repo "$T/lost"
cd "$T/lost" || exit 1
printf '[pawl]\n\tbuild = sh ./build.sh\n[benchmark "job"]\n\tcommand = ./job\n' >.pawlconfig
printf '/job\n' >.gitignore
echo 'int main(void) { return 0; }' >job.c
for n in 1 2 3; do
	echo '${CC:-cc} -o job job.c' >build.sh
	[ "$n" -ne 2 ] || echo 'true' >build.sh
	echo "$n" >notes
	commit_all . "$n"
done
runs 0 'a commit without the program' pawl backfill HEAD~2..HEAD
like 'is left out itself' "$T/err" "$(git rev-parse --short=10 HEAD~1) is left out: the head lacks what the base has: cannot run"
like 'and it alone' "$T/out" '^3 commits, 0 steps measured side by side, 1 of identical code, .* 1 commit left out; up to 2 commits measured in one step$'
