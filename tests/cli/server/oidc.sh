# Tokens that GitHub and GitLab sign for a job: who gets in, what for, and who does not.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

if ! command -v openssl >/dev/null; then
	skip 'signed tokens' 'no openssl program that makes keys'
	exit 0
fi
for name in rsa other; do
	openssl genrsa -out "$T/$name.pem" 2048 2>/dev/null
done
openssl ecparam -name prime256v1 -genkey -noout -out "$T/ec.pem"
new_repo "$T/repo"
commit_all "$T/repo" one
git -C "$T/repo" checkout -q --detach
sha=$(git -C "$T/repo" rev-parse HEAD)
/usr/bin/python3 -B "$ROOT/tests/helpers/http/signed.py" "$T" "$sha" || exit 1
cat >"$T/oidc" <<END
[issuer "github"]
	url = https://token.actions.githubusercontent.com
	forge = github
	audience = https://pawl.example.org
	keys = $T/github.json
[issuer "gitlab"]
	url = https://gitlab.example.org
	forge = gitlab
	audience = https://pawl.example.org
	keys = $T/gitlab.json
[project "zlib"]
	issuer = github
	repository = madler/zlib
	repositoryId = 1234
	branch = main
	branch = develop
[project "group.zlib"]
	issuer = gitlab
	repository = group/zlib
	branch = main
END

# with TOKEN FILE: posts it
with() {
	send "$2" -H "Authorization: Bearer $(cat "$T/$1")"
}

doc one 'summary(1)'
doc two 'summary(2)'
doc three 'summary(3)'
doc four 'summary(14)'
doc elsewhere 'summary(4, B)'
doc other 'summary(5, project="other")'
doc group 'summary(6, project="group.zlib")'
doc branch '(lambda d: d["commit"].update(branch="develop") or d)(summary(7))'
doc bare '(lambda d: d["commit"].update(branch=None) or d)(summary(8))'
doc request '(lambda d: d["commit"].update(branch="5/merge") or d)(summary(9))'
doc side '(lambda d: d["commit"].update(branch="feature") or d)(summary(10))'

# ---- who gets in -------------------------------------------------------------------------------

start_server --oidc "$T/oidc" --log "$T/access.log" || exit 1
with good one
is 'a job of GitHub may post' "$status $(json "$T/body" 'd["untrusted"]')" '201 False'
with ec group
is 'one of GitLab, which signs by ES256, too' "$status $(json "$T/body" 'd["untrusted"]')" '201 False'
with good bare
is 'without a branch as well' "$status" 201
with good elsewhere
is 'another commit is 403' "$status $(json "$T/body" 'd["error"]["where"]')" '403 commit'
with good branch
is 'another branch of the project is 403' "$status" 403
with good other
is 'another project is 403' "$status" 403
with ec one
is 'another issuer'"'"'s project is 403' "$status" 403
with repository one
is 'a repository of which no project is is 403' "$status" 403
like 'and is named' "$T/body" "no project here is of repository 'fork/zlib'"
with recycled one
is 'one of the same name with another number is 403' "$status" 403
with fork group
is 'a fork'"'"'s own pipeline is 403' "$status" 403
cat "$T/three" "$T/elsewhere" >"$T/both"
ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/both" \
	-H "Authorization: Bearer $(cat "$T/good")"
is 'each line of a batch is looked at' \
	"$(sed 's/^{"status":\([0-9]*\).*/\1/' "$T/body" | tr '\n' ' ')" '201 403 '

# ---- pawl in a job, which has a commit checked out and no branch ---------------------------------

# in_job PROJECT FILE NAME=VALUE...: as if it had measured there
in_job() (
	cd "$T/repo" && project=$1 && file=$ROOT/tests/data/foreign/$2 && shift 2 &&
		env "$@" pawl import --no-push --project "$project" "$file" >"$T/out" 2>&1
)
# pushes TOKEN WHAT: all that was measured goes with it
pushes() {
	runs 0 "$2" env PAWL_TOKEN="$(cat "$T/$1")" PAWL_SERVER="$SERVER" \
		sh -c 'cd "$1" && pawl push --all --require-push' sh "$T/repo"
}
in_job zlib google-single.json GITHUB_ACTIONS=true "GITHUB_SHA=$sha" GITHUB_REF=refs/heads/main
pushes own 'pawl push posts with the token of a job'
in_job zlib google-repetitions.json GITHUB_ACTIONS=true "GITHUB_SHA=$sha" GITHUB_REF=refs/pull/5/merge
pushes ownpull 'and with that of a pull request'
in_job group.zlib google-single.json GITLAB_CI=true "CI_COMMIT_SHA=$sha" CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=main \
	CI_MERGE_REQUEST_SOURCE_PROJECT_PATH=fork/zlib CI_MERGE_REQUEST_PROJECT_PATH=group/zlib
pushes ownmerge 'and with that of a merge request of a fork'
in_job group.zlib google-repetitions.json GITLAB_CI=true "CI_COMMIT_SHA=$sha" CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=main \
	CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=$A
in_job group.zlib google-aggregates.json GITLAB_CI=true "CI_COMMIT_SHA=$sha" CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=main \
	CI_MERGE_REQUEST_EVENT_TYPE=merge_train CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
pushes ownmerge 'and with that of a merged result, and of a merge train'
for project in zlib group.zlib; do
	all=$("$BUILD/pawld" token add --store "$STORE" --project $project --scope read)
	ask "/api/v1/projects/$project/summaries?untrusted=1" -H "Authorization: Bearer $all"
	json "$T/body" "[(s['branch'], s['untrusted']) for s in d['summaries'] if s['commit'] == '$sha']"
done >"$T/branches"
is 'each is filed under what the job is of, not under the branch of others' "$(tr '\n' ' ' <"$T/branches")" \
	"[('5/merge', True), ('main', False)] [('queue:main', True), ('merge:main', True), ('fork/zlib:main', True)] "

# ---- what it is not for --------------------------------------------------------------------------

for path in /api/v1/projects /api/v1/projects/zlib /p/zlib /metrics; do
	ask "$path" -H "Authorization: Bearer $(cat "$T/good")"
	echo "$status"
done | sort -u >"$T/statuses"
is 'it reads nothing' "$(cat "$T/statuses")" 403
ask /result/add/json/ -d 'json=[]' -H "Authorization: Bearer $(cat "$T/good")"
is 'nor posts what names no commit for sure' "$status" 403
ask /api/v1/projects/zlib/alerts/1 -X POST -H "Authorization: Bearer $(cat "$T/good")"
is 'nor settles an alert' "$status" 403
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000001 -X DELETE \
	-H "Authorization: Bearer $(cat "$T/good")"
is 'nor retracts' "$status" 403

# ---- whose code may have run is kept apart ---------------------------------------------------------

# untrusted TOKEN FILE WHAT
untrusted() {
	with "$1" "$2"
	is "$3 is kept apart" "$status $(json "$T/body" 'd["untrusted"]')" '201 True'
}
untrusted pull request 'what a pull request posts'
with pull two
is 'which cannot name the branch' "$status" 403
untrusted target two 'what pull_request_target posts, though it is of the branch'
untrusted feature side 'what a branch posts that is not named'
untrusted tag bare 'what a tag posts'
untrusted merge group 'what a merge request posts, though its branch has the name of ours'
read=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope read)
ask '/api/v1/projects/zlib/history?benchmark=deflate/6' -H "Authorization: Bearer $read"
is 'none of it is in the history' "$(json "$T/body" 'd["points"]["value"]')" '[1001, 1008, 1003]'

# ---- who does not get in --------------------------------------------------------------------------

# Ten wrong ones a minute are answered, so each part has a server of its own.
# turned_away TOKEN...: each is 401 with a challenge
turned_away() {
	stop_server
	start_server --oidc "$T/oidc" --log "$T/access.log" || exit 1
	for token; do
		with "$token" two
		is "401: $token ($(json "$T/body" 'd["error"]["message"]'))" "$status" 401
	done
	like 'with a challenge' "$T/head" '^WWW-Authenticate: Bearer'
}
turned_away none hs256 foreign swapped audience issuer borrowed expired future eternal
turned_away critical unknown zero encrypts shortened altered padded parts
for token in good ec foreign; do
	unlike "the log has nothing of '$token'" "$T/access.log" "$(cut -d. -f3 "$T/$token")"
done

# ---- a limit of requests ----------------------------------------------------------------------------

stop_server
start_server --oidc "$T/oidc" --rate 3 || exit 1
for n in 1 2 3; do
	with good one
	echo "$status"
done | sort -u >"$T/statuses"
is 'with --rate 3 a project may post three times' "$(cat "$T/statuses")" 200
# How many more there may be by now is a matter of time, which the test of server/http/rate.c has in its hand.
is_limited() {
	with good one
	[ "$status" = 429 ]
}
check 'and not as often as it likes: then it is 429' wait_for is_limited
like 'with Retry-After' "$T/head" '^Retry-After: ([1-9]|1[0-9]|20).$'
with ec group
is 'another project is not concerned' "$status" 200
with pull request
is 'nor are the untrusted jobs of this one' "$status" 200
ask /api/v1/projects/zlib -H "Authorization: Bearer $read"
is 'nor is a token of pawld' "$status" 200
all=$("$BUILD/pawld" token add --store "$STORE" --scope read)
ask /metrics -H "Authorization: Bearer $all"
like 'and it is counted' "$T/body" '^pawld_requests_limited_total 1$'
stop_server
limit_refused() { runs 2 "--rate $1 is refused" "$BUILD/pawld" --store "$STORE" --rate "$1"; }
limit_refused 0
limit_refused x
limit_refused 1000001
start_server --oidc "$T/oidc" || exit 1

# ---- keys come and go ------------------------------------------------------------------------------

with changed two
is 'a key that is not known yet is 401' "$status" 401
cp "$T/changed.json" "$T/github.json"
knows_new_key() {
	with changed four
	[ "$status" = 201 ]
}
check 'once it is in the file it is taken, without a restart' wait_for knows_new_key
stop_server
start_server --oidc "$T/oidc" || exit 1
echo '{"keys":[' >"$T/github.json"
told_of_keys() {
	with changed four
	grep -q 'github.json' "$T/pawld.err"
}
check 'a broken file is reported' wait_for told_of_keys
is 'and the keys of before stay' "$status" 200
stop_server
start_server || exit 1
with changed four
is 'without --oidc none is taken' "$status" 401
stop_server

# ---- what is refused at the start --------------------------------------------------------------------

refused() {
	runs "$1" "$2" "$BUILD/pawld" --listen 127.0.0.1:0 --store "$STORE" --oidc "$T/wrong"
	like '  with the reason' "$T/err" "$3"
}
refused 5 'a file that is not there' "cannot open '$T/wrong'"
refused_line() {
	sed "$2" "$T/oidc" >"$T/wrong"
	refused 5 "$1" "$3"
}
cp "$T/changed.json" "$T/github.json"
refused_line 'a setting that is not known' 's/audience/audiences/' "line 4: an issuer has no setting 'audiences'"
refused_line 'an issuer without keys' '/github.json/d' "line 2: .* is missing of issuer 'github'"
refused_line 'a project without a branch' '/branch/d' "line 12: .* is missing of project 'zlib'"
refused_line 'a project of nobody' 's/issuer = gitlab/issuer = nobody/' "there is no issuer 'nobody'"
refused_line 'two projects of one repository, of which the second would get nothing' \
	'17,$ { s,group/zlib,madler/zlib,; s/group\.zlib/zlib-2/; s/gitlab/github/ }' \
	"line 18: its repository is that of another project, 'zlib'"
refused_line 'another forge' 's/forge = gitlab/forge = gitea/' "line 8: .*'gitea'"
refused_line 'a value that is there twice' 's/branch = develop/repository = x/' 'more than one'
refused_line 'an open quote' 's/= gitlab$/= "gitlab/' "line 8: "
refused_line 'no project' '/project/,$d' 'has no project'
for wrong in private:private short:bits point:P-256; do
	refused_line "a key that is ${wrong%%:*}" "s/gitlab.json/${wrong%%:*}.json/" "${wrong##*:}"
done
runs 2 'not with --no-auth' "$BUILD/pawld" --listen 127.0.0.1:0 --store "$STORE" --oidc "$T/oidc" --no-auth

exit 0
