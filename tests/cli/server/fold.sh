# Points are folded into pieces of their histories while posts come: kill -9 loses and doubles none.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

# post_many FROM: batches of summaries, each of a commit of its own, until the server is gone or 600
# are there; their ids on stdout once they are acknowledged
post_many() {
	py 'c = connect(sys.argv[1])
for n in range('"$1"', '"$1"' + 600, 20):
    text = "\n".join(json.dumps(summary(k, "%040x" % (0xabc000 + k), project="p" if k % 3 else "q")) for k in range(n, n + 20))
    try:
        c.request("POST", "/api/v1/summaries:batch", text, {"Content-Type": "application/x-ndjson"})
        for line in c.getresponse().read().splitlines():
            d = json.loads(line)
            if d["status"] == 201: print(d["id"], flush=True)
    except (OSError, http.client.HTTPException): break'
}

# The server is killed while a fold of what came begins, and between two.
: >"$T/acked"
for from in 100000 200000 300000; do
	start_server --no-auth || exit 1
	: >"$T/new"
	post_many "$from" >"$T/new" &
	poster=$!
	wait_for sh -c '[ "$(wc -l <"$1")" -ge 400 ]' sh "$T/new"
	kill -9 "$SERVER_PID"
	wait "$SERVER_PID" 2>/dev/null
	forget "$SERVER_PID"
	wait "$poster"
	cat "$T/new" >>"$T/acked"
	runs 0 "after kill -9 the store is sound ($from)" "$BUILD/pawld" fsck --store "$STORE"
done

start_server --no-auth || exit 1
for project in p q; do
	ask "/api/v1/projects/$project/history?benchmark=deflate/6&limit=20000"
	cp "$T/body" "$T/$project"
done
is 'each acknowledged one is in a history, and none is twice' "$(/usr/bin/python3 -ISc 'import json, sys
shown = [id for name in sys.argv[2:] for id in json.load(open(name))["points"]["id"]]
acked = open(sys.argv[1]).read().split()
print(len(acked) >= 1200, sorted(set(acked) - set(shown)), len(shown) - len(set(shown)))' "$T/acked" "$T/p" "$T/q")" \
	'True [] 0'
folded() {
	[ "$(sql 'SELECT count(*) FROM project WHERE n_tail<256 AND folded>0 AND fold_to=folded')" = 2 ]
}
wait_for folded
result $? 'and a server that was killed folds what is left'
ask '/api/v1/projects/p/history?benchmark=deflate/6&limit=20000'
check 'with the same history' cmp "$T/body" "$T/p"
sql 'SELECT sum(n) FROM chunk' >"$T/n"
check 'most of which is folded' [ "$(cat "$T/n")" -gt 1200 ]
stop_server

exit 0
