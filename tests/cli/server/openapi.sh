# The description of the API is one, has each route and no other, and is true of what is answered.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"
document=$ROOT/docs/schema/openapi-v1.json
openapi=$ROOT/tests/helpers/http/openapi.py

is 'it has each route of the API, and no other' \
	"$(/usr/bin/python3 -B "$openapi" routes "$document" "$ROOT/server/answer/routes.c" | grep -v ' are the same$')" ''
for python in /usr/bin/python3 "${PAWL_TEST_PYTHON:-python3}"; do # Debian has no openapi-spec-validator
	"$python" -B "$openapi" spec "$document" >"$T/spec" 2>&1
	spec=$?
	[ "$spec" -eq 77 ] || break
done
if [ "$spec" -eq 77 ]; then
	skip 'it is OpenAPI' 'no python3 (or PAWL_TEST_PYTHON) with openapi-spec-validator'
else
	result "$spec" 'it is OpenAPI' "$(tail -n 5 "$T/spec")"
fi
# A second one, which also looks for what makes clients hard to generate.  A slash at the end is Codespeed's.
if command -v redocly >/dev/null; then
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true redocly lint --skip-rule no-path-trailing-slash \
		--skip-rule operation-4xx-response --skip-rule no-required-schema-properties-undefined --format=github-actions \
		"$document" >"$T/lint" 2>&1 </dev/null
	is 'redocly finds nothing' "$? $(grep -c '^::' "$T/lint")" '0 0'
else
	skip 'redocly finds nothing' 'redocly (npm: @redocly/cli) is not installed'
fi
if ! /usr/bin/python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
	skip 'it is true' 'no python3-jsonschema of 2020-12'
	exit 0
fi

writer=$("$BUILD/pawld" token add --store "$STORE" --scope admin)
fork=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write --untrusted)
start_server || exit 1
ask /api/v1/openapi.json
/usr/bin/python3 -c 'import json, sys
assert json.load(open(sys.argv[1])) == json.load(open(sys.argv[2]))' "$document" "$T/body"
result $? 'pawld gives it to everybody'
like 'as JSON' "$T/head" '^Content-Type: application/json'
tag=$(sed -n 's/^ETag: \([^ ]*\).$/\1/p' "$T/head")
ask /api/v1/openapi.json -H "If-None-Match: $tag" -H 'Accept-Encoding: gzip'
is 'once' "$status" 304
ask '/api/v1/openapi.json?x=1'
is 'without parameters' "$status" 400

api=/api/v1/projects/zlib
{
	echo "@Content-Type: application/json"
	echo "@Authorization: Bearer $fork"
	echo "POST /api/v1/summaries 201 $(py 'print(json.dumps(summary(7)))')"
	echo "@Authorization: Bearer $writer"
	echo "POST /api/v1/summaries 201 $(py 'print(json.dumps(summary(1)))')"
	echo "POST /api/v1/summaries 200 $(py 'print(json.dumps(summary(1)))')"
	echo "POST /api/v1/summaries 201 $(py 'print(json.dumps(judged(2)))')"
	echo "POST /api/v1/summaries 409 $(py 'print(json.dumps(judged(1)))')"
	echo "POST /api/v1/summaries 201 $(py 'd = summary(3, B); d["benchmarks"] += [{"name": "broken", "status": "failed", "metrics": []}]
d["settings"]["shard"] = {"index": 1, "count": 2, "group": "g", "split": "ab01"}; d["commit"]["dirty"] = False
print(json.dumps(d))')"
	echo 'POST /api/v1/summaries 400 {'
	echo 'POST /api/v1/summaries 422 {}'
	echo "@Content-Type: application/x-ndjson"
	echo "POST /api/v1/summaries:batch 200 $(py 'print(json.dumps(summary(4)))')"
	echo 'GET /api/v1/openapi.json 200'
	echo 'GET /api/v1/projects 200'
	echo 'GET /api/v1/projects?limit=0 400'
	for path in '' /benchmarks /benchmarks?limit=1 '/history?benchmark=deflate/6' '/history?benchmark=deflate/6&untrusted=1&limit=1' \
		'/history?benchmark=deflate/6&px=1' '/history?benchmark=deflate/6&columns=value,suspect' '/history?benchmark=deflate/6&format=csv' '/history?benchmark=deflate/6&format=f64' \
		"/compare?base=$A&head=$B" "/compare?base=$B&head=$A" /regressions /summaries '/summaries?untrusted=1&limit=1' /commits \
		/machines /summaries/01JD0000000000000000000001 /retractions /alerts /alerts?state=open /messages; do
		echo "GET $api$path 200"
	done
	for path in /none '/zlib/history?benchmark=none' /zlib/compare?base=aaaa\&head=ffff /none/summaries /none/commits \
		/none/machines /none/benchmarks /none/regressions /none/retractions /none/alerts /none/messages \
		/zlib/summaries/01JD0000000000000000000009; do
		echo "GET /api/v1/projects$path 404"
	done
	echo 'GET /api/v1/openapi.json?x=1 400'
	for path in '?x=1' '/benchmarks?limit=x' /history '/history?benchmark=deflate/6&px=0' '/history?benchmark=deflate/6&columns=x' '/compare' '/commits?cursor=x'; do
		echo "GET $api$path 400"
	done
	echo "DELETE $api/summaries/01JD0000000000000000000002?why=busy 200"
	echo "DELETE $api/summaries/01JD0000000000000000000009 404"
	echo "POST $api/summaries/01JD0000000000000000000002/restore 200"
	echo "GET $api/retractions?limit=1 200"
	echo "POST $api/alerts/0?state=resolved 404"
	echo 'GET /metrics 200'
	echo 'GET /healthz 200'
	echo 'GET /readyz 200'
	one=commitid=7\&project=zlib\&executable=gcc\&benchmark=single\&environment=Dual+Core\&result_value=4.25\&branch=default
	lnt='{"format_version":"2","machine":{"name":"m"},"run":{"llvm_project_revision":"1"},"tests":[{"name":"t","code_size":12}]}'
	echo "@Authorization: Basic $(printf 'bot:%s' "$writer" | base64 -w 0)"
	echo "@Content-Type: application/x-www-form-urlencoded"
	echo "POST /result/add/ 202 $one"
	echo "POST /result/add/ 422 commitid=7"
	echo 'POST /result/add/json/ 202 json=[{"commitid":"7","project":"zlib","executable":"gcc","benchmark":"many","environment":"e","result_value":4,"branch":"default"}]'
	echo "@Content-Type: application/json"
	echo "POST /c/$writer/db_zlib/v4/nts/submitRun 200 $lnt"
	echo "POST /c/$writer/db_zlib/submitRun 200 $lnt"
	echo "POST /c/$writer/db_zlib/submitRun 422 {}"
	echo "@AuthToken: $writer"
	echo "POST /api/db_zlib/v4/nts/runs 200 $lnt"
	echo "@Authorization: Bearer nothing"
	echo "GET $api 401"
} >"$T/questions"
is 'what is answered is what it says' "$(/usr/bin/python3 -B "$openapi" replies "$document" "$SERVER" <"$T/questions")" '0 are wrong'
stop_server

exit 0
