# Idle and slow connections shut nobody out: beyond four fifths of the limit the oldest of those that
# have sent no complete request make room, and those whose token is known come last.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

# No deadline ends a connection here: only the crowd does.
start_server --no-auth --deadline 1h || exit 1
doc one 'summary(1)'
: >"$T/crowd"
py 'import os
kept = idle(sys.argv[1], 600); print("there", os.getpid(), flush=True); time.sleep(3600)' >"$T/crowd" &
shell=$!
wait_for grep -q there "$T/crowd"
crowd=$(awk '{ print $2 }' "$T/crowd") # of python itself, not of the shell around it
to_stop="$to_stop $crowd"
send one --max-time 120
is 'a post beside 600 idle connections is stored' "$status" 201
ask /healthz --max-time 120
is 'and health is told' "$status" 200
kill "$crowd"
wait "$shell" 2>/dev/null
forget "$crowd"

is 'the oldest ones made room, the newest are still there' \
	"$(py 'kept = idle(sys.argv[1], 600, b"POST /api/v1/summaries HTTP/1.1\r\nHost: loc")
print(closes(kept[0]), is_open(kept[-1]))')" 'True True'
is 'nor do 600 that were refused and go on' \
	"$(py 'kept = idle(sys.argv[1], 600, head_of(b" " * 17000000))
print(post(connect(sys.argv[1]), summary(5)))
try:
    for _ in range(1200): kept[0].send(b" "); time.sleep(0.05)
except OSError: print("cut off")')" '201
cut off'
is 'a post of which the rest is late is not waited for either' \
	"$(py 'd = json.dumps(summary(2)).encode()
kept = idle(sys.argv[1], 600, head_of(d) + d[:100])
print(post(connect(sys.argv[1]), summary(3)))')" 201
stop_server
is 'it ends well' "$SERVER_STATUS" 0

# A client whose token is known, between two requests and in the middle of one.
token=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write,read)
start_server --deadline 1h || exit 1
is 'clients whose token is known keep their connections' \
	"$(TOKEN=$token py 'import os
bearer = "Authorization: Bearer " + os.environ["TOKEN"]
resting = raw(sys.argv[1])
resting.sendall(("GET /api/v1/projects HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n" % bearer).encode())
told = resting.recv(65536).startswith(b"HTTP/1.1 200")
d = json.dumps(summary(4)).encode()
posting = raw(sys.argv[1])
posting.sendall(head_of(d).replace(b"\r\n\r\n", ("\r\n%s\r\n\r\n" % bearer).encode()) + d[:100])
kept = []
for _ in range(4): # who came just now would be spared
    kept += idle(sys.argv[1], 150)
    time.sleep(1.1)
told = told and closes(kept[0])
posting.sendall(d[100:])
print(told, is_open(resting), posting.recv(65536).split()[1])')" \
	"True True b'201'"
stop_server

exit 0
