# What the server says of itself, as Prometheus and its like read it.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1
doc one 'summary(1)'
doc two 'summary(2)'
send one
send two
send one
doc conflict 'dict(summary(1), pawl="x")'
send conflict
ask /nothing
ask /metrics -H 'Accept: application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.3'
is 'metrics are 200' "$status" 200
like 'of the type of OpenMetrics' "$T/head" '^Content-Type: application/openmetrics-text; version=1.0.0'
is 'and end as it says' "$(tail -n 1 "$T/body")" '# EOF'
like 'summaries are counted' "$T/body" '^pawld_summaries_total\{result="created"\} 2$'
like 'by what became of them' "$T/body" '^pawld_summaries_total\{result="same"\} 1$'
like 'conflicts, too' "$T/body" '^pawld_summaries_total\{result="conflict"\} 1$'
like 'requests are counted by their status' "$T/body" '^pawld_requests_total\{status="4xx"\} 2$'
is 'and by their time, each once' \
	"$(sed -n 's/^pawld_request_duration_seconds_\(bucket{le="+Inf"}\|count\) //p' "$T/body" | tr '\n' ' ')" '5 5 '
# What the server asks of its own writer, such as whether an alert is over, is in it for a moment.
queue_is_empty() {
	ask /metrics -H 'Accept: application/openmetrics-text;version=1.0.0'
	grep -q '^pawld_queue 0$' "$T/body"
}
check 'the queue is empty' wait_for queue_is_empty
# families: how many there are; each line is a comment, or a sample of a name that was told before
families() {
	/usr/bin/python3 -ISc 'import re, sys
told = {}
for line in open(sys.argv[1]):
    if line.startswith("# TYPE "): told[line.split()[2]] = line.split()[3]
    elif line.startswith("#"): continue
    else:
        name, labels, value = re.fullmatch(r"([a-z_]+)(\{[a-z]+=\"[^\"]*\"\})? ([0-9.]+)\n", line).groups()
        base = re.sub(r"_(total|bucket|sum|count)$", "", name) if name not in told else name
        kind = told[base]
        assert (kind == "counter") == name.endswith("_total"), line
        assert (kind == "histogram") == (base != name and not name.endswith("_total")), line
print(len(told))' "$1"
}
n_families=$(families "$T/body")
check "each line is a comment or a sample of a name that was told ($n_families)" [ "$n_families" -ge 15 ]
samples_of() {
	grep -v '^#' "$1" | sed 's/[^ ]*$//'
}
samples_of "$T/body" >"$T/open"
metrics 'a reader of OpenMetrics takes it' "$T/body"
ask /metrics
like 'who does not ask for OpenMetrics gets the format of before' "$T/head" '^Content-Type: text/plain; version=0.0.4'
samples_of "$T/body" >"$T/plain"
check 'of the same samples' cmp "$T/open" "$T/plain"
is 'and as many families' "$(families "$T/body")" "$n_families"
like 'each counter with its full name' "$T/body" '^# HELP pawld_requests_total Requests answered'
unlike 'and nothing that only OpenMetrics has' "$T/body" '^# (EOF|UNIT)'
metrics 'Prometheus takes it' "$T/body"

# scraped NAME QUERY WANTED: what Prometheus answers, once it has read the server
scraped() {
	wait_for sh -c 'curl -sS -G --data-urlencode "query=$2" "http://127.0.0.1:$1/api/v1/query" >"$3" 2>&1 &&
		grep -q "\"result\":\[{" "$3"' sh "$port" "$2" "$T/answer"
	is "$1" "$(json "$T/answer" "d['data']['result'][0]['value'][1]")" "$3"
}
if command -v prometheus >/dev/null 2>&1; then
	port=$(free_ports | cut -d ' ' -f 1)
	cat >"$T/prometheus.yml" <<-END
		global: {scrape_interval: 1s, scrape_timeout: 1s}
		scrape_configs:
		  - job_name: pawld
		    static_configs: [{targets: ['${SERVER#http://}']}]
	END
	prometheus --config.file="$T/prometheus.yml" --storage.tsdb.path="$T/prometheus" \
		--web.listen-address="127.0.0.1:$port" >"$T/prometheus.log" 2>&1 &
	to_stop="$to_stop $!"
	scraped 'Prometheus scrapes it' 'max_over_time(up{job="pawld"}[1h])' 1
	scraped 'and knows how many summaries were stored' 'pawld_summaries_total{result="created"}' 2
	scraped 'and how long requests take' 'pawld_request_duration_seconds_bucket{le="+Inf"} > bool 0' 1
else
	skip 'Prometheus scrapes it' 'prometheus is not installed'
fi
stop_server
start_server || exit 1
ask /metrics
is 'they need a token that reads' "$status" 401
for which in '--project zlib --scope read' '--scope read'; do
	# shellcheck disable=SC2086
	"$BUILD/pawld" token add --store "$STORE" $which >"$T/token"
	ask /metrics -H "Authorization: Bearer $(cat "$T/token")"
	echo "$status" >>"$T/statuses"
done
is 'of all projects, since the figures are' "$(tr '\n' ' ' <"$T/statuses")" '403 200 '
stop_server

exit 0
