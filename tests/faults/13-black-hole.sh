# Row 13: a server that swallows every packet: the time to connect ends it, the result stays queued.
. "$(dirname "$0")/../lib.sh"

# The queue of connections is full and nobody takes one: the kernel drops what asks for another.
# Slow: it waits until no connection came about.
cat >"$T/hole.py" <<'END_OF_PY'
import socket, sys, time
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(0)
held = []
for _ in range(64):
    c = socket.socket()
    c.settimeout(0.2)
    try:
        c.connect(server.getsockname())
    except OSError:
        break
    held.append(c)
else:
    sys.exit("it is never full")
print("hole", server.getsockname()[1], flush=True)
time.sleep(3600)
END_OF_PY
/usr/bin/python3 "$T/hole.py" >"$T/hole.out" 2>&1 &
to_stop="$to_stop $!"
wait_for grep -q hole "$T/hole.out"
port=$(sed -n 's/^hole //p' "$T/hole.out")
if [ -z "$port" ]; then
	skip 'a server that answers nothing' 'this kernel drops no connection'
	exit 0
fi
new_repo "$T/repo"
cd "$T/repo" || exit 1
commit_all . one
git config pawl.server "http://127.0.0.1:$port"
pawl import --no-push --project p "$ROOT/tests/data/foreign/google-single.json" >/dev/null 2>&1
runs 6 'nothing is delivered' pawl push --all --require-push
like 'and why is said in words' "$T/err" 'cannot (reach|connect)|not reached|[Tt]imeout|did not answer|in time'
is 'in few lines' "$(($(wc -l <"$T/err") <= 3))" 1
pawl doctor >"$T/out" 2>&1
like 'the result waits' "$T/out" 'queue +1 to be posted, 0 refused by the server'
