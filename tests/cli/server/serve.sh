# The main job end to end: collect, queue, post to a real pawld, ask the server back.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server || exit 1
token=$(pawl token add --store "$STORE" --project demo --scope write,read --label test)
result $? 'a token is made'
new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tproject = demo\n\truns = 12..12\n\tminTime = 1ms\n[benchmark "work"]\n\tcommand = ./work\n' >.pawlconfig
printf '/work\n' >.gitignore
build_work work 1000
commit_all . 'one'
git config pawl.server "$SERVER"

get() {
	curl -sS -H "Authorization: Bearer $token" -o "$T/got" -w '%{http_code}' "$SERVER/api/v1/$1"
}

runs 0 'without a token the result is kept' pawl collect
like 'and the warning names the cure' "$T/err" 'PAWL_TOKEN'
runs 6 'with --require-push that is status 6' pawl collect --require-push
PAWL_TOKEN=$token
export PAWL_TOKEN
runs 0 'pawl push delivers what is queued' pawl push
is 'the server lists the project' "$(get projects)" 200
like 'by name' "$T/got" '"demo"'
runs 0 'nothing is left to push' pawl push --require-push

build_work work 40000
commit_all . 'two'
runs 1 'a regression is status 1' pawl collect --require-push
is 'the server has the history' "$(get 'projects/demo/history?benchmark=work/chain')" 200
like 'with both commits' "$T/got" "$(git rev-parse HEAD)"
like 'of both' "$T/got" "$(git rev-parse HEAD~1)"
pawl report --json >"$T/doc.json"
id=$(json "$T/doc.json" 'd["id"]')
is 'one summary can be had' "$(get "projects/demo/summaries/$id")" 200
is 'it is the document that was stored' "$(json "$T/got" 'd["id"]')" "$id"
valid 'and it fits the schema' "$T/got"
is 'the comparison of both commits' \
	"$(get "projects/demo/compare?base=$(git rev-parse HEAD~1)&head=$(git rev-parse HEAD)")" 200
like 'tells the verdict' "$T/got" 'regressed'
unlike 'the token is in no file of the repository' .git/config "$token"
check 'nor in the store' sh -c "! grep -aq '$token' .git/pawl/results.db"
stop_server
is 'the server ends cleanly' "$SERVER_STATUS" 0
runs 1 'with the server down the verdict stands' pawl collect
like 'the result is kept' "$T/err" 'pawl push'
runs 6 'pushing says it was not delivered' pawl push --require-push --wait 1s
