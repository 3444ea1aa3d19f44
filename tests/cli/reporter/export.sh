# pawl export: what other trackers get, read by them or by a reader that is not ours.
. "$(dirname "$0")/../../lib.sh"

python='/usr/bin/python3 -IS'
unset PAWL_TOKEN PAWL_EXPORT_TOKEN
export GIT_CONFIG_NOSYSTEM=1

# repo DIR KIND: a repository of three commits, of which the last has a result of that kind
repo() {
	new_repo "$1"
	(
		cd "$1" || exit 1
		commit_all . one
		commit_all . two
		commit_all . three
		mkdir -p .git/pawl
		$python "$ROOT/tests/helpers/summaries.py" "$(git rev-parse HEAD)" \
			"$(git rev-parse HEAD~1)" "$2" | "$BUILD/helpers/results" .git/pawl/results.db
	)
}
repo "$T/each" each
repo "$T/hostile" hostile
cd "$T/each" || exit 1
head=$(git rev-parse HEAD)

# give NAME [DIR]: the file of that form
give() {
	(cd "${2-$T/each}" && pawl export --project proj --format "$1" -q -o "$T/$1")
}

# here NAME DOCUMENT EXPRESSION WANTED
here() {
	is "$1" "$(json "$2" "$3" 2>&1)" "$4"
}

# ---- files, by the forms' own words --------------------------------------------------------

for kind in each hostile; do
	for form in json csv bencher codespeed lnt github-action-benchmark influx pushgateway \
		google benchstat; do
		check "$kind: $form" give $form "$T/$kind"
	done
	for form in json bencher codespeed lnt github-action-benchmark google; do
		check "$kind: $form is JSON" $python -c \
			'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' "$T/$form"
	done
	check "$kind: csv" $python "$ROOT/tests/helpers/look.py" csv "$T/csv"
	# the grammar of golang.org/design/14313-benchmark-format, and nothing that is no line of it
	is "$kind: benchstat has only lines of its grammar" "$(grep -Evc \
		-e '^[a-z][a-z-]*:( .*)?$' -e '^Unit [^ ]+ better=higher$' \
		-e '^Benchmark[^a-z[:space:]][^[:space:]]*	[0-9]+(	[0-9.e+-]+ [^[:space:]]+)+$' \
		"$T/benchstat")" 0
	metrics "$kind: Prometheus takes the metrics" "$T/pushgateway"
	cp "$T/google" "$T/google.$kind"
done

# ---- what came from Go goes back as it was --------------------------------------------------------

new_repo "$T/go" && cd "$T/go" && commit_all . one || exit 1
go=$ROOT/tests/data/foreign/go-count.txt
runs 0 'a result of Go is imported' pawl import "$go"
runs 0 'and exported for benchstat' pawl export --format benchstat
# names without the number of processors, then the units
words() {
	awk '/^Benchmark/ { sub(/-[0-9]+$/, "", $1); print $1; for (i = 4; i <= NF; i += 2) print $i }' "$1" |
		sort -u
}
is 'with the same names and units' "$(words "$T/out")" "$(words "$go")"
cd "$T/each" || exit 1

for form in bencher codespeed lnt github-action-benchmark google benchstat csv json; do
	give $form
done
here 'bencher: a measure is a value between two' "$T/bencher" \
	'all(m["lower_value"] <= m["value"] <= m["upper_value"] for b in d.values() for m in b.values())' \
	True
here 'bencher: wall time is its latency' "$T/bencher" 'sorted(d["crc32"])' \
	"['cpu', 'instructions', 'latency', 'peak-rss']"
here 'codespeed: all that it asks for' "$T/codespeed" \
	'all(r[k] != "" for r in d for k in ("commitid", "branch", "project", "executable", "benchmark", "environment", "result_value"))' \
	True
here 'codespeed: the gate goes by the plain name' "$T/codespeed" \
	'[r["units_title"] for r in d if r["benchmark"] == "crc32"]' "['cpu']"
here 'lnt: the format and the order' "$T/lnt" \
	'd["format_version"] + " " + d["run"]["llvm_project_revision"] + " " + d["run"]["start_time"]' \
	"2 1795168800.$((0x$(git -C "$T/each" rev-parse HEAD | cut -c 1-7))) 2026-11-20T10:00:00"
here 'lnt: seconds, and all samples' "$T/lnt" \
	'[(len(t["execution_time"]), 0.001 < t["execution_time"][0] < 0.004) for t in d["tests"] if t["name"] == "crc32"]' \
	'[(20, True)]'
here 'lnt: what failed is said' "$T/lnt" \
	'[t["name"] for t in d["tests"] if t.get("execution_status")]' "['broken', 'slow']"
here 'github-action-benchmark: name, unit, value' "$T/github-action-benchmark" \
	'all(set(e) == {"name", "unit", "value", "range"} and type(e["value"]) in (int, float) for e in d)' \
	True
here 'google: a repetition a run' "$T/google" \
	'[len([b for b in d["benchmarks"] if b["name"] == "crc32"]), d["benchmarks"][0]["time_unit"]]' \
	"[20, 'ns']"
here 'json: one document a line' "$T/json" 'd["commit"]["id"]' "$head"

# A time that stands for the other is none when it is read again.
new_repo "$T/wall"
cd "$T/wall" || exit 1
commit_all . one
check 'wall time alone' pawl import -q --no-push "$ROOT/tests/data/foreign/hyperfine.json"
pawl export --format google -q -o "$T/wall.json"
commit_all . two
runs 0 'as google-benchmark has it' pawl import --no-push --json "$T/wall.json"
is 'is wall time alone again' "$(json "$T/out" 'sorted({m["name"] for b in d["benchmarks"] for m in b["metrics"]} & {"cpu", "wall"})')" "['wall']"
is 'and decides' "$(json "$T/out" '{b["gate"] for b in d["benchmarks"]}')" "{'wall'}"
cd "$T/each" || exit 1

# google-benchmark's own reader
tools=/usr/share/benchmark
if [ -f "$tools/compare.py" ] && /usr/bin/python3 -c 'import scipy' 2>/dev/null; then
	runs 0 "google-benchmark's compare.py reads it" /usr/bin/python3 "$tools/compare.py" --no-color \
		benchmarks "$T/google.each" "$T/google.each"
	like 'and tests the runs' "$T/out" '^crc32_pvalue .*U Test, Repetitions: 20 vs 20'
	runs 0 'with hostile names too' /usr/bin/python3 "$tools/compare.py" --no-color benchmarks \
		"$T/google.hostile" "$T/google.hostile"
else
	skip "google-benchmark's compare.py reads it" 'libbenchmark-tools or scipy is not installed'
fi

# ---- posted to whom it may concern ---------------------------------------------------------

$python "$ROOT/tests/helpers/http/record.py" "$T/record" >"$T/port" &
to_stop="$to_stop $!"
wait_for [ -s "$T/port" ]
url=http://127.0.0.1:$(cat "$T/port")

# sent EXPRESSION: of the last request, r
sent() {
	tail -n 1 "$T/record" >"$T/last"
	json "$T/last" "(lambda r: $1)(d)" 2>&1
}
# post NAME [OPTION...]: to the recorder
post() {
	form=$1
	shift
	pawl export --project proj --format "$form" --to "$url" "$@"
}

runs 0 'a dry run sends nothing' post influx --dry-run
check 'nothing' [ ! -s "$T/record" ]
like 'it shows the request' "$T/out" '^POST http://127.0.0.1:[0-9]*/write\?db=pawl$'
like 'and the body' "$T/out" '^pawl,benchmark=deflate/6,'
runs 0 'a dry run shows no token' env PAWL_EXPORT_TOKEN=canary sh -c \
	'pawl export --project proj --format influx --to "$1" --dry-run' sh "$url"
unlike 'neither' "$T/out" canary
like 'only that there is one' "$T/out" '^Authorization: \(the token, not shown\)$'
runs 0 'a dry run shows no password of the address' pawl export --project proj --format influx \
	--to "$url/write?db=pawl&u=canary&p=canary=canary&token=canary&canary;db=x;p=canary&rp=week" --dry-run
unlike 'of none of its values' "$T/out" canary
like 'what is none is shown' "$T/out" '/write\?db=pawl&u=\*\*\*&p=\*\*\*&token=\*\*\*&\*\*\*;db=x;p=\*\*\*&rp=week$'

runs 0 'bencher' env PAWL_TOKEN=canary PAWL_EXPORT_TOKEN=t0k sh -c \
	'pawl export --project proj --format bencher --to "$1"' sh "$url"
is 'to its path' "$(sent 'r["method"] + " " + r["path"]')" 'POST /v0/run'
is 'with its own token' "$(sent 'r["headers"]["authorization"]')" 'Bearer t0k'
unlike "never with the results server's" "$T/record" canary
is 'as a run of the commit' "$(sent '(lambda b: [b["hash"], b["branch"], b["settings"], sorted(json.loads(b["results"][0]))[0]])(json.loads(r["body"]))')" \
	"['$head', 'main', {'adapter': 'json'}, 'adler32']"

runs 0 'codespeed' post codespeed
is 'to its path' "$(sent 'r["method"] + " " + r["path"]')" 'POST /result/add/json/'
is 'as a form' "$(sent 'len(json.loads(__import__("urllib.parse").parse.parse_qs(r["body"], strict_parsing=True)["json"][0]))')" \
	"$(json "$T/codespeed" 'len(d)')"
is 'nobody is asked for a token' "$(sent 'r["headers"].get("authorization")')" None

PAWL_EXPORT_TOKEN=t0k runs 0 'lnt' post lnt
is 'to its path, with its header' \
	"$(sent '[r["path"], r["headers"]["authtoken"], "authorization" in r["headers"]]')" \
	"['/api/db_default/v4/nts/runs', 't0k', False]"
runs 6 'a 301 without a run is no answer of lnt' \
	pawl export --project proj --format lnt --to "$url/301/runs"
PAWL_EXPORT_TOKEN=me:secret runs 0 'user and password' post pushgateway
is 'are Basic' "$(sent 'r["headers"]["authorization"]')" 'Basic bWU6c2VjcmV0'
is 'the group is project and machine' "$(sent 'r["method"] + " " + r["path"]')" \
	'PUT /metrics/job/pawl/project@base64/cHJvag==/machine@base64/MDEyMzQ1Njc4OWFiY2RlZg=='
runs 0 'an address with a path is taken as it is' \
	pawl export --project proj --format influx --to "$url/api/v2/write?org=o&bucket=b"
is 'with its query' "$(sent 'r["path"]')" '/api/v2/write?org=o&bucket=b'
unlike 'which is not repeated' "$T/err" 'bucket=b'

# ---- refused -------------------------------------------------------------------------------

runs 6 'what the server refuses is not delivered' \
	pawl export --project proj --format influx --to "$url/400/write"
like 'its words are told, harmless and on one line' "$T/err" \
	'answered HTTP 400: \{"error": "no\?\[2Jthanks"\}$'
like 'and a cure' "$T/err" '^hint: --dry-run shows what was sent'
runs 6 'a redirection is not followed' \
	pawl export --project proj --format influx --to "$url/302/write"
runs 6 'neither is 301 a success elsewhere' \
	pawl export --project proj --format influx --to "$url/301/write"
runs 6 'without a token' pawl export --project proj --format influx --to "$url/401/write"
like 'it says where to put one' "$T/err" 'PAWL_EXPORT_TOKEN'
runs 6 'nobody there' pawl export --project proj --format influx --to http://127.0.0.1:1
n=$(wc -l <"$T/record")
runs 2 'plain http to another machine' \
	pawl export --project proj --format influx --to http://192.0.2.1:8086
like 'would show the token' "$T/err" 'insecureHttp'
runs 2 'a password in the address' \
	pawl export --project proj --format influx --to "http://u:canary@127.0.0.1:1"
unlike 'is not repeated' "$T/err" canary
runs 2 'a query that a shell would split' \
	pawl export --project proj --format influx --to "$url/write?db=a b"
runs 2 'a form for files' post google
runs 2 'an unknown form' post sarif
like 'those there are' "$T/err" '^hint: the formats are: json, csv, bencher, '
runs 2 'no form' pawl export
runs 2 'a dry run of a file' pawl export --format influx --dry-run
is 'nothing was sent by any of these' "$(wc -l <"$T/record")" "$n"
runs 5 'a commit without a result' pawl export --project proj --format influx HEAD~1
like 'says what makes one' "$T/err" "run 'pawl collect'"

# ---- several commits -----------------------------------------------------------------------

$python "$ROOT/tests/helpers/summaries.py" "$(git rev-parse HEAD~1)" "$(git rev-parse HEAD~2)" many 3 |
	"$BUILD/helpers/results" .git/pawl/results.db
runs 0 'a stream of several' pawl export --project proj --format csv HEAD~2..
is 'csv: one row of titles' "$(grep -c '^project,' "$T/out")" 1
is 'csv: both commits' "$(cut -d , -f 2 "$T/out" | sort -u | wc -l)" 3
runs 2 'a file of one commit' pawl export --project proj --format google HEAD~2..
n=$(wc -l <"$T/record")
runs 0 'posted one by one' post lnt HEAD~2..
is 'the oldest first' "$(tail -n +$((n + 1)) "$T/record" | $python -c \
	'import json, sys; print([json.loads(json.loads(l)["body"])["run"]["git_sha"] for l in sys.stdin])')" \
	"['$(git rev-parse HEAD~1)', '$head']"
like 'and counted' "$T/err" "posted 2 results to '$url'"

# ---- the real servers ----------------------------------------------------------------------

# ask URL: an answer on stdout
ask() {
	$python -c 'import sys, urllib.request as u; sys.stdout.write(u.urlopen(u.Request(sys.argv[1], method=sys.argv[2]), timeout=300).read().decode())' \
		"$1" "${2-GET}"
}
# up URL: whether a server comes up there
up() {
	wait_for ask "$1" >/dev/null 2>&1
}

if command -v prometheus-pushgateway >/dev/null; then
	port=$(free_ports | cut -d " " -f 1)
	prometheus-pushgateway --web.listen-address="127.0.0.1:$port" >"$T/gateway.log" 2>&1 &
	to_stop="$to_stop $!"
	up "http://127.0.0.1:$port/-/ready"
	result $? 'the Pushgateway is up' "$(tail -n 20 "$T/gateway.log")"
	for kind in each hostile; do
		runs 0 "$kind: the Pushgateway takes it" sh -c 'cd "$1" && pawl export --project proj \
			--format pushgateway --to "$2"' sh "$T/$kind" "http://127.0.0.1:$port"
		ask "http://127.0.0.1:$port/metrics" >"$T/metrics"
		like "$kind: a push without fault" "$T/metrics" \
			'^push_failure_time_seconds\{.*project="proj"\} 0$'
	done
	like 'the hostile ones replaced the others' "$T/metrics" \
		'pawl_verdict\{benchmark="a\\"b.c&d".*job="pawl".*project="proj",verdict="regressed"\} 1'
	unlike 'as one group' "$T/metrics" 'benchmark="crc32"'
else
	skip 'the Pushgateway takes it' 'prometheus-pushgateway is not installed'
fi

if command -v influxd >/dev/null; then
	ports=$(free_ports)
	port=${ports#* }
	cat >"$T/influx.conf" <<END
reporting-disabled = true
bind-address = "127.0.0.1:${ports% *}"
[meta]
  dir = "$T/influxdb/meta"
[data]
  dir = "$T/influxdb/data"
  wal-dir = "$T/influxdb/wal"
[http]
  bind-address = "127.0.0.1:$port"
END
	influxd -config "$T/influx.conf" >"$T/influx.log" 2>&1 &
	to_stop="$to_stop $!"
	db=http://127.0.0.1:$port
	up "$db/ping"
	result $? 'InfluxDB is up' "$(tail -n 20 "$T/influx.log")"
	runs 6 'a database that is not there' pawl export --project proj --format influx --to "$db"
	like 'InfluxDB says so' "$T/err" 'HTTP 404: .*database not found'
	ask "$db/query?q=CREATE%20DATABASE%20pawl" POST >/dev/null
	for kind in each hostile; do
		runs 0 "$kind: InfluxDB takes every line" sh -c 'cd "$1" && pawl export --project proj \
			--format influx --to "$2"' sh "$T/$kind" "$db"
	done
	ask "$db/query?db=pawl&q=SHOW%20TAG%20VALUES%20WITH%20KEY%20%3D%20benchmark" >"$T/tags"
	here 'InfluxDB: no name was lost or split' "$T/tags" \
		'len(d["results"][0]["series"][0]["values"])' 25
	here 'InfluxDB: a name with its comma and blanks' "$T/tags" \
		'"comma, space = equals" in [v[1] for v in d["results"][0]["series"][0]["values"]]' True
	here 'InfluxDB: a backslash at the end is not its escape' "$T/tags" \
		'"back%5Cslash%5C" in [v[1] for v in d["results"][0]["series"][0]["values"]]' True
	count="$db/query?db=pawl&q=SELECT%20count(median)%20FROM%20pawl"
	ask "$count" >"$T/before"
	pawl export --project proj --format influx --to "$db" -q
	ask "$count" >"$T/after"
	is 'InfluxDB: sent again it is no other' "$(cat "$T/after")" "$(cat "$T/before")"
else
	skip 'InfluxDB takes it' 'influxd is not installed'
fi
