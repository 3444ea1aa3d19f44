# What commands want around their runs: prepare and cleanup before and after each, in no figure;
# standard input from a file; pairs to warm up; a shell. As options, and in .pawlconfig.
. "$(dirname "$0")/../../lib.sh"

# field EXPRESSION: of the only benchmark b of the document d
field() {
	json "$T/out" "[$1 for b in d['benchmarks']][0]"
}

# loop N: a script that counts to N
loop() {
	echo "i=0; while [ \$i -lt $1 ]; do i=\$((i + 1)); done"
}

mkdir "$T/plain" && cd "$T/plain" || exit 1
export XDG_STATE_HOME="$T/state" GIT_CEILING_DIRECTORIES="$T"
loop 1500 >one.sh
twelve='--runs 12..12 --threshold 90%'
same='--measure-identical --base-cmd' # both sides alike

# ---- before and after each run -------------------------------------------------------------------

# shellcheck disable=SC2086  # options and their values
runs 0 'a line before and after each run' pawl compare -q $twelve \
	--prepare 'printf p >>log' --cleanup 'printf c >>log' \
	$same 'sh -c "printf r >>log"' --head-cmd 'sh -c "printf r >>log; exit"'
is 'comes with every one, in turn' "$(sed 's/\(prc\)*/all/' log)" all
check 'of which there are two for each pair' [ "$(tr -dc r <log | wc -c)" -ge 24 ]
# shellcheck disable=SC2086
runs 0 'what it takes' pawl compare $twelve --json --base-cmd 'sh one.sh' --head-cmd 'sh  one.sh ' \
	--measure-identical --base-env N=1 --head-env N=15000 \
	--prepare 'i=0; while [ $i -lt $N ]; do i=$((i + 1)); done'
is 'is in no figure' \
	"$(field "[m['delta']['ratio'] < 3 for m in b['metrics'] if m['name'] == b['gate']]")" '[True]'
is 'and both sides are never run at once then' "$(field "b['pairs_ran']")" 'in turn'
rm -f log
runs 4 'one that fails' pawl compare --prepare 'exit 3' --base-cmd 'sh one.sh' --head-cmd 'sh ./one.sh'
like 'fails its benchmark, and says how' "$T/out" 'the base: its prepare command: exited with status 3'
unlike 'not that the program may need arguments' "$T/err" 'may need arguments'
runs 4 'a run that fails' pawl compare --cleanup 'printf c >>log' --base-cmd 'sh -c "exit 7"' \
	--head-cmd 'sh one.sh'
like 'says so' "$T/out" 'the base: exited with status 7'
check 'and is cleaned up after all the same' [ -s log ]
runs 4 'a cleanup that fails' pawl compare --cleanup false --base-cmd 'sh one.sh' --head-cmd 'sh ./one.sh'
like 'is told too' "$T/out" 'its cleanup command: exited with status 1'
rm -f log
runs 4 'a prepare that fails' pawl compare --prepare 'printf p >>log; exit 3' --cleanup 'printf c >>log' \
	--base-cmd 'sh one.sh' --head-cmd 'sh ./one.sh'
is 'is cleaned up after too, and nothing is run' "$(sed 's/\(pc\)*/all/' log)" all

# stop_in WHERE: a signal while a run, or what prepares one, is on; what is cleaned up takes a moment
stop_in() {
	rm -f log began
	prepare=true run=true
	# shellcheck disable=SC2034  # it is named by its value
	eval "$1='printf x >began; exec sleep 1000'"
	pawl compare -q --base-cmd "sh -c \"$run\"" --head-cmd "sh -c \"$run \"" --prepare "$prepare" \
		--cleanup "sleep 0.2; printf c >>log; $2" >"$T/out" 2>"$T/err" &
	to_stop="$to_stop $!"
	wait_for test -s began
	kill -s TERM $!
	wait $!
	status=$?
	forget $!
}

for where in prepare run; do
	stop_in "$where" true
	is "a signal while there is a $where" "$status" 143
	is "is no reason not to clean up: $where" "$(cat log)" c
done
stop_in run 'exit 7'
like 'what it cannot clean up is told' "$T/err" 'stopped by a signal; its cleanup command: exited with status 7'
stop_in run 'exec sleep 1000'
like 'and what takes too long' "$T/err" 'stopped by a signal; its cleanup command: ran longer than .* 2\.00 s'
is 'with the same status' "$status" 143
rm -f log
build_work bench 1000
cp bench other
runs 4 'a program with benchmarks inside' pawl compare --measure-identical --base-bin bench --head-bin other \
	--prepare true
like 'has no runs to prepare' "$T/out" "'prepare' is for commands, and this program tells its benchmarks: pawl"

# ---- standard input --------------------------------------------------------------------------------

echo 'some text' >data
# shellcheck disable=SC2086
runs 0 'a file as standard input' pawl compare $twelve --json --stdin data --base-cmd cat --head-cmd 'cat data'
is 'is read by each run, from its start' "$(field "b['output']")" same
is 'and told' "$(field "b['command']")" 'cat data < data'
# shellcheck disable=SC2086
runs 0 'without one' pawl compare $twelve --json --base-cmd cat --head-cmd 'cat data'
is 'there is nothing to read' "$(field "b['output']")" differs
runs 4 'a file that is not there' pawl compare --stdin nothing --base-cmd cat --head-cmd 'cat data'
like 'is named' "$T/out" "cannot open '.*/nothing' for standard input: No such file"

mkfifo pipe
runs 4 'a pipe with a name' timeout 100 pawl compare --stdin pipe --base-cmd cat --head-cmd 'cat data'
like 'is waited for by nobody' "$T/out" "'.*/pipe' cannot be standard input: it is no file"
rm pipe

# ---- warming up --------------------------------------------------------------------------------------

# runs_with N: how many runs there are of both sides with so many pairs to warm up
runs_with() {
	rm -f log
	pawl compare -q --pairs 12 --threshold 90% --metric cpu --warmup "$1" --measure-identical \
		--base-cmd 'sh -c "printf r >>log"' --head-cmd 'sh -c "printf r >>log"' >"$T/out" 2>&1
	wc -c <log
}

is 'pairs to warm up are run and dropped' "$(($(runs_with 5) - $(runs_with 0)))" 10
runs 2 'not any number of them' pawl compare --warmup many --base-cmd true --head-cmd false
like 'is taken' "$T/err" "bad value 'many' for 'warmup'"

# ---- in .pawlconfig ----------------------------------------------------------------------------------

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	build = make
	runs = 12..12
[benchmark "count"]
	command = ./count
	stdin = number
[benchmark "lines"]
	command = cat made | sed s/x/y/ | wc -c
	shell = sh
	prepare = cp number made
	cleanup = rm made
	warmup = 2
	threshold = 90%
END
cat >count.c <<'END'
#include <stdio.h>
int main(void)
{
	volatile long i, n;

	if (scanf("%ld", &n) != 1)
		return 1;
	for (i = 0; i < n; i++)
		;
	return 0;
}
END
printf 'count: count.c\n\t$(CC) -o $@ count.c\n' >Makefile
printf 'count\nmade\n' >.gitignore
echo 1000000 >number
commit_all . one
echo 9000000 >number
commit_all . two
of() { json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"; }
runs 1 'the same keys are in .pawlconfig' pawl compare --json
is 'the same program with more to read is no identical code' "$(of count "b['verdict']")" regressed
is 'a shell runs a line' "$(of lines "b['command']")" "sh -c 'cat made | sed s/x/y/ | wc -c'"
is 'with what was prepared in each tree' "$(of lines "(b['status'], b['output'])")" "('ok', 'same')"
is 'which is not the work tree' "$(git status --porcelain --ignored)" ''
git config benchmark.lines.shell none
runs 4 'without a shell' pawl compare --json -b lines
is 'they are words' "$(of lines "b['command']")" "cat made '|' sed s/x/y/ '|' wc -c"
git config benchmark.lines.shell "sh '"
runs 2 'a shell that is none' pawl compare
like 'is told with its place' "$T/err" "bad value 'sh '' for 'shell'"
git config --unset benchmark.lines.shell
runs 0 'identical code' pawl compare -b lines HEAD..HEAD
git rm -q --cached number && echo number >>.gitignore && git commit -qam 'not tracked'
runs 4 'an input that a side does not have' pawl compare -b count HEAD..HEAD --measure-identical
like 'is named' "$T/out" "cannot open '.*/number' for standard input"

# What a line reads for a shell cannot be told: its benchmark is never taken for the same.
cat >.pawlconfig <<'END'
[pawl]
	build = make
[benchmark "count"]
	command = ./count
	stdin = number
	prepare = cat other>>made
END
git add -f number && echo one >other && commit_all . 'prepared from a file'
echo two >other && commit_all . 'another file'
runs 0 'the same program after a line that reads' pawl compare $twelve --json
is 'is measured' "$(of count "b['verdict'] != 'identical' and b['metrics'] != []")" True
