# pawld from outside: every status it gives, what it keeps, who may do what, and how it ends.
. "$(dirname "$0")/../../lib.sh"

. "$ROOT/tests/server.sh"

# ---- what it answers -----------------------------------------------------------------

start_server --no-auth --log "$T/access.log" || exit 1
is 'it prints one line' "$(wc -l <"$T/pawld.out")" 1
like 'the line says where it listens' "$T/pawld.out" \
	'^pawld: listening on http://127\.0\.0\.1:[0-9]+$'

doc one 'summary(1)'
send one
is 'a new summary is 201' "$status" 201
is 'the acknowledgement echoes the id' "$(json "$T/body" 'd["id"]')" 01JD0000000000000000000001
like 'the acknowledgement is JSON' "$T/head" '^Content-Type: application/json'
send one
is 'the same again is 200' "$status" 200
doc other 'dict(summary(1), pawl="0.2.0")'
send other
is 'the same id with other content is 409' "$status" 409
is 'the error says what' "$(json "$T/body" 'd["error"]["code"]')" conflict
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000001
check 'the document comes back byte for byte' cmp "$T/one" "$T/body"

echo '{"id": ' >"$T/broken"
send broken
is 'what is not JSON is 400' "$status" 400
is 'the error says where' "$(json "$T/body" 'd["error"]["where"]')" 'line 2, column 0'
: >"$T/empty"
send empty
is 'an empty body is 400' "$status" 400
py 'print("[" * 5000)' >"$T/deep"
send deep
is 'deep nesting is 422' "$status" 422
doc unit '(lambda d: d["benchmarks"][0]["metrics"][1].pop("unit") and d)(summary(2))'
send unit
is 'what is not a summary is 422' "$status" 422
is 'the error names the place' "$(json "$T/body" 'd["error"]["where"]')" \
	'benchmarks[0].metrics[1].unit'
doc newer 'dict(summary(2), schema="pawl.summary/2")'
send newer
is 'another schema version is 422' "$status" 422
is 'which names both' "$(json "$T/body" 'd["error"]["message"]')" 'is of version 2; only pawl.summary/1 is read'
head -c 17000000 /dev/zero | tr '\0' ' ' >"$T/large"
send large
is 'a body beyond 16 MiB is 413' "$status" 413
send large -H 'Expect:'
is 'also for a client that does not wait for leave' "$status" 413
send large -H 'Transfer-Encoding: chunked' -H 'Expect:'
is 'also when its size is not said' "$status" 413
# told WHAT EXPECTED SIZE [HEADER]: of clients that look at the answer when all is sent, how many got which
told() {
	is "$1 is told so, though it looks when all is sent" "$(py '
n, more = int(sys.argv[2]), sys.argv[3].encode()
head = head_of(b" " * n).replace(b"\r\n\r\n", b"\r\n" + more + b"\r\n\r\n" if more else b"\r\n\r\n")
told = set()
for _ in range(4):
    s = raw(sys.argv[1])
    try:
        s.sendall(head + b" " * n)
        answer = b""
        while piece := s.recv(65536): answer += piece
        told.add((answer.split()[1].decode(), json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"]))
    except OSError as e: told.add(type(e).__name__)
    s.close()
print(*told)' "$3" "${4:-}")" "$2"
}
told 'who sends too large a body' "('413', 'limit')" 17000000
told 'who sends a type that is not taken' "('415', 'type')" 1000000 'Content-Encoding: x'
is 'a body without an end is told 413 and cut off' \
	"$(py 's = raw(sys.argv[1])
s.sendall(head_of(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked"))
piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
told = b""
try:
    for n in range(100000):
        s.sendall(piece)
        if n > 255 and not told: told = s.recv(65536)
except OSError: pass
head, _, body = told.partition(b"\r\n\r\n")
print(told[:12], json.loads(body)["error"]["code"], b"Connection: close" in head, n < 99999)
import calendar
date = head.decode().partition("\r\nDate: ")[2].partition("\r\n")[0]
date = time.strptime(date, "%a, %d %b %Y %H:%M:%S GMT")
print("of now", abs(calendar.timegm(date) - time.time()) < 86400)')" \
	"b'HTTP/1.1 413' limit True True
of now True"
doc median '(lambda d: d["benchmarks"][0]["metrics"][1].update(median=5) or d)(summary(2))'
send median
is 'a median that is not of its samples is 422' "$status" 422
is 'with its place' "$(json "$T/body" '[d["error"][k] for k in ("where", "message")]')" \
	"['benchmarks[0].metrics[1].median', 'is 5, but of the samples 2002']"
for figure in n=7 p99=2001.5 stddev=0 throughput_per_s=1 mean=5; do
	doc figure "(lambda d: d['benchmarks'][0]['metrics'][1].update($figure) or d)(summary(2))"
	send figure
	is "so is $figure" "$status $(json "$T/body" 'd["error"]["where"]')" "422 benchmarks[0].metrics[1].${figure%=*}"
done
ask /api/v1/summaries --data-binary "@$T/one"
is 'another type is 415' "$status" 415
send one -H 'Content-Encoding: br'
is 'another compression than zstd and gzip is 415' "$status" 415
like 'which names what is taken' "$T/head" '^Accept-Encoding: zstd, gzip'

ask /api/v1/nosuch
is 'an unknown address is 404' "$status" 404
ask /api/v1/projects/nosuch
is 'an unknown project is 404' "$status" 404
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000009
is 'an unknown summary is 404' "$status" 404
ask /api/v1/projects -X DELETE
is 'another method is 405' "$status" 405
like 'with the methods that work' "$T/head" '^Allow: GET, HEAD'
ask /api/v1/projects -I
is 'HEAD is answered' "$status" 200
ask /api/v1/projects/zl%00ib
is 'a NUL in the address is 400' "$status" 400
ask /api/v1/projects/%ff
is 'an address that is not UTF-8 is 400' "$status" 400
ask /api/v1/projects/%z1
is 'a broken escape is 400' "$status" 400
ask /api/v1/projects/..%2f..%2fetc%2fpasswd
is 'dots and slashes are characters of a name' "$status" 404
ask '/api/v1/projects/zlib/history?benchmarks=deflate/6'
is 'a misspelt parameter is 400' "$status" 400
ask '/api/v1/projects/zlib/history'
is 'a missing one too' "$status" 400
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&limit=0'
is 'a limit out of range too' "$status" 400
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&cursor=x'
is 'a wrong cursor too' "$status" 400
ask "/api/v1/projects/zlib/history?benchmark=$(py 'print("x" * 5000)')"
is 'a long address is 414' "$status" 414
ask /healthz
is 'health is 200' "$status" 200
ask /readyz
is 'and it is ready' "$status $(cat "$T/body")" '200 {"status":"ready"}'
ask /
like 'the front page names the API' "$T/body" '/api/v1/summaries'
ask /api/v1/projects -H 'Host: evil.example:80'
is 'without tokens a foreign host name is refused' "$status" 403
ask '/api/v1/projects?token=canary-of-a-token'
unlike 'the log holds no query' "$T/access.log" canary
like 'the log holds a line a request' "$T/access.log" ' 127\.0\.0\.1 POST /api/v1/summaries 201 '

# ---- what it tells -------------------------------------------------------------------

doc two 'judged(2)'
send two
is 'a judged summary is stored' "$status" 201
ask '/api/v1/projects/zlib/history?benchmark=deflate%2F6'
is 'history is in commit order' "$(json "$T/body" 'd["points"]["commit"]')" "['$A', '$B']"
is 'its columns belong together' \
	"$(json "$T/body" '[d["points"][k] for k in ("value", "low", "high", "n")]')" \
	'[[1001, 1002], [1000, 1001], [1002, 1003], [3, 3]]'
is 'the gated metric is the usual one' "$(json "$T/body" '[d["metric"], d["unit"]]')" \
	"['cpu', 'ns']"
is 'it marks where the verdict says that it moved' \
	"$(json "$T/body" '[(c["commit"][:4], c["verdict"], c["exact"]) for c in d["change_points"]]')" \
	"[('bbbb', 'regressed', True)]"
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&metric=wall&limit=1'
is 'a page holds what was asked for' "$(json "$T/body" 'd["points"]["value"]')" '[2001]'
ask "/api/v1/projects/zlib/history?benchmark=deflate/6&metric=wall&limit=1&cursor=$(json "$T/body" 'd["next"]')"
is 'the next page follows' "$(json "$T/body" '[d["points"]["value"], d["next"]]')" '[[2002], None]'
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&since=2026-11-20T10:30:00Z'
is 'since is kept' "$(json "$T/body" 'd["points"]["value"]')" '[1002]'
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&until=2026-11-20'
is 'until is kept' "$(json "$T/body" 'd["points"]["value"]')" '[]'
doc bytes '(lambda d: d["benchmarks"][0]["metrics"][0].update(unit="ms", better="higher") or d)(summary(3, "dddd" * 10, "2026-11-20T12:00:00Z"))'
send bytes
is 'another unit is stored' "$status" 201
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'the one of before stays, and it is named' \
	"$(json "$T/body" '[d["unit"], d["better"], d["points"]["value"], [(o["unit"], o["better"], o["newer"]) for o in d["other_units"]]]')" \
	"['ns', 'lower', [1001, 1002], [('ms', 'higher', True)]]"
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&unit=ms'
is 'and can be asked for' \
	"$(json "$T/body" '[d["unit"], d["better"], d["points"]["value"], [(o["unit"], o["better"], o["newer"]) for o in d["other_units"]]]')" \
	"['ms', 'higher', [1003], [('ns', 'lower', False)]]"
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&better=lower'
is 'by its direction, too' "$(json "$T/body" 'd["points"]["value"]')" '[1001, 1002]'
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&unit=kg'
is 'a unit that is not there is 404' "$status" 404
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&better=worse'
is 'a direction that is none is 400' "$status" 400
ask "/api/v1/projects/zlib/compare?base=aaaa&head=$B"
is 'compare gives the recorded delta' \
	"$(json "$T/body" '[(m["name"], m["delta"]["ratio"], m["delta"]["verdict"], m["delta"]["how"]) for m in d["benchmarks"][0]["metrics"]][0]')" \
	"('cpu', 1.034, 'regressed', 'rerun')"
is 'and no verdict where none was recorded' \
	"$(json "$T/body" '[(m["name"], m["delta"]["verdict"], m["delta"]["how"]) for m in d["benchmarks"][0]["metrics"]][1]')" \
	"('wall', None, 'stored')"
ask '/api/v1/projects/zlib/compare?base=cccc&head=bbbb'
is 'an unknown commit is 404' "$status" 404
ask '/api/v1/projects/zlib/compare?base=a&head=bbbb'
is 'a short prefix is 400' "$status" 400
ask /api/v1/projects/zlib/regressions
is 'regressions lists what moved' \
	"$(json "$T/body" '[(r["benchmark"], r["verdict"]) for r in d["regressions"]]')" \
	"[('deflate/6', 'regressed')]"
ask /api/v1/projects/zlib/benchmarks
is 'benchmarks lists the metrics' \
	"$(json "$T/body" '[[m["name"] for m in b["metrics"]] for b in d["benchmarks"]]')" \
	"[['cpu', 'wall']]"
ask /api/v1/projects
is 'projects lists the project' "$(json "$T/body" '[p["name"] for p in d["projects"]]')" "['zlib']"

# ---- many at once, and the end -------------------------------------------------------

is 'eight clients at once lose nothing' \
	"$(py 'print(sorted(set(many(sys.argv[1], 8, 25, False))), len(many(sys.argv[1], 8, 25, False)))')" \
	'[201] 200'
ask /api/v1/projects
is 'all of them are stored' "$(json "$T/body" 'd["projects"][0]["summaries"]')" 203
is 'one id from eight clients is created once' \
	"$(py 's = many(sys.argv[1], 8, 1, True); print(s.count(201), s.count(200))')" '1 7'

# A body that is half sent when the signal comes: the server has asked for it before, and the rest follows once
# it listens no more.
py 's = raw(sys.argv[1]); d = json.dumps(summary(900000)).encode()
s.sendall(head_of(d).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))
assert s.recv(65536).startswith(b"HTTP/1.1 100 ")
s.sendall(d[:100]); print("half", flush=True)
refuses(sys.argv[1])
s.sendall(d[100:]); print(s.recv(65536).decode().splitlines()[0])' >"$T/half" &
half=$!
wait_for grep -q half "$T/half"
stop_server
wait "$half"
is 'SIGTERM ends it with 0' "$SERVER_STATUS" 0
like 'and what was in flight is finished' "$T/half" '^HTTP/1.1 201'
start_server --no-auth || exit 1
ask /api/v1/projects/zlib/summaries/01JD0000000000000000900000
is 'everything is there after a restart' "$status" 200

# ---- kill -9 -------------------------------------------------------------------------

py 'c = connect(sys.argv[1])
for n in range(700000, 800000):
    try:
        if post(c, summary(n)) == 201: print("01JD00000000000000%08d" % n, flush=True)
    except (OSError, http.client.HTTPException): break' >"$T/acked" &
poster=$!
wait_for sh -c '[ "$(wc -l <"$1")" -ge 20 ]' sh "$T/acked"
kill -9 "$SERVER_PID"
wait "$SERVER_PID" 2>/dev/null
forget "$SERVER_PID"
wait "$poster"
start_server --no-auth || exit 1
acked=$(wc -l <"$T/acked")
check 'some were acknowledged before kill -9' [ "$acked" -ge 20 ]
while read -r id; do
	ask "/api/v1/projects/zlib/summaries/$id"
	echo "$status"
done <"$T/acked" | sort | uniq -c >"$T/found"
is 'every acknowledged one is there after kill -9' "$(awk '{ print $1, $2 }' "$T/found")" \
	"$acked 200"
stop_server

# ---- who may do what -----------------------------------------------------------------

new_store
S=$STORE
runs 0 'token add' "$BUILD/pawld" token add --store "$S" --project zlib --scope write --label ci
write=$(cat "$T/out")
like 'prints the token once' "$T/out" '^pawl_s_[0-9a-z]{12}_[A-Za-z0-9_-]{43}$'
read=$("$BUILD/pawld" token add --store "$S" --project zlib --scope read)
foreign=$("$BUILD/pawld" token add --store "$S" --project other --scope write,read)
fork=$("$BUILD/pawld" token add --store "$S" --project zlib --scope write --untrusted)
short=$("$BUILD/pawld" token add --store "$S" --project zlib --scope write --expires 1ms)
runs 0 'token list' "$BUILD/pawld" token list --store "$S"
like 'list shows the label' "$T/out" ' ci$'
unlike 'and no secret' "$T/out" "${write#pawl_s_????????????_}"
runs 2 'token add without a scope is refused' "$BUILD/pawld" token add --store "$S" --project zlib
# refused SAID WORD...: a token command that is none
refused() {
	[ "$1" != -- ] || shift
	said=$1
	shift
	runs 2 "refused: token $*" "$BUILD/pawld" token "$@"
	like "refused, and says why: $said" "$T/err" "$said"
}
refused "'all' is no scope" add --store "$S" --project zlib --scope all
refused "'1x' is no duration" add --store "$S" --project zlib --scope read --expires 1x
refused -- '--project is missing' add --store "$S" --scope write
refused 'a project has a name' add --store "$S" --project '' --scope write
refused "unexpected 'x'" add --store "$S" --project zlib --scope write x
refused "'token make' is no command" make --store "$S"
refused -- '--store is missing' list
refused 'the id of the token is missing' revoke --store "$S"

start_server --log "$T/access.log" || exit 1
send one
is 'a write without a token is 401' "$status" 401
like 'with a challenge' "$T/head" '^WWW-Authenticate: Bearer'
ask "/api/v1/projects?token=$read"
is 'a token in the address does not count' "$status" 401
send one -H "X-Pawl-Token: $write"
is 'a token in another header does not count' "$status" 401
send one -H "Authorization: Bearer $read"
is 'a token without the scope is 403' "$status" 403
send one -H "Authorization: Bearer $foreign"
is 'a token of another project is 403' "$status" 403
send one -H "Authorization: Bearer $short"
is 'an expired token is 401' "$status" 401
send one -H "Authorization: Bearer $write"
is 'the right token is 201' "$status" 201
ask /api/v1/projects
is 'reading needs a token too' "$status" 401
ask /api/v1/projects/zlib -H "Authorization: Bearer $write"
is 'one that may read' "$status" 403
ask /api/v1/projects/zlib -H "Authorization: Bearer $read"
is 'and with it works' "$status" 200
ask /api/v1/projects/zlib -H "Authorization: Bearer $foreign"
is 'another project is 403' "$status" 403
ask /api/v1/projects -H "Authorization: Bearer $foreign"
is 'the list shows only what the token covers' "$(json "$T/body" 'd["projects"]')" '[]'
ask /healthz
is 'health needs none' "$status" 200

doc forged 'judged(5)'
send forged -H "Authorization: Bearer $fork"
is 'an untrusted summary is accepted' "$status" 201
is 'and told to be untrusted' "$(json "$T/body" 'd["untrusted"]')" True
ask "/api/v1/projects/zlib/compare?base=$A&head=$B" -H "Authorization: Bearer $read"
is 'it is in no comparison' "$status" 404
ask "/api/v1/projects/zlib/compare?base=$A&head=$B&untrusted=1" -H "Authorization: Bearer $read"
is 'unless asked for' "$(json "$T/body" 'd["head"]["untrusted"]')" True
ask "/api/v1/projects/zlib/compare?base=$B&head=$A&untrusted=1" -H "Authorization: Bearer $read"
is 'and never as a baseline' "$status" 404
ask '/api/v1/projects/zlib/history?benchmark=deflate/6' -H "Authorization: Bearer $read"
is 'nor in the history' "$(json "$T/body" 'd["points"]["value"]')" '[1001]'
send one -H "Authorization: Bearer $fork"
is 'an id that a trusted one has is no conflict for it' "$status" 201

id=${write#pawl_s_}
runs 0 'token revoke while the server runs' "$BUILD/pawld" token revoke --store "$S" "${id%%_*}"
send two -H "Authorization: Bearer $write"
is 'a revoked token is 401 at once' "$status" 401
for n in 1 2 3 4 5 6 7 8 9 10 11; do
	send two -H "Authorization: Bearer $write"
done
is 'the eleventh wrong token in a minute is 429' "$status" 429
like 'with Retry-After' "$T/head" '^Retry-After: 60'
ask /api/v1/projects/zlib -H "Authorization: Bearer $read"
is 'a right one still works' "$status" 200
ask "/api/v1/projects/$read" -H "Authorization: Bearer $read"
is 'a token in the path is no project' "$status" 403
ask "/api/v1/projects/pawl%5fs_${read#pawl_s_}"
ask /healthz -X "$write" -H "Referer: http://x/?token=$read"
like 'the log has a mark in its place' "$T/access.log" ' GET /api/v1/projects/pawl_s_\*\*\* 403 '
unlike 'and no secret, in no form' "$T/access.log" "${read#pawl_s_????????????_}|${write#pawl_s_????????????_}"
for token in "$write" "$read" "$foreign" "$fork"; do
	cat "$T/access.log" "$T/pawld.err"
	store_bytes
done >"$T/everything"
unlike 'no log and no database holds a token' "$T/everything" "$write|$read|$foreign|$fork"
stop_server
start_server --public-read || exit 1
ask /api/v1/projects/zlib
is '--public-read lets everybody read' "$status" 200
send two
is 'and nobody write' "$status" 401
stop_server

# ---- what is refused at the start ----------------------------------------------------

runs 2 'no --no-auth on other addresses' "$BUILD/pawld" --listen 0.0.0.0:0 --store "$S" --no-auth
runs 2 'no other address without a proxy' "$BUILD/pawld" --listen 0.0.0.0:0 --store "$S"
like 'with the cure' "$T/err" '^hint: .*--behind-proxy'
runs 2 'no --no-auth behind a proxy' \
	"$BUILD/pawld" --listen 127.0.0.1:0 --store "$S" --no-auth --behind-proxy
runs 2 'no store' "$BUILD/pawld" --listen 127.0.0.1:0
runs 2 'an unknown store' "$BUILD/pawld" --listen 127.0.0.1:0 --store mysql:x
runs 5 'a store that cannot be made' "$BUILD/pawld" --listen 127.0.0.1:0 --store sqlite:/nonexistent/x
runs 2 'an unknown option' "$BUILD/pawld" --nosuch
runs 0 '--help' "$BUILD/pawld" --help
for word in token fsck backup restore retract; do
	runs 0 "$word --help" "$BUILD/pawld" $word --help
	like 'tells all' "$T/out" "^       pawld $word"
done
runs 0 '--version' "$BUILD/pawld" --version
start_server --no-auth || exit 1
runs 5 'an address that is taken' \
	"$BUILD/pawld" --listen "${SERVER#http://}" --store "sqlite:$T/second.db"
stop_server
check 'it starts with all descriptors closed' sh -c \
	'"$1" --version <&- >"$2/v" 2>&- && grep -q pawld "$2/v"' sh "$BUILD/pawld" "$T"
