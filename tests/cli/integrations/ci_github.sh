# The files for GitHub Actions, run as the runner runs them: the real script, variables and documents.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/ci.sh"

W=$ROOT/tests/helpers/workflow.py
if [ ! -e /usr/lib/python3/dist-packages/yaml ]; then
	skip 'the files for GitHub Actions' 'python3-yaml is not installed'
	exit
fi
check 'nothing is in a script that an expression could fill, no secret meets a change' \
	$python "$W" check "$ROOT"/ci/github/*.yml "$ROOT/ci/github/setup/action.yml"
if command -v yamllint >/dev/null; then
	check 'yamllint finds nothing' yamllint -s -c "$ROOT/ci/.yamllint" "$ROOT/ci/github" "$ROOT/ci/gitlab"
else
	skip 'yamllint finds nothing' 'yamllint is not installed'
fi
for tool in actionlint zizmor; do
	if command -v $tool >/dev/null; then
		check "$tool finds nothing" $tool "$ROOT"/ci/github/*.yml
	else
		skip "$tool finds nothing" "$tool is not installed, and Debian has none"
	fi
done

new_origin

# event BASE HEAD NAME: the document of a pull request, with a branch of that name
event() {
	$python - "$1" "$2" "$3" >"$T/event.json" <<'END'
import json
import os
import sys
base, head, name = sys.argv[1:]
print(json.dumps({'number': 7, 'pull_request': {
    'title': name, 'base': {'sha': base, 'ref': 'main'},
    'head': {'sha': head, 'ref': os.fsencode(name).decode('utf-8', 'replace'),
             'repo': {'full_name': 'stranger/fork'}}}}))
END
}

# act STATUS NAME [VARIABLE=VALUE...]: the step "Compare" of action.yml in this folder; the inputs
# are in $inputs as JSON
inputs='{}'
act() {
	wanted=$1
	title=$2
	shift 2
	rm -rf "$T/runner" && mkdir "$T/runner"
	: >"$T/summary" && : >"$T/output"
	GITHUB_OUTPUT=$T/output
	env GITHUB_ACTIONS=true CI=true GITHUB_EVENT_NAME=pull_request \
		"GITHUB_EVENT_PATH=$T/event.json" "GITHUB_STEP_SUMMARY=$T/summary" \
		"GITHUB_OUTPUT=$T/output" "GITHUB_ACTION_PATH=$ROOT/ci/github" \
		"RUNNER_TEMP=$T/runner" GITHUB_BASE_REF=main GITHUB_REF=refs/pull/7/merge \
		"GITHUB_SHA=$merge" "$@" \
		$python "$W" run "$ROOT/ci/github/action.yml" Compare "$inputs" runner.temp "$T/runner" \
		>"$T/log" 2>&1
	got=$?
	is "$title" "$got" "$wanted"
	[ "$got" -eq "$wanted" ] || sed 's/^/# /' "$T/log"
	commands "$T/log" >"$T/commands"
}

# ---- a pull request --------------------------------------------------------------------------

event "$tip" "$change" feature
checkout "$T/whole" refs/pull/7/merge
git fetch -q origin '+refs/heads/*:refs/remotes/origin/*'
act 1 'a pull request with a regression fails'
like 'what the branch did since it left main is compared' "$T/log" "comparing $first with $change"
like 'the summary has the table' "$T/summary" '^\|.*work.*regressed'
is 'the verdict is an output' "$(given verdict) $(given status)" 'regressed 1'
is 'and so are the commits' "$(given base) $(given head)" "$first $change"
check 'the reports are where the output says' [ -s "$(given reports)/report.html" ]
like 'the regression is annotated' "$T/commands" '^::error title=pawl%3A work'
is 'and nothing else is a command' "$(grep -vc '^::error title=pawl' "$T/commands")" 0
inputs='{"inputs.fail-on": "never"}'
act 0 'told not to, it does not fail'
like 'the summary is there all the same' "$T/summary" 'regressed'
like 'and the annotation is a warning' "$T/commands" '^::warning title=pawl%3A work'
inputs='{"inputs.fail-on": "failure", "inputs.threshold": "90%"}'
act 0 'inputs reach pawl'
is 'such as the threshold' "$(json "$(given reports)/summary.json" 'd["settings"]["threshold"]')" 0.9
inputs='{}'

# ---- how it was checked out ------------------------------------------------------------------

if [ -n "${PAWL_TEST_SLOW:-}" ]; then
	checkout "$T/depth2" refs/pull/7/merge --depth=2
	act 1 'a shallow clone is deepened'
	like 'to where both parted' "$T/log" "comparing $first with $change"
fi
checkout "$T/depth1" refs/pull/7/merge --depth=1
act 1 'a clone of depth 1 is deepened'
like 'to where both parted' "$T/log" "comparing $first with $change"
checkout "$T/cut" refs/pull/7/merge --depth=2
git remote set-url origin "file://$T/no-such.git"
act 1 'without a way to fetch, the merge itself is compared'
like 'with its target' "$T/log" "comparing $tip with $merge"
like 'and it says so' "$T/log" 'the change merged into its target'
checkout "$T/nothing" refs/pull/7/merge --depth=1
git remote set-url origin "file://$T/no-such.git"
act 5 'with neither it fails'
like 'and says how to have both' "$T/log" 'hint: set fetch-depth: 0 at actions/checkout'
like 'also in the summary' "$T/summary" 'pawl could not compare'
is 'the verdict is an error' "$(given verdict)" error
cd "$T/whole" || exit 1
act 1 'without jq and python the merge tells' "GITHUB_EVENT_PATH=$T/no-event.json"
like 'what belongs together' "$T/log" "comparing $tip with $merge"

# ---- a fork, with hostile names ----------------------------------------------------------------

i=0
for branch in 'zzz";echo${IFS}"hello";#' "$(printf 'a\n::add-mask::work')" 'x$(touch${IFS}pwned)' \
	"$(printf 'x\377y')" '%0A::set-output name=verdict::passed'; do
	i=$((i + 1))
	[ "$i" -le 1 ] || slow_only "hostile name $i of a branch is only a name" || continue
	event "$tip" "$change" "$branch"
	act 1 "hostile name $i of a branch is only a name" "GITHUB_HEAD_REF=$branch" \
		"PAWL_CI_UNUSED=$branch"
	unlike "and is nowhere in the log" "$T/log" 'hello|pwned|add-mask|set-output'
done
for bad in '$(touch pwned)' '--output=pwned' "$first
verdict<<x" 'HEAD'; do
	inputs=$($python -c 'import json, sys; print(json.dumps({"inputs.base": sys.argv[1]}))' "$bad")
	act 2 'an input that is no id is refused'
	unlike 'and is no command' "$T/commands" '.'
done
inputs='{}'
printf '{"pull_request": {"base": {"sha": "$(touch pwned)"}, "head": {"sha": ["x"]}}}' >"$T/event.json"
act 1 'ids of an event that are none do not count'
like 'the merge does' "$T/log" "comparing $tip with $merge"
printf '{"pull_request":' >"$T/event.json"
act 1 'nor half an event'
is 'nothing was executed' "$(find "$T" -name 'pwned*')" ''

# ---- what the change prints --------------------------------------------------------------------

cd "$T/author" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = make && { ./loud.sh || true; }
	runs = 12..12
	minTime = 1ms
[benchmark "work"]
	command = build/bench
[benchmark "::error title=x::evil%0A"]
	command = ./loud.sh
END
printf '#!/bin/sh\n' >loud.sh
chmod +x loud.sh
commit_all . 'a quiet benchmark'
inputs="{\"inputs.base\": \"$(git rev-parse HEAD)\"}"
cat >loud.sh <<'END'
#!/bin/sh
for word in '::error::from a benchmark' '::add-mask::regressed' '::set-env name=PATH::/evil' \
	'##[error]from a benchmark' '::stop-commands::x' "::$(date +%N)::"; do
	echo "$word"
	echo "$word" >&2
done
[ -z "$GITHUB_ENV$GITHUB_OUTPUT$GITHUB_PATH" ] || echo seen >&2
exit 3
END
commit_all . 'a loud change'
loud=$(git rev-parse HEAD)
git push -q "$T/origin.git" HEAD:refs/pull/8/head
event "$tip" "$loud" loud
checkout "$T/loud" refs/pull/8/head
git fetch -q origin '+refs/heads/*:refs/remotes/origin/*'
act 4 'a benchmark that fails, with words for the runner'
unlike 'none of which is a command' "$T/commands" 'from a benchmark|add-mask|set-env|stop-commands|^::error title=x'
like 'its failure is annotated' "$T/commands" '^::error title=pawl%3A .*evil%250A'
unlike 'the runner is told to listen again' "$T/commands" 'never resumed'
unlike 'and no file of the runner was within its reach' "$T/log" '^seen'
inputs='{}'

# ---- other events ------------------------------------------------------------------------------

cd "$T/whole" || exit 1
act 2 'pull_request_target is refused' GITHUB_EVENT_NAME=pull_request_target
like 'with what to do' "$T/log" 'post-trusted.yml'
act 2 'and so is workflow_run' GITHUB_EVENT_NAME=workflow_run
printf '{"before": "%s", "after": "%s"}' "$first" "$change" >"$T/event.json"
act 1 'a push is compared with what was there' GITHUB_EVENT_NAME=push
like 'by its event' "$T/log" "comparing $first with $change"
printf '{"before": "%040d", "after": "%s"}' 0 "$change" >"$T/event.json"
git checkout -q --detach "$change"
act 1 'a new branch with its parent' GITHUB_EVENT_NAME=push
like 'as nothing was there' "$T/log" "comparing $first with $change"
printf '{"merge_group": {"base_sha": "%s", "head_sha": "%s"}}' "$tip" "$merge" >"$T/event.json"
act 1 'a merge queue' GITHUB_EVENT_NAME=merge_group
like 'is compared with its base' "$T/log" "comparing $tip with $merge"
act 1 'by hand, HEAD with its parent' GITHUB_EVENT_NAME=workflow_dispatch

# ---- a long summary ------------------------------------------------------------------------------

event "$tip" "$change" feature
act 1 'a summary that others wrote before'
head -c 1047900 /dev/zero | tr '\0' x >"$T/full"
act 1 'where there is no room any more' "GITHUB_STEP_SUMMARY=$T/full"
check 'nothing is lost' [ "$(wc -c <"$T/full")" -lt 1048576 ]
like 'and the reader is told' "$T/full" 'among the artifacts'

# ---- job 2: it posts what job 1 left, as what the event says -------------------------------------

event "$tip" "$change" feature
inputs='{"inputs.fail-on": "never"}'
act 0 'job 1 of two leaves a document'
start_server || exit 1
fork=$("$BUILD/pawld" token add --store "sqlite:$T/server.db" --project demo --scope write --untrusted)
mkdir -p "$T/job2/pawl-untrusted" && cp "$(given reports)/summary.json" "$T/job2/pawl-untrusted/"
post() { # post STATUS NAME SHA
	(cd "$T/job2" && $python "$W" run "$ROOT/ci/github/post-trusted.yml" Post '{}' runner.temp "$T/job2" \
		github.event.workflow_run.head_sha "$3" \
		github.event.workflow_run.head_repository.full_name stranger/fork \
		github.event.workflow_run.head_branch 'zzz";echo${IFS}"hello";#' \
		vars.PAWL_PROJECT demo vars.PAWL_SERVER "$SERVER" secrets.PAWL_UNTRUSTED_TOKEN "$fork") >"$T/log" 2>&1
	is "$2" "$?" "$1"
}
post 5 'job 2 refuses a document of another commit' "$tip"
like 'and says so' "$T/log" "is of commit $change, not of $tip"
post 0 'job 2 posts it without a repository' "$change"
like 'as untrusted' "$T/log" 'kept apart as untrusted'
unlike 'whatever the branch is called' "$T/log" '^hello'

# ---- or comments on the pull request with it ------------------------------------------------------

start_forge
printf '{"next": 1, "comments": [], "statuses": [], "pulls": [%s]}' \
	'{"number": 7, "state": "open", "fork": true, "sha": "'"$change"'"}' >"$FORGE_DIR/state.json"
comment() { # comment STATUS NAME HEAD
	(cd "$T/job2" && env GITHUB_ACTIONS=true "GITHUB_API_URL=$FORGE/api/v3" \
		GITHUB_REPOSITORY=team/zlib GITHUB_REF=refs/heads/main \
		$python "$W" run "$ROOT/ci/github/comment-trusted.yml" Comment '{}' runner.temp "$T/job2" \
		github.event.workflow_run.html_url https://github.com/team/zlib/actions/runs/5 \
		github.event.workflow_run.head_sha "$3" github.token job-token) >"$T/log" 2>&1
	is "$2" "$?" "$1"
}
comment 5 'job 2 comments on no document of another commit' "$tip"
comment 0 'job 2 comments without a repository' "$change"
comment 0 'and again' "$change"
is 'there is one comment, on the pull request of that commit' \
	"$(json "$FORGE_DIR/state.json" '[(c["number"], c["by"]) for c in d["comments"]]')" \
	"[(7, 'github-actions[bot]')]"
is 'and a status of the commit' \
	"$(json "$FORGE_DIR/state.json" '[(s["sha"], s["state"]) for s in d["statuses"]][0]')" \
	"('$change', 'failure')"
is 'that leads to the run that measured' "$(json "$FORGE_DIR/state.json" 'd["statuses"][0]["link"]')" \
	'https://github.com/team/zlib/actions/runs/5'
unlike 'the token is in no log' "$T/log" 'job-token'

# ---- the main branch: four parts, joined and posted by a job that runs no benchmark --------------

trusted=$("$BUILD/pawld" token add --store "sqlite:$T/server.db" --project demo --scope write)
main() { # main STATUS NAME STEP [PART [FILE]]
	[ -z "${4:-}" ] || mkdir -p "$T/main/parts/pawl-part-$4"
	env GITHUB_RUN_ID=17 GITHUB_SHA="$change" GITHUB_REF_NAME=main "GITHUB_STEP_SUMMARY=$T/summary" \
		"RUNNER_TEMP=$T/main${4:+/parts/pawl-part-$4}" \
		$python "$W" run "$ROOT/ci/github/${5:-main.yml}" "$3" '{}' matrix.part "${4:-}" \
		vars.PAWL_SERVER "$SERVER" secrets.PAWL_TOKEN "$trusted" >"$T/log" 2>&1
	is "$2" "$?" "$1"
}
cd "$T/whole" || exit 1
git checkout -q --detach "$change"
: >"$T/summary"
rm -rf .git/pawl
main 0 'the main branch is measured for a site' Measure - site.yml
main 0 'and the site is made' 'Make the pages' - site.yml
like 'with the benchmark' public/index.html 'work'
first=$(git rev-list --first-parent --max-count=100 HEAD | tail -n 1)
runs 0 'another runner of that kind goes on with it' env PAWL_POOL=hosted pawl backfill "$first..HEAD" --points 20
like 'and measures nothing again' "$T/out" ' 0 comparisons now'
new_young "$T/young" 60
main 0 'where most commits had no benchmark yet' Measure - site.yml
like 'those are measured that have' "$T/log" '^2 commits, 1 step measured side by side'
cd "$T/whole" || exit 1
for part in 1 2 3 4; do
	rm -rf .git/pawl
	main 0 "part $part of main is measured" Collect $part
done
like 'each tells that it is one' "$T/summary" 'part 4 of 4 of the suite'
rm -rf .git/pawl
main 0 'their times are kept for the next run' 'Keep the times for the next run'
is 'of all four' "$(grep -c 'stored as' "$T/log")" 4
main 0 'and all are posted' Post
is 'by one token' "$(grep -c 'posted to' "$T/log")" 4
stop_server
