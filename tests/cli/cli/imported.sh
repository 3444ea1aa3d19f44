# Which of several imported results of a commit is compared, shown and exported.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tlayouts = off\n[benchmark "t"]\n\tcommand = true\n' >.pawlconfig
commit_all . one
git tag A
echo change >file
commit_all . two
git tag B

# go NAME X...: a file of one Go benchmark with these times
go() {
	name=$1
	shift
	for x in "$@"; do
		echo "Benchmark$name-8 10 $x ns/op"
	done
}
# as PROJECT REV FILE: imported for it without a word
as() {
	pawl import -q --project "$1" --commit "$2" "$3" >/dev/null
}
# dirty PROJECT REV FILE: imported on it beside uncommitted changes
dirty() {
	git checkout -q "$2"
	echo '# more' >>.pawlconfig
	pawl import -q --project "$1" "$3" >/dev/null 2>&1
	git checkout -qf main
}
# elsewhere PROJECT REV FILE ID: imported for it on a machine with that id
elsewhere() {
	rm -rf "$T/else"
	git clone -q . "$T/else"
	(cd "$T/else" && pawl import --project "$1" --commit "$2" --json "$3") >"$T/doc.json"
	/usr/bin/python3 - "$T/doc.json" "$4" <<'EOF'
import json, sys
d = json.load(open(sys.argv[1]))
d["machine"]["id"], d["machine"]["cpu"] = sys.argv[2], "Slow CPU"
d["id"] = d["id"][:22] + sys.argv[2][:4].upper().translate(str.maketrans("ILOU", "1100"))
json.dump(d, open(sys.argv[1], "w"))
EOF
	pawl import -q --format pawl --project "$1" "$T/doc.json" >/dev/null
}
go X 100 101 102 >"$T/100.txt"
go X 200 201 202 >"$T/200.txt"
go X 400 401 402 >"$T/400.txt"
go Y 5 6 7 >"$T/y.txt"

# ---- uncommitted changes -----------------------------------------------------------------------

as clean A "$T/100.txt"
dirty clean A "$T/200.txt"
as clean B "$T/100.txt"
runs 0 'two commits of which the base was imported with uncommitted changes, too' \
	pawl report --project clean A..B
like 'are compared by what was imported without' "$T/out" 'BenchmarkX +101 ns +101 ns '
unlike 'which needs no warning' "$T/out" warning
runs 0 'it is exported' pawl export --project clean --format benchstat A
like 'without the changes, too' "$T/out" '100 ns/op'
unlike 'and no other' "$T/out" '200 ns/op'
unlike 'nor is a warning needed' "$T/err" warning

dirty unclean A "$T/200.txt"
as unclean B "$T/100.txt"
runs 0 'where there is no other' pawl report --project unclean A..B
like 'it is the base' "$T/out" 'BenchmarkX +201 ns +101 ns '
like 'and a warning says so' "$T/out" 'warning: the base [0-9a-f]{12} was imported with uncommitted changes'
pawl report --project unclean --json A..B >"$T/out" 2>"$T/err"
like 'in the document, too' "$T/out" 'the base [0-9a-f]{12} was imported with uncommitted changes'
valid 'which fits the schema' "$T/out"
runs 0 'it is exported, as there is no other' pawl export --project unclean --format benchstat A
like 'with its figures' "$T/out" '200 ns/op'
like 'and a warning' "$T/err" 'warning: 1 result of uncommitted changes is exported'

# ---- machines ----------------------------------------------------------------------------------

as machines A "$T/100.txt"
as machines B "$T/200.txt"
elsewhere machines A "$T/400.txt" 00000000000000aa
runs 0 'two commits of which the base was imported last on another machine' \
	pawl report --project machines A..B
like 'are compared by what one machine has' "$T/out" 'BenchmarkX +101 ns +201 ns +\+99'
unlike 'which needs no warning' "$T/out" warning
elsewhere apart A "$T/100.txt" 00000000000000aa
as apart B "$T/200.txt"
runs 0 'where no machine has both' pawl report --project apart A..B
like 'nothing is a hint' "$T/out" 'BenchmarkX +101 ns +201 ns .* inconclusive'
like 'and a warning names both' "$T/out" 'warning: measured on two machines: the base on 00000000000000aa \(Slow CPU\)'

# ---- what was measured since -------------------------------------------------------------------

as since A "$T/100.txt"
as since B "$T/200.txt"
git checkout -q A
pawl collect -q --project since $quick >/dev/null 2>&1
git checkout -q main
runs 0 'what was imported for both, of which one was measured since' \
	pawl report --project since A..B
like 'is compared' "$T/out" 'BenchmarkX +101 ns +201 ns .* suspect'

# ---- several calls -----------------------------------------------------------------------------

pawl import --project calls --commit A "$T/100.txt" >"$T/ids"
pawl import --project calls --commit A "$T/y.txt" >>"$T/ids"
runs 0 'what two calls imported' pawl report --project calls A
like 'is shown as one' "$T/out" 'BenchmarkX +101 ns'
like 'with both benchmarks' "$T/out" 'BenchmarkY +6.00 ns'
runs 0 'and exported' pawl export --project calls --format benchstat A
like 'as one' "$T/out" 'BenchmarkX.*100 ns/op'
like 'with both' "$T/out" 'BenchmarkY.*5 ns/op'
pawl export --project calls --format json A >"$T/both.json"
valid 'the document fits the schema' "$T/both.json"
is 'and has both' "$(json "$T/both.json" 'len(d["benchmarks"])')" 2
runs 0 'it goes into a store that has the calls by themselves' \
	pawl import --format pawl --project calls "$T/both.json"
unlike 'under an id of its own' "$T/ids" "$(json "$T/both.json" 'd["id"]')"
