# Ctrl-C where a command waits for something else than a benchmark: one is enough, and the status says so.
. "$(dirname "$0")/../../lib.sh"

# A shell starts background jobs with SIGINT ignored.
cat >"$T/start" <<'END'
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
END

# stopped STATUS NAME FILE COMMAND...: it is told to stop as soon as FILE is there
stopped() {
	wanted=$1
	name=$2
	file=$3
	shift 3
	/usr/bin/python3 -IS "$T/start" "$@" <"$T/pipe" >"$T/out" 2>"$T/err" 3>&- &
	pid=$!
	wait_for "$file" "$pid"
	kill -INT "$pid"
	for _ in $(seq 200); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid"
	is "$name: once is enough" "$?" "$wanted"
	like '  it says why' "$T/err" 'stopped by a signal'
}

# wait_for FILE PID: the file is there, and pawl has its handler of SIGINT
wait_for() {
	for _ in $(seq 600); do
		if [ -e "$1" ] && [ "$(cat "/proc/$2/comm")" = pawl ] &&
			grep -q '^SigCgt:.*[2367abef]$' "/proc/$2/status"; then
			sleep 0.3
			return
		fi
		sleep 0.1
	done
}

new_stored_repo "$T/repo"
mkfifo "$T/pipe"
exec 3<>"$T/pipe" # nobody ever writes, nor is it at its end

stopped 130 'import waits for its standard input' "$T/pipe" pawl import -
stopped 130 'so does push' "$T/pipe" pawl push --file - --commit "$(git rev-parse HEAD)" --server http://127.0.0.1:9
# For git the push goes on; the terminal has ended git as well.
stopped 0 'so does the hook' "$T/pipe" pawl hook run pre-push origin "$T"

# A server that takes connections, and never answers.
cat >"$T/server.py" <<'END'
import socket, sys
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(8)
open(sys.argv[1] + ".new", "w").write("%d" % s.getsockname()[1])
import os
os.rename(sys.argv[1] + ".new", sys.argv[1])
c = s.accept()
open(sys.argv[2], "w").close()
while True:
    other = s.accept()
END
/usr/bin/python3 -IS "$T/server.py" "$T/port" "$T/asked" &
to_stop="$to_stop $!"
for _ in $(seq 100); do
	[ ! -e "$T/port" ] || break
	sleep 0.1
done
PAWL_TOKEN=x stopped 130 'doctor waits for a server' "$T/asked" pawl doctor --server "http://127.0.0.1:$(cat "$T/port")"
is '  and answers nothing' "$(cat "$T/out")" ''

# A git that never answers: what it was asked is given up, and nothing else is asked.
mkdir "$T/bin"
cat >"$T/bin/git" <<END
#!/bin/sh
case "\$*" in *status*|*diff*|*ls-files*) echo >>"$T/begun"; exec sleep 1000.$$ ;; esac
exec "$(command -v git)" "\$@"
END
chmod +x "$T/bin/git"
PATH=$T/bin:$PATH stopped 130 'doctor waits for git' "$T/begun" pawl doctor
is '  which is ended' "$(pgrep -f "^sleep 1000\.$$")" ''
is '  and not asked anything else' "$(wc -l <"$T/begun")" 1

# Nor one that is asked all, as libgit2 does not know such a repository.
git init -q --object-format=sha256 "$T/sha256"
cat >"$T/bin/git" <<END
#!/bin/sh
echo >>"$T/begun2"
exec sleep 2000.$$
END
cd "$T/sha256" || exit 1
PATH=$T/bin:$PATH stopped 130 'report waits for git' "$T/begun2" pawl report
is '  which is ended, too' "$(pgrep -f "^sleep 2000\.$$")" ''
is '  and nobody asks on' "$(wc -l <"$T/begun2")" 1
cd "$T/repo" || exit 1

# A pipe that has a name, to which nobody writes, or which nobody reads.
mkfifo "$T/nobody"
stopped 130 'import waits for a named pipe' "$T/nobody" pawl import "$T/nobody"
like '  of which nothing is stored' "$T/err" 'nothing is stored'
stopped 130 'and for one that somebody has opened' "$T/pipe" pawl import "$T/pipe"
fill each && git config pawl.project proj
pawl report --json >"$T/own.json"
rm -rf .git/pawl
stopped 130 'so does import of documents' "$T/nobody" pawl import --format pawl "$T/own.json" "$T/nobody"
like '  which says what it has stored' "$T/err" '1 of 2 are stored'
fill each
stopped 130 'so does publish' "$T/nobody" pawl publish --to github --repository a/b --number 1 \
	--token-file "$T/nobody" --file "$T/own.json" --commit "$head"
stopped 130 'report waits for whoever reads its answer' "$T/nobody" pawl report -o "$T/nobody"
stopped 130 'so does what it writes beside it' "$T/nobody" pawl report --write "html=$T/nobody"
check '  and the pipe stays one' [ -p "$T/nobody" ]

# Whoever holds a lock.
cat >"$T/hold" <<'LAST'
import fcntl, os, sys, time
fd = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(fd, fcntl.LOCK_EX)
open(sys.argv[2], "w").close()
time.sleep(1000)
LAST
/usr/bin/python3 -IS "$T/hold" .git "$T/held" 3>&- &
holder=$!
to_stop="$to_stop $holder"
for _ in $(seq 100); do
	[ ! -e "$T/held" ] || break
	sleep 0.1
done
stopped 130 'accept waits for another one' "$T/held" pawl accept HEAD --benchmark a --because b
like '  and says for what' "$T/err" "another process holds '.*/\.git"
kill "$holder" && wait "$holder" 2>/dev/null

# While it computes: at each allocation, all or nothing, and it says which.
case $BUILD in
*asan* | *tsan*)
	skip 'import sees it while it computes' 'the sanitizer has an allocator of its own'
	exit
	;;
esac
${CC:-cc} -shared -fPIC -O1 -o "$T/nomem.so" "$ROOT/tests/faults/nomem.c" -ldl || exit 1
# No time of a signal can be chosen from outside; which allocation it comes with can.
seq -f 'b%.0f.time 1.5' 60 >"$T/in.txt"
new_repo "$T/import"
cd "$T/import" || exit 1
commit_all . one
cat >"$T/steps" <<'LAST'
import collections, os, shutil, signal, sqlite3, subprocess, sys
library, text, count, step = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])

def run(k):
    shutil.rmtree(".git/pawl", ignore_errors=True)
    env = dict(os.environ, LD_PRELOAD=library, NOMEM_COUNT=count, NOMEM_AT=str(k), NOMEM_SIGNAL=str(int(signal.SIGINT)))
    p = subprocess.run(["pawl", "import", text], env=env, capture_output=True, text=True,
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        n = sqlite3.connect(".git/pawl/results.db").execute("SELECT count(*) FROM result").fetchone()[0]
    except sqlite3.Error:
        n = 0
    return (p.returncode, n, p.stdout.count("stored as"), "nothing is stored" in p.stderr, "was stored already" in p.stderr)

print(*run(0), file=open(text + ".whole", "w"))
def asked():
    return int(open(count).read().split()[0])

# Some runs ask for one or two less than the first did: then no signal came.  With the last ones it closes the
# store, when all is said.
total = asked()
came = [what for k in range(1, total, step) for what in [run(k)] if asked() >= k and (what[0] or k < total - 9)]
for what, times in collections.Counter(came).items():
    print(*what)
    print(*what, times, "times", file=sys.stderr)
LAST
step=101
[ -z "${PAWL_TEST_SLOW:-}" ] || step=3
/usr/bin/python3 -IS "$T/steps" "$T/nomem.so" "$T/in.txt" "$T/count" "$step" >"$T/all" 2>"$T/all.n"
is 'import that nobody stops is stored' "$(cat "$T/in.txt.whole")" '0 1 1 False False'
is 'import that computes is stopped: all or nothing, and it says which' "$(sort "$T/all")" "130 0 0 True False
130 1 1 False True"
