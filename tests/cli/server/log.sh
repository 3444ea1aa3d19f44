# pawld's log: which request, of which token, as text and as JSON.
. "$(dirname "$0")/../../lib.sh"

. "$ROOT/tests/server.sh"

token=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write,read --label ci)
id=$("$BUILD/pawld" token list --store "$STORE" | awk '$3 == "read,write" { print $1 }')
secret=${token#pawl_s_????????????_}
start_server --log "$T/log" || exit 1
doc one 'summary(1)'
send one -H "Authorization: Bearer $token"
is 'a summary is stored' "$status" 201
request=$(sed -n 's/^X-Request-Id: \([0-9a-f]*\).*/\1/p' "$T/head")
like 'the answer has the number of its request' "$T/head" '^X-Request-Id: [0-9a-f]{16}.?$'
ask /healthz
other=$(sed -n 's/^X-Request-Id: \([0-9a-f]*\).*/\1/p' "$T/head")
unlike 'another request has another one' "$T/head" "$request"
ask /api/v1/projects/zlib -H 'Authorization: Bearer pawl_s_wrong'
ask /x --request-target '/##[error]x' -X '##[debug]'
stop_server
like 'what a runner would take for a command is none' "$T/log" ' #%23\[debug\] /#%23\[error\]x '
unlike 'anywhere' "$T/log" '##'
is 'the log has that number, and the id of the token' "$(awk '$4 == "/api/v1/summaries" { print $8, $9 }' "$T/log")" "$request $id"
is 'a dash for none' "$(awk '$4 == "/healthz" { print $8, $9 }' "$T/log")" "$other -"
is 'and for a wrong one' "$(awk '$4 == "/api/v1/projects/zlib" { print $5, $9 }' "$T/log")" '401 -'

start_server --log "$T/log.json" --log-format json || exit 1
ask '/api/v1/projects/zlib?canary=1' -H "Authorization: Bearer $token"
ask "/p/%22%0A$token" -X "WE\"IRD" -H "Authorization: Bearer $token"
ask /healthz
stop_server
rows() {
	py "import json
for line in open('$T/log.json'):
	d = json.loads(line)
	print($1)"
}
is 'as JSON each line is an object' "$(rows "len(d), type(d['ms']).__name__, d['status']" | sort -u)" '9 float 200
9 float 400
9 float 405'
is 'with the same in it' "$(rows "d['method'], d['path'], d['token']")" "GET /api/v1/projects/zlib $id
WE\"IRD /p/\"%0Apawl_s_*** None
GET /healthz None"
unlike 'neither secrets nor queries' "$T/log.json" "canary|$secret"
start_server --log-format xml 2>/dev/null
like 'another format is refused' "$T/pawld.err" "'xml' is neither text nor json"
