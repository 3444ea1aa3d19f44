# pawl doctor: what is in order and what is not, each fault with its cure.
. "$(dirname "$0")/../../lib.sh"

cd "$T" || exit 1
runs 5 'outside of a repository' pawl doctor
like 'that is a fault' "$T/out" '^!! repository +.*no git repository'
like 'and the machine is looked at all the same' "$T/out" '^ok machine '
new_repo "$T/repo"
cd "$T/repo" || exit 1
runs 5 'a repository without a commit' pawl doctor
like 'is a fault with the cure' "$T/out" 'has no commit yet'
git commit -q --allow-empty -m one
runs 0 'an empty repository has no fault' pawl doctor
like 'without benchmarks' "$T/out" '^-- benchmarks +none is configured'
like 'whose cure is pawl init' "$T/out" 'cure: pawl init'
like 'without a build' "$T/out" '^-- build +cannot tell how'
like 'without a parent' "$T/out" '^-- repository +there is nothing to compare with yet'
like 'nothing is posted' "$T/out" '^ok server +none is named: nothing is posted'
like 'no hook' "$T/out" '^ok hook +pre-push is not installed'
check 'nothing is written into the work tree' [ -z "$(git status --porcelain)" ]
runs 2 'an argument is refused' pawl doctor all

new_work_repo "$T/work"
cd "$T/work" || exit 1
set_work 100 one
set_work 200 two
pawl collect -q >/dev/null 2>&1 <<END
END
runs 0 'a repository that is in order' pawl doctor
like 'tells its benchmarks' "$T/out" "^ok benchmarks +1 configured, the first is 'work'"
like 'its build' "$T/out" '^ok build +make'
like 'its store' "$T/out" '^ok store +1 result, 0 damaged'
like 'and ends with no fault' "$T/out" '^no fault$'
runs 0 'as JSON' pawl doctor --json
is 'it is a document' "$(json "$T/out" 'd["schema"], d["faults"]')" "('pawl.doctor/1', 0)"
is 'in which every fault has a cure' \
	"$(json "$T/out" 'all(f["cure"] for f in d["findings"] if f["state"] == "fault")')" True

# ---- faults ---------------------------------------------------------------------------------

dd if=/dev/zero of=.git/pawl/results.db bs=1 seek=20 count=64 conv=notrunc 2>/dev/null
runs 5 'a damaged store is a fault' pawl doctor
like 'with its cure' "$T/out" 'cure: .*pawl fsck --repair'
rm -f .git/pawl/results.db*
git config pawl.runs many
runs 5 'a fault of the configuration' pawl doctor
like 'is told with its place' "$T/out" '^!! configuration +git config \(local\): bad value'
git config --unset pawl.runs
git config pawl.server http://127.0.0.1:9
runs 5 'a server that is not there' pawl doctor
like 'is told with its address' "$T/out" "^!! server +'http://127.0.0.1:9'"
like 'and what to do' "$T/out" 'cure: see that it runs'
git config pawl.server https://pawl.invalid
runs 5 'a proxy' env https_proxy=http://me:canary@127.0.0.1:9 pawl doctor
like 'is told' "$T/out" "^ok server +asked through the proxy '127.0.0.1:9' of https_proxy"
unlike 'without its own password' "$T/out" 'canary'
start_server
git config pawl.server "$SERVER"
runs 5 'a server that wants a token' pawl doctor
like 'is told' "$T/out" 'does not take the token \(401: '
token=$("$BUILD/pawld" token add --store "sqlite:$T/server.db" --project demo --scope write)
runs 0 'with the token' env PAWL_TOKEN="$token" pawl doctor
like 'it is in order' "$T/out" "^ok server +'$SERVER' answers and takes the token"
unlike 'and the token is shown nowhere' "$T/out" "$token"
for scope in write read,write admin; do
	other=$("$BUILD/pawld" token add --store "sqlite:$T/server.db" --project other --scope "$scope")
	runs 5 "with a token of another project, $scope" env PAWL_TOKEN="$other" pawl doctor
	like 'it is not' "$T/out" "^!! server +'$SERVER' answers, but does not take the token \\(403: the token"
	like 'with the cure' "$T/out" "cure: set PAWL_TOKEN to a token that may post results of project 'demo'"
done
other=$("$BUILD/pawld" token add --store "sqlite:$T/server.db" --project demo --scope read)
runs 5 'with one that only reads' env PAWL_TOKEN="$other" pawl doctor
like 'it is not, either' "$T/out" "does not take the token \\(403: the token's scope does not allow this\\)"
git init -q "$T/unborn"
git -C "$T/unborn" config pawl.server "$SERVER"
git -C "$T/unborn" config pawl.project demo
(cd "$T/unborn" && PAWL_TOKEN="$token" pawl doctor) >"$T/out"
like 'before the first commit, too, the token is asked for' "$T/out" "^ok server +'$SERVER' answers and takes the token"
is 'nothing was stored there' "$(curl -s -H "Authorization: Bearer $token" "$SERVER/api/v1/projects" | grep -c demo)" 0
git config --unset pawl.server
pawl hook install >/dev/null
chmod -x .git/hooks/pre-push
runs 5 'a hook that is not executable' pawl doctor
like 'is a fault' "$T/out" 'cure: pawl hook install'
