# Finding the commit that moved a benchmark, in a real repository with real builds.
. "$(dirname "$0")/../../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = sh ./build.sh
	minTime = 1ms
[benchmark "job"]
	command = ./job
	format = command
END
printf '/job\n' >.gitignore
echo "exec \${CC:-cc} -O1 $(linker_flag) -o job job.c" >build.sh
# job N: C source of a program that does N steps
job() {
	printf 'int main(void){volatile unsigned x=1;for(unsigned i=0;i<%s;i++)x=x*3+1;return 0;}\n' "$1"
}
job 3000000 >job.c
commit_all . 'one'
for n in 2 3 4 5 6 7 8 9 10; do
	echo "$n" >notes
	printf '/* %s */\n' "$n" >>job.c
	[ "$n" -ne 5 ] && [ "$n" -ne 8 ] || echo 'this is no C' >>job.c
	[ "$n" -ne 6 ] || { job 3000000; printf '/* %s */\n' "$n"; } >job.c
	[ "$n" -ne 7 ] || { job 9000000; printf '/* %s */\n' "$n"; } >job.c
	[ "$n" -ne 9 ] || { job 9000000; printf '/* %s */\n' "$n"; } >job.c
	commit_all . "commit $n"
done
slow=$(git rev-parse HEAD~3)

# ---- usage ----------------------------------------------------------------------------------

runs 2 'two commits are needed' pawl bisect HEAD --benchmark job
runs 2 'and a benchmark' pawl bisect HEAD~9 HEAD
like 'it says how' "$T/err" '^hint: pawl bisect GOOD BAD --benchmark NAME'
runs 2 'a budget is a time' pawl bisect HEAD~9 HEAD --benchmark job --budget soon
runs 5 'an unknown commit is told' pawl bisect nowhere HEAD --benchmark job
runs 2 'GOOD must come before BAD' pawl bisect HEAD HEAD~9 --benchmark job
like 'and the ends are told apart' "$T/err" 'GOOD .* is no ancestor of BAD'
like 'with the right order' "$T/err" \
	"^hint: the older one goes first, swap them: pawl bisect $(git rev-parse HEAD~9 | cut -c1-12) $(git rev-parse HEAD | cut -c1-12)"
runs 2 'an unknown benchmark is told' pawl bisect HEAD~9 HEAD --benchmark nothing
like 'by its name' "$T/err" "no benchmark 'nothing'"
runs 0 'nothing is kept of that' pawl bisect --reset

# ---- the commit -----------------------------------------------------------------------------

runs 0 'the commit is found' pawl bisect HEAD~9 HEAD --quick --benchmark job
like 'it is named' "$T/out" "^commit $slow\$"
like 'with its author' "$T/out" '^Author: Test <test@pawl.invalid>$'
like 'and its subject' "$T/out" '^    commit 7$'
like 'thrice the steps are far above half as much again' "$T/out" 'job went up with it: \+([5-9][0-9]|[1-3][0-9][0-9])\.'
like 'one interval, and of what it is' "$T/out" \
	'^job went up with it: \+[0-9.]+ % \[[^]]*\] against its parent, of \+[0-9.]+ % between GOOD and BAD$'
like 'and what to do next' "$T/out" \
	"^look further: pawl why $(git rev-parse HEAD~4 | cut -c1-12)\.\.$(echo "$slow" | cut -c1-12) --benchmark job\$"
like 'same code is good without measuring' "$T/out" ' good  +same code '
like 'what does not build is gone round' "$T/out" ' skip +- +commit 8$'
cp "$T/out" "$T/first"
runs 0 'asked again' pawl bisect HEAD~9..HEAD --quick --benchmark job
like 'it answers from what is kept' "$T/out" '([0-9]+) steps, ([0-9]+) comparisons \([0-9]+ from before'
is 'with the same commit' "$(grep '^commit ' "$T/out")" "$(grep '^commit ' "$T/first")"
git config benchmark.job.input notes
runs 0 'of another input' pawl bisect HEAD~9..HEAD --quick --benchmark job --budget 1ms
like 'nothing was measured yet' "$T/out" 'the same command goes on'
git config --unset benchmark.job.input
runs 0 'as a document' pawl bisect HEAD~9..HEAD --quick --benchmark job --json
is 'it says found' "$(json "$T/out" 'd["schema"], d["outcome"], d["commit"]["id"], d["commits"]')" \
	"('pawl.bisect/1', 'found', '$slow', 9)"
check 'all comparisons were there' [ "$(json "$T/out" 'd["comparisons"] == d["from_before"]')" = True ]
is 'the ratio is the same' "$(json "$T/out" '1.5 < d["delta"]["ratio"] < 4')" True
runs 0 'the list shows it' pawl bisect --list
like 'with both ends and the benchmark' "$T/out" \
	"^$(git rev-parse HEAD~9 | cut -c1-12)\.\.$(git rev-parse HEAD | cut -c1-12)  job  [0-9]+ comparisons\$"

# ---- damage, reset --------------------------------------------------------------------------

state=$(echo .git/pawl/bisect/*.bisect)
check 'one file keeps it' [ -f "$state" ]
printf x >>"$state"
runs 0 'a damaged file is measured anew' pawl bisect HEAD~9..HEAD --quick --benchmark job
like 'and told' "$T/err" 'is damaged: the bisection starts anew'
unlike 'nothing is taken from it' "$T/out" 'from before'
like 'the commit is the same' "$T/out" "^commit $slow\$"

# ---- a kill ---------------------------------------------------------------------------------

rm "$state"
(
	wait_for [ -f "$state" ]
	pid=$(cat "$T/pid")
	kill -KILL "$pid"
) &
killer=$!
pawl bisect HEAD~9..HEAD --quick --benchmark job >"$T/out" 2>"$T/err" &
echo $! >"$T/pid"
wait $! 2>/dev/null
check 'it was killed' [ $? -eq 137 ]
wait "$killer"
runs 0 'after a kill it goes on' pawl bisect HEAD~9..HEAD --quick --benchmark job
like 'with what was there' "$T/err" 'going on with [1-9][0-9]* comparisons from before'
like 'to the same commit' "$T/out" "^commit $slow\$"
is 'no tree is left registered' "$(git worktree list | wc -l)" 1

# ---- other ends -----------------------------------------------------------------------------

runs 0 'between commits of the same code there is no change' pawl bisect HEAD~9 HEAD~7 --quick --benchmark job
like 'and that is said' "$T/out" 'job: no change between GOOD and BAD: same code'
runs 4 'an end that does not build ends with status 4' pawl bisect HEAD~9 HEAD~5 --quick --benchmark job
like 'and another one is to be chosen' "$T/out" '^nothing to bisect: an end cannot be measured; choose another GOOD or BAD$'
runs 0 'a time that is over' pawl bisect HEAD~8 HEAD --quick --benchmark job --budget 1ms
like 'leaves it to go on' "$T/out" 'the same command goes on'
is 'which is printed' "$(grep '^go on: ' "$T/out")" \
	"go on: pawl bisect $(git rev-parse HEAD~8) $(git rev-parse HEAD) --benchmark job --quick --budget 1ms"
runs 0 'and can be copied' sh -c "$(sed -n 's/^go on: //p' "$T/out")"
runs 3 'and is no answer for --strict' pawl bisect HEAD~8 HEAD --quick --benchmark job --budget 1ms --strict
runs 0 'a run that is longer than the time' \
	pawl bisect HEAD~9 HEAD~6 --quick --benchmark sleep --budget 1s -- sleep 3
like 'is measured when there is more' "$T/out" 'the same command goes on'
unlike 'and nothing of it is kept' "$(pawl bisect --list >"$T/list" && echo "$T/list")" '  sleep  '
runs 0 'the same with what no configuration holds' \
	pawl bisect HEAD~4 "$slow" --quick --benchmark job --build 'sh ./build.sh' -- ./job
like 'and what to do next can be copied' "$T/out" \
	"^look further: pawl why .* --benchmark job --build 'sh ./build.sh' -- ./job\$"

# ---- changes that cancel out ------------------------------------------------------------------

{ job 3000000; echo '/* as fast as before */'; } >job.c
commit_all . 'commit 11'
runs 0 'up and down again' pawl bisect HEAD~5 HEAD --quick --benchmark job
like 'is no change from end to end' "$T/out" 'job: no change between GOOD and BAD'
like 'and it says that nobody looked between' "$T/out" '^4 commits between were not looked at.*--steps'
runs 0 'every commit' pawl bisect HEAD~5 HEAD --quick --benchmark job --steps
like 'both that moved it are found' "$T/out" '^2 of 5 commits moved job:'
like 'the one that is slower' "$T/out" "^    $(echo "$slow" | cut -c1-12)  \+([5-9][0-9]|[1-3][0-9][0-9])\..* commit 7\$"
like 'the one that is fast again' "$T/out" "^    $(git rev-parse HEAD | cut -c1-12)  -[4-9][0-9]\..* commit 11\$"
like 'what does not build is counted' "$T/out" '^1 cannot be measured'
runs 0 'as a document' pawl bisect HEAD~5 HEAD --quick --benchmark job --steps --json
is 'it has both, from before' "$(json "$T/out" 'd["outcome"], len(d["moved"]), d["comparisons"] == d["from_before"]')" \
	"('steps', 2, True)"
runs 0 'above a commit that does not build' pawl bisect HEAD~6 HEAD~4 --quick --benchmark job --steps
like 'the step is found' "$T/out" "^    $(echo "$slow" | cut -c1-12)  \+([5-9][0-9]|[1-3][0-9][0-9])\..* commit 7\$"
like 'of the commits that can be measured' "$T/out" '^1 of 2 commits moved job:'
runs 4 'where no commit can be measured, nothing can be said' \
	pawl bisect HEAD~6 HEAD~5 --quick --benchmark job --steps
runs 0 'another metric' pawl bisect HEAD~5 HEAD~4 --benchmark job --metric wall --budget 1ms
is 'is asked about again' "$(grep '^go on: ' "$T/out")" \
	"go on: pawl bisect $(git rev-parse HEAD~5) $(git rev-parse HEAD~4) --benchmark job --metric wall --budget 1ms"
runs 0 'one that both sides have' \
	pawl bisect HEAD~5 HEAD~4 --quick --benchmark job --metric page-faults --threshold 10%
unlike 'does not move with the time' "$T/out" 'went up'
runs 4 'one that neither has' pawl bisect HEAD~5 HEAD~4 --quick --benchmark job --metric nope
like 'is named' "$T/out" "it is gated by 'nope', which could not be had"
git reset -q --hard HEAD~1
runs 0 'all can be forgotten' pawl bisect --reset
runs 0 'then nothing is listed' pawl bisect --list
is 'at all' "$(cat "$T/out")" ''

# ---- another question -----------------------------------------------------------------------

new_repo "$T/hits"
cd "$T/hits" || exit 1
for n in 100000 200000; do
	hits $n
	commit_all . "$n hits"
done
runs 0 'a counter' pawl bisect HEAD~1 HEAD --quick --benchmark cache/a
runs 0 'once more' pawl bisect HEAD~1 HEAD --quick --benchmark cache/a
like 'goes on' "$T/err" 'going on with'
git config benchmark.cache.better higher
runs 0 'a counter of which more is better' pawl bisect HEAD~1 HEAD --quick --benchmark cache/a
unlike 'is another question' "$T/err" 'going on with'

# What was kept of one question answers no other: 1 ms is too short to measure anything.
ask_again() {
	pawl bisect HEAD~1 HEAD --quick --benchmark cache/a --budget 1ms
}
runs 0 'asked once more' ask_again
like 'it goes on, before something is different' "$T/err" 'going on with'
runs 0 'built with other flags' env CFLAGS=-O0 pawl bisect HEAD~1 HEAD --quick --benchmark cache/a --budget 1ms
unlike 'it is another question' "$T/err" 'going on with'
like 'of which nothing was measured: the time is too short' "$T/out" \
	'^no comparison ended in this time: .* give a longer --budget$'
git config pawl.env MODE
runs 0 'with a variable' env MODE=1 pawl bisect HEAD~1 HEAD --quick --benchmark cache/a
runs 0 'of another value' env MODE=2 pawl bisect HEAD~1 HEAD --quick --benchmark cache/a --budget 1ms
unlike 'it is another question, too' "$T/err" 'going on with'
runs 0 'of the same value' env MODE=1 pawl bisect HEAD~1 HEAD --quick --benchmark cache/a --budget 1ms
like 'it goes on' "$T/err" 'going on with'
git config --unset pawl.env
git config pawl.submodules false
runs 0 'without submodules' ask_again
unlike 'it is another question as well' "$T/err" 'going on with'
git config --unset pawl.submodules
for setting in benchmark.cache.timeout=29m pawl.buildTimeout=29m benchmark.cache.memory=4g; do
	git config "${setting%=*}" "${setting#*=}"
	runs 0 "with $setting" ask_again
	unlike "$setting makes it another question" "$T/err" 'going on with'
	git config --unset "${setting%=*}"
done
runs 0 'all as it was' ask_again
like 'it goes on again' "$T/err" 'going on with'

# ---- the same code that reads another file ------------------------------------------------------

new_repo "$T/data"
cd "$T/data" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = ${CC:-cc} -O1 -o job job.c
	minTime = 1ms
[benchmark "job"]
	command = ./job
END
cat >job.c <<'END'
#include <stdio.h>
int main(void)
{
	FILE *f = fopen("steps", "r");
	volatile unsigned x = 1;
	unsigned n;

	if (!f || fscanf(f, "%u", &n) != 1)
		return 1;
	for (unsigned i = 0; i < n; i++)
		x = x * 3 + 1;
	return 0;
}
END
printf '/job\n' >.gitignore
echo 3000000 >steps
for n in 1 2 3 4 5; do
	echo "$n" >notes
	[ "$n" -ne 4 ] || echo 12000000 >steps
	commit_all . "commit $n"
done
runs 0 'a change of a data file' pawl bisect HEAD~4 HEAD --quick --benchmark job
like 'is found' "$T/out" "^commit $(git rev-parse HEAD~1)\$"
like 'and it made all of it' "$T/out" '^job went up with it: '
