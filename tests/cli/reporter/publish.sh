# pawl publish: one comment on a pull request, against a server that speaks three APIs.
. "$(dirname "$0")/../../lib.sh"

export HOME="$T" XDG_STATE_HOME="$T/state" GIT_CEILING_DIRECTORIES="$T"
unset PAWL_PUBLISH_TOKEN GITHUB_TOKEN GITLAB_TOKEN GITEA_TOKEN GITHUB_REPOSITORY GITHUB_API_URL \
	GITHUB_REF GITHUB_ACTIONS CI_PROJECT_PATH CI_PROJECT_ID CI_API_V4_URL CI_MERGE_REQUEST_IID
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
head=$(printf 'a%.0s' $(seq 40)) base=$(printf 'b%.0s' $(seq 40))
mkdir -p "$T/work"
cd "$T/work" || exit 1
summary() {
	/usr/bin/python3 -IS "$ROOT/tests/helpers/summaries.py" "$head" "$base" "$@"
}
summary each >each.json
summary hostile >hostile.json
summary many 3 | sed 's/"regressed"/"unchanged"/g; s/"ratio": 1.05/"ratio": 1.0/g' >same.json
start_forge
URL=$FORGE

# state EXPRESSION: of what the server holds, with d as in json()
state() {
	json "$FORGE_DIR/state.json" "$1"
}

# begin: a server that holds nothing, and whose log is empty
begin() {
	rm -f "$FORGE_DIR/state.json" "$FORGE_DIR/faults" "$FORGE_DIR/log"
}

# publish WORDS...: to the forge $to
publish() {
	PAWL_PUBLISH_TOKEN=${token-good-token} pawl publish --to "$to" --url "$URL" \
		--repository "${repository-team/zlib}" --wait "${wait-0s}" "$@"
}

# ---- what is refused before anything is sent -----------------------------------------------------

begin
to=github
runs 2 'no place' pawl publish --file each.json
like 'is told with an example' "$T/err" '^hint: for example: pawl publish --to github'
runs 2 'another place' pawl publish --to sourcehut --file each.json
like 'is told with those there are' "$T/err" 'takes github, gitlab or gitea'
runs 2 'no token' pawl publish --to github --url "$URL" --repository a/b --number 1 --file each.json
like 'is told where to put one' "$T/err" '^hint: put it into PAWL_PUBLISH_TOKEN or GITHUB_TOKEN'
runs 2 'a token as an option' publish --token good-token --file each.json
repository=../user
runs 2 'a repository that leads elsewhere' publish --number 1 --file each.json
like 'is told how to write one' "$T/err" '^hint: write it like OWNER/NAME'
unset repository
runs 2 'a number that is none' publish --number 7/../8 --file each.json
runs 2 'a label that would end the mark' publish --label 'x--><b>' --number 1 --file each.json
runs 2 'plain http to another machine' env PAWL_PUBLISH_TOKEN=x pawl publish --to github \
	--url http://git.example.org --repository a/b --number 1 --file each.json
like 'is told why' "$T/err" 'would show the token to the network'
runs 2 'gitea without an address' env PAWL_PUBLISH_TOKEN=x pawl publish --to gitea \
	--repository a/b --number 1 --file each.json
runs 5 'a document of another commit' publish --commit "$base" --number 1 --file each.json
like 'is told' "$T/err" "is of commit $head, not of $base"
echo '{"schema": "pawl.summary/1"}' >broken.json
runs 5 'what is no summary' publish --number 1 --file broken.json
check 'and nothing was sent' [ ! -e "$FORGE_DIR/log" ]

# ---- dry run -----------------------------------------------------------------------------------------

dry() {
	pawl publish --to "$to" --url "$URL" --repository "$1" --number 7 --status --dry-run "$2" \
		--file "$3"
}
to=gitlab
runs 0 'a dry run needs no token and no server' dry team/sub/zlib -q hostile.json
like 'it prints the address of the comment' "$T/out" \
	"^comment of the merge request: $URL/api/v4/projects/team%2Fsub%2Fzlib/merge_requests/7/notes\$"
like 'and of the status' "$T/out" "^status: $URL/api/v4/projects/team%2Fsub%2Fzlib/statuses/$head\$"
unlike 'no line is a command to a CI' "$T/out" '^ *::|##\['
runs 0 'it is for readers' dry team/zlib -q each.json
like 'with the comment as it is written' "$T/out" '^  . <pre>$'
like 'the picture' "$T/out" '^picture: pawl-[0-9a-f]*.svg, [0-9]* bytes, uploaded'
like 'and the status' "$T/out" "^  failed, 'pawl': "
runs 0 'and with --json for programs' dry team/zlib --json each.json
is 'in one document' "$(json "$T/out" '(d["to"], d["comment"]["body"]["body"][:13], d["status"]["body"]["state"])')" \
	"('gitlab', '<!-- pawl -->', 'failed')"
runs 2 '--json is for that' pawl publish --to github --repository a/b --number 1 --json --file each.json
check 'and nothing was sent' [ ! -e "$FORGE_DIR/log" ]

# ---- created, updated, left alone; in all three ----------------------------------------------------

for to in github gitlab gitea; do
	begin
	runs 0 "$to: the comment is written" publish --number 7 --status --file each.json
	is "$to: there is one, with the mark in its first line" \
		"$(state '[(c["number"], c["body"].split("\n")[0]) for c in d["comments"]]')" \
		"[(7, '<!-- pawl -->')]"
	state 'd["comments"][0]["body"]' >body
	like "$to: with the table" body '^. .* . deflate/6 .* .3\.40 %'
	like "$to: and the line to accept what regressed" body "^pawl accept aaaaaaaaaaaa --benchmark deflate/6 "
	unlike "$to: nothing is folded around it" body '<summary>[0-9]+ benchmark'
	is "$to: the status says what could not be compared" \
		"$(state '[(s["state"], s["name"]) for s in d["statuses"]]')" \
		"[('$([ $to = gitlab ] && echo failed || echo error)', 'pawl')]"
	runs 0 "$to: it is updated" publish --number 7 --status --file same.json
	is "$to: and there is still one" "$(state 'len(d["comments"])')" 1
	state 'd["comments"][0]["body"]' >body
	like "$to: which says that nothing moved" body '^..No change in 3 benchmarks'
	is "$to: with all else folded" "$(sed -n 4,5p body)" '<details>
<summary>3 benchmarks</summary>'
	unlike "$to: and nothing to accept" body 'pawl accept'
	is "$to: the status is the newest" "$(state 'd["statuses"][-1]["state"]')" success
	: >"$FORGE_DIR/log"
	runs 0 "$to: the same again" publish --number 7 --file same.json
	unlike "$to: changes nothing" "$FORGE_DIR/log" '^(POST|PUT|PATCH) '
	like "$to: and says so" "$T/err" 'request 7: the comment already says so'
	runs 0 "$to: a job with a label" publish --number 7 --label arm64 --file same.json
	is "$to: has a comment of its own" "$(state '[c["body"].split("\n")[0] for c in d["comments"]]')" \
		"['<!-- pawl -->', '<!-- pawl: arm64 -->']"
	# 45 comments before ours, some with the mark and by another: three pages
	/usr/bin/python3 -IS - "$FORGE_DIR/state.json" "$head" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
mark = "<!-- pawl -->\n"
d["comments"] = [{"id": i, "number": 7, "by": "somebody", "body": mark if i % 9 else "x" * 60000}
                 for i in range(1, 46)] + [{"id": 99, "number": 7, "by": "pawl-bot", "body": mark}]
d["pulls"] = [{"number": n, "state": s, "sha": h, "fork": True} for n, s, h in
              ((5, "open", "c" * 40), (6, "clos", sys.argv[2]), (7, "open", sys.argv[2]))]
json.dump(d, open(sys.argv[1], "w"))
END
	runs 0 "$to: the request is found by the commit" publish --commit "$head" --file each.json
	[ "$to" != github ] || check "$to: which is of a fork, and not listed by its commit" \
		[ "$(grep -c '/commits/.*/pulls' "$FORGE_DIR/log")" -gt 0 ]
	is "$to: ours by its author, on the last page" \
		"$(state 'len(d["comments"]), [c["id"] for c in d["comments"] if "deflate" in c["body"]]')" \
		'(46, [99])'
	summary many 1 | sed "s/$head/$(printf 'e%.0s' $(seq 40))/" >other.json
	runs 6 "$to: a commit that no open one has" publish --file other.json
	like "$to: is told" "$T/err" 'no open (pull|merge) request has eeeeeeeeeeee as its last commit'
done

# ---- the picture -------------------------------------------------------------------------------------------

# moved N: a comparison of one benchmark whose head is N % above its base
moved() {
	/usr/bin/python3 -IS "$ROOT/tests/helpers/summaries.py" "$head" "$base" many 1 |
		/usr/bin/python3 -ISc 'import json, sys
d = json.load(sys.stdin)
m = d["benchmarks"][0]["metrics"][0]
m["samples"] = [x * (1 + int(sys.argv[1]) / 100) for x in m["baseline_samples"]]
print(json.dumps(d))' "$1"
}
moved 5 >five.json
moved 9 >nine.json
for to in gitlab gitea; do
	begin
	runs 0 "$to: a picture is uploaded" publish --number 7 --file five.json
	is "$to: one, in a comment that is one" "$(state 'len(d["files"]), len(d["comments"])')" '(1, 1)'
	like "$to: which is said to be written" "$T/err" 'the comment is written'
	state 'd["comments"][0]["body"]' >body
	case $to in
	gitlab) address='/uploads/[0-9a-f]*/pawl-[0-9a-f]*[.]svg' ;;
	gitea) address='https://git.example.org/attachments/[0-9a-f]*' ;;
	esac
	is "$to: and is shown at its end" "$(grep "^!" body | sed "s#$address#HERE#")" \
		'![Share of runs at or below each time, base and head](HERE)'
	: >"$FORGE_DIR/log"
	runs 0 "$to: the same again" publish --number 7 --file five.json
	unlike "$to: uploads nothing" "$FORGE_DIR/log" '^(POST|PUT|PATCH|DELETE) '
	runs 0 "$to: another comparison" publish --number 7 --file nine.json
	is "$to: has another picture$([ $to = gitlab ] || echo ', alone')" "$(state 'len(d["files"])')" \
		"$([ $to = gitlab ] && echo 2 || echo 1)"
	state 'd["comments"][0]["body"]' >body
	is "$to: that is the only one in the text" "$(grep -c '^!\[' body)" 1
	runs 0 "$to: where nothing moved" publish --number 7 --file same.json
	state 'd["comments"][0]["body"]' >body
	unlike "$to: there is none" body '^!\['
	runs 0 "$to: nor where none is wanted" publish --number 7 --picture none --file five.json
	state 'd["comments"][0]["body"]' >body
	unlike "$to: none at all" body '^!\['
	begin
	printf 'POST %s 9 413\n' "$([ $to = gitlab ] && echo uploads || echo assets)" >"$FORGE_DIR/faults"
	runs 0 "$to: a picture that is refused" publish --number 7 --file five.json
	like "$to: is warned of" "$T/err" '^pawl: warning: cannot upload the picture on .*: the comment has no picture'
	state 'd["comments"][0]["body"]' >body
	like "$to: and the comment is there without it" body 'regressed'
	rm -f "$FORGE_DIR/faults"
	runs 0 "$to: until it is taken" publish --number 7 --file five.json
	is "$to: still one comment, now with it" "$(state 'len(d["comments"]), d["comments"][0]["body"].count("![")')" \
		'(1, 1)'
	printf 'POST comments 1 late\n' >"$FORGE_DIR/faults"
	rm -f "$FORGE_DIR/state.json"
	wait=60s
	runs 0 "$to: a lost answer" publish --number 7 --file five.json
	wait=0s
	is "$to: leaves one comment, with it" "$(state 'len(d["comments"]), d["comments"][0]["body"].count("![")')" \
		'(1, 1)'
done
to=github
begin
runs 0 'github takes no file' publish --number 7 --file five.json
unlike 'and is sent none' "$FORGE_DIR/log" 'assets|uploads'
runs 0 'it shows one that is somewhere else' publish --number 7 --status --file five.json \
	--picture 'https://example.org/p/5.svg' --link 'https://example.org/runs/5'
state 'd["comments"][0]["body"]' >body
like 'at its address' body '^..Share of .*\]\(https://example.org/p/5.svg\)$'
like 'with a link to the reports' body '^.All reports of this run.\(https://example.org/runs/5\)$'
is 'which the status has too' "$(state 'd["statuses"][0]["link"]')" 'https://example.org/runs/5'
long=https://example.org/$(printf 'p%.0s' $(seq 1980))
summary many 680 >large.json
runs 0 'a long address in a large comment' publish --number 8 --file large.json --dry-run --json \
	--label "$(printf 'l%.0s' $(seq 39))" --picture "$long" --link "$long"
is 'is within what a comment may be' "$(json "$T/out" 'len(d["comment"]["body"]["body"].encode()) <= 65536')" True
for address in 'javascript:x' 'https://x/) ![y](https://z' '/local' '//elsewhere/x'; do
	runs 2 "a picture at $address" publish --number 7 --file five.json --picture "$address"
	runs 2 'and such a link' publish --number 7 --file five.json --link "$address"
done

# ---- hostile names ---------------------------------------------------------------------------------------

to=github
begin
sed 's/"subject": "[^"]*"/"subject": "@all ![x](http:\/\/x) <img src=x onerror=y> #1 team\/zlib#2"/
	s/back..slash/@somebody @org\/team/' hostile.json >names.json
runs 0 'hostile names are published' publish --number 7 --file names.json
state 'd["comments"][0]["body"]' >body
unlike 'there is no mention' body '@'
unlike 'no tag but ours' body '<(script|img|b|style|svg)'
unlike 'no link' body '\]\(http|[a-z]://'
unlike 'no reference' body '(^|[^&])#[0-9]'
is 'and one mark' "$(grep -c '<!--' body)" 1
check 'it fits' [ "$(wc -c <body)" -le 65536 ]
summary many 900 | sed 's/suite.case/@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@/g' >at.json
begin
runs 0 'a great many long ones are, too' publish --number 7 --file at.json
state 'd["comments"][0]["body"]' >body
check 'and fit' [ "$(wc -m <body)" -le 65536 ]

# ---- what the server says no to ----------------------------------------------------------------------------

begin
token=wrong
runs 6 'a token that is not accepted' publish --number 7 --file each.json
like 'is told' "$T/err" 'cannot ask whose token this is on github: the token is not accepted .401'
token=other-token
runs 6 'a token that may not write' publish --number 7 --file each.json
like 'is told what it needs' "$T/err" '^hint: it needs the right to write comments'
token=job-token
runs 6 'a token that is no user' publish --number 7 --file each.json
like 'is told to be named' "$T/err" '^hint: say who comments with it: --author NAME'
runs 0 'in a job of GitHub it is known' env GITHUB_ACTIONS=true PAWL_PUBLISH_TOKEN=job-token \
	pawl publish --to github --url "$URL" --repository team/zlib --number 7 --file each.json
runs 0 'and by its name' publish --author 'github-actions[bot]' --number 7 --file same.json
is 'there is one comment' "$(state '[c["by"] for c in d["comments"]]')" "['github-actions[bot]']"
token=good-token
repository=team/other
runs 6 'a repository that is not there' publish --number 7 --file each.json
unset repository
like 'is told' "$T/err" 'the token may not see it .404: Not Found.'

# fault LINE...: what the server does next
fault() {
	printf '%s\n' "$@" >"$FORGE_DIR/faults"
}
fault 'POST comments 1 422'
rm -f "$FORGE_DIR/state.json"
runs 6 'a locked conversation' publish --number 7 --file each.json
like 'is told' "$T/err" '^pawl: error: cannot write the comment on github: the request is not accepted .422: as asked for'
unlike 'and what the server says is no command to the CI' "$T/err" '^::'
for answer in 429 500 503 drop; do
	fault "GET comments 9 $answer"
	runs 6 "$answer" publish --number 7 --file each.json
	like 'is told' "$T/err" 'too many requests|the server has a fault|the connection was lost before the answer'
done
fault 'GET comments 9 redirect'
runs 6 'another place' publish --number 7 --file each.json
like 'is told and not gone to' "$T/err" 'it is elsewhere: http://127.0.0.1:9/elsewhere'
fault 'GET comments 9 html'
runs 6 'a page in place of an answer' publish --number 7 --file each.json
like 'is told' "$T/err" 'the answer is not JSON'
runs 6 'a server that is not there' env PAWL_PUBLISH_TOKEN=x pawl publish --to github \
	--url http://127.0.0.1:9 --repository a/b --number 1 --wait 0s --file each.json
like 'is told' "$T/err" 'the server cannot be reached'
for where in "$T/err" "$T/out"; do
	unlike 'the token is in no message' "$where" 'good-token'
done

# ---- and tried again -------------------------------------------------------------------------------------

begin
wait=60s
fault 'GET comments 1 503:0' 'POST comments 1 late'
runs 0 'a fault of the moment, then a lost answer' publish --number 7 --file each.json
is 'leave one comment' "$(state 'len(d["comments"])')" 1
wait=0s

# ---- from the CI's own variables, and a file ----------------------------------------------------------------

begin
printf 'good-token\n' >token
runs 0 'a job of GitHub says where' env GITHUB_API_URL="$URL/api/v3" GITHUB_REPOSITORY=team/zlib \
	GITHUB_REF=refs/pull/12/merge GITHUB_TOKEN=good-token pawl publish --to github --file each.json
runs 0 'a job of GitLab, too' env CI_API_V4_URL="$URL/api/v4" CI_PROJECT_PATH=team/zlib \
	CI_MERGE_REQUEST_IID=13 pawl publish --to gitlab --token-file token --file each.json
runs 0 'and one of Gitea' env GITHUB_API_URL="$URL/api/v1" GITHUB_REPOSITORY=team/zlib \
	GITHUB_REF=refs/pull/14/head GITEA_TOKEN=good-token pawl publish --to gitea --file each.json
is 'each goes to its own' "$(state '[c["number"] for c in d["comments"]]')" '[12, 13, 14]'

# ---- the last comparison ---------------------------------------------------------------------------------

begin
runs 5 'without a file and a comparison' publish --number 7
like 'it is told what to do' "$T/err" "^hint: run 'pawl compare' first"
runs 0 'two commands are compared' pawl compare --base-cmd true --head-cmd 'sleep 0.01' --pairs 6
runs 0 'the last comparison is published, here of no commit' publish --number 7
like 'with a warning' "$T/err" '^pawl: warning: the last comparison is of commands'
state 'd["comments"][0]["body"]' >body
like 'with what was compared' body '^..sleep is inconclusive'
runs 2 'which has no status' publish --number 7 --status
like 'and that is told' "$T/err" '^pawl: error: --status needs a commit'
runs 2 'and no pull request of its own' publish
like 'which is told, too' "$T/err" '^hint: say which: --number N'
