# A regression is mailed: by STARTTLS with a login, or plainly on this machine; nothing from outside becomes a head.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

if ! /usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null; then
	skip 'mails' 'no python3-aiosmtpd'
	exit 0
fi
certificate good DNS:mail.localhost
certificate other DNS:elsewhere.invalid
receive plain --mail
plain=$port
receive safe --mail "$T/good.pem" "$T/good.key"
safe=$port
: >"$T/safe/login"
receive wrong --mail "$T/other.pem" "$T/other.key"
wrong=$port
receive hole
hole=$port
printf 'pawld:hunter2\n' >"$T/login"
chmod 600 "$T/login"
cat "$T/good.pem" >"$T/bundle.pem"
export CURL_CA_BUNDLE="$T/bundle.pem"
start_server --no-auth --alert-retry 20ms --alert-timeout 10s || exit 1

is 'a line break is no part of an address' "$(alert add --mail smtp://mail.example --from a@example.org \
	--to "$(printf 'b@example.org\nBcc: c@example.org')" 2>&1 | head -1)" "pawld: error: --to: 'b@example.org Bcc: c@example.org' is no address"
is 'nor is a path of a mail server' "$(alert add --mail smtp://mail.example/x --from a@example.org --to b@example.org 2>&1)" \
	'pawld: error: the address of a mail server has no path'
to="--from pawld@example.org --to ann@example.org,bob@example.org --allow-private"
# shellcheck disable=SC2086
alert add --mail "smtp://127.0.0.1:$plain" $to >/dev/null
# shellcheck disable=SC2086
alert add --mail "smtp://mail.localhost:$safe" $to --secret-file "$T/login" >/dev/null
# shellcheck disable=SC2086
alert add --mail "smtp://mail.localhost:$wrong" $to >/dev/null
# shellcheck disable=SC2086
alert add --mail "smtp://mail.localhost:$plain" $to >/dev/null
# shellcheck disable=SC2086
alert add --mail "smtp://127.0.0.1:$hole" $to >/dev/null
# shellcheck disable=SC2086
alert add --mail "smtp://nobody.invalid" $to >/dev/null
# shellcheck disable=SC2086
alert add --mail "smtp://mail.localhost:$safe" ${to% *} >/dev/null

doc one '(lambda d: d["benchmarks"][0].update(name=". =?utf-8?q?Bcc?=: y@z \u00e9") or d)(judged(1))'
send one
is 'the result is stored' "$status" 201
wait_for settled 2 2
is 'both servers got it' "$(got plain) $(got safe)" '1 1'
is 'for whom it is' "$(of plain 1 '[d["from"], d["to"]]')" "['pawld@example.org', ['ann@example.org', 'bob@example.org']]"
is 'by STARTTLS, with the login, where it leaves this machine' "$(of plain 1 'd["tls"], d["as"]') $(of safe 1 'd["tls"], d["as"]')" \
	"(False, '') (True, 'pawld')"
cat >"$T/read.py" <<'END_OF_PY'
import email, email.policy, json, sys
m = email.message_from_string(json.loads(open(sys.argv[1]).read())["body"], policy=email.policy.default)
print(sorted(m.keys()), m["subject"], sep="\n")
print(m.get_content())
END_OF_PY
/usr/bin/python3 "$T/read.py" "$T/plain/got" >"$T/mail"
is 'its head is pawld'"'"'s' "$(sed -n 1p "$T/mail")" \
	"['Auto-Submitted', 'Content-Transfer-Encoding', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To']"
is 'it says what happened' "$(sed -n 2p "$T/mail")" '[pawl] zlib: 1 benchmark regressed at bbbb456789ab'
like 'to which commit' "$T/mail" "^$B  <b>faster</b>$"
like 'and to what' "$T/mail" '^- [.] =.utf-8.q.Bcc.=: y@z é .cpu.: [+]3.40 % .[+]2.1, [+]4.7. %$'
waiting() {
	[ "$(sql 'SELECT count(*) FROM message WHERE state=1 AND fault IS NOT NULL')" = 5 ]
}
wait_for waiting
sql 'SELECT t.target_id, m.fault FROM message AS m JOIN target AS t ON t.target_id=m.target_id WHERE m.state=1 ORDER BY 1' >"$T/faults"
like 'a wrong certificate is told' "$T/faults" '^3 .*(certificate|SSL)'
like 'so is a server without STARTTLS' "$T/faults" '^4 .*(STARTTLS|SSL|TLS)'
like 'one that never answers' "$T/faults" '^5 .*timed out'
like 'a name that nobody knows' "$T/faults" '^6 .*(resolve|Could not)'
like 'and a name of this machine, where that is not allowed' "$T/faults" '^7 it leads to a private address'
store_bytes >"$T/bytes"
is 'no password is in the store or a log' "$(grep -al hunter2 "$T/bytes" "$T/pawld.err" | wc -l)" 0

printf '550\n' >"$T/plain/how"
alert test 1 >"$T/out" 2>&1
is 'a test that is refused says so' "$? $(cat "$T/out")" '5 pawld: error: target 1: the server answered 550'
