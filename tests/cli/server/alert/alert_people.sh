# Who may write says what is to become of a regression, by a form or the API; nobody else's page can.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

token() {
	"$BUILD/pawld" token add --store "$STORE" --project zlib --scope "$1"
}

# log_in SCOPE: its cookie in $cookie
log_in() {
	ask /login --data-urlencode "token=$(token "$1")"
	cookie=$(sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p' "$T/head")
}

# form N [CURL OPTION...]: the form of alert N as this browser has it, in $form
form() {
	n=$1
	shift
	ask "/p/zlib/alerts/$n" -H "Cookie: $cookie" "$@"
	form=$(sed -n 's/.*name="form" value="\([^"]*\)".*/\1/p' "$T/body")
}

# submit N OPTION...: sends it
submit() {
	n=$1
	shift
	ask "/p/zlib/alerts/$n" -H "Cookie: $cookie" --data-urlencode "form=$form" --data-urlencode 'owner=Ann <b>' \
		--data-urlencode 'note=needed' "$@"
}

# api PATH: as a program that reads
api() {
	ask "/api/v1/projects/zlib$1" -H "Authorization: Bearer $reader"
}

receive hook
printf 'key\n' >"$T/secret"
chmod 600 "$T/secret"
reader=$(token read)
writer=$(token write,read)
start_server --alert-retry 20ms || exit 1
alert add --webhook "http://127.0.0.1:$port/capability" --secret-file "$T/secret" --allow-private >/dev/null
doc one 'judged(1)'
send one -H "Authorization: Bearer $writer"
api /alerts
id=$(json "$T/body" 'd["alerts"][0]["alert"]')
is 'a regression is open' "$(json "$T/body" '[(a["state"], a["benchmark"], a["commit"][:4], a["seen_by"], a["ratio"]) for a in d["alerts"]]')" \
	"[('open', 'deflate/6', 'bbbb', 'verdict', 1.034)]"
wait_for settled 2 1
api /messages
is 'what was sent is told, but no path' "$(json "$T/body" '[(m["event"], m["state"], m["to"]) for m in d["messages"]]')" \
	"[('open', 'delivered', 'http://127.0.0.1:$port')]"
ask /p/zlib/messages
is 'not to a stranger' "$status" 401

log_in read
form "$id"
is 'who only reads gets no form' "$status" 403
log_in read,write
form "$id"
is 'who writes does' "$status ${#form}" '200 32'
own=$form
form="$(printf '%032d' 0)"
submit "$id" -d state=accepted
is 'a form that nobody was shown is refused' "$status" 403
form=$own
submit "$id" -d state=accepted -H 'Sec-Fetch-Site: cross-site'
is 'so is one of another site' "$status" 403
submit "$id" -d state=accepted -H 'Origin: https://elsewhere.example'
is 'or another origin' "$status" 403
ask "/api/v1/projects/zlib/alerts/$id?state=accepted" -X POST -H "Cookie: $cookie"
is 'the API takes no cookie' "$status" 401
submit "$id" -d state=closed
is 'a state that there is not is refused' "$status" 400
submit 99 -d state=accepted
is 'and an alert that there is not' "$status" 404
api '/alerts?state=open'
is 'nothing has changed' "$(json "$T/body" '[(a["state"], a["owner"]) for a in d["alerts"]]')" "[('open', None)]"

submit "$id" -d state=accepted -H 'Sec-Fetch-Site: same-origin'
is 'the form is taken and leads back' "$status $(sed -n 's/^Location: \([^ ]*\).$/\1/p' "$T/head")" '303 /p/zlib/alerts'
api /alerts
is 'it is accepted, by whom and why' "$(json "$T/body" '[(a["state"], a["owner"], a["note"]) for a in d["alerts"]]')" "[('accepted', 'Ann <b>', 'needed')]"
wait_for settled 2 2
is 'which is said once more' "$(of hook 2 'b["event"], b["alerts"][0]["owner"]')" "('accepted', 'Ann <b>')"
for page in 'alerts?state=all' regressions b/deflate%2F6; do
	ask "/p/zlib/$page" -H "Cookie: $cookie"
	like "$page shows it" "$T/body" ">accepted, Ann &lt;b(&gt;|>): needed</a>"
done
ask /p/zlib/messages -H "Cookie: $cookie"
like 'the page of messages, too' "$T/body" 'accepted, 1 at'
ask /api/v1/projects/zlib/retractions -H "Authorization: Bearer $(token admin)"
is 'it is in the log' "$(json "$T/body" '[(e["action"], e["id"], e["benchmark"], e["why"]) for e in d["retractions"]]')" \
	"[('alert', '$id', 'deflate/6', \"state accepted, owner 'Ann <b>', note 'needed'\")]"
is 'with who it was' "$(json "$T/body" 'len(d["retractions"][0]["who"])')" 12

ask "/api/v1/projects/zlib/alerts/$id?note=" -X POST -H "Authorization: Bearer $reader"
is 'a program that reads changes nothing' "$status" 403
ask "/api/v1/projects/zlib/alerts/$id?note=" -X POST -H "Authorization: Bearer $writer"
is 'one that writes does' "$status $(json "$T/body" 'd["changed"]')" '200 True'
ask "/api/v1/projects/zlib/alerts/$id?note=" -X POST -H "Authorization: Bearer $writer"
is 'once' "$status $(json "$T/body" 'd["changed"]')" '200 False'
submit "$id" --data-urlencode state= >/dev/null
api /alerts
is 'the form leaves what it does not say' "$(json "$T/body" '[(a["state"], a["note"]) for a in d["alerts"]]')" "[('accepted', 'needed')]"
fork=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write --untrusted)
ask "/api/v1/projects/zlib/alerts/$id?state=resolved" -X POST -H "Authorization: Bearer $fork"
is 'a token that is not trusted settles nothing' "$status" 403
ask /login --data-urlencode "token=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope read,write --untrusted)"
ask "/p/zlib/alerts/$id" -H "Cookie: $(sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p' "$T/head")"
is 'and gets no form' "$status" 403
ask "/api/v1/projects/zlib/alerts/$id?owner=a%0Ab" -X POST -H "Authorization: Bearer $writer"
is 'a line break is no name' "$status" 400

# As if it were 91 days later.
before="UPDATE message SET made_us=made_us-7862400000000, done_us=done_us-7862400000000"
stop_server
if [ "${PAWL_TEST_ENGINE:-sqlite}" = sqlite ]; then
	/usr/bin/python3 -ISc 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute(sys.argv[2])
db.commit()' "$T/server.db" "$before WHERE event=1"
else
	sql "$before WHERE event=1" >/dev/null
fi
start_server --alert-retry 20ms --budget 60s || exit 1
wait_for settled 2 1
api /messages
is 'what was delivered long ago is dropped' "$(json "$T/body" '[m["event"] for m in d["messages"]]')" "['accepted']"

ask /metrics -H "Authorization: Bearer $("$BUILD/pawld" token add --store "$STORE" --scope read)"
like 'the outbox is measured' "$T/body" '^pawld_messages_delivered_total 0$'
like 'with its age' "$T/body" '^pawld_message_age_seconds 0$'
is 'and checked' "$("$BUILD/pawld" fsck --store "$STORE" | grep -c lost)" 0
if [ "${PAWL_TEST_ENGINE:-sqlite}" = sqlite ]; then
	/usr/bin/python3 -ISc 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("DELETE FROM target")
db.commit()' "$T/server.db"
	"$BUILD/pawld" fsck --store "$STORE" >"$T/out"
	is 'what is lost is found' "$? $(grep -c "1 messages are for targets or about alerts that are lost" "$T/out")" '5 1'
fi

# More than a page looks at.
doc many '(lambda d: d.update(benchmarks=[dict(d["benchmarks"][0], name="b%d" % i) for i in range(501)]) or d)(judged(9))'
log_in read
ask /p/zlib/regressions -H "Cookie: $cookie"
unlike 'a page that looks at all alerts says nothing of it' "$T/body" 'are looked at here'
send many -H "Authorization: Bearer $writer"
is '501 more regress' "$status" 201
ask /p/zlib/regressions -H "Cookie: $cookie"
like 'it says that not all are looked at, and where they are' "$T/body" \
	'the newest 500 are looked at here: <a href="/p/zlib/alerts[?]state=all">all of it</a>'
ask '/p/zlib/alerts?state=all&benchmark=deflate/6' -H "Cookie: $cookie"
is 'those of one benchmark can be asked for' "$(grep -c '<tr><th scope="row"' "$T/body")" 1

# ---- a form that was shown before a result settled the alert ------------------------------------

doc late '(lambda d: d["benchmarks"][0].update(name="late") or d)(judged(20))'
send late -H "Authorization: Bearer $writer"
api '/alerts?benchmark=late'
late=$(json "$T/body" 'd["alerts"][0]["alert"]')
log_in read,write
form "$late"
like 'it has the state that was shown' "$T/body" '<input type="hidden" name="was" value="open">'
doc back '(lambda d: (d["benchmarks"][0].update(name="late"), d["benchmarks"][0]["metrics"][0]["delta"].update(ratio=1, ci=[0.99, 1.01], verdict="unchanged"), d.update(finished="2026-11-20T12:00:00Z")) and d)(judged(21))'
send back -H "Authorization: Bearer $writer"
submit "$late" -d state=open -d was=open
api '/alerts?benchmark=late'
is 'who names an owner opens nothing again' "$status $(json "$T/body" '[(a["state"], a["owner"]) for a in d["alerts"]]')" \
	"200 [('resolved', 'Ann <b>')]"
form "$late"
submit "$late" -d state=open -d was=resolved
api '/alerts?benchmark=late'
is 'who says so does' "$(json "$T/body" '[a["state"] for a in d["alerts"]]')" "['open']"
