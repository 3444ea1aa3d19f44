# What a job without a token measured, posted by one that has a token and no repository.
. "$(dirname "$0")/../../lib.sh"

head=1111111111111111111111111111111111111111
base=2222222222222222222222222222222222222222
mkdir "$T/empty" && cd "$T/empty" || exit 1
/usr/bin/python3 -IS "$ROOT/tests/helpers/summaries.py" $head $base each >summary.json
start_server || exit 1
S=sqlite:$T/server.db
fork=$("$BUILD/pawld" token add --store "$S" --project proj --scope write --untrusted)
trusted=$("$BUILD/pawld" token add --store "$S" --project proj --scope write)
read=$("$BUILD/pawld" token add --store "$S" --project proj --scope read)
export PAWL_SERVER="$SERVER"
ask() {
	curl -s -o "$T/body" -H "Authorization: Bearer $read" "$SERVER/api/v1/projects/proj$1"
}

# ---- only as what it is known to be ----------------------------------------------------------

runs 2 'the commit has to be named' env PAWL_TOKEN="$fork" pawl push --file summary.json
like 'and why' "$T/err" 'what the file says is compared with it'
runs 2 'as a whole id' env PAWL_TOKEN="$fork" pawl push --file summary.json --commit 1111
runs 2 'and not as a name' env PAWL_TOKEN="$fork" pawl push --file summary.json --commit HEAD
runs 5 'a document of another commit is refused' env PAWL_TOKEN="$fork" \
	pawl push --file summary.json --commit $base
like 'and says so' "$T/err" "'summary.json' is of commit $head, not of $base"
runs 5 'one of another project is refused' env PAWL_TOKEN="$fork" \
	pawl push --file summary.json --commit $head --project other
runs 2 'without a server it says how to name one' env -u PAWL_SERVER PAWL_TOKEN="$fork" \
	pawl push --file summary.json --commit $head
runs 2 '--commit without --file' pawl push --commit $head
ask ''
unlike 'nothing arrived' "$T/body" '"summaries"'

# ---- hostile files ---------------------------------------------------------------------------

refuse() { # refuse NAME: the file 'bad' is refused before anything is sent
	PAWL_TOKEN=$fork pawl push --file bad --commit $head >"$T/out" 2>"$T/err"
	is "$1 is refused" "$?" 5
	like 'with a reason' "$T/err" "^pawl: error: .*'bad'"
}
printf '' >bad
refuse 'an empty file'
printf '{"schema": "pawl.summary/1"}' >bad
refuse 'half a document'
head -c 17000000 /dev/zero | tr '\0' ' ' >bad
refuse 'a huge one'
printf '%s' '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[' >bad
refuse 'a deep one'
rm bad && mkfifo bad
runs 5 'a pipe that nobody writes to is refused' env PAWL_TOKEN="$fork" timeout 600 \
	pawl push --file bad --commit $head
rm bad && ln -s /dev/zero bad
PAWL_TOKEN=$fork timeout 600 pawl push --file bad --commit $head >"$T/out" 2>"$T/err"
is 'and a device' "$?" 5

# ---- kept apart ------------------------------------------------------------------------------

branch='someone:zzz";echo${IFS}"hello";#'
runs 0 'with the right commit it is posted' env PAWL_TOKEN="$fork" \
	pawl push --file summary.json --commit $head --project proj --branch "$branch"
like 'and it says that it is kept apart' "$T/err" 'kept apart as untrusted'
ask '/summaries/01M7ZHBXZEWS4N99RVV75ERS0E?untrusted=1'
is 'under the branch of the caller' "$(json "$T/body" 'd["commit"]["branch"]')" "$branch"
ask ''
is 'it is no result of the project' "$(json "$T/body" '(d["summaries"], d["untrusted"])')" '(0, 1)'
runs 0 'the same again does no harm' env PAWL_TOKEN="$fork" \
	pawl push --file summary.json --commit $head --branch "$branch"
/usr/bin/python3 - <<'END'
import json
d = json.load(open('summary.json'))
d['commit']['branch'] = 'main'
d['surprise'] = {'deep': ['x'] * 100}
d['id'] = d['id'][:-1] + 'Z'
json.dump(d, open('more.json', 'w'))
END
runs 0 'from standard input' env PAWL_TOKEN="$fork" sh -c "pawl push --file - --commit $head <more.json"
ask '/summaries/01M7ZHBXZEWS4N99RVV75ERS0Z?untrusted=1'
unlike 'what nobody knows does not travel along' "$T/body" 'surprise'
is 'and its branch is no claim' "$(json "$T/body" 'd["commit"]["branch"]')" None

# ---- what goes wrong -------------------------------------------------------------------------

runs 6 'without a token it is not delivered' pawl push --file summary.json --commit $head
like 'and it says why' "$T/err" 'not posted: the server refused it: HTTP 401'
runs 6 'nor where nobody listens' env PAWL_TOKEN="$fork" pawl push --server http://127.0.0.1:9 \
	--file summary.json --commit $head
runs 0 'a trusted token files it with the others' env PAWL_TOKEN="$trusted" \
	pawl push --file summary.json --commit $head --branch main
unlike 'and nothing is said of apart' "$T/err" 'apart'
check 'no repository was made, and no store' [ "$(find . | wc -l)" -eq 4 ]
stop_server
