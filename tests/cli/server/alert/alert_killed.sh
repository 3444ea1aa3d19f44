# Killed again and again while results come and alerts go out: each is sent, with an id of its own.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

slow_only 'kills while alerts are sent' || exit 0

receive hook
printf 'key\n' >"$T/secret"
chmod 600 "$T/secret"
alert add --webhook "http://127.0.0.1:$port/" --secret-file "$T/secret" --allow-private >/dev/null

# Posts regressions, each of other commits, until the server is gone; prints those that were acknowledged.
cat >"$T/post.py" <<'END_OF_PY'
import sys
from posts import *
n = int(sys.argv[2])
try:
    c = connect(sys.argv[1])
    while True:
        n += 1
        d = judged(n)
        d["commit"].update(id="%040x" % n, parents=["%040x" % (n + 500000)])
        d["baseline"]["commit"] = "%040x" % (n + 500000)
        if post(c, d) == 201:
            print(d["commit"]["id"], flush=True)
except OSError:
    pass
except http.client.HTTPException:
    pass
END_OF_PY
: >"$T/acknowledged"
round=0
while [ "$round" -lt 12 ]; do
	round=$((round + 1))
	start_server --no-auth --alert-retry 20ms --alert-timeout 500ms || exit 1
	(sleep "0.$((round * 37 % 60 + 10))"; kill -9 "$SERVER_PID") &
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$ROOT/tests/helpers /usr/bin/python3 "$T/post.py" "$SERVER" $((round * 1000)) \
		>>"$T/acknowledged"
	wait "$SERVER_PID" 2>/dev/null
	forget "$SERVER_PID"
done
start_server --no-auth --alert-retry 20ms --alert-timeout 500ms || exit 1
wait_for settled 1 0
check 'results were acknowledged' [ -s "$T/acknowledged" ]
/usr/bin/python3 -c '
import json, sys
got = [json.loads(line) for line in open(sys.argv[1])]
told = {json.loads(g["body"])["commit"] for g in got}
lost = [line for line in open(sys.argv[2]) if line.strip() not in told]
print(len(lost), len({g["head"]["webhook-id"] for g in got}))' "$T/hook/got" "$T/acknowledged" >"$T/counts"
is 'none was lost, and an id is one message' "$(cat "$T/counts")" "0 $(sql 'SELECT count(*) FROM message')"
is 'all were delivered' "$(sql 'SELECT count(*) FROM message WHERE state<>2')" 0
check 'the store is sound' "$BUILD/pawld" fsck --store "$STORE"
