# A regression makes its commit red on GitHub, GitLab and Gitea, and green once nothing at it is open.
. "$(dirname "$0")/../../../lib.sh"
. "$ROOT/tests/server.sh"
. "$ROOT/tests/receiver.sh"

start_forge
printf 'good-token\n' >"$T/token"
printf 'bad-token\n' >"$T/bad"
chmod 600 "$T/token" "$T/bad"
start_server --no-auth --alert-retry 20ms || exit 1
is 'a token over plain http is refused' "$(alert add --status gitea --url http://git.example --repository team/zlib \
	--secret-file "$T/token" 2>&1 | head -1)" "pawld: error: plain http to 'git.example' would show the token to the network"
chmod 604 "$T/token"
is 'and one that everybody may read' "$(alert add --status gitea --url "$FORGE" --repository team/zlib --allow-private \
	--secret-file "$T/token" 2>&1 | head -1)" "pawld: error: everybody may read the secret in '$T/token'"
chmod 600 "$T/token"
for forge in github gitlab gitea; do
	alert add --status $forge --url "$FORGE" --repository team/zlib --allow-private --secret-file "$T/token" >/dev/null
done
alert add --status gitea --url "$FORGE" --repository team/zlib --allow-private --secret-file "$T/bad" >/dev/null
is 'a test with a wrong token says so' "$(alert test 4 --commit $A 2>&1)" 'pawld: error: target 4: the server answered 401'
is 'a test wants a commit' "$(alert test 1 2>&1)" 'pawld: error: --commit is missing: which one gets the status'
is 'removed it is gone' "$(alert remove 4; alert remove 4 2>&1)" "$(printf "target 4: removed\npawld: error: project 'zlib' has no target 4")"

statuses() {
	json "$FORGE_DIR/state.json" '[(s["sha"][:4], s["state"], s["name"], s["description"]) for s in d["statuses"]]'
}
doc one '(lambda d: d["benchmarks"].append(dict(d["benchmarks"][0], name="inflate")) or d)(judged(1))'
send one
wait_for settled 2 3
is 'the commit is red everywhere' "$(statuses)" "[('bbbb', 'failure', 'pawld', 'zlib: 2 benchmarks regressed at bbbb456789ab'), \
('bbbb', 'failed', 'pawld', 'zlib: 2 benchmarks regressed at bbbb456789ab'), ('bbbb', 'failure', 'pawld', 'zlib: 2 benchmarks regressed at bbbb456789ab')]"
doc more '(lambda d: d["benchmarks"][0].update(name="crc") or d)(judged(2))'
send more
wait_for settled 2 6
is 'one more counts with them' "$(json "$FORGE_DIR/state.json" '[s["description"] for s in d["statuses"][3:]]')" \
	"['zlib: 3 benchmarks regressed at bbbb456789ab', 'zlib: 3 benchmarks regressed at bbbb456789ab', 'zlib: 3 benchmarks regressed at bbbb456789ab']"
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000002" >/dev/null
wait_for settled 2 9
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001?benchmark=inflate" >/dev/null
wait_for settled 2 12
is 'it stays red while one is open' "$(json "$FORGE_DIR/state.json" '[(s["state"], s["description"]) for s in d["statuses"][9:]]')" \
	"[('failure', 'zlib: 1 benchmark regressed at bbbb456789ab'), ('failed', 'zlib: 1 benchmark regressed at bbbb456789ab'), ('failure', 'zlib: 1 benchmark regressed at bbbb456789ab')]"
curl -sS -X DELETE "$SERVER/api/v1/projects/zlib/summaries/01JD0000000000000000000001" >/dev/null
wait_for settled 2 15
is 'and is green when none is' "$(json "$FORGE_DIR/state.json" '[(s["state"], s["description"]) for s in d["statuses"][12:]]')" \
	"[('success', 'zlib: 1 benchmark resolved at bbbb456789ab'), ('success', 'zlib: 1 benchmark resolved at bbbb456789ab'), ('success', 'zlib: 1 benchmark resolved at bbbb456789ab')]"
