# A project goes to a file and comes back with equal histories; old documents go, their points stay.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

here=$("$BUILD/pawld" token add --store "$STORE" --scope admin)
fork=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write --untrusted)
start_server --public-read || exit 1
is 'a project' "$(HERE=$here FORK=$fork py 'import os
c = connect(sys.argv[1])
def one(d, token="HERE", **how):
    c.request("POST", "/api/v1/summaries", json.dumps(d, **how), {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ[token]})
    r = c.getresponse(); r.read(); return r.status
def of(n, **more):
    d = summary(n, "%040x" % (0xabc0000 + n // 3), "2026-11-20T%02d:00:00Z" % (n // 3), **more)
    d["machine"]["id"] = "%016d" % (n % 2)
    return d
print({one(of(n)) for n in range(30)}, one(judged(50)), one(of(51), indent=2), one(of(52), "FORK"), one(of(53, project="other")))')" \
	'{201} 201 201 201 201'
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000050?why=busy' -X DELETE -H "Authorization: Bearer $here"
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000011?why=old' -X DELETE -H "Authorization: Bearer $here"
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000007?benchmark=deflate/6&why=hot' -X DELETE -H "Authorization: Bearer $here"
is 'of which something is hidden' "$status" 200

# answers FILE: what is told of it, but for when who hid what
answers() {
	for path in '' /benchmarks /machines /commits '/summaries?untrusted=1' /regressions \
		'/history?benchmark=deflate/6&untrusted=1' '/history?benchmark=deflate/6&metric=wall' \
		'/history?benchmark=deflate/6&branch=main&limit=7' \
		"/compare?base=$(printf %040x $((0xabc0001)))&head=$(printf %040x $((0xabc0002)))" \
		/summaries/01JD0000000000000000000051; do
		ask "/api/v1/projects/zlib$path"
		echo "$status $path $(cat "$T/body")"
	done >"$1"
}
answers "$T/before"
runs 0 'it is exported while the server runs' "$BUILD/pawld" export --store "$STORE" --project zlib "$T/export"
is 'all of it' "$(cat "$T/out")" "33 summaries exported to $T/export"
is 'to a file of its own' "$(stat -c %a "$T/export")" 600
stop_server

new_store
printf 'key\n' >"$T/secret"
chmod 600 "$T/secret"
"$BUILD/pawld" alert add --store "$STORE" --project zlib --webhook http://127.0.0.1:9/ --allow-private --secret-file "$T/secret" >/dev/null
runs 0 'it is imported where somebody waits for alerts' "$BUILD/pawld" import --store "$STORE" "$T/export"
start_server --public-read || exit 1
ask /api/v1/projects/zlib/alerts
is 'what regressed is there' "$(json "$T/body" '[a["benchmark"] for a in d["alerts"]]')" "['deflate/6']"
ask /api/v1/projects/zlib/messages
is 'and nobody is told' "$(json "$T/body" 'd["messages"]')" '[]'
stop_server

new_store
runs 0 'it is imported where there is nothing yet' "$BUILD/pawld" import --store "$STORE" "$T/export"
is 'all of it' "$(cat "$T/out")" '33 summaries stored, 0 were there already'
runs 0 'and sound' "$BUILD/pawld" fsck --store "$STORE"
start_server --public-read || exit 1
answers "$T/after"
check 'what it tells is the same' cmp "$T/before" "$T/after"
ask /api/v1/projects
is 'and of that project alone' "$(json "$T/body" '[p["name"] for p in d["projects"]]')" "['zlib']"
stop_server
runs 0 'the log says who hid it' "$BUILD/pawld" retract --store "$STORE" --project zlib --list
is 'and why' "$(json "$T/out" 'sorted((r["id"][-2:], r["benchmark"], r["who"], r["why"]) for r in d["retractions"] if r["action"] == "retract")')" \
	"[('07', 'deflate/6', 'pawld import', 'hot'), ('11', None, 'pawld import', 'old'), ('50', None, 'pawld import', 'busy')]"
runs 0 'twice is once' "$BUILD/pawld" import --store "$STORE" "$T/export"
is 'and says so' "$(cat "$T/out")" '0 summaries stored, 33 were there already'

# ---- what was hidden meanwhile ---------------------------------------------------------

again=sqlite:$T/again.db
"$BUILD/pawld" import --store "$again" "$T/export" >"$T/out"
"$BUILD/pawld" import --store "sqlite:$T/cut.db" "$T/export" >"$T/out"
"$BUILD/pawld" retract --store "$again" --project zlib --why "$(printf %0100000d 1)" 01JD0000000000000000000051 >"$T/out"
runs 0 'with a long reason' "$BUILD/pawld" export --store "$again" --project zlib "$T/hidden"
runs 0 'it comes back' "$BUILD/pawld" import --store "sqlite:$T/long.db" "$T/hidden"
runs 0 'where it is already' "$BUILD/pawld" import --store "sqlite:$T/cut.db" "$T/hidden"
runs 0 'that is hidden' "$BUILD/pawld" retract --store "sqlite:$T/cut.db" --project zlib --list
is 'which was not' "$(json "$T/out" 'sorted(r["id"][-2:] for r in d["retractions"] if r["action"] == "retract")')" "['07', '11', '50', '51']"
"$BUILD/pawld" retract --store "$again" --project zlib --restore 01JD0000000000000000000051 >"$T/out"
runs 0 'what somebody has shown again' "$BUILD/pawld" import --store "$again" "$T/hidden"
runs 0 'stays' "$BUILD/pawld" retract --store "$again" --project zlib --list
is 'shown' "$(json "$T/out" '[(r["id"][-2:], r["action"]) for r in d["retractions"]][0]')" "('51', 'restore')"

# ---- documents that are lost -----------------------------------------------------------

/usr/bin/python3 -ISc 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("DELETE FROM document WHERE run_id=(SELECT min(run_id) FROM run)")
db.execute("UPDATE document SET json=zeroblob(1) WHERE run_id=(SELECT max(run_id) FROM run)")
db.commit()' "$T/cut.db"
runs 5 'an export that lacks some' "$BUILD/pawld" export --store "sqlite:$T/cut.db" --project zlib "$T/rest-of-it"
like 'says so' "$T/err" "2 summaries are not in '.*': their documents are damaged or lost; 31 are"
runs 0 'the others come back' "$BUILD/pawld" import --store "sqlite:$T/left.db" "$T/rest-of-it"
is 'all' "$(cat "$T/out")" '31 summaries stored, 0 were there already'

# ---- files that are none ---------------------------------------------------------------

runs 5 'an export overwrites nothing' "$BUILD/pawld" export --store "$STORE" --project zlib "$T/export"
runs 5 'nor is one made of no project' "$BUILD/pawld" export --store "$STORE" --project none "$T/none"
check 'not even begun' [ ! -e "$T/none" ]
grep -v '"end":' "$T/export" | head -c -20 >"$T/short"
runs 5 'half a file' "$BUILD/pawld" import --store "sqlite:$T/half.db" "$T/short"
like 'says where it ends' "$T/err" 'summary [0-9]+ of the file: the file ends within its document'
runs 0 'and what stood before it is stored' "$BUILD/pawld" fsck --store "sqlite:$T/half.db"
like 'whole' "$T/out" '^[1-9][0-9]* summaries, '
grep -v '"end":' "$T/export" >"$T/cut"
runs 5 'one that was cut between two summaries' "$BUILD/pawld" import --store "sqlite:$T/end.db" "$T/cut"
like 'is told' "$T/err" 'the file was cut: it ends behind summary 33, without its last line'
runs 0 'and what stood before it is stored' "$BUILD/pawld" fsck --store "sqlite:$T/end.db"
like 'all' "$T/out" '^33 summaries, '
sed 3,4d "$T/export" >"$T/lacks"
runs 5 'one that lacks a summary' "$BUILD/pawld" import --store "sqlite:$T/lacks.db" "$T/lacks"
like 'is told, too' "$T/err" 'the 32 summaries of the file are not all that were exported'
for lines in 1,2 5,6 3,4 '7,$'; do
	sed -n "${lines}p" "$T/export"
done >"$T/swapped"
runs 5 'or has two in another order' "$BUILD/pawld" import --store "sqlite:$T/swapped.db" "$T/swapped"
sed 's/^\(.*"end":\)33/\132/' "$T/export" >"$T/changed"
runs 5 'or another number in its last line' "$BUILD/pawld" import --store "sqlite:$T/swapped.db" "$T/changed"
cat "$T/export" "$T/export" >"$T/two"
runs 0 'two files in one' "$BUILD/pawld" import --store "sqlite:$T/two.db" "$T/two"
is 'are both read' "$(cat "$T/out")" '33 summaries stored, 33 were there already'
head -n 2 "$T/export" >>"$T/two"
runs 5 'but not a piece of a third one' "$BUILD/pawld" import --store "sqlite:$T/two.db" "$T/two"
/usr/bin/python3 -IS -c 'import hashlib, sys
for line in open(sys.argv[1], "rb"):
    if line.startswith(b"{\"export\":\"pawl.export/2\",\"end\""): continue
    if line.startswith(b"{\"export\":"):
        line = line.replace(b"pawl.export/2", b"pawl.export/1", 1)
        line = line[:line.index(b",\"head\":")]
        line += b",\"head\":\"" + hashlib.sha256(line).hexdigest().encode() + b"\"}\n"
    sys.stdout.buffer.write(line)' "$T/export" >"$T/first"
runs 0 'one of the first form, which has no last line' "$BUILD/pawld" import --store "sqlite:$T/first.db" "$T/first"
is 'is taken with a note' "$(sed 's/,.*:/:/' "$T/out" | tr '\n' ' ')" \
	'33 summaries stored, 0 were there already the file does not say where it ends: whether it was cut cannot be seen '
sed '2s/deflate/deflatf/' "$T/export" >"$T/changed"
runs 5 'a changed document' "$BUILD/pawld" import --store "sqlite:$T/changed.db" "$T/changed"
like 'is told' "$T/err" 'not the one that was exported'
sed '1s/"untrusted":false/"untrusted":true/' "$T/export" >"$T/changed"
runs 5 'what is said of a document, changed' "$BUILD/pawld" import --store "sqlite:$T/said.db" "$T/changed"
like 'is told as well' "$T/err" 'summary 1 of the file: its line is not the one that was exported'
printf 'hello\n' >"$T/hello"
runs 5 'any other file' "$BUILD/pawld" import --store "sqlite:$T/hello.db" "$T/hello"
like 'is told' "$T/err" "no line of 'pawld export'"
: >"$T/empty"
runs 0 'an empty one is nothing' "$BUILD/pawld" import --store "sqlite:$T/hello.db" "$T/empty"
runs 5 'one that is not there' "$BUILD/pawld" import --store "sqlite:$T/hello.db" "$T/not-there"
for wrong in export "export --store $STORE" "export --store $STORE $T/x" import "import --store $STORE" \
	"import --store $STORE --project p $T/x" retain "retain --store $STORE" "retain --store $STORE --days x" \
	"retain --store $STORE --keep -1" "retain --store $STORE --days 99999999" "retain --store $STORE --keep 1 x"; do
	# shellcheck disable=SC2086  # several words on purpose
	runs 2 "wrong: pawld ${wrong#*:}" "$BUILD/pawld" $wrong
done
like 'which says what is wrong' "$T/err" "unexpected 'x'"
runs 2 'a number that is too large' "$BUILD/pawld" retain --store "$STORE" --days 99999999
like 'names the limit' "$T/err" '^pawld: error: --days must be 0 to 36500'

# ---- documents that are not kept -------------------------------------------------------

runs 0 'a trial' "$BUILD/pawld" retain --store "$STORE" --keep 1 --dry-run
like 'says what would go' "$T/out" '^2[0-9] documents would be dropped, [1-9][0-9]* bytes; 1[0-9] stay$'
cp "$T/out" "$T/trial"
runs 0 'and changes nothing' "$BUILD/pawld" retain --store "$STORE" --keep 1 --dry-run
check 'whatever' cmp "$T/trial" "$T/out"
runs 0 'nothing is older than a year' "$BUILD/pawld" retain --store "$STORE" --keep 1 --days 365
like 'so nothing goes' "$T/out" '^0 documents dropped'
start_server --public-read || exit 1
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000004'
is 'a document' "$status" 200
tag=$(sed -n 's/^ETag: \([^ ]*\).$/\1/p' "$T/head")
runs 0 'all but the newest of each commit go, while the server runs' "$BUILD/pawld" retain --store "$STORE" --keep 1 --project zlib
is 'as was told' "$(sed 's/dropped/would be dropped/' "$T/out")" "$(cat "$T/trial")"
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000004' -H "If-None-Match: $tag"
is 'an older one is 404' "$status" 404
like 'that says why' "$T/body" 'is not kept any longer'
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000005'
is 'the newest of its commit is there' "$status" 200
ask '/api/v1/projects/zlib/summaries/01JD0000000000000000000010'
is 'so is the newest that is shown' "$status" 200
answers "$T/later"
check 'every history is what it was' cmp "$T/before" "$T/later"
stop_server
runs 0 'fsck finds that in order' "$BUILD/pawld" fsck --store "$STORE"
like 'and says it' "$T/out" '2[0-9] documents not kept any longer'
runs 0 'a second time nothing goes' "$BUILD/pawld" retain --store "$STORE" --keep 1
like 'any more' "$T/out" '^0 documents dropped'
runs 0 'what is left is exported' "$BUILD/pawld" export --store "$STORE" --project zlib "$T/rest"
like 'and the others are told' "$T/out" '^2[0-9] are left out'
runs 0 'none is kept' "$BUILD/pawld" retain --store "$STORE" --days 0
like 'of all' "$T/out" '; 0 stay$'
runs 5 'of no project' "$BUILD/pawld" retain --store "$STORE" --keep 1 --project none

# Beside a server that runs: which metric decides is the newest result's, whoever brought it.
new_store
start_server --no-auth || exit 1
doc wall '(lambda d: d["benchmarks"][0].update(gate="wall") or d)(summary(3, "%040x" % 3, "2026-11-20T13:00:00Z"))'
send wall
runs 0 'a result that wall time decides' "$BUILD/pawld" export --store "$STORE" --project zlib "$T/wall.export"
stop_server
new_store
start_server --no-auth || exit 1
for n in 1 2; do
	doc cpu "summary($n, '%040x' % $n, '2026-11-20T1$n:00:00Z')"
	send cpu
done
runs 0 'is imported beside others' "$BUILD/pawld" import --store "$STORE" "$T/wall.export"
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'and decides' "$(json "$T/body" 'd["metric"]')" wall
doc cpu "summary(4, '%040x' % 4, '2026-11-20T14:00:00Z')"
send cpu
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'until another one comes' "$(json "$T/body" 'd["metric"]')" cpu
ask /api/v1/projects/zlib/retractions
is 'it is in the log' "$(json "$T/body" '[(e["action"], e["id"][-2:]) for e in d["retractions"]]')" "[('import', '03')]"
stop_server

new_store
part=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write)
start_server || exit 1
is 'parts of a suite' "$(HERE=$part py 'import os
c = connect(sys.argv[1])
def one(n):
    d = summary(n, "%040x" % 0xabc, "2026-11-20T00:00:00Z")
    d["settings"]["shard"] = {"index": n % 3 + 1, "count": 3, "group": "g%d" % (n // 3), "split": "ab01"}
    c.request("POST", "/api/v1/summaries", json.dumps(d), {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["HERE"]})
    r = c.getresponse(); r.read(); return r.status
print({one(n) for n in range(6)})')" '{201}'
stop_server
runs 0 'one of each is kept' "$BUILD/pawld" retain --store "$STORE" --keep 1
like 'of the three' "$T/out" '^3 documents dropped, [0-9]+ bytes; 3 stay$'

exit 0
