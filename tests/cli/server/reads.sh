# Questions that take long hold up neither health nor posts, and end with their budget.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1
doc one 'summary(1)'
send one
is 'a first summary' "$status" 201
stop_server
runs 0 'the ledger grows' "$BUILD/helpers/grow" "$STORE" 500000
slow='/api/v1/projects/zlib/history?benchmark=deflate/6'

start_server --no-auth --budget 1ms || exit 1
# On a busy machine it may wait for a thread for more than its budget: that is another refusal.
is_begun() {
	ask "$slow&px=1"
	not grep -q '"busy"' "$T/body"
}
wait_for is_begun
is 'beyond its budget a question is 503' "$status" 503
is 'and the error says why' "$(json "$T/body" '[d["error"]["code"], d["error"]["message"]]')" \
	"['timeout', 'the question takes too long; ask for less, or later']"
like 'with Retry-After' "$T/head" '^Retry-After: '
stop_server

# By pages it comes to an end: what was read is given, and where nothing was, how far it came.
start_server --no-auth --budget 10ms || exit 1
is 'pages lead to the end of it' "$(py 'c = connect(sys.argv[1])
values, cursor, refused, asked, stayed = [], "", 0, 0, 0
while cursor is not None and asked < 10000:
    asked += 1
    c.request("GET", "'"$slow"'" + (cursor and "&cursor=" + cursor))
    reply = c.getresponse(); d = json.loads(reply.read())
    if reply.status == 200:
        values += d["points"]["value"]; cursor = d["next"]
    else:
        assert d["error"]["code"] in ("timeout", "busy"), d
        # On a busy machine the budget may be over before the first point.
        stayed = stayed + 1 if d["error"].get("cursor") == cursor else 0
        assert stayed < 100, d
        refused += 1; cursor = d["error"].get("cursor", cursor)
print(values, refused > 0, cursor)')" '[1001] True None'
stop_server

start_server --no-auth --budget 1h || exit 1
ask "$slow"
is 'with time enough it is answered' "$(json "$T/body" 'd["points"]["value"]')" '[1001]'
# A page of a mapped file that the disk cannot give is a signal; one that is read is an error of that question.
is 'no reader maps the database' "$(grep -c "${STORE#sqlite:}\$" "/proc/$SERVER_PID/maps")" 0
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&branch=nosuch'
is 'of a branch that is not there nothing' "$(json "$T/body" 'd["points"]["value"]')" '[]'
# 24 slow questions at once, each another one; health and posts are answered before the last of them is.
py 'ask = "GET '"$slow"'&limit=%d HTTP/1.1\r\nHost: localhost\r\n\r\n"
asked = []
for n in range(24):
    s = raw(sys.argv[1]); s.sendall((ask % (900 + n)).encode()); asked.append(s)
healthy = []
for n in range(4):
    c = connect(sys.argv[1]); c.request("GET", "/healthz")
    reply = c.getresponse(); reply.read(); healthy.append(reply.status)
    healthy.append(post(c, summary(100 + n)))
asked[-1].setblocking(False)
try: asked[-1].recv(1, socket.MSG_PEEK); waits = False
except BlockingIOError: waits = True
print(healthy, waits)
for s in asked:
    s.setblocking(True)
    s.settimeout(600)
    print(s.recv(65536).split()[1].decode())' >"$T/slow"
is 'health and posts do not wait for questions' "$(head -n 1 "$T/slow")" \
	'[200, 201, 200, 201, 200, 201, 200, 201] True'
is 'and each question is answered' "$(sed 1d "$T/slow" | sort | uniq -c | awk '{ print $1, $2 }')" '24 200'

# The end does not wait for what is being asked.
: >"$T/asked"
py 's = [raw(sys.argv[1]) for _ in range(8)]
for one in s: one.sendall(("GET '"$slow"' HTTP/1.1\r\nHost: localhost\r\n\r\n").encode())
print("asked", flush=True)
for one in s:
    try: one.recv(65536)
    except ConnectionResetError: pass # it waited to be accepted' >"$T/asked" &
asking=$!
wait_for grep -q asked "$T/asked"
stop_server
is 'SIGTERM ends it while questions are open' "$SERVER_STATUS" 0
wait "$asking"
result $? 'and each of them gets an end'

exit 0
