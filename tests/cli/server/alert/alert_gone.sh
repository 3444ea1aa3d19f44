# What is open on a branch that nobody posts to any more is closed, and open again with its next result.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

# change SQL: of a store that nobody serves
change() {
	if [ "${PAWL_TEST_ENGINE:-sqlite}" = sqlite ]; then
		/usr/bin/python3 -ISc 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute(sys.argv[2])
db.commit()' "$T/server.db" "$1"
	else
		sql "$1" >/dev/null
	fi
}

# alerts EXPRESSION PARAMETERS: of each of them, a
alerts() {
	ask "/api/v1/projects/zlib/alerts?$2"
	json "$T/body" "[$1 for a in d['alerts']]"
}

gone() {
	[ "$(alerts 'a["alert"]' state=gone)" != '[]' ]
}

for bad in 0 3651 often; do
	"$BUILD/pawld" --listen 127.0.0.1:0 --store "$STORE" --alert-gone "$bad" >/dev/null 2>"$T/err"
	is "$bad is no number of days" "$? $(head -1 "$T/err")" "2 pawld: error: '$bad' is neither never nor a number from 1 to 3650"
done

receive hook
printf 'key\n' >"$T/secret"
chmod 600 "$T/secret"
options='--no-auth --alert-retry 20ms --budget 60s'
# shellcheck disable=SC2086
start_server $options || exit 1
alert add --webhook "http://127.0.0.1:$port/" --secret-file "$T/secret" --allow-private >/dev/null
topic='(lambda d: d["commit"].update(branch="topic") or d)'
doc topic "$topic(judged(1))"
send topic
doc main 'summary(2, "d" * 40)'
send main
is 'a regression is open on a branch' "$status $(alerts '(a["branch"], a["state"])' state=open)" "201 [('topic', 'open')]"
wait_for settled 2 1 # else it is sent once more
stop_server

# As if the first result were three days old, and the second one and a half.
change "UPDATE run SET received_us=received_us-259200000000 WHERE branch='topic'"
change "UPDATE run SET received_us=received_us-129600000000 WHERE branch='main'"
# shellcheck disable=SC2086
start_server $options --alert-gone 1 || exit 1
wait_for gone
is 'a day on which others came closes it' "$(alerts '(a["branch"], a["state"], a["why"])' '')" \
	"[('topic', 'gone', 'no result of its branch on 1 day on which others came')]"
wait_for got_at_least hook 2
is 'a webhook is told' "$(of hook 2 'b["event"], b["alerts"][0]["state"]')" "('gone', 'gone')"
ask '/p/zlib/alerts?state=gone'
like 'the page has it' "$T/body" '>gone</a> <span class="soft">.no result of its branch'
like 'by its state' "$T/body" '<option selected>gone</option>'
ask '/p/zlib/alerts'
unlike 'it is not among what is open' "$T/body" 'no result of its branch'
doc again "$topic(judged(3))"
send again
is 'the same change there is the same alert' "$status $(alerts '(a["state"], a["why"])' '')" \
	"201 [('open', 'its branch has results again')]"
wait_for got_at_least hook 3
is 'which is said' "$(of hook 3 'b["event"]')" 'open'
number=$(alerts 'a["alert"]' '' | tr -d '[]')
ask "/api/v1/projects/zlib/alerts/$number?state=gone" -X POST
is 'a job that removes the branch may say so' "$status $(json "$T/body" 'd["changed"]') $(alerts 'a["state"]' '')" "200 True ['gone']"
