# Two pawld on one database: each result is stored once, each alert sent once, and both say the same, also after
# one of them was killed in the middle.
. "$(dirname "$0")/../../../lib.sh"

PAWL_TEST_ENGINE=postgresql
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

receive hook
printf 'a-secret-of-the-team\n' >"$T/secret"
chmod 600 "$T/secret"
alert add --webhook "http://127.0.0.1:$port/x" --secret-file "$T/secret" --allow-private >/dev/null
start() {
	start_server --no-auth --budget 60s --alert-retry 20ms --alert-timeout 10s || exit 1
}
start
a=$SERVER a_pid=$SERVER_PID
start
b=$SERVER b_pid=$SERVER_PID

# Documents FIRST..LAST, each posted to both by two clients a server until it is acknowledged; every tenth says that
# something got worse, at commits of its own.  Prints how often each answer came; who is away is asked no more.
cat >"$T/post.py" <<'END_OF_PY'
import sys
from collections import Counter
from posts import *
first, last = int(sys.argv[1]), int(sys.argv[2])
answers = Counter()
def document(n):
    at = "2026-11-%02dT%02d:%02d:00Z" % (10 + n % 7, n // 60 % 24, n % 60)
    d = judged(n) if n % 10 == 0 else summary(n)
    d["commit"].update(id="%040x" % n, author_time=at, commit_time=at)
    if n % 10 == 0:
        d["commit"]["parents"] = ["%040x" % (n + 500000)]
        d["baseline"]["commit"] = "%040x" % (n + 500000)
    d["benchmarks"][0]["name"] = "deflate/%d" % (n % 10)
    return d
def run(own, other, turn):
    connection = None
    for n in range(first + turn, last + 1, 2):
        while True:
            try:
                connection = connection or connect(own)
                status = post(connection, document(n))
            except (OSError, http.client.HTTPException):
                connection, own = None, other
                continue
            if status in (200, 201):
                answers[status] += 1
                break
            time.sleep(.01)
threads = [threading.Thread(target=run, args=(own, other, turn)) for turn in (0, 1)
           for own, other in ((sys.argv[3], sys.argv[4]), (sys.argv[4], sys.argv[3]))]
for one in threads: one.start()
for one in threads: one.join()
print(*sorted(answers.items()))
END_OF_PY
post_all() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/tests/helpers /usr/bin/python3 "$T/post.py" "$@"
}

# told: how many alerts came; the ids of their messages, all and each once
told() {
	/usr/bin/python3 -c '
import json, sys
ids = [json.loads(line)["head"]["webhook-id"] for line in open(sys.argv[1])]
print(len(ids), len(set(ids)))' "$T/hook/got"
}

is 'of two posts of one document to two servers one stores it' "$(post_all 1 300 "$a" "$b")" '(200, 300) (201, 300)'
wait_for settled 2 30
is 'what got worse was said once, by one of them' "$(told)" '30 30'
is 'for each an alert is open' "$(sql 'SELECT state, count(*) FROM alert GROUP BY state')" '1 30'

# ---- one of them is killed -------------------------------------------------------------

post_all 301 500 "$a" "$b" >"$T/answers" &
poster=$!
wait_for sh -c '[ "$("$1" -At "$2" -c "SELECT count(*)>330 FROM run")" = t ]' sh "$bin/psql" "$STORE"
kill -9 "$b_pid"
wait "$b_pid" 2>/dev/null
forget "$b_pid"
wait "$poster"
is 'the other takes the rest' "$(sql 'SELECT count(*), count(DISTINCT id) FROM run')" '500 500'
start
b=$SERVER b_pid=$SERVER_PID
wait_for settled 2 50
is 'all that got worse was said, nothing as two messages' "$(told | cut -d ' ' -f 2)" 50

# folded: whether something is
folded() {
	[ "$(sql 'SELECT count(*)>0 FROM chunk')" = t ]
}
wait_for folded
result $? 'points were folded'
for server in "$a" "$b"; do
	SERVER=$server
	for n in 0 1 2 3 4 5 6 7 8 9; do
		ask "/api/v1/projects/zlib/history?benchmark=deflate/$n&limit=1000"
		cat "$T/body"
		json "$T/body" 'len(d["points"]["id"]), len(set(d["points"]["id"]))' >>"$T/counts"
	done >"$T/said.${server##*:}"
	ask /api/v1/projects/zlib/alerts
	cat "$T/body" >>"$T/said.${server##*:}"
done
is 'no history has a point twice or lacks one' "$(sort "$T/counts" | uniq -c | sed 's/^ *//')" '20 (50, 50)'
check 'both say the same' cmp "$T/said.${a##*:}" "$T/said.${b##*:}"
runs 0 'the store is sound' "$BUILD/pawld" fsck --store "$STORE"
like 'with all points' "$T/out" '^500 summaries, 1000 points: 0 documents and 0 points damaged$'
SERVER_PID=$a_pid
stop_server
is 'one ends as asked' "$SERVER_STATUS" 0
SERVER_PID=$b_pid
stop_server
is 'so does the other' "$SERVER_STATUS" 0
