# What is not delivered is told and can be posted later: what a proxy or the server refused, and what
# never got into the queue.  Nothing is measured here: other harnesses' results are imported.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

data=$ROOT/tests/data/foreign
new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tproject = zlib\n' >.pawlconfig
commit_all . one
runs 0 'a result from before there was a server' pawl import "$data/google-single.json"
begin_bad_server --modes ok

git config pawl.server "$BAD_URL/413-html"
runs 0 'a push with an empty queue' pawl push
unlike 'does not say that nothing is there' "$T/err" 'nothing is queued'
like 'but what was never queued, and how' "$T/err" '1 stored result was never queued.*pawl push --all'
pawl doctor >"$T/out" 2>&1
like 'doctor counts it' "$T/out" 'queue +0 to be posted, 0 refused by the server, 1 never queued'
like 'with its cure' "$T/out" 'pawl push --all'
runs 6 'push --all posts it' pawl push --all --require-push
like 'what a proxy refused stays queued' "$T/err" '1 summary still queued: HTTP 413, but not from pawld'
like 'with what to do' "$T/err" 'client_max_body_size'
pawl doctor >"$T/out" 2>&1
like 'doctor counts it there' "$T/out" 'queue +1 to be posted, 0 refused by the server, 0 never queued'

git config pawl.server "$BAD_URL/422"
runs 0 'what pawld refuses' pawl push
like 'is set aside, and told' "$T/err" 'the server refused 1 summary'
runs 0 'the next push' pawl push
unlike 'does not say that nothing is there either' "$T/err" 'nothing is queued'
like 'but that one is set aside' "$T/err" '1 that the server refused earlier is set aside'
like 'and how to post it' "$T/err" '^hint: .*pawl push --again'
pawl doctor >"$T/out" 2>&1
like 'doctor counts it, too' "$T/out" 'queue +0 to be posted, 1 refused by the server, 0 never queued'

git config pawl.server "$BAD_URL/ok"
runs 0 'push --again' pawl push --again --require-push
like 'posts it' "$T/err" 'posted 1 summary to'
runs 0 'and then' pawl push --again --all
like 'nothing is queued' "$T/err" 'nothing is queued for the server'
runs 2 'neither is for a file' pawl push --again --file x --commit "$(git rev-parse HEAD)"
kill "$BAD_PID"
wait "$BAD_PID" 2>/dev/null
forget "$BAD_PID"

# What pawl makes of other harnesses' documents, a real pawld takes.
for file in "$data"/*; do
	PAWL_SERVER='' pawl import --no-push "$file" >/dev/null 2>&1 && echo "$file"
done >"$T/imported"
imported=$(wc -l <"$T/imported")
check "of the documents here many are imported ($imported)" [ "$imported" -ge 10 ]
start_server --no-auth || exit 1
git config pawl.server "$SERVER"
runs 0 'all of them are posted' pawl push --all --require-push
like 'and none refused' "$T/err" '^pawl: posted [0-9]+ summaries to'
unlike 'none at all' "$T/err" 'refused'
stop_server

exit 0
