# Many summaries in one request: a line each, an answer each, and none lost by kill -9.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth --log "$T/access.log" || exit 1

# batch FILE [CURL OPTION...]: posts the lines of FILE
batch() {
	file=$1
	shift
	ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/$file" "$@"
}

# lines FILE EXPRESSION: a list of documents and of texts that are none
lines() {
	py "print(*[x if isinstance(x, str) else json.dumps(x) for x in $2], sep='\n')" >"$T/$1"
}

# told KEY: of each line of the answer
told() {
	/usr/bin/python3 -ISc 'import json, sys
print(*[json.loads(line).get(sys.argv[2]) for line in open(sys.argv[1])])' "$T/body" "$1"
}

lines some '[summary(1), summary(2), "{", summary(1), "", dict(summary(2), pawl="2"), dict(summary(3), id="x"), summary(4)]'
batch some
is 'a batch is 200' "$status" 200
like 'its answer has a line a summary' "$T/head" '^Content-Type: application/x-ndjson'
is 'each with the status that it would have alone' "$(told status)" '201 201 400 200 409 422 201'
is 'and its id' "$(told id | cut -c1-53)" '01JD0000000000000000000001 01JD0000000000000000000002'
is 'or what is wrong with it' \
	"$(/usr/bin/python3 -ISc 'import json, sys
print(*[json.loads(line).get("error", {}).get("where") for line in open(sys.argv[1])])' "$T/body")" \
	'None None line 1, column 1 None id id None'
ask /api/v1/projects
is 'what is good is stored' "$(json "$T/body" 'd["projects"][0]["summaries"]')" 3
doc four 'summary(4)'
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000004
is 'as the bytes of its line' "$(cat "$T/body")" "$(cat "$T/four")"
py 'sys.stdout.buffer.write(frame(open(r"'"$T/some"'", "rb").read()))' >"$T/some.zst"
batch some.zst -H 'Content-Encoding: zstd'
is 'a compressed batch gets the same answers' "$(told status)" '200 200 400 200 409 422 200'

while IFS='|' read -r wanted name text; do
	lines bad "$text"
	batch bad
	is "$name is $wanted" "$status" "$wanted"
done <<'END'
400|a batch of nothing|[]
400|one of empty lines|["", "", ""]
413|one of 257 summaries|[summary(n) for n in range(257)]
200|one of 256|[summary(n) for n in range(100, 356)]
200|one of which all are bad|["x", "y"]
END
is 'all of the last one are told so' "$(told status)" '400 400'
send some
is 'a batch where one summary belongs is 400' "$status" 400
ask /api/v1/summaries:batch -H 'Content-Type: application/json' --data-binary "@$T/some"
is 'another type is 415' "$status" 415
ask /api/v1/summaries:batch
is 'only POST is known' "$status" 405

case $BUILD in
*asan* | *tsan*) skip 'memory' 'the sanitizer has its own use of memory' ;;
*)
	# 16 MiB of metrics that hold nothing, in 256 summaries.
	py 'd = summary(9, "dddd" * 10)
d["benchmarks"] = [{"name": "b%d" % k, "status": "ok", "metrics": [{"name": "%d" % i, "unit": "n", "better": "lower"} for i in range(60)]} for k in range(20)]
text = json.dumps(d, separators=(",", ":"))
for n in range(256): print(text.replace(d["id"], "01JD00000000000000%08d" % (8000 + n)))' >"$T/empty"
	batch empty
	is 'many empty entries are put off' "$(told status | tr ' ' '\n' | sort | uniq -c | awk '{ print $2 }' | tr '\n' ' ')" '201 503 '
	most=$(awk '/^VmHWM:/ { print int($2 / 1024) }' "/proc/$SERVER_PID/status")
	check "and take no more than 160 MiB ($most)" [ "$most" -le 160 ]
	;;
esac

# ---- kill -9 -------------------------------------------------------------------------

py 'c = connect(sys.argv[1])
for n in range(700000, 900000, 20):
    text = "\n".join(json.dumps(summary(k)) for k in range(n, n + 20))
    try:
        c.request("POST", "/api/v1/summaries:batch", text, {"Content-Type": "application/x-ndjson"})
        for line in c.getresponse().read().splitlines():
            d = json.loads(line)
            if d["status"] == 201: print(d["id"], flush=True)
    except (OSError, http.client.HTTPException): break' >"$T/acked" &
poster=$!
wait_for sh -c '[ "$(wc -l <"$1")" -ge 60 ]' sh "$T/acked"
kill -9 "$SERVER_PID"
wait "$SERVER_PID" 2>/dev/null
forget "$SERVER_PID"
wait "$poster"
start_server --no-auth --log "$T/access.log" || exit 1
sql 'SELECT id FROM run' | sort >"$T/there"
is 'every acknowledged one is there after kill -9' "$(sort "$T/acked" | comm -23 - "$T/there")" ''

# ---- who may -------------------------------------------------------------------------

stop_server
new_store
token=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write)
start_server --log "$T/access.log" || exit 1
lines two '[summary(1), summary(2, project="other")]'
batch two
is 'a batch without a token is 401' "$status" 401
batch two -H "Authorization: Bearer $token"
is 'a token is held against each' "$(told status)" '201 403'
stop_server

# ---- what pawl sends -----------------------------------------------------------------

start_server --no-auth --log "$T/push.log" || exit 1
new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tproject = zlib\n' >.pawlconfig
commit_all . one
git config pawl.server "$SERVER"
for name in google-single google-repetitions hyperfine; do
	pawl import --no-push "$ROOT/tests/data/foreign/$name.json" >/dev/null
done
runs 0 'what piled up is posted' pawl push --all --require-push
like 'and all of it told' "$T/err" 'posted 3 summaries'
is 'in one request' "$(awk '$3 == "POST" { print $4, $5 }' "$T/push.log")" '/api/v1/summaries:batch 200'
stop_server

exit 0
