# Ctrl-C and SIGTERM: children end, nothing is half-stored, the status says which signal.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
nap=1000.$$ # nobody else's
printf '[pawl]\n\truns = 30..30\n[benchmark "slow"]\n\tcommand = sleep %s\n' "$nap" >.pawlconfig
commit_all . 'one'

# A shell starts background jobs with SIGINT ignored.
cat >"$T/pawl.py" <<'END'
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp("pawl", ["pawl", *sys.argv[1:]])
END

# soon_gone PATTERN: whether there is no such process any more, within some seconds
soon_gone() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		running "$1" || return 0
		sleep 0.5
	done
	return 1
}

gone='not running'

# stop_with SIGNAL STATUS [COMMAND...]: starts a collection, or COMMAND, waits for its child, signals it
stop_with() {
	signal=$1 status=$2
	shift 2
	/usr/bin/python3 "$T/pawl.py" "${@:-collect}" >"$T/out" 2>"$T/err" &
	pid=$!
	check 'it measures' wait_for running "^sleep $nap "
	kill -s "$signal" "$pid"
	wait "$pid"
	is "SIG$signal ends it with status $status" "$?" "$status"
	check "no child is left after SIG$signal" $gone "^sleep $nap "
}

stop_with TERM 143
stop_with HUP 129
stop_with INT 130
runs 5 'nothing was stored' pawl report
runs 0 'the store is sound' pawl fsck
like 'and empty' "$T/out" '^0 results'

# ---- a filter of a checkout, which heeds none --------------------------------------------------------

# No signal of a terminal's, which git and its filters would get too.
new_repo "$T/filtered"
cd "$T/filtered" || exit 1
printf 'trap "" INT TERM HUP\nsleep %s\ncat\n' "$nap" >"$T/filter.sh"
printf '[pawl]\n\tbuild = true\n[benchmark "a"]\n\tcommand = cat f\n' >.pawlconfig
echo 'f filter=slow' >.gitattributes
echo one >f
commit_all . 'one'
echo two >f
commit_all . 'two'
git config filter.slow.smudge "sh '$T/filter.sh'"
gone=soon_gone # nobody waits for what is no child of ours
stop_with INT 130 compare HEAD~1 HEAD
stop_with TERM 143 compare HEAD~1 HEAD
stop_with KILL 137 compare HEAD~1 HEAD
git config --unset filter.slow.smudge
git config filter.slow.clean "sh '$T/filter.sh'"
echo three >f
stop_with INT 130 compare --working-tree
# As long as what is committed: to see whether it differs git asks the filter.
echo owt >f
stop_with KILL 137 compare --working-tree
stop_with KILL 137 collect

# ---- what was finished is kept ----------------------------------------------------------------------

# Both run until one of them sleeps in its 48th run.  Before the first run that counts, and where others
# disturb, some are measured for nothing: of 28 it was 14 at a load of 10.
new_repo "$T/kept"
cd "$T/kept" || exit 1
cat >"$T/naps" <<END
echo >>"\$0.\$1"
[ "\$(wc -l <"\$0.\$1")" -lt "\$2" ] || exec sleep $nap
END
printf '[pawl]\n\truns = 60..60\n[benchmark "a"]\n\tcommand = sh %s a 999\n' "$T/naps" >.pawlconfig
printf '[benchmark "b"]\n\tcommand = sh %s b 48\n' "$T/naps" >>.pawlconfig
commit_all . 'one'
stop_with INT 130
like 'it says that something is kept' "$T/err" 'stopped by a signal: what was measured of 2 of 2 benchmarks is kept'
like 'and shows it' "$T/out" '^. a '
runs 0 'what was finished is stored' pawl report --json
cp "$T/out" "$T/stored"
is 'both benchmarks' "$(json "$T/stored" '[b["name"] for b in d["benchmarks"]]')" "['a', 'b']"
is 'with the runs that came to their end' \
	"$(json "$T/stored" '[9 <= len(m["samples"]) <= 48 for b in d["benchmarks"] for m in b["metrics"] if m["name"] == "wall"]')" '[True, True]'
is 'as a part of a result' "$(json "$T/stored" 'd["settings"]["partial"]')" True
is 'which says why' "$(json "$T/stored" 'sum("stopped by a signal" in w for w in d["environment"]["warnings"])')" 1
valid 'the document fits the schema' "$T/stored"
check 'nothing is left in run/' [ -z "$(ls .git/pawl/run 2>/dev/null)" ]
rm -f "$T"/naps.*
sed -i 's/b 48/b 4/' .pawlconfig
commit_all . 'two'
stop_with INT 130
runs 5 'too few runs are no result' pawl report HEAD
runs 0 'the store is sound' pawl fsck
like 'with the one from before' "$T/out" '^1 result,'

# ---- whoever starts pawl may ignore the ends of children, and then pawl's own would tell it nothing ------

cat >"$T/ignoring" <<'END'
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execvp(sys.argv[1], sys.argv[1:])
END
printf '[benchmark "fails"]\n\tcommand = false\n' >.pawlconfig
commit_all . 'three'
runs 4 'a failure is seen where SIGCHLD is ignored' /usr/bin/python3 "$T/ignoring" pawl collect
printf '[pawl]\n\truns = 12..12\n[benchmark "works"]\n\tcommand = sh -c "exit 0"\n' >.pawlconfig
commit_all . 'four'
runs 0 'and what a program used' /usr/bin/python3 "$T/ignoring" pawl collect --json
is 'is measured' "$(json "$T/out" '[min(m["samples"]) > 0 for b in d["benchmarks"] for m in b["metrics"] if m["name"] == "cpu"]')" '[True]'

# ---- a comparison, too --------------------------------------------------------------------------------

# A run lasts 5 to 20 ms, which 400 pairs can hold against 15 %, and 50 cannot: b is past its first decision
# point by its 100th run, and not decided.
new_repo "$T/compared"
cd "$T/compared" || exit 1
cat >step <<END
#!/bin/sh
echo >>"$T/naps.\$1"
n=\$(wc -l <"$T/naps.\$1")
[ "\$n" -lt "\$2" ] || exec sleep $nap
exec sleep "0.0\$(printf %03d \$((50 + n * 7919 % 151)))"
END
chmod +x step
printf '[pawl]\n\tbuild = true\n\tthreshold = 15%%\n[benchmark "a"]\n\tcommand = ./step a 9999\n' >.pawlconfig
printf '[benchmark "b"]\n\tcommand = ./step b 100\n' >>.pawlconfig
commit_all . 'one'
echo '# two' >>step
commit_all . 'two'
stop_with INT 130 compare HEAD~1..HEAD
like 'it says that something is kept' "$T/err" 'stopped by a signal: what was measured of 2 of 2 benchmarks is kept'
like 'and shows it' "$T/out" '^. a '
runs 0 'report --last shows it again' pawl report --last --json
is 'as a part of a result' "$(json "$T/out" 'd["settings"]["partial"]')" True
is 'its pairs end at a decision point' \
	"$(json "$T/out" '{m["n"] for b in d["benchmarks"] for m in b["metrics"] if m["name"] == "wall"} <= {12, 24, 34, 48}')" True
check 'no receipt says that it was compared' [ -z "$(ls .git/pawl/receipts 2>/dev/null)" ]
check 'nothing is left in run/' [ -z "$(ls .git/pawl/run 2>/dev/null)" ]
