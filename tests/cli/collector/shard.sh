# One suite over several jobs: every benchmark in exactly one part, and one again at the server.
. "$(dirname "$0")/../../lib.sh"

# six programs of one benchmark each: the amount of work is in the name
new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '/bin/\n' >.gitignore
{
	printf '[pawl]\n\tproject = suite\n\truns = 3\n\tminTime = 1ms\n'
	for n in 1 2 3 4 5 6; do
		printf '[benchmark "b%s"]\n\tcommand = bin/b%s\n' $n $n
	done
} >.pawlconfig
mkdir bin
for n in 1 2 3 4 5 6; do
	build_work bin/b$n $((n * n * 300))
done
commit_all . one
all='b1/chain b2/chain b3/chain b4/chain b5/chain b6/chain'

# names FILE...: the benchmarks of these results, sorted
names() {
	for f; do
		json "$f" '"\n".join(b["name"] for b in d["benchmarks"])'
	done | grep . | sort | tr '\n' ' ' | sed 's/ $//'
}

# ---- without earlier results: by name ---------------------------------------------------------

for i in 1 2 3; do
	runs 0 "part $i of 3 is measured" pawl collect --shard $i/3 --shard-group 7 \
		--write json="$T/name.$i.json" -q --no-push
	like 'and says that it is one' "$T/out" "part $i of 3 of the suite: [0-6] of its 6 benchmarks"
	valid 'its document fits the schema' "$T/name.$i.json"
done
is 'each is in exactly one part' "$(names "$T"/name.?.json)" "$all"
is 'the document names the part' \
	"$(json "$T/name.2.json" 'sorted(d["settings"]["shard"].items())')" \
	"[('benchmarks', 6), ('count', 3), ('group', '7'), ('index', 2), ('split', None)]"
runs 0 'the parts are shown together' pawl report --json
cp "$T/out" "$T/report.json"
is 'with all benchmarks' "$(names "$T/report.json")" "$all"
is 'in the order of the parts' \
	"$(json "$T/report.json" '[b["name"] for b in d["benchmarks"]]')" \
	"$(for i in 1 2 3; do json "$T/name.$i.json" '[b["name"] for b in d["benchmarks"]]'; done |
		sed 's/^\[//; s/\]$//' | grep . | tr '\n' ',' | sed 's/,$//; s/,/, /g; s/,  */, /g; s/^/[/; s/$/]/')"
is 'as a whole' "$(json "$T/report.json" 'd["settings"].get("shard")')" None
valid 'and the document fits the schema' "$T/report.json"
pawl collect --shard 1/3 --no-push -q --write json="$T/again.json" >/dev/null 2>&1
is 'the same again, although this commit has results now' "$(names "$T/again.json")" \
	"$(names "$T/name.1.json")"

# ---- nothing for a part ------------------------------------------------------------------------

pawl collect --shard 1/1000 --no-push -q --write json="$T/none.json" >"$T/out" 2>"$T/err"
is 'a part may be empty' "$?" 0
valid 'and is a result all the same' "$T/none.json"
is 'without benchmarks' "$(names "$T/none.json")" ''

# ---- with earlier results: by their times ------------------------------------------------------

rm -rf .git/pawl
pawl collect --no-push -q >/dev/null 2>&1
commit_all . two
cp -R .git/pawl "$T/state" # what a CI gives to each job
for i in 1 2; do
	rm -rf .git/pawl
	cp -R "$T/state" .git/pawl
	runs 0 "part $i of 2 is measured" pawl collect --shard $i/2 --write json="$T/time.$i.json" --no-push
	like 'by the times of earlier commits' "$T/err" "part $i of 2: [1-6] of 6 benchmarks, dealt out by the times"
done
is 'each is in exactly one part' "$(names "$T"/time.?.json)" "$all"
is 'both were dealt out alike' "$(json "$T/time.1.json" 'd["settings"]["shard"]["split"]')" \
	"$(json "$T/time.2.json" 'd["settings"]["shard"]["split"]')"
like 'which is known by a digest' "$T/time.1.json" '"split": "[0-9a-f]{16}"'
is 'nothing is new or removed in a part' \
	"$(json "$T/time.1.json" '{b["status"] for b in d["benchmarks"]}, any(b.get("is_new") for b in d["benchmarks"])')" \
	"({'ok'}, False)"

# ---- parts of several stores come together by import ---------------------------------------------

rm -rf .git/pawl
runs 0 'documents of other jobs are stored' pawl import --format pawl --no-push "$T"/name.?.json "$T"/time.?.json
like 'as what they are' "$T/out" "time.2.json: stored as [0-9A-Z]{26} for $(git rev-parse --short=12 HEAD)"
runs 0 'again does no harm' pawl import --format pawl --no-push "$T"/time.?.json
runs 5 'those of another project are refused' pawl import --format pawl --project other "$T/time.1.json"
like 'with the cure' "$T/err" '^hint: name it: --project suite'
echo '{}' >"$T/bad.json"
runs 2 'what is no document is refused' pawl import --format pawl "$T/bad.json"
runs 2 'a document names its own commit' pawl import --format pawl --commit HEAD "$T/time.1.json"
commit_all . 'after the join'
pawl collect --shard 1/2 --no-push --write json="$T/join.json" >"$T/out" 2>"$T/err"
like 'the next run has the times of all' "$T/err" 'dealt out by the times'
is 'and the baselines of all' "$(json "$T/join.json" '{b["verdict"] for b in d["benchmarks"]}')" \
	"{'identical'}"
git reset -q --hard HEAD~1

# ---- all parts in one store are the baseline together ------------------------------------------

rm -rf .git/pawl
for i in 1 2 3 4 5 6; do
	pawl collect --shard $i/6 --no-push -q >/dev/null 2>&1
done
commit_all . three
pawl collect --no-push -q --write json="$T/whole.json" >/dev/null 2>&1
is 'the next commit finds all six, more than it looks for else' \
	"$(json "$T/whole.json" '[b["verdict"] for b in d["benchmarks"]]')" "$(
		/usr/bin/python3 -ISc 'print(["identical"] * 6)')"

# ---- a part that was measured again takes no other's place ------------------------------------

rm -rf .git/pawl
for i in 1 2 3 4 2; do
	pawl collect --shard $i/4 --no-push -q >/dev/null 2>&1
done
commit_all . 'after a repeated part'
pawl collect --no-push -q --write json="$T/whole.json" >/dev/null 2>&1
is 'the next commit finds all six, also those of the oldest part' \
	"$(json "$T/whole.json" '[b["verdict"] for b in d["benchmarks"]]')" "$(
		/usr/bin/python3 -ISc 'print(["identical"] * 6)')"
git reset -q --hard HEAD~1

# ---- one part of a run is not there --------------------------------------------------------------

rm -rf .git/pawl
for i in 1 3; do
	pawl collect --shard $i/3 --shard-group 9 --no-push -q >/dev/null 2>&1
done
pawl collect --shard 2/3 --shard-group 8 --no-push -q >/dev/null 2>&1
pawl collect --shard 1/3 --shard-group 9 --no-push -q --write json="$T/again.json" >/dev/null 2>&1
runs 0 'what there is of the newest run is shown' pawl report --json
like 'what is not is told' "$T/err" "of 3 parts of the suite 1 is not stored here: 2"
is 'and no part of another run stands in for it' "$(names "$T/out")" "$(
	names "$T/name.1.json" "$T/name.3.json")"
is 'of a part that was measured again the newest is shown' \
	"$(json "$T/out" 'd["benchmarks"][0]["metrics"][0]["samples"]')" \
	"$(json "$T/again.json" 'd["benchmarks"][0]["metrics"][0]["samples"]')"

# ---- a part of other code, a part that is damaged ------------------------------------------------

rm -rf .git/pawl
echo 'not committed' >note
git add note
pawl collect --shard 1/3 --shard-group 9 --no-push -q >/dev/null 2>&1
git rm -q -f note
for i in 2 3; do
	pawl collect --shard $i/3 --shard-group 9 --no-push -q >/dev/null 2>&1
done
runs 0 'the parts of the commit are shown' pawl report --json
is 'without the one of uncommitted changes' "$(names "$T/out")" "$(names "$T/name.2.json" "$T/name.3.json")"
like 'which counts as not stored' "$T/err" 'of 3 parts of the suite 1 is not stored here: 1'
pawl collect --shard 1/3 --shard-group 9 --no-push -q >/dev/null 2>&1
lost=$(/usr/bin/python3 -IS - .git/pawl/results.db <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
name, was = db.execute("SELECT id, packed FROM result WHERE seq=2").fetchone()
db.execute("UPDATE result SET packed=? WHERE seq=2", (was[:-1] + bytes([was[-1] ^ 1]),))
db.commit()
print(name)
END
)
runs 0 'of a run with a damaged part the others are shown' pawl report --json
is 'those alone' "$(names "$T/out")" "$(names "$T/name.1.json" "$T/name.3.json")"
like 'stderr names it' "$T/err" "'$lost' is damaged and was passed over"
like 'and so does the document' "$T/out" "'$lost' is damaged and was passed over"

# ---- a program that is broken ------------------------------------------------------------------

mv bin/b3 bin/kept
for i in 1 2; do
	runs 4 "part $i fails when a program is not there" pawl collect --shard $i/2 --no-push -q \
		--write json="$T/broken.$i.json"
	like 'and says which' "$T/broken.$i.json" '"command": "bin/b3"'
done
is 'the others are where they would be' "$(names "$T"/broken.?.json)" \
	'b1/chain b2/chain b3 b3 b4/chain b5/chain b6/chain'
mv bin/kept bin/b3

# ---- a part that failed, and was not the last ---------------------------------------------------

rm -rf .git/pawl
printf '[pawl]\n\truns = 6\n[benchmark "good"]\n\tcommand = true\n[benchmark "bad"]\n\tcommand = false\n' >.pawlconfig
commit_all . bad
order=
for i in 1 2; do
	pawl collect --shard $i/2 --no-push -q >/dev/null 2>&1 && order="$order $i" || order="$i$order"
done
rm -rf .git/pawl
for i in $order; do
	pawl collect --shard $i/2 --no-push -q >/dev/null 2>&1
	status=$?
done
is 'the last part is well' "$status" 0
runs 4 'the suite is not' pawl report
like 'and the table has the one' "$T/out" '^[.!] good '
like 'and the other' "$T/out" '^[.!] bad '
git reset -q --hard HEAD~1

# ---- wrong ones --------------------------------------------------------------------------------

for bad in 0/2 3/2 2 /2 2/ a/b 1/1001 1/0 -1/2; do
	runs 2 "--shard $bad is refused" pawl collect --shard=$bad
done
like 'with an example' "$T/err" '^hint: .*--shard 2/4'
runs 2 'a group without a part' pawl collect --shard-group 7
runs 2 'a group with a line break' pawl collect --shard 1/2 --shard-group 'a
b'
runs 2 'an empty group' pawl collect --shard 1/2 --shard-group ''
runs 2 'since a tag is about everything' pawl collect --shard 1/2 --since-tag

# ---- one again at the server --------------------------------------------------------------------

start_server --no-auth || exit 1
git config pawl.server "$SERVER"
ask() {
	curl -s -o "$T/body" "$SERVER/api/v1/projects/suite/$1"
}
two=$(git rev-parse HEAD~1)
three=$(git rev-parse HEAD)
rm -rf .git/pawl
git checkout -q "$two" 2>/dev/null
for i in 1 2 3; do
	runs 0 "part $i of the base is posted" pawl collect --shard $i/3 --shard-group 7 --require-push -q
done
git checkout -q "$three" 2>/dev/null
for i in 1 3; do
	pawl collect --shard $i/3 --shard-group 8 --require-push -q --write json="$T/post.$i.json" \
		>"$T/out" 2>&1
done
ask "compare?base=$two&head=$three"
is 'the base is whole' "$(json "$T/body" 'd["base"]["parts"]')" \
	"[{'group': '7', 'count': 3, 'have': [1, 2, 3], 'missing': [], 'same_split': True, 'complete': True}]"
is 'of the head a part is missing, and it is said' \
	"$(json "$T/body" '(d["head"]["parts"][0]["missing"], d["head"]["parts"][0]["complete"])')" \
	'([2], False)'
is 'all benchmarks of the base stand together' \
	"$(json "$T/body" '" ".join(sorted({b["name"] for b in d["benchmarks"]}))')" "$all"
for n in 1 6; do
	ask "history?benchmark=b$n/chain"
	check "the history of b$n has the base" [ "$(json "$T/body" "'$two' in d['points']['commit']")" = True ]
done
pawl collect --shard 2/3 --shard-group 8 --require-push -q >/dev/null 2>&1
ask "compare?base=$two&head=$three"
is 'with the last part it is whole' "$(json "$T/body" 'd["head"]["parts"][0]["complete"]')" True
curl -s -o "$T/body" "$SERVER/api/v1/projects/suite"
is 'as the project says of its latest commit' \
	"$(json "$T/body" 'd["latest"]["parts"][0]["complete"]')" True
stop_server
