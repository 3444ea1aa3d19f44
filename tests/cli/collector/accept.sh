# A regression that is wanted: accepted in a committed file, shown, and let pass.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	runs = 12..12
	minTime = 1ms
[benchmark "work"]
	command = ./work
END
printf '/work\n' >.gitignore
build_work work 1000
commit_all . 'one'
pawl collect -q >/dev/null
build_work work 8000
echo 8000 >size
commit_all . 'eight times the "work"'
slow=$(git rev-parse HEAD)
runs 1 'eight times the work is a regression' pawl collect
like 'it says what shows more' "$T/err" \
	"^pawl: to see what got slower: pawl why $(git rev-parse HEAD~1 | cut -c1-12)\.\.$(echo "$slow" | cut -c1-12) --benchmark work/chain\$"
like 'and what lets it pass' "$T/err" \
	"^pawl: to accept this change: pawl accept $(echo "$slow" | cut -c1-12) --benchmark work/chain --change \+[0-9.]+% --because WHY\$"
pawl collect >"$T/both" 2>&1
check 'in one file, after the table' \
	[ "$(grep -n 'benchmark .*verdict' "$T/both" | cut -d: -f1)" -lt "$(grep -n 'to accept this' "$T/both" | cut -d: -f1)" ]

# ---- usage ----------------------------------------------------------------------------------

runs 2 'a commit is needed' pawl accept --benchmark work/chain --because x
runs 2 'a benchmark is needed' pawl accept HEAD --because x
like 'and it says how' "$T/err" '^hint: pawl accept COMMIT --benchmark NAME --because'
runs 2 'a reason is needed' pawl accept HEAD --benchmark work/chain
runs 2 'an empty reason is none' pawl accept HEAD --benchmark work/chain --because ' '
runs 2 'a name of two lines is none' pawl accept HEAD --benchmark 'a
b' --because x --change any
runs 5 'an unknown commit is told' pawl accept nowhere --benchmark work/chain --because x
like 'by its name' "$T/err" "unknown revision 'nowhere'"
runs 5 'what git takes for a range is no commit' pawl accept ^HEAD --benchmark work/chain --because x
for size in '' 6 -6% six nan inf any%; do
	runs 2 "'$size' is no size" pawl accept HEAD --benchmark work/chain --because x --change "$size"
done
like 'and it says how' "$T/err" '^hint: for example --change \+6%, or --change any'
runs 5 'a commit without a comparison has no size' pawl accept HEAD~1 --benchmark work/chain --because x
like 'which is told' "$T/err" "no stored result of .* says how much worse 'work/chain' got"
like 'with what to do' "$T/err" "^hint: measure it and accept it again: pawl compare "
runs 2 'a name that no result has is refused' pawl accept HEAD --benchmark work/chian --because x --change any
like 'with the nearest' "$T/err" "^hint: did you mean 'work/chain'\?"
runs 2 'and a section for its benchmarks' pawl accept HEAD --benchmark work --because x --change any
like 'with one of them' "$T/err" "^hint: did you mean 'work/chain', or 'work/\*' for all"
runs 2 'or one that it does not have' pawl accept HEAD --benchmark work/other --because x --change any
like 'with one that it has' "$T/err" "^hint: did you mean 'work/chain'\?"
runs 2 'an unknown benchmark is refused' pawl accept HEAD --benchmark other --because x --change any
like 'by its name' "$T/err" "no benchmark 'other' is configured or has a stored result"
like 'with the cure' "$T/err" "^hint: write it as 'pawl report' shows it"
runs 2 'and so is a pattern that names none' pawl accept HEAD --benchmark 'other*' --because x --change any
check 'nothing was written' [ ! -e .pawlaccepted ]
runs 0 'the list is empty' pawl accept --list
is 'and prints nothing' "$(cat "$T/out")" ''

# ---- another benchmark, another commit ------------------------------------------------------

printf '[benchmark "later"]\n\tcommand = ./work\n' >>.pawlconfig
runs 5 'a section without results has no size' pawl accept HEAD --benchmark later/x --because x
runs 0 'it is accepted all the same' pawl accept HEAD --benchmark later/x --because 'x' --change any
git checkout -q .pawlconfig
runs 0 'the commit before can be accepted too' pawl accept HEAD~1 --benchmark work/chain --because y \
	--change 10%
unlike 'a benchmark with results gives no warning' "$T/err" 'warning'
runs 1 'neither lets this regression pass' pawl report

# ---- less than it is -------------------------------------------------------------------------

runs 0 'less than the change is accepted' pawl accept HEAD --benchmark work/chain --because x --change 6.1%
is 'the file says how much' "$(git config -f .pawlaccepted --get "accept.$slow.change" '^\+6')" '+6.1%'
runs 1 'that does not let it pass' pawl report
like 'and it says by how much it is more' "$T/out" \
	'beyond what was accepted: \+6\.1% in [0-9a-f]{7}, and this is at least [0-9]{3,4}(\.[0-9])? % worse'

# ---- accepted -------------------------------------------------------------------------------

cp .pawlaccepted "$T/accepted"
runs 2 'a second entry for the same is refused' pawl accept HEAD --benchmark work/chain --because x --change any
like 'with the line of the first' "$T/err" \
	"is accepted for 'work/chain' already: '.pawlaccepted' line $(grep -n '+6.1%' .pawlaccepted | cut -d : -f 1 | awk '{ print $1 - 1 }')"
like 'and the cure' "$T/err" '^hint: change that entry, or remove it'
check 'the file is as it was' cmp -s .pawlaccepted "$T/accepted"
printf '# a remark of mine\n' >>.pawlaccepted
runs 0 'the commit is accepted' pawl accept HEAD --benchmark 'work/*' --because 'the "checks" are worth it'
like 'and it says what to do next' "$T/out" "commit '.pawlaccepted'"
like 'and how much it is, as measured' "$T/out" "for 'work/\*', \+[0-9]{3,4}(\.[0-9])?%"
like 'the remark stays' .pawlaccepted '^# a remark of mine$'
is 'git reads the file as it was meant' \
	"$(git config -f .pawlaccepted --get-all "accept.$slow.because" | tail -n 1)" \
	'the "checks" are worth it'
runs 0 'the list shows it' pawl accept --list
like 'with commit, benchmark, reason and subject' "$T/out" \
	"^$(echo "$slow" | cut -c1-12)  work/\*, \+[0-9.]+%: the \"checks\" are worth it  \(eight times the \"work\"\)\$"
runs 0 'the stored result passes now' pawl report
like 'it is still shown as a regression' "$T/out" 'work/chain .*(regressed|accepted)'
runs 0 'as a document too' pawl report --json
is 'which carries the commit' "$(json "$T/out" '[b["accepted"]["commit"] for b in d["benchmarks"] if b["name"] == "work/chain"]')" \
	"['$slow']"
is 'and the reason' "$(json "$T/out" '[b["accepted"]["because"] for b in d["benchmarks"] if b["name"] == "work/chain"]')" \
	"['the \"checks\" are worth it']"
is 'what is not committed is in no result' "$(json "$T/out" 'd.get("accepted")')" None
runs 0 'a range of results passes' pawl report HEAD~1..
git stash -q -u
runs 1 'without the file it does not' pawl report
git stash pop -q
commit_all . 'accept the checks'
runs 0 'measured again at the commit that accepts, nothing changed' pawl collect --json
is 'its result tells a server what it accepts' \
	"$(json "$T/out" '[(a["commit"], a["because"]) for a in d["accepted"] if a["benchmark"] == "work/*"]')" \
	"[('$slow', 'the \"checks\" are worth it')]"

# ---- rebased --------------------------------------------------------------------------------

git checkout -q -b topic HEAD~2
echo more >README
build_work work 1000
commit_all . 'a document'
runs 0 'another commit below' pawl collect
git cherry-pick "$slow" >/dev/null 2>&1
git checkout -q main -- .pawlaccepted
git commit -qm 'accept too'
check 'the change has another id now' [ "$(git rev-parse HEAD~1)" != "$slow" ]
git checkout -q HEAD~1
build_work work 8000
runs 1 'without the file it is a regression' pawl collect
git show main:.pawlaccepted >.pawlaccepted
runs 0 'the change passes under its new id' pawl collect
git checkout -q main 2>/dev/null || git checkout -q -f main

# ---- a range that holds more than was accepted ----------------------------------------------

new_work_repo "$T/range"
cd "$T/range" || exit 1
set_work 1000 one
git tag v1
pawl collect -q >/dev/null 2>&1
set_work 4000 'four times the work'
runs 1 'four times the work is, too' pawl collect -q
runs 0 'it is accepted at its size' pawl accept HEAD --benchmark work/chain --because 'the checks'
commit_all . 'accept the checks'
runs 0 'and passes in a range' pawl compare --quick v1..HEAD
runs 1 'but git bisect is told the truth' pawl compare --quick --bisect v1..HEAD
unlike 'without a word of it' "$T/out" 'accepted'
set_work 16000 'four times again'
runs 1 'a later regression is none of what was accepted' pawl compare --quick v1..HEAD
like 'and it says how far it goes beyond' "$T/out" 'beyond what was accepted: \+.*% in [0-9a-f]{7}, .*% worse'
runs 1 'git bisect sees it' pawl compare --quick --bisect v1..HEAD
runs 1 'and so does a collection' pawl collect -q
echo text >README
commit_all . 'a document'
runs 0 'the next commit is identical' pawl collect -q
runs 1 'but not since the tag' pawl collect --since-tag
like 'which says so' "$T/out" 'beyond what was accepted'
runs 0 'the later one is accepted too' pawl accept HEAD~1 --benchmark 'work/*' --because 'a new format'
commit_all . 'accept the format'
runs 0 'both together are what it is' pawl compare --quick v1..HEAD
like 'and the last one says why' "$T/out" 'a new format'
sed -i.old '/change = /d' .pawlaccepted
runs 0 'entries of no size are of any' pawl compare --quick v1..HEAD
printf '[accept' >.pawlaccepted
runs 2 'a fault in the file ends compare' pawl compare --quick v1..HEAD
runs 1 'but not that for git bisect' pawl compare --quick --bisect v1..HEAD
cd "$T/repo" || exit 1

# ---- faults ---------------------------------------------------------------------------------

printf '[accept "%s"]\n\tbenchmark = a\n' "$slow" >.pawlaccepted
runs 2 'a fault in the file ends report' pawl report
like 'with its line' "$T/err" "'.pawlaccepted' line 2: the change has no reason"
like 'and its cure' "$T/err" '^hint: add below it: because = WHY'
runs 2 'and collect, before any measuring' pawl collect
runs 2 'and accept' pawl accept HEAD --benchmark work/chain --because x --change any
git init -q --bare "$T/bare"
cd "$T/bare" || exit 1
runs 5 'a bare repository has no such file' pawl accept HEAD --benchmark a --because x
