# A regression is sent to a webhook, signed, at least once and in the end once, whatever the receiver does.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

receive hook
printf 'a-secret-of-the-team\n' >"$T/secret"
chmod 600 "$T/secret"
# Nothing here is late by itself: what is sent twice was asked for.
options="--no-auth --alert-retry 20ms --alert-timeout 60s"
# shellcheck disable=SC2086
start_server $options || exit 1

is 'an address of this machine is refused' "$(alert add --webhook "http://127.0.0.1:$port/x" --secret-file "$T/secret" 2>&1 | head -1)" \
	"pawld: error: '127.0.0.1' is this machine"
is 'unless it is allowed' "$(alert add --webhook "http://127.0.0.1:$port/a?b=c" --secret-file "$T/secret" --allow-private)" 'target 1'
alert test 1 >"$T/out"
is 'a test is delivered' "$(cat "$T/out") $(of hook 1 'd["path"] + " " + b["event"]')" 'target 1: delivered /a?b=c test'

doc one 'judged(1)'
printf '500\ndrop\n429:1\n' >"$T/hook/how"
send one
is 'the result is stored' "$status" 201
wait_for settled 2 1
is 'it was sent until it was taken' "$(of hook 2 'd["how"]') $(of hook 3 'd["how"]') $(of hook 4 'd["how"]') $(of hook 5 'd["how"]') $(got hook)" '500 drop 429:1 200 5'
is 'with one id' "$(for i in 2 3 4 5; do of hook $i 'h["webhook-id"] == b["id"] and b["id"]'; done | sort -u | wc -l)" 1
is 'it says what regressed' "$(of hook 5 '[b["event"], b["project"], b["commit"], b["n_alerts"], b["alerts"][0]["benchmark"], b["alerts"][0]["ratio"]]')" \
	"['open', 'zlib', '$B', 1, 'deflate/6', 1.034]"

# The check of docs/howto/alerts.md.
{
	echo 'import base64, hashlib, hmac, json, sys, time'
	sed -n '/^```python/,/^```/p' "$ROOT/docs/howto/alerts.md" | grep -v '^```'
	cat <<'END_OF_PY'
d = json.loads(open(sys.argv[1]).read().splitlines()[4])
body = d["body"].encode()
print(is_from_pawld(b"a-secret-of-the-team", d["head"], body), is_from_pawld(b"another", d["head"], body),
      is_from_pawld(b"a-secret-of-the-team", d["head"], body + b" "))
END_OF_PY
} >"$T/check.py"
is 'and is signed' "$(/usr/bin/python3 "$T/check.py" "$T/hook/got")" 'True False False'

send one
doc again 'dict(judged(1), id="01JD0000000000000000000003")'
send again
is 'the same change is stored' "$status" 201
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000003" >/dev/null
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001" >/dev/null
wait_for settled 2 2
is 'and said once; its retraction, once' "$(got hook) $(of hook 6 '[b["event"], b["alerts"][0]["why"]]')" \
	"6 ['resolved', 'its result was retracted']"

# A receiver that is not nice.
curl -sS -X POST "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001/restore" >/dev/null
wait_for settled 2 3
echo redirect >"$T/hook/how"
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001" >/dev/null
wait_for settled 2 4
is 'a redirection is not followed' "$(got hook) $(of hook 8 'd["how"]') $(of hook 9 'd["path"]')" '9 redirect /a?b=c'
printf 'huge\n' >"$T/hook/how"
curl -sS -X POST "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001/restore" >/dev/null
wait_for settled 2 5
is 'an answer of 1 GB is cut off: its first line counts' "$(got hook) $(of hook 10 'd["how"]')" '10 huge'
check 'in little memory' [ "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$SERVER_PID/status")" -lt 65536 ]
printf 'heads\n' >"$T/hook/how"
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001" >/dev/null
wait_for settled 2 6
is 'so is a head without end, which says nothing' "$(of hook 11 'd["how"]') $(of hook 12 'd["how"]')" 'heads 200'
printf '400\n' >"$T/hook/how"
curl -sS -X POST "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001/restore" >/dev/null
wait_for settled 3 1
is 'what will never be taken has failed at once' "$(sql 'SELECT fault, tries FROM message WHERE state=3')" 'the server answered 400 1'
like 'which pawld says' "$T/pawld.err" "to target 1 of project 'zlib': the server answered 400"

# A black hole, killed in the middle: what had begun is tried again once its time is over.
stop_server
options="--no-auth --alert-retry 20ms --alert-timeout 2s"
# shellcheck disable=SC2086
start_server $options || exit 1
printf 'hang\n' >"$T/hook/how"
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001" >/dev/null
wait_for got_at_least hook 14
doc two 'summary(5)'
send two
is 'who never answers holds up no post' "$status" 201
kill -9 "$SERVER_PID"
wait "$SERVER_PID" 2>/dev/null
forget "$SERVER_PID"
# shellcheck disable=SC2086
start_server $options || exit 1
wait_for settled 2 7
is 'killed while it sends, it sends again, with the same id' "$(of hook 15 'h["webhook-id"]')" "$(of hook 14 'h["webhook-id"]')"
is 'and in the end all were sent' "$(sql 'SELECT state, count(*) FROM message GROUP BY state ORDER BY state' | tr '\n' ' ')" '2 7 3 1 '
store_bytes >"$T/bytes"
check 'the secret is in no log and not in the store' sh -c "! grep -aq a-secret '$T/pawld.err' '$T/pawld.out' '$T/bytes'"
kill "$SERVER_PID"
wait "$SERVER_PID"
is 'it ends as asked' $? 0
