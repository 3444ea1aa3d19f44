# A regression that is wanted: accepted in a committed file, shown, and let pass.
. "$(dirname "$0")/../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	runs = 8..8
	minTime = 1ms
[benchmark "work"]
	command = ./work
END
printf '/work\n' >.gitignore
build_work work 1000
commit_all . 'one'
pawl collect -q >/dev/null
build_work work 3000
echo 3000 >size
commit_all . 'thrice the "work"'
slow=$(git rev-parse HEAD)
runs 1 'thrice the work is a regression' pawl collect

# ---- usage ----------------------------------------------------------------------------------

runs 2 'a commit is needed' pawl accept --benchmark work/chain --because x
runs 2 'a benchmark is needed' pawl accept HEAD --because x
like 'and it says how' "$T/err" '^hint: pawl accept COMMIT --benchmark NAME --because'
runs 2 'a reason is needed' pawl accept HEAD --benchmark work/chain
runs 2 'an empty reason is none' pawl accept HEAD --benchmark work/chain --because ' '
runs 2 'a name of two lines is none' pawl accept HEAD --benchmark 'a
b' --because x
runs 5 'an unknown commit is told' pawl accept nowhere --benchmark work/chain --because x
like 'by its name' "$T/err" "unknown revision 'nowhere'"
runs 5 'what git takes for a range is no commit' pawl accept ^HEAD --benchmark work/chain --because x
check 'nothing was written' [ ! -e .pawlaccepted ]
runs 0 'the list is empty' pawl accept --list
is 'and prints nothing' "$(cat "$T/out")" ''

# ---- another benchmark, another commit ------------------------------------------------------

runs 0 'an unknown benchmark is accepted' pawl accept HEAD --benchmark other --because 'x'
like 'with a warning' "$T/err" "no benchmark 'other' is configured or has a stored result"
runs 0 'the commit before can be accepted too' pawl accept HEAD~1 --benchmark work/chain --because y
unlike 'a benchmark with results gives no warning' "$T/err" 'warning'
runs 1 'neither lets this regression pass' pawl report

# ---- accepted -------------------------------------------------------------------------------

printf '# a remark of mine\n' >>.pawlaccepted
runs 0 'the commit is accepted' pawl accept HEAD --benchmark 'work/*' --because 'the "checks" are worth it'
like 'and it says what to do next' "$T/out" "commit '.pawlaccepted'"
like 'the remark stays' .pawlaccepted '^# a remark of mine$'
is 'git reads the file as it was meant' \
	"$(git config -f .pawlaccepted --get-all "accept.$slow.because" | tail -n 1)" \
	'the "checks" are worth it'
runs 0 'the list shows it' pawl accept --list
like 'with commit, benchmark, reason and subject' "$T/out" \
	"^$(echo "$slow" | cut -c1-12)  work/\*: the \"checks\" are worth it  \(thrice the \"work\"\)\$"
runs 0 'the stored result passes now' pawl report
like 'it is still shown as a regression' "$T/out" 'work/chain .*(regressed|accepted)'
runs 0 'as a document too' pawl report --json
is 'which carries the commit' "$(json "$T/out" '[b["accepted"]["commit"] for b in d["benchmarks"] if b["name"] == "work/chain"]')" \
	"['$slow']"
is 'and the reason' "$(json "$T/out" '[b["accepted"]["because"] for b in d["benchmarks"] if b["name"] == "work/chain"]')" \
	"['the \"checks\" are worth it']"
runs 0 'a range of results passes' pawl report HEAD~1..
git stash -q -u
runs 1 'without the file it does not' pawl report
git stash pop -q
commit_all . 'accept the checks'
runs 0 'measured again at the commit that accepts, nothing changed' pawl collect

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
build_work work 3000
runs 1 'without the file it is a regression' pawl collect
git show main:.pawlaccepted >.pawlaccepted
runs 0 'the change passes under its new id' pawl collect
git checkout -q main 2>/dev/null || git checkout -q -f main

# ---- faults ---------------------------------------------------------------------------------

printf '[accept "%s"]\n\tbenchmark = a\n' "$slow" >.pawlaccepted
runs 2 'a fault in the file ends report' pawl report
like 'with its line' "$T/err" "'.pawlaccepted' line 2: the change has no reason"
like 'and its cure' "$T/err" '^hint: add below it: because = WHY'
runs 2 'and collect, before any measuring' pawl collect
runs 2 'and accept' pawl accept HEAD --benchmark work/chain --because x
git init -q --bare "$T/bare"
cd "$T/bare" || exit 1
runs 5 'a bare repository has no such file' pawl accept HEAD --benchmark a --because x
