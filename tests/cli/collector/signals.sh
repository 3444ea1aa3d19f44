# Ctrl-C and SIGTERM: children end, nothing is half-stored, the status says which signal.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
nap=1000.$$ # nobody else's
printf '[pawl]\n\truns = 30..30\n[benchmark "slow"]\n\tcommand = sleep %s\n' "$nap" >.pawlconfig
commit_all . 'one'

# A shell starts background jobs with SIGINT ignored.
cat >"$T/collect" <<'END'
import os, signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp("pawl", ["pawl", "collect"])
END

# stop_with SIGNAL STATUS: starts a collection, waits for its child, signals it
stop_with() {
	/usr/bin/python3 "$T/collect" >"$T/out" 2>"$T/err" &
	pid=$!
	check 'it measures' wait_for running "^sleep $nap"
	kill -s "$1" "$pid"
	wait "$pid"
	is "SIG$1 ends it with status $2" "$?" "$2"
	check "no child is left after SIG$1" not running "^sleep $nap"
}

stop_with TERM 143
stop_with HUP 129
stop_with INT 130
runs 5 'nothing was stored' pawl report
runs 0 'the store is sound' pawl fsck
like 'and empty' "$T/out" '^0 results'
