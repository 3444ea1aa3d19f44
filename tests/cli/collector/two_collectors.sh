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
