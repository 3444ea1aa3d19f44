# pawl history: a real repository, a store filled with results that were never timed.
. "$(dirname "$0")/../../lib.sh"

machine=0123456789abcdef
fill() {
	"$BUILD/helpers/history" "$T/repo/.git/pawl/results.db" proj "$machine" 7 2
}
history() {
	(cd "$T/repo" && pawl history --project proj --machine "$machine" "$@")
}
id() {
	sed -n "$1p" "$T/ids"
}
short() {
	id "$1" | cut -c 1-7
}

# ---- 40 commits; the 7th has a hostile subject --------------------------------------------

hostile='<script>alert(1)</script> & "q", =1+2'
git init -q "$T/repo"
for i in $(seq 1 40); do
	subject="commit number $i"
	[ "$i" -ne 7 ] || subject=$hostile
	printf 'commit refs/heads/main\ncommitter T <t@pawl.invalid> %d +0000\ndata %d\n%s\n\n' \
		$((1700000000 + i * 86400)) "${#subject}" "$subject"
done | git -C "$T/repo" fast-import --quiet
git -C "$T/repo" rev-list --reverse main >"$T/ids"

runs 5 'no store yet' history list
like 'no store: says so' "$T/err" 'no result is stored yet: there is no '
like 'no store: says what makes one' "$T/err" "run 'pawl collect' first"

# 7 +5 %, 12 the same code, 15 not measured, 20 -4 %, 25 failed, 28 dirty; small steps after 30
base=-
for i in $(seq 1 40); do
	kind=paired permille=0
	case $i in
	7) permille=50 ;;
	12) kind=identical ;;
	15) continue ;;
	20) permille=-40 ;;
	25) kind=failed ;;
	28) kind=dirty ;;
	3[1-9] | 40) permille=4 ;;
	esac
	echo "$(id "$i") $base $kind $permille $((1700000000 + i * 86400))" \
		"$(git -C "$T/repo" log -1 --format=%s "$(id "$i")")"
	case $kind in failed | dirty) ;; *) base=$(id "$i") ;; esac
done >"$T/lines"
fill <"$T/lines"
git -C "$T/repo" tag v1 "$(id 30)"

# ---- what moved it ------------------------------------------------------------------------

runs 1 'a regression in sight is status 1' history list
like 'the exact commit is named' "$T/out" "^$(short 7) .*\+[45]\.[0-9]* %.*regressed"
like 'an improvement too' "$T/out" "^$(short 20) .*-[34]\.[0-9]* %.*improved"
like 'a failure is listed' "$T/out" "^$(short 25) .*failed"
unlike 'the same code is none of those that moved it' "$T/out" "^$(short 12) "
like 'what was judged together is said' "$T/out" '35 steps measured side by side.*: 2 moved it'
like 'dirty results are counted' "$T/out" '1 result of uncommitted changes left out'
like 'small steps since the tag creep' "$T/out" \
	"since v1: \+[34]\.[0-9]* % .* over 10 steps: it crept, though no single step moved it"
tr '\n' ' ' <"$T/out" >"$T/joined"
like 'the creep says what confirms it' "$T/joined" \
	"pawl compare +$(short 30)\.\.$(short 40)"
like 'the plot has its letters explained' "$T/out" 'R regressed +F failed +I improved|R regressed +I improved +F failed'
runs 1 'narrow, ASCII' sh -c 'cd "$1" && COLUMNS=50 LC_ALL=C pawl history --project proj \
	--machine "$2" list' sh "$T/repo" "$machine"
check 'ASCII alone' sh -c '! LC_ALL=C grep -q "[^ -~]" "$1"' sh "$T/out"

runs 0 'a range without the regression is status 0' history list "$(id 30)..HEAD"
runs 3 'strict: the creep is status 3' history list --strict "$(id 30)..HEAD"
runs 0 'a range shows its commits' history list --json "$(id 17)..$(id 19)"
is 'a range: the points' "$(json "$T/out" '[p["commit"] for p in d["points"]]')" \
	"['$(id 18)', '$(id 19)']"
runs 0 'a single commit' history list "$(id 17)..$(id 18)"
like 'with a step of its own' "$T/out" '^1 step measured side by side: none moved it'
runs 1 'a single one that regressed' history list "$(id 6)..$(id 7)"
like 'is said to' "$T/out" '^1 step measured side by side: 1 moved it'
runs 0 'a single one that has no step' history list "$(id 1)"
like 'is no history' "$T/out" '^a single result is no history: collect other commits, or show more'
runs 0 'limit' history list --json --limit 3
is 'limit: so many points' "$(json "$T/out" 'len(d["points"])')" 3
is 'limit: the creep still reaches the tag' "$(json "$T/out" 'd["creep"]["steps"]')" 10

# ---- formats ------------------------------------------------------------------------------

runs 1 'json' history list --json
check 'json fits its schema' answered "$T/out" "schema:$ROOT/docs/schema/history-v1.json"
is 'json: a step names how many commits it spans' \
	"$(json "$T/out" '[p["step"]["commits"] for p in d["points"] if p["commit"] == "'"$(id 16)"'"]')" '[2]'
is 'json: the same code is exactly 1' \
	"$(json "$T/out" '[p["step"]["ratio"] for p in d["points"] if p["verdict"] == "identical"]')" '[1]'
is 'json keeps a hostile subject' \
	"$(json "$T/out" 'd["points"][6]["subject"]')" "$hostile"
runs 1 'csv' history list --format csv
is 'csv reads back' "$(/usr/bin/python3 -ISc 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
print(len(rows), rows[6]["verdict"], rows[6]["subject"])' "$T/out")" "38 regressed $hostile"
runs 1 'svg and html' history list --format svg -o "$T/a.svg" --html "$T/a.html"
check 'the svg is XML with one title a point' /usr/bin/python3 -ISc 'import sys
from xml.dom import minidom
d = minidom.parse(sys.argv[1])
assert len(d.getElementsByTagName("title")) >= 38
assert not d.getElementsByTagName("script")' "$T/a.svg"
like 'the page has the subject as text' "$T/a.html" '&lt;script&gt;alert'
unlike 'the page has no script' "$T/a.html" '<script'

# ---- the list -----------------------------------------------------------------------------

runs 0 'the list' history
like 'the list: where it stands and what moved it last' "$T/out" \
	"^list +cpu +1\.[0-9]+ ms +$(short 40) .*-[34]\.[0-9]+ % +$(short 20) .*improved"
is 'the list: every benchmark' "$(grep -c '^list' "$T/out")" 2
runs 0 'the list as json' history --json
is 'the list as json: names' "$(json "$T/out" '[b["benchmark"] for b in d["benchmarks"]]')" \
	"['list', 'list/1']"

# ---- bad input ----------------------------------------------------------------------------

runs 5 'an unknown benchmark' history nosuch
like 'an unknown benchmark: the cure' "$T/err" "'pawl history' lists"
runs 5 'an unknown commit' history list nosuch
runs 2 'an empty range' history list HEAD..HEAD
runs 2 'an unknown format' history list --format pdf
runs 2 'a limit of nothing' history list --limit 0
runs 2 'three words' history list HEAD more
runs 2 'a page of all' history --html "$T/x.html"
machine_there=$machine machine=ffff
runs 5 'another machine' history list
machine=$machine_there
like 'another machine: names one that has results' "$T/err" "machine '$machine' has results"
runs 5 'a metric that was never measured' history list --metric nosuch

# ---- two results are no history -----------------------------------------------------------

machine=00000000000000ee
head -n 2 "$T/lines" | fill
runs 0 'of two results' history list
like 'it is said how to measure more' "$T/err" "^pawl: 2 of these 40 commits are measured; to measure others too: pawl backfill $(id 1 | cut -c 1-12)\.\.$(id 40 | cut -c 1-12)\$"
machine=$machine_there
runs 1 'of many' history list
unlike 'it is not' "$T/err" backfill
printf '[benchmark "fresh"]\n\tcommand = true\n' >"$T/repo/.pawlconfig"
runs 5 'one that is configured, and has no result yet' history fresh
unlike 'is not taken for a slip' "$T/err" 'did you mean'
