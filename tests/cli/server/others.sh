# What Codespeed's and LNT's clients send is stored: their own metric and unit, no interval, no verdict.
#
# The requests are those of the documents: save_multiple_results.py of Codespeed's tools, and what
# `lnt submit` makes of a report (a form with input_data).  Neither client is a package of Debian.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

writer=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write)
reader=$("$BUILD/pawld" token add --store "$STORE" --scope read)
start_server --log "$T/requests" || exit 1

# codespeed WHAT: posts a list as its client does, with Basic
codespeed() {
	/usr/bin/python3 - "$SERVER" "$writer" "$1" <<'END_OF_PY'
import base64, json, sys, urllib.error, urllib.parse, urllib.request
url, token, what = sys.argv[1:]
def one(revision, value, **more):
    return dict({"commitid": str(revision), "branch": "default", "project": "zlib", "executable": "gcc -O2",
                 "benchmark": "deflate", "environment": "Dual Core", "result_value": value,
                 "revision_date": "2026-11-20 10:00:%02d" % (revision % 60)}, **more)
request = urllib.request.Request(url + "/result/add/json/",
                                 urllib.parse.urlencode({"json": json.dumps(eval(what))}).encode())
if token:
    request.add_header("Authorization", "Basic " + base64.b64encode(b"bot:" + token.encode()).decode())
try:
    reply = urllib.request.urlopen(request)
except urllib.error.HTTPError as e:
    reply = e
print(reply.status, reply.read().decode().strip())
END_OF_PY
}

# lnt PATH EXPRESSION: as submitFileToServer() of lnt/util/ServerUtil.py does
lnt() {
	/usr/bin/python3 - "$SERVER$1" "$2" <<'END_OF_PY'
import json, sys, urllib.error, urllib.parse, urllib.request
report = {"format_version": "2", "machine": {"name": "machine-1", "cpu": "x"},
          "run": {"start_time": "2026-11-20T10:00:00", "end_time": "2026-11-20T10:00:00", "llvm_project_revision": "4711"},
          "tests": [{"name": "foo/bar", "compile_time": 9, "execution_time": [1.5, 1.25, 1.75], "execution_status": 0, "hash": "abc", "score": 7},
                    {"name": "baz", "execution_time": 2}]}
d = report
exec(sys.argv[2])
data = urllib.parse.urlencode({"input_data": json.dumps(d).encode(), "commit": "1"}).encode("ascii")
try:
    reply = urllib.request.urlopen(urllib.request.Request(sys.argv[1], data, headers={"Accept": "application/json"}))
except urllib.error.HTTPError as e:
    reply = e
body = json.loads(reply.read())
print(reply.status, body.get("success"), body.get("error"))
END_OF_PY
}

get() {
	ask "/api/v1/projects/zlib$1" -H "Authorization: Bearer $reader"
}

is 'a list is taken' "$(codespeed '[one(1, 2000.5, std_dev=1.5, min=1999, max=2002), one(1, 3, benchmark="inflate", units="MB/s", lessisbetter=False), one(2, 2001)]')" \
	'202 All result data saved successfully'
get '/history?benchmark=gcc%20-O2/deflate'
is 'as it was said, without an interval or a verdict of its own' "$(json "$T/body" '[d["metric"], d["unit"], d["better"], d["points"]["value"], d["points"]["low"], d["points"]["verdict"], d["points"]["n"]]')" \
	"['result', 'seconds', 'lower', [2000.5, 2001], [None, None], ['no-baseline', 'no-baseline'], [0, 0]]"
get '/history?benchmark=gcc%20-O2/inflate'
is 'its unit and direction, too' "$(json "$T/body" '[d["unit"], d["better"], d["points"]["value"], d["points"]["machine"]]')" "['MB/s', 'higher', [3], ['Dual Core']]"
is 'the same again is once' "$(codespeed '[one(2, 2001)]')" '202 All result data saved successfully'
get ''
is 'which was counted once' "$(json "$T/body" 'd["summaries"]')" 2
is 'a missing key is named' "$(codespeed '[dict(one(3, 1), environment="")]')" \
	'422 {"error":{"code":"range","message":"Key \"environment\" missing from request","where":null}}'
is 'another project is refused' "$(codespeed '[one(3, 1, project="other")]' | cut -c1-3)" 403
is 'with a value that is none nothing is stored' "$(codespeed '[one(3, 5), one(4, "fast")]' | cut -c1-3)" 422
get ''
is 'not of its neighbours either' "$(json "$T/body" 'd["summaries"]')" 2
good=$writer
writer=wrong
is 'a wrong password is refused' "$(codespeed '[one(5, 1)]' | cut -c1-3)" 401
writer=
is 'and none' "$(codespeed '[one(5, 1)]' | cut -c1-3)" 401
writer=$good
ask /result/add/ -u "bot:$writer" -d 'commitid=7&project=zlib&executable=gcc&benchmark=single&environment=Dual+Core&result_value=4.25&branch=default'
is 'a single result is taken, too' "$status $(cat "$T/body")" '202 All result data saved successfully'
get '/history?benchmark=gcc/single'
is 'with its value' "$(json "$T/body" 'd["points"]["value"]')" '[4.25]'
is 'numbers that a script put into quotation marks are numbers, as there' \
	"$(codespeed '[one(8, "2.5", benchmark="quoted", std_dev="0.5", min="1", max="4")]')" '202 All result data saved successfully'
get '/history?benchmark=gcc%20-O2/quoted'
is 'with their values' "$(json "$T/body" 'd["points"]["value"]')" '[2.5]'

is 'lnt submit, the token in the path' "$(lnt "/c/$writer/db_zlib/v4/nts/submitRun" '')" '200 True None'
get '/history?benchmark=foo/bar'
is 'how long it runs decides' "$(json "$T/body" '[d["metric"], d["unit"], d["points"]["value"], d["points"]["n"], d["points"]["low"]]')" "['execution_time', 's', [1.5], [3], [None]]"
get '/history?benchmark=foo/bar&metric=score'
is 'a score is better when it is higher' "$(json "$T/body" '[d["better"], d["points"]["value"]]')" "['higher', [7]]"
is 'db_default is the project of the token' "$(lnt "/c/$writer/db_default/submitRun" 'd["run"]["llvm_project_revision"] = "4712"')" '200 True None'
get /benchmarks
is 'no status is a metric' "$(json "$T/body" 'sorted({m["name"] for b in d["benchmarks"] for m in b["metrics"]})')" "['compile_time', 'execution_time', 'result', 'score']"
is 'another database is refused' "$(lnt "/c/$writer/db_other/v4/nts/submitRun" '' | cut -c1-3)" 403
is 'and an unknown token' "$(lnt "/c/pawl_s_000000000000_0000000000000000000000000000000000000000000/db_zlib/submitRun" '' | cut -c1-3)" 401
is 'another version is told' "$(lnt "/c/$writer/db_zlib/submitRun" 'd["format_version"] = "9"')" \
	"422 None {'code': 'range', 'message': '\'format_version\' must be \"2\"', 'where': None}"
ask /api/db_zlib/v4/nts/runs -H "AuthToken: $writer" -H 'Content-Type: application/json' \
	-d '{"format_version":"2","machine":{"name":"m"},"run":{"llvm_project_revision":"1"},"tests":[{"name":"t","code_size":12}]}'
is 'its API takes the report itself' "$status $(json "$T/body" 'd["success"]')" '200 True'

# Taken for none it would be the time of the post, the newest of all.
for when in '2026-11-19' '2026-11-19 05:00 +0500' '2026-11-19T00:00:00.5' '2026-11-19 00:00:00Z' '2026-11-18 23:00:00 -01' '2026-11-19 01:00:00+01:00'; do
	is "a revision of $when" "$(codespeed "[one(100, 1, benchmark='$when', revision_date='$when')]" | cut -c1-3)" 202
	get "/history?benchmark=gcc%20-O2/$(echo "$when" | sed 's/ /%20/g; s/+/%2B/')"
	is 'is of then' "$(json "$T/body" '[t[:19] for t in d["points"]["time"]]')" "['2026-11-19T00:00:00']"
done
for when in '19.11.2026' '2026-11-19x10:00:00' '2026-11-31' '2026-11-19 10:00:00 +05000' '2026-11-19 10:00:00 CET' '2026-11-19 1' ' ' 2026 \
	'2026-11-19 10:00:00                                             +0000'; do
	is "one of '$when' is refused" "$(codespeed "[one(101, 1, revision_date='$when')]")" \
		"422 {\"error\":{\"code\":\"range\",\"message\":\"'revision_date' must be a date such as 2026-11-20 10:00:00 +0100\",\"where\":null}}"
done
is 'as is a number' "$(codespeed '[one(101, 1, revision_date=1700000000)]' | cut -c1-3)" 422
is 'none is now' "$(codespeed '[one(102, 1, benchmark="now", revision_date=""), one(103, 1, benchmark="now", revision_date=None)]' | cut -c1-3)" 202
get '/history?benchmark=gcc%20-O2/now'
is 'on this day' "$(json "$T/body" '{t[:10] >= "2026-11-27" for t in d["points"]["time"]}')" '{True}'
is 'or when it was measured' "$(codespeed '[one(104, 1, benchmark="then", revision_date=None, result_date="2026-11-19 10:00")]' | cut -c1-3)" 202
get '/history?benchmark=gcc%20-O2/then'
is 'then' "$(json "$T/body" 'd["points"]["time"]')" "['2026-11-19T10:00:00Z']"
is 'which is refused, too' "$(codespeed '[one(104, 1, revision_date=None, result_date="yesterday")]' | cut -c1-3)" 422
is 'as is that of LNT' "$(lnt "/c/$writer/db_zlib/submitRun" 'd["run"]["start_time"] = "yesterday"')" \
	"422 None {'code': 'range', 'message': \"'start_time' must be a date such as 2026-11-20 10:00:00 +0100\", 'where': None}"
is 'which may have a zone' "$(lnt "/c/$writer/db_zlib/submitRun" 'd["run"].update(start_time="2026-11-19 05:00:00 +0500", llvm_project_revision="zoned")
d["tests"] = [{"name": "zoned", "score": 1}]')" '200 True None'
get '/history?benchmark=zoned'
is 'of then' "$(json "$T/body" 'd["points"]["time"]')" "['2026-11-19T00:00:00Z']"

has_step() {
	get '/alerts?benchmark=gcc%20-O2/steps'
	[ "$(json "$T/body" 'len(d["alerts"])')" = 1 ]
}
is 'a history with a step' "$(codespeed '[one(n, (2000 if n < 30 else 2200) + n * 7 % 5, benchmark="steps") for n in range(10, 40)]' | cut -c1-3)" 202
wait_for has_step
is 'is an alert that says what it is' "$(json "$T/body" '[(a["seen_by"], a["state"], round(a["ratio"], 1), a["subject"], a["low"]) for a in d["alerts"]]')" "[('change-point', 'open', 1.1, '30', None)]"
stop_server
is 'no token is in the log' "$(grep -c "${writer#pawl_s_}" "$T/requests")" 0
like 'a path is logged without' "$T/requests" 'POST /c/pawl_s_\*\*\*'
