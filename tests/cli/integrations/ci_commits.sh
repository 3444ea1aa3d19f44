# Which commits the step of a CI takes where the clone is cut, the branch is new or the event cannot be read; whose
# files count for them.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/ci.sh"

# step STATUS NAME [VARIABLE=VALUE...]
step() {
	wanted=$1
	name=$2
	shift 2
	runs "$wanted" "$name" env "$@" "$STEP"
}
# takes NAME [VARIABLE=VALUE...]: only which commits are compared is asked
takes() {
	name=$1
	shift
	step 0 "$name" PAWL_CI_FAIL_ON=never "$@"
}
pull() { # pull BASE HEAD: the event of a pull request
	printf '{"pull_request": {"base": {"sha": "%s"}, "head": {"sha": "%s"}}}' "$1" "$2" >"$T/event.json"
}
on_github='GITHUB_ACTIONS=true'
event="GITHUB_EVENT_PATH=$T/event.json"
zeros=$(printf '%040d' 0)

# ---- a merge base that a shallow clone hides ---------------------------------------------------

# The branch merged a topic that is as old as the first commit: that is nearer than where it left main.
new_repo "$T/long" && cd "$T/long" || exit 1
commit_all . 'the first commit' && git branch topic
commit_all . between
commit_all . 'where the branch left main' && git branch feature
left=$(git rev-parse HEAD)
commit_all . 'the tip of main'
tip=$(git rev-parse HEAD)
git checkout -q topic && commit_all . 'a topic' && git checkout -q feature
for i in $(seq 55); do
	git commit -q --allow-empty -m "change $i"
done
git merge -q --no-edit topic
commit_all . 'the last change'
head=$(git rev-parse HEAD)
git config uploadpack.allowAnySHA1InWant true
is 'the branch left main there' "$(git merge-base "$tip" "$head")" "$left"
git clone -q --depth 1 --branch feature "file://$T/long" "$T/cut" && cd "$T/cut" || exit 1
pull "$tip" "$head"
takes 'a clone of depth 1' "$on_github" GITHUB_EVENT_NAME=pull_request "$event"
like 'is deepened until nothing can hide the merge base' "$T/err" "comparing $left with $head"
git clone -q --depth 60 --branch feature "file://$T/long" "$T/blind" && cd "$T/blind" || exit 1
git fetch -q --depth 2 origin "$tip"
git remote set-url origin "file://$T/no-such.git"
step 5 'one that cannot be deepened' GITLAB_CI=true "CI_MERGE_REQUEST_DIFF_BASE_SHA=$tip" "CI_COMMIT_SHA=$head"
like 'is not compared with what may be the wrong commit' "$T/err" 'hint: set GIT_DEPTH: "0"'
unlike 'nor with any' "$T/err" 'comparing'

# ---- a push -----------------------------------------------------------------------------------------

new_repo "$T/main" && cd "$T/main" || exit 1
commit_all . 'on main'
commit_all . 'where it is left'
main=$(git rev-parse HEAD)
branch=$(git symbolic-ref --short HEAD)
git clone -q "$T/main" "$T/new" && cd "$T/new" && git checkout -q -b new || exit 1
for i in 1 2 3; do
	commit_all . "change $i"
done
head=$(git rev-parse HEAD)
for default in ", \"repository\": {\"default_branch\": \"$branch\"}" ''; do
	printf '{"before": "%s", "after": "%s"%s}' "$zeros" "$head" "$default" >"$T/event.json"
	takes "a new branch${default:+, where the event names the default one,}" "$on_github" GITHUB_EVENT_NAME=push "$event"
	like 'is compared with where it left the default branch' "$T/err" "comparing $main with $head"
done
takes 'GitLab: a new branch' GITLAB_CI=true "CI_COMMIT_BEFORE_SHA=$zeros" "CI_COMMIT_SHA=$head" "CI_DEFAULT_BRANCH=$branch"
like 'is compared so, too' "$T/err" "comparing $main with $head"
takes 'Jenkins: the first build of a branch' JENKINS_URL=http://ci.invalid/
like 'and so it is there' "$T/err" "comparing $main with $head"
unlike 'it is all of it' "$T/err" 'last commit alone'
git clone -q "$T/new" "$T/lost" && cd "$T/lost" && git remote remove origin || exit 1
takes 'where the default branch is not known' "$on_github" GITHUB_EVENT_NAME=push "$event"
like 'the last commit is compared' "$T/err" "comparing $(git rev-parse HEAD~1) with $head"
like 'and it says that it is no more' "$T/err" 'the last commit alone'
cd "$T/new" || exit 1
printf '{"before": "%s", "after": "%s"}' "$main" "$head" >"$T/event.json"
tools_but 'jq|python3' "$T/slim"
step 5 'an event that nothing can read' "$on_github" GITHUB_EVENT_NAME=push "$event" PATH="$T/slim"
like 'is refused with the cure' "$T/err" 'hint: install jq or python3'
unlike 'and not taken for the last commit' "$T/err" 'comparing'

# ---- Jenkins: a workspace that is kept ------------------------------------------------------------------

cd "$T/new" && git checkout -q "$branch" && git push -q "$T/main" HEAD:refs/heads/change || exit 1
cd "$T/main" && commit_all . 'later on main' && now=$(git rev-parse HEAD) || exit 1
git checkout -q change && commit_all . 'a change' && git merge -q --no-edit "$branch" && commit_all . 'and one more'
cd "$T/new" && git fetch -q origin change:refs/remotes/origin/change && git checkout -q --detach origin/change || exit 1
git update-ref "refs/remotes/origin/$branch" "$main"
takes 'Jenkins: a target that was fetched long ago' JENKINS_URL=http://ci.invalid/ "CHANGE_TARGET=$branch"
like 'is fetched again' "$T/err" "comparing $now with $(git rev-parse HEAD)"
unlike 'and nothing said' "$T/err" 'cannot be fetched'
git update-ref "refs/remotes/origin/$branch" "$main"
git remote set-url origin "$T/no-such.git"
takes 'Jenkins: where it cannot be' JENKINS_URL=http://ci.invalid/ "CHANGE_TARGET=$branch"
like 'the one that is there is taken' "$T/err" "comparing $main with $(git rev-parse HEAD)"
like 'and it says so' "$T/err" 'the target cannot be fetched now'

# ---- whose files count ----------------------------------------------------------------------------------

new_repo "$T/judged" && cd "$T/judged" || exit 1
hits 10000
commit_all . 'one counter'
base=$(git rev-parse HEAD)
git checkout -q -b slower
hits 11500
commit_all . 'more of it'
head=$(git rev-parse HEAD)
git checkout -q -b later "$base"
git mv hits.sh count.sh
sed -i 's/hits.sh/count.sh/; s/^\[pawl\]/&\n\tthreshold = 50%/' .pawlconfig
commit_all . 'another threshold and name'
target=$(git rev-parse HEAD)
git merge -q --no-edit slower || exit 1
pull "$target" "$head"
step 1 'a change whose target has another configuration since' "$on_github" GITHUB_EVENT_NAME=pull_request "$event"
like 'is compared with where it left' "$T/err" "comparing $base with $head"
like 'and judged by its own' "$T/out" 'cache/a .* regressed '
git checkout -q slower
git rm -q --cached .pawlconfig && git commit -q -m 'no configuration' || exit 1
step 0 'where the head has none, the one that is there' PAWL_CI_BASE="$head"
like 'counts, and that is said' "$T/err" 'by the .pawlconfig that is here'

# ---- a shallow clone, and what was accepted -------------------------------------------------------------

git checkout -q -f slower~1 && git checkout -q -B accepted || exit 1
runs 0 'a change is accepted' pawl accept HEAD -b cache/a --change +20% --because wanted
commit_all . 'accept it'
commit_all . 'and one more'
head=$(git rev-parse HEAD)
git config uploadpack.allowAnySHA1InWant true
printf '{"before": "%s", "after": "%s"}' "$base" "$head" >"$T/event.json"
for there in yes no; do
	git clone -q --depth 1 --branch accepted "file://$T/judged" "$T/shallow.$there" && cd "$T/shallow.$there" || exit 1
	[ "$there" = yes ] || { git fetch -q --depth 1 origin "$base" && git remote set-url origin "$T/no-such.git"; }
	step "$([ "$there" = yes ]; echo $?)" "a push from a shallow clone, origin: $there" \
		"$on_github" GITHUB_EVENT_NAME=push "$event"
	like 'what was there before is compared' "$T/err" "comparing $base with $head"
	[ "$there" = no ] || like 'and what was accepted since is accepted' "$T/out" 'regressed, accepted'
done
like 'where that cannot be seen, it says so' "$T/err" 'a change that was accepted may fail here'
