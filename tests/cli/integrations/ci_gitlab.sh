# The file for GitLab CI: its very lines, with the variables that GitLab sets.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/ci.sh"

W=$ROOT/tests/helpers/workflow.py
F=$ROOT/ci/gitlab/pawl.gitlab-ci.yml
if [ ! -e /usr/lib/python3/dist-packages/yaml ]; then
	skip 'the file for GitLab CI' 'python3-yaml is not installed'
	exit
fi
new_origin

# job STATUS NAME JOB [VARIABLE=VALUE...]: runs the job's lines as GitLab's runner does, one shell
job() {
	wanted=$1
	title=$2
	lines=$T/lines.$3
	[ -s "$lines" ] || $python "$W" gitlab "$F" "$3" | sed "s#/usr/share/pawl/ci#$ROOT/ci#" >"$lines"
	shift 3
	runs "$wanted" "$title" env GITLAB_CI=true CI=true PAWL_CI_REPORTS=pawl-report \
		CI_JOB_TOKEN=hush "$@" sh -e "$lines"
}
mr() {
	wanted=$1
	title=$2
	shift 2
	job "$wanted" "$title" pawl CI_PIPELINE_SOURCE=merge_request_event \
		"CI_MERGE_REQUEST_DIFF_BASE_SHA=$first" "CI_COMMIT_SHA=$change" "$@"
}

# ---- merge requests ----------------------------------------------------------------------------

git clone -q "file://$T/origin.git" "$T/mr" && cd "$T/mr" && git checkout -q --detach "$change"
mr 1 'a merge request with a regression fails'
like 'base and head are GitLab'"'"'s' "$T/err" "comparing $first with $change"
unlike 'no command of another CI is in the log' "$T/out" '^::'
for report in junit codequality metrics; do
	path=$($python -c 'import sys; sys.path.append("/usr/lib/python3/dist-packages"); import yaml
print(yaml.safe_load(open(sys.argv[1]))["pawl"]["artifacts"]["reports"][sys.argv[2]])' "$F" $report)
	check "the report $report is where the file says" [ -s "$path" ]
done
like 'the test failed' pawl-report/junit.xml '<testsuites [^>]*failures="1"'
is 'code quality is a list of one' "$($python "$ROOT/tests/helpers/look.py" codequality pawl-report/codequality.json)" 1
is 'the metrics end as they have to' "$(tail -n 1 pawl-report/metrics.txt)" '# EOF'
mr 0 'the policy decides' PAWL_CI_FAIL_ON=never
like 'not what is shown' pawl-report/junit.xml 'failures="1"'

# merged results: CI_COMMIT_SHA is the merge, the branch has a variable of its own
git fetch -q origin refs/pull/7/merge && git checkout -q --detach FETCH_HEAD
mr 1 'merged results' "CI_COMMIT_SHA=$merge" "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=$change"
like 'are about the branch' "$T/err" "comparing $first with $change"

# ---- a release, where the image has no pawl ----------------------------------------------------------

mkdir -p "$T/release/pawl-9/bin" "$T/image"
printf '#!/bin/sh\necho "pawl of the release: $1"\n' >"$T/release/pawl-9/bin/pawl" && chmod +x "$T/release/pawl-9/bin/pawl"
tar -C "$T/release" -czf "$T/release/pawl.tar.gz" pawl-9
sum=$(sha256sum "$T/release/pawl.tar.gz" | cut -d ' ' -f 1)
for tool in sh mktemp curl sha256sum tar gzip echo git tail mkdir env chmod id cat; do
	path=$(PATH=/usr/local/bin:/usr/bin:/bin command -v $tool) && ln -sf "$path" "$T/image/$tool"
done
job 2 'an image without pawl' pawl PATH="$T/image"
like 'and the cure is said' "$T/err" '^pawl is not in the image: install it there, or set PAWL_CI_URL and PAWL_CI_SHA256$'
job 0 'where the image has no pawl, a release is installed' pages PATH="$T/image" PAWL_PAGES_COMMITS=2 \
	PAWL_PAGES_POINTS=2 PAWL_PAGES_BUDGET=1s "PAWL_CI_URL=file://$T/release/pawl.tar.gz" "PAWL_CI_SHA256=$sum"
like 'and used' "$T/out" '^pawl of the release: site'
job 1 'another sum is refused' pages PATH="$T/image" "PAWL_CI_URL=file://$T/release/pawl.tar.gz" \
	"PAWL_CI_SHA256=$(printf '0%.0s' $(seq 64))"
unlike 'and nothing of it is run' "$T/out" 'of the release'
# What apt-get would do: what is there then is pawl.
cat >"$T/image/apt-get" <<'END'
#!/bin/sh
for each; do
	case $each in *.deb) cat "$each" >>"${0%/*}/pawl" ;; esac
done
chmod +x "${0%/*}/pawl"
END
printf '#!/bin/sh\nexec "$@"\n' >"$T/image/sudo"
chmod +x "$T/image/apt-get" "$T/image/sudo"
printf '#!/bin/sh\n' >"$T/release/libpawl0_9.deb"
echo 'echo "pawl of the packages: $1"' >"$T/release/pawl_9.deb"
urls="file://$T/release/libpawl0_9.deb file://$T/release/pawl_9.deb"
sums=$(sha256sum "$T"/release/*_9.deb | cut -d ' ' -f 1 | paste -sd ' ')
for wrong in "${sums%% *}" "${sums#* } ${sums%% *}" "${sums#* }" ''; do
	job 1 'packages with other sums are refused' pages PATH="$T/image" "PAWL_CI_URL=$urls" "PAWL_CI_SHA256=$wrong"
	check 'and none is installed' [ ! -e "$T/image/pawl" ]
done
job 0 'Debian packages are installed by their sums' pages PATH="$T/image" PAWL_PAGES_COMMITS=2 \
	PAWL_PAGES_POINTS=2 PAWL_PAGES_BUDGET=1s "PAWL_CI_URL=$urls" "PAWL_CI_SHA256=$sums"
like 'and used as well' "$T/out" '^pawl of the packages: site'

# ---- shallow clones, hostile names ---------------------------------------------------------------

git init -q "$T/shallow" && cd "$T/shallow" || exit 1
git remote add origin "file://$T/origin.git"
git fetch -q --depth=1 origin "$change" && git checkout -q --detach FETCH_HEAD
mr 1 'a clone of depth 1 is deepened'
like 'to the base' "$T/err" "comparing $first with $change"
rm -rf "$T/shallow" && git init -q "$T/shallow" && cd "$T/shallow" || exit 1
git remote add origin "file://$T/origin.git"
git fetch -q --depth=1 origin "$change" && git checkout -q --detach FETCH_HEAD
git remote set-url origin "file://$T/no-such.git"
mr 5 'where nothing can be fetched it fails'
like 'and says what to set' "$T/err" 'hint: set GIT_DEPTH: "0"'
cd "$T/mr" || exit 1
i=0
for branch in 'zzz";echo${IFS}"hello";#' 'x$(touch${IFS}pwned)' "$(printf 'x\377y')"; do
	i=$((i + 1))
	[ "$i" -eq 2 ] || slow_only "hostile name $i of a branch is only a name" || continue
	mr 1 'a hostile name of a branch is only a name' "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=$branch" \
		"CI_COMMIT_REF_NAME=$branch" "CI_MERGE_REQUEST_TITLE=$branch"
	cat "$T/out" "$T/err" >"$T/log"
	unlike 'that nobody reads' "$T/log" 'hello|pwned'
done
mr 1 'a base that is a command does not count' 'CI_MERGE_REQUEST_DIFF_BASE_SHA=$(touch pwned)' \
	"CI_COMMIT_BEFORE_SHA=$first"
is 'nothing was executed' "$(find "$T" -name 'pwned*')" ''

# ---- the comment ---------------------------------------------------------------------------------

mkdir -p "$T/comment/pawl-report" && cp pawl-report/summary.json "$T/comment/pawl-report/"
start_forge
cd "$T/comment" || exit 1
comment() {
	wanted=$1
	title=$2
	shift 2
	job "$wanted" "$title" pawl-comment CI_PIPELINE_SOURCE=merge_request_event \
		"CI_API_V4_URL=$FORGE/api/v4" CI_PROJECT_PATH=team/zlib CI_MERGE_REQUEST_IID=9 "$@"
}
comment 0 'without a token there is no comment'
like 'and it says so' "$T/out" '^no comment: PAWL_PUBLISH_TOKEN is not set'
comment 0 'with one it is written, without a checkout' PAWL_PUBLISH_TOKEN=good-token
comment 0 'and updated' PAWL_PUBLISH_TOKEN=good-token
is 'on that merge request' "$(json "$FORGE_DIR/state.json" '[c["number"] for c in d["comments"]]')" '[9]'
cd "$T/mr" || exit 1

# ---- branches ----------------------------------------------------------------------------------

git checkout -q --detach "$change"
job 1 'a push is compared with what was there' pawl "CI_COMMIT_BEFORE_SHA=$first" "CI_COMMIT_SHA=$change"
like 'before' "$T/err" "comparing $first with $change"
job 1 'a new branch with its parent' pawl \
	CI_COMMIT_BEFORE_SHA=0000000000000000000000000000000000000000 "CI_COMMIT_SHA=$change"

# ---- the default branch: measured without a token, posted without a checkout -----------------------

start_server || exit 1
token=$("$BUILD/pawld" token add --store "sqlite:$T/server.db" --project demo --scope write)
reader=$("$BUILD/pawld" token add --store "sqlite:$T/server.db" --project demo --scope read)
rm -rf pawl-report
for part in 1 2; do
	job 0 "part $part of the default branch is measured" pawl-main CI_NODE_INDEX=$part CI_NODE_TOTAL=2 \
		CI_PIPELINE_ID=17 "PAWL_SERVER=$SERVER" "PAWL_TOKEN=$token"
done
mkdir "$T/post" && cp -R pawl-report "$T/post" && cd "$T/post" || exit 1
job 0 'and both are posted' pawl-post "CI_COMMIT_SHA=$change" CI_COMMIT_BRANCH=main \
	"PAWL_SERVER=$SERVER" "PAWL_TOKEN=$token"
curl -s -o "$T/body" -H "Authorization: Bearer $reader" "$SERVER/api/v1/projects/demo"
is 'as one' "$(json "$T/body" '(d["latest"]["parts"][0]["group"], d["latest"]["parts"][0]["complete"])')" \
	"('17', True)"
job 6 'without a token it fails' pawl-post "CI_COMMIT_SHA=$change" CI_COMMIT_BRANCH=main \
	"PAWL_SERVER=$SERVER"
stop_server

# ---- a site -----------------------------------------------------------------------------------------

new_young "$T/young" 9
job 0 'a site, where most commits had no benchmark yet' pages PAWL_PAGES_COMMITS=100 PAWL_PAGES_POINTS=3 \
	PAWL_PAGES_BUDGET=10m
like 'where none of those looked at can be compared' "$T/out" '^no two of these commits could be compared: begin with a later one'
like 'has those since there is one' "$T/out" '^2 commits, 1 step measured side by side'
like 'with the benchmark' public/index.html 'work'
