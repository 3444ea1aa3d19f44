# A benchmark that gets slower by 0.2 % a commit, which no verdict calls: one alert, on the page, in JSON and sent.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

# results FROM TO: a line each of those commits, measured against the one before; from the 60th on it creeps
results() {
	/usr/bin/python3 -ISB -c "
import sys; sys.path.append('$ROOT/tests/helpers')
from posts import *
def name(n):
    return '%08x' % n + 'c' * 32
for n in range($1, $2):
    d = summary(n, name(n + 1), '2026-11-20T10:%02d:%02dZ' % divmod(n, 60))
    d['commit']['parents'] = [name(n)]
    d['baseline'] = {'commit': name(n), 'how': 'rerun', 'why': None}
    level = 1000 * 1.002 ** max(0, n - 60) * (1 + 0.0002 * ((n * 7919 + n * n * 104729) % 61 - 30))
    d['benchmarks'][0]['metrics'] = [metric('cpu', level)]
    d['benchmarks'][0]['metrics'][0]['delta'] = {'ratio': 1.002, 'ci': [0.996, 1.008],
        'confidence': 0.95, 'p': 0.4, 'p_adjusted': 0.4, 'verdict': 'unchanged'}
    print(json.dumps(d))
" >"$T/results"
}

# post FROM TO: all at once
post() {
	results "$@"
	ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/results"
}

alerts() {
	ask /api/v1/projects/zlib/alerts
	json "$T/body" "[$1 for a in d['alerts']]"
}

mails=0
receive hook
hook=$port
if /usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null; then
	mails=1
	receive plain --mail
fi
printf 'key\n' >"$T/secret"
chmod 600 "$T/secret"
start_server --no-auth --alert-retry 20ms --budget 60s || exit 1
alert add --webhook "http://127.0.0.1:$hook/" --secret-file "$T/secret" --allow-private >/dev/null
alert add --webhook "http://127.0.0.1:$hook/verdicts" --secret-file "$T/secret" --allow-private --verdicts-only >/dev/null
[ "$mails" = 0 ] || alert add --mail "smtp://127.0.0.1:$port" --from a@example.org --to b@example.org --allow-private >/dev/null
post 0 130
is 'results without a change are posted' "$status $(grep -c '"status":201' "$T/body")" '200 130'
wait_for got_at_least hook 1
is 'a webhook is told' "$(of hook 1 'b["event"], b["n_alerts"], b["alerts"][0]["seen_by"]')" "('open', 1, 'creep')"
is 'it is one alert, from a commit to the newest' \
	"$(alerts '(a["state"], a["seen_by"], int(a["commit"][:8], 16), 50 < int(a["base"][:8], 16) < 100, 1.05 < a["low"] < a["ratio"] < a["high"] < 1.25)')" \
	"[('open', 'creep', 130, True, True)]"
base=$(alerts 'a["base"]' | tr -d "[]'")
ask /p/zlib/alerts
like 'the page has it' "$T/body" ', by many small steps <a href="/p/zlib/compare[?]base='"$base"
ask "$(sed -n 's/.*by many small steps <a href="\([^"]*\)".*/\1/p' "$T/body" | sed 's/&amp;/\&/g')"
is 'with a link that compares both ends' "$status" 200
if [ "$mails" = 1 ]; then
	wait_for got_at_least plain 1
	/usr/bin/python3 -ISc 'import email, email.policy, json, sys
print(email.message_from_string(json.loads(open(sys.argv[1]).read())["body"], policy=email.policy.default).get_content())' "$T/plain/got" >"$T/mail"
	like 'a mail says it' "$T/mail" ', by many small steps since '"$(printf '%.12s' "$base")"': not measured side by side'
else
	skip 'a mail says it' 'no python3-aiosmtpd'
fi
post 130 170
doc last 'summary(9999, "e" * 40, "2026-11-21T10:00:00Z")'
send last
settled_twice() {
	[ "$(sql 'SELECT count(*) FROM project WHERE watched>=(SELECT max(run_id) FROM run)')" = 1 ]
}
wait_for settled_twice
is 'which goes on and is not said again' "$(alerts '(a["state"], a["seen_by"])') $(got hook)" "[('open', 'creep')] 1"
