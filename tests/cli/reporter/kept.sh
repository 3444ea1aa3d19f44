# A comparison is kept and shown again, in every format; and two imported results are compared.
. "$(dirname "$0")/../../lib.sh"

new_work_repo "$T/repo"
cd "$T/repo" || exit 1
set_work 1000 one
set_work 40000 two
set_work 40000 three
echo text >README
commit_all . three

# ---- shown again ---------------------------------------------------------------------------------

runs 5 'without a comparison there is none' pawl report --last
like 'which is said' "$T/err" 'no comparison is kept'
like 'with what to do' "$T/err" "^hint: run 'pawl compare' first"
runs 1 'a comparison' pawl compare --json --pairs 12 HEAD~3..HEAD~2
cp "$T/out" "$T/first"
# More than one buffer: the first write fails, and the last one does not.
pawl report --last --json >/dev/full 2>"$T/err"
like 'a full disk is told' "$T/err" '^pawl: error: cannot write to stdout: No space left on device$'
is 'a reader that has left ends it' "$(/usr/bin/python3 -ISc 'import os, subprocess
r, w = os.pipe()
os.close(r)
print(subprocess.call(["pawl", "report", "--last", "--json", "-q"], stdout=w))' 2>"$T/err")" -13
check 'without a word' [ ! -s "$T/err" ]
runs 1 'is shown again' pawl report --last
like 'with its verdict' "$T/out" 'work/chain .*regressed'
runs 1 'as the document that it was' pawl report --last --json
check 'byte for byte' cmp -s "$T/out" "$T/first"
for format in markdown html junit csv openmetrics annotations; do
	runs 1 "as $format" pawl report --last --format $format
	check "$format holds something" [ -s "$T/out" ]
done
runs 1 'into files' pawl report --last --write html="$T/page.html" --svg "$T/pair.svg"
check 'which are there' [ -s "$T/page.html" -a -s "$T/pair.svg" ]
like 'the page shows both distributions at once' "$T/page.html" '<details open><summary><b>work/chain'
like 'and folds the facts' "$T/page.html" '<details><summary>Commits, settings and machine</summary>'
unlike 'of which none is unknown' "$T/page.html" '<td>unknown</td>'
runs 2 'a name that it does not have' pawl accept HEAD~2 --benchmark work/chan --because x
like 'is refused with the nearest' "$T/err" "did you mean 'work/chain'"
runs 0 'its size can be accepted' pawl accept HEAD~2 --benchmark work/chain --because x
accepted=$(sed -n 's/.*change = +\([0-9.]*\)%$/\1/p' .pawlaccepted)
# At most what the interval says, in tenths of a percent.
is 'as it was measured' "$(json "$T/first" "[0 <= ${accepted:-0} - 100 * (m['delta']['ci'][1] - 1) < 0.1001
	for b in d['benchmarks'] for m in b['metrics'] if m['name'] == b['gate']]")" '[True]'
rm .pawlaccepted
runs 0 'another comparison' pawl compare HEAD~1..HEAD
runs 0 'is the last one now' pawl report --last
like 'of its own verdict' "$T/out" 'identical'
runs 1 'the first is found by its commits' pawl report HEAD~3..HEAD~2
like 'however they are written' "$T/out" 'regressed'
runs 1 'and by its head alone' pawl report HEAD~2
runs 0 'as HEAD is' pawl report
runs 5 'a commit that was not compared' pawl report HEAD~1
like 'is named' "$T/err" "no stored result of commit $(git rev-parse HEAD~1 | cut -c1-12), and none at all yet"
like 'with the way to what was' "$T/err" '^hint: .* pawl report --last$'
runs 5 'two that were not compared' pawl report HEAD~2..HEAD~1
like 'have no result' "$T/err" 'no stored result between'
runs 2 'the last one is of no commit' pawl report --last HEAD
i=0
while [ $i -lt 101 ]; do
	i=$((i + 1))
	cp "$(ls .git/pawl/comparisons/*.json | head -n 1)" ".git/pawl/comparisons/000000000000$i-a-b.json"
done
runs 0 'one more' pawl compare HEAD~1..HEAD
is 'and only the newest stay' "$(ls .git/pawl/comparisons | wc -l)" 100
echo '{' >.git/pawl/comparisons/9999999999999999-a-b.json
runs 0 'a damaged one is passed over' pawl report --last
like 'which is told' "$T/err" "warning: 1 kept comparison is damaged and left out, such as '.*/9999999999999999-a-b.json'"
rm .git/pawl/comparisons/9999999999999999-a-b.json
newest=$(ls .git/pawl/comparisons/*.json | tail -n 1)
tr 1 2 <"$newest" >"$T/another" && cp "$T/another" "$newest"
pawl report --last >"$T/out" 2>"$T/err"
like 'so is one with another figure' "$T/err" "damaged and left out, such as '$PWD/$newest'"
rm "$newest"

# ---- imported ------------------------------------------------------------------------------------

bench() {
	for ns in "$@"; do
		printf 'BenchmarkSum-8\t1000\t%s ns/op\n' "$ns"
	done
}
bench 100 101 102 99 100 101 >"$T/old.txt"
bench 150 151 149 152 150 149 >"$T/new.txt"
check 'results of one commit' pawl import -q --commit HEAD~2 "$T/old.txt"
check 'and of another' pawl import -q --commit HEAD~1 "$T/new.txt"
runs 0 'are compared' pawl report HEAD~2..HEAD~1
like 'with the change and its interval' "$T/out" 'Sum.* \+4[89]\.[0-9]+ % .*\[\+?4[0-9.]+, \+?5[0-9.]+\].*suspect'
like 'and what it is worth' "$T/out" 'measured one after the other: a hint, never a verdict'
runs 0 'as a document' pawl report --json HEAD~2..HEAD~1
valid 'that fits the schema' "$T/out"
is 'with a p value' "$(json "$T/out" '[m["delta"]["p"] < 1e-6 for b in d["benchmarks"] for m in b["metrics"] if m["name"] == b["gate"]]')" '[True]'

# ---- compared, and imported ------------------------------------------------------------------------

bench 170 171 172 169 170 171 >"$T/third.txt"
check 'results of a commit that was compared with its parent' pawl import -q --commit HEAD~3 "$T/third.txt"
runs 0 'are newer than what was kept' pawl report HEAD~3..HEAD~2
like 'and shown' "$T/out" 'Sum.* -4[01]\.[0-9]+ % '
like 'the older ones are mentioned' "$T/err" '^pawl: the kept comparison, of 20[0-9-]*T[0-9:]*Z, is older and not shown$'
check 'results before a comparison' pawl import -q --commit HEAD "$T/third.txt"
runs 0 'which is newer' pawl compare HEAD~1..HEAD
runs 0 'is shown' pawl report HEAD~1..HEAD
like 'as it was kept' "$T/out" 'work/chain .*identical'
like 'and they are mentioned' "$T/err" '^pawl: what was imported for both, of 20[0-9-]*T[0-9:]*Z, is older and not shown$'

runs 0 'of one commit what was compared is shown' pawl report HEAD
like 'and not what was imported for it' "$T/out" 'work/chain .*identical'
like 'which is said' "$T/err" '^pawl: what was imported for this commit is not shown: '
pawl collect --no-push -q --runs 6..6 >"$T/out" 2>"$T/err"
bench 180 181 182 179 180 181 >"$T/fourth.txt"
check 'results behind a collection' pawl import -q --commit HEAD "$T/fourth.txt"
pawl report >"$T/out" 2>"$T/err"
like 'hide nothing of it' "$T/out" '^. work/chain '
like 'and this is said, too' "$T/err" '^pawl: what was imported for this commit is not shown: '

# ---- failed ----------------------------------------------------------------------------------------

# An older comparison in its place would be taken for the last one.
echo '#error' >>work.c
commit_all . 'does not build'
runs 4 'a comparison with what does not build' pawl compare
runs 4 'is the last one, too' pawl report --last
like 'with what failed' "$T/out" 'the build exited with status'
like 'and without a baseline' "$T/err" "^pawl: the comparison of $(git rev-parse --short=12 HEAD), which ended before it had a baseline$"

# ---- what cannot be kept ----------------------------------------------------------------------------

sh -c 'ulimit -f 1; exec pawl compare --pairs 6 --base-cmd true --head-cmd "true x"' >"$T/out" 2>"$T/err"
like 'a comparison that cannot be kept is told' "$T/err" '^pawl: warning: this comparison is not kept: '
