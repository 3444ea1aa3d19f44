# Two collectors at once, in two worktrees of one repository: they take turns, nothing is lost.
. "$(dirname "$0")/../../lib.sh"
unset PAWL_LOCK # the machine's

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
[ ! -r /proc/locks ] || like 'and for which' "$T/b.err" "another pawl is measuring on this machine \\(process $first, in '.*'\\): waiting"
: >"$T/job.go"
wait "$first"
is 'the first ends well' "$?" 0
wait "$second"
is 'the second ends well' "$?" 0
runs 0 'the store is sound' pawl fsck
like 'and holds both' "$T/out" '^2 results, 0 damaged$'

# ---- building waits for nobody ----------------------------------------------------------------------

new_repo "$T/building"
cd "$T/building" || exit 1
cat >"$T/build" <<'END'
cp "$0.program" program
: >>"$0.ran"
END
printf '#!/bin/sh\n: >>"%s/measured"\n' "$T" >"$T/build.program"
chmod +x "$T/build.program"
printf '[pawl]\n\tbuild = sh %s/build\n\truns = 4..4\n[benchmark "program"]\n\tcommand = ./program\n' \
	"$T" >.pawlconfig
printf '/program\n' >.gitignore
commit_all . one
echo >file
commit_all . two
[ -e /tmp/pawl.lock ] || : >>/tmp/pawl.lock # it may be another user's
exec 9</tmp/pawl.lock
flock 9
for command in compare collect; do
	rm -f "$T/build.ran" "$T/measured"
	# A file each: the shell may empty it only after the first look at it.
	pawl $command --threshold 90% >"$T/a.out" 2>"$T/$command.err" 9>&- &
	first=$!
	check "$command waits" wait_for grep -q 'another pawl is measuring' "$T/$command.err"
	check 'and has built before' [ -e "$T/build.ran" ]
	check 'and has run nothing' [ ! -e "$T/measured" ]
	exec 9>&-
	wait "$first"
	is 'it goes on when the other one has ended' "$?" 0
	check 'and measures' [ -e "$T/measured" ]
	exec 9</tmp/pawl.lock
	flock 9
done
exec 9>&-

# ---- a budget is for measuring -------------------------------------------------------------------------

exec 9</tmp/pawl.lock
flock 9
pawl compare --budget 60s --threshold 90% >"$T/a.out" 2>"$T/a.err" 9>&- &
first=$!
check 'with a budget it waits' wait_for grep -q 'another pawl is measuring' "$T/a.err"
exec 9>&-
wait "$first"
is 'it measures when the other one has ended' "$?" 0

# As long again, not for minutes, is one waited for that never ends.
exec 9</tmp/pawl.lock
flock 9
cure='^hint: run it again when the other one has ended, or wait longer: --wait 10m$'
for command in compare collect; do
	rm -f "$T/measured"
	runs 5 "$command with a budget of 100 ms" pawl $command --budget 100ms --threshold 90% 9>&-
	like 'says how long it waits' "$T/err" '^pawl: another pawl is measuring on this machine.*: waiting for it, at most 2\.1 s$'
	like 'and that it did' "$T/err" '^pawl: error: another pawl is measuring on this machine.*: waited for 2\.1 s$'
	like 'and the cure' "$T/err" "$cure"
	runs 5 "$command that does not wait" pawl $command --budget 1h --wait 0 --threshold 90% 9>&-
	like 'says the same' "$T/err" "$cure"
	check 'neither measures' [ ! -e "$T/measured" ]
	pawl $command --budget 1ms --wait 10m --threshold 90% >"$T/a.out" 2>"$T/wait.$command" 9>&- &
	first=$!
	check "$command that may wait longer" wait_for grep -q 'waiting for it, at most 600 s' "$T/wait.$command"
	exec 9>&-
	wait "$first"
	is 'has its turn in the end' "$?" 0
	exec 9</tmp/pawl.lock
	flock 9
done
runs 2 'a wait that is no time' pawl compare --wait soon
like 'is told' "$T/err" "^pawl: error: --wait takes a time such as 60s, not 'soon'"

# Of these the time is for everything, waiting too.
rm "$T/measured"
for command in 'bisect HEAD~1..HEAD --benchmark program' 'backfill HEAD~1..HEAD'; do
	runs 0 "$command ends in time" pawl $command --budget 1s 9>&-
	like 'having waited' "$T/err" '^pawl: another pawl is measuring on this machine'
	unlike 'which is no error' "$T/err" 'error'
	check 'and has measured nothing' [ ! -e "$T/measured" ]
done
exec 9>&-
