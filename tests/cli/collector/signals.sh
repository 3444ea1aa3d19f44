# Ctrl-C and SIGTERM: children end, nothing is half-stored, the status says which signal.
# Runs alone: it holds the lock of the machine.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\truns = 30..30\n[benchmark "slow"]\n\tcommand = sleep 1.25\n' >.pawlconfig
commit_all . 'one'

# stop_with SIGNAL STATUS: starts a collection, waits for its child, signals it
stop_with() {
	pawl collect >"$T/out" 2>"$T/err" &
	pid=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		running '^sleep 1.25' && break
		sleep 0.1
	done
	kill -s "$1" "$pid"
	wait "$pid"
	is "SIG$1 ends it with status $2" "$?" "$2"
	check "no child is left after SIG$1" not running '^sleep 1.25'
}

# A shell starts background jobs with SIGINT ignored, so Ctrl-C is tried through python.
stop_with TERM 143
stop_with HUP 129
/usr/bin/python3 - "$T/out" <<'END'
import signal, subprocess, sys, time
child = subprocess.Popen(["pawl", "collect"], stdout=open(sys.argv[1], "w"), stderr=subprocess.STDOUT,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(1)
child.send_signal(signal.SIGINT)
sys.exit(0 if child.wait(timeout=20) == 130 else 1)
END
is 'SIGINT ends it with status 130' "$?" 0
runs 5 'nothing was stored' pawl report
runs 0 'the store is sound' pawl fsck
like 'and empty' "$T/out" '^0 results'
