# Two commits built and compared: the verdicts, what is not measured, and everything that can be
# wrong with either side. The work tree, the index and the list of worktrees stay as they are.
. "$(dirname "$0")/../../lib.sh"

start_repo() {
	new_work_repo "$T/$1"
	cd "$T/$1" || exit 1
}

# field NAME EXPRESSION: of the benchmark's entry b, the document in d
field() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}

start_repo repo
set_work 1000 one
base=$(git rev-parse HEAD)
set_work 3000 'three times the work'
echo text >README
commit_all . 'a document'
set_work 1000 repaired
before=$(git worktree list; git status --porcelain; git for-each-ref; git stash list)

runs 1 'three times the work' pawl compare --json HEAD~3..HEAD~2
is 'is a regression' "$(field work/chain "b['verdict']")" regressed
is 'the head is the commit' "$(json "$T/out" 'd["commit"]["id"]')" "$(git rev-parse HEAD~2)"
is 'the base is the baseline' "$(json "$T/out" 'd["baseline"]["commit"]')" "$base"
is 'which was built' "$(json "$T/out" 'd["baseline"]["how"]')" rebuilt
is 'the delta is about three' \
	"$(field work/chain "[2.5 < m['delta']['ratio'] < 3.5 for m in b['metrics'] if m['name'] == b['gate']]")" '[True]'
valid 'the document fits the schema' "$T/out"
runs 0 'a document only' pawl compare --json HEAD~2..HEAD~1
is 'is identical code' "$(field work/chain "b['verdict']")" identical
runs 0 'the repair' pawl compare
like 'is an improvement' "$T/out" 'work/chain .*improved'
runs 1 'one argument is the base of HEAD' pawl compare --json "$base..HEAD~1"
runs 0 'a base alone' pawl compare --json "$base"
is 'has the same code' "$(field work/chain "b['verdict']")" identical
runs 1 'two arguments are base and head' pawl compare -q HEAD~3 HEAD~2
runs 0 'the other way round it is no regression' pawl compare -q HEAD~2 HEAD~3
is 'nothing of the repository changed' \
	"$(git worktree list; git status --porcelain; git for-each-ref; git stash list)" "$before"
is 'nothing was stored' "$(test -e .git/pawl/results.db && echo stored)" ''

# ---- A/A ---------------------------------------------------------------------------------------

cp .pawlconfig "$T/config"
echo '# edited' >>.pawlconfig
runs 0 'of what is edited nothing is compared' pawl compare --json "$base"
is '  all is identical' "$(field work/chain "b['verdict']")" identical
like '  which is told' "$T/err" '^pawl: warning: the work tree has uncommitted changes, which are not compared$'
like '  with the way to compare it' "$T/err" '^hint: .*--working-tree$'
cp "$T/config" .pawlconfig
runs 0 'a commit with itself is identical' pawl compare --json HEAD..HEAD
like '  and that it is one is told' "$T/err" "^pawl: warning: both sides are commit $(git rev-parse --short=12 HEAD)\$"
like '  with what else may be meant' "$T/err" '^hint: .*--working-tree$'
is 'without being measured' "$(json "$T/out" '[b["metrics"] for b in d["benchmarks"]]')" '[[]]'
runs 0 'unless asked for' pawl compare --json --measure-identical --threshold 90% HEAD..HEAD
is 'twelve pairs then' "$(field work/chain "[m['n'] for m in b['metrics'] if m['name'] == 'cpu']")" '[12]'
is 'which differ by little' "$(field work/chain "b['verdict']")" unchanged
if slow_only 'calibration beside verdicts'; then
	runs 0 'calibration measures it' pawl calibrate --times 2 --threshold 90%
	like 'and tells what it found' "$T/out" 'work/chain +2 +0 '
	runs 0 'it adds up' pawl calibrate --times 1 --json --threshold 90%
	is 'to three' "$(json "$T/out" 'len(d["benchmarks"][0]["log_ratios"])')" 3
	runs 0 'what is known is listed' pawl calibrate --list
	like 'without measuring' "$T/out" 'work/chain +3 +0 '
	runs 1 'it stands beside a verdict' pawl compare --json HEAD~3..HEAD~2
	is 'with its number' "$(field work/chain "b['calibration']['n']")" 3
fi
runs 2 'no number of times' pawl calibrate --times none
like 'is told' "$T/err" "takes a number from 1 to 200, not 'none'"

# ---- uncommitted work ----------------------------------------------------------------------------

echo 'WORK = 3000' >work.mk
runs 1 'uncommitted work' pawl compare --json --working-tree
is 'is dirty' "$(json "$T/out" 'd["commit"]["dirty"]')" True
is 'and compared with HEAD' "$(json "$T/out" 'd["baseline"]["commit"]')" "$(git rev-parse HEAD)"
is 'it stays as it is' "$(git status --porcelain)" ' M work.mk'
runs 1 'it is shown again' pawl report --last
like 'as work, not as a commit and itself' "$T/err" \
	"^pawl: the comparison of $(git rev-parse --short=12 HEAD) and the work on $(git rev-parse --short=12 HEAD), as it was kept\$"
runs 0 'commits are compared as committed' pawl compare -q HEAD~1..HEAD
git checkout -q work.mk
runs 0 'a clean tree' pawl compare --json --working-tree
is 'is HEAD itself' "$(field work "b['verdict']")" identical

# ---- one side only ---------------------------------------------------------------------------------

start_repo sides
set_work 1000 good
echo '#error ##[error]no ##vso[task.complete result=Failed]' >>work.c
commit_all . 'does not build'
runs 4 'a head that does not build' pawl compare
unlike 'its output commands no log of a CI' "$T/err" '##'
like 'but is shown' "$T/err" 'build: .*#\\#vso\[task'
like 'is named' "$T/out" "the head \($(git rev-parse --short=12 HEAD)\): the build exited with status 2"
like 'with what it printed' "$T/out" '#error'
git revert -n HEAD && set_work 1001 'builds again'
runs 4 'a base that does not build' pawl compare
like 'is named too' "$T/out" "the base \($(git rev-parse --short=12 HEAD~1)\)"
like 'in one sentence' "$T/out" \
	"^Nothing was compared: the base \($(git rev-parse --short=12 HEAD~1)\) does not build\.\$"
like 'and it is said how to take another one' "$T/err" \
	"^pawl: to compare with a commit that builds: pawl compare COMMIT\.\.$(git rev-parse --short=12 HEAD)\$"
runs 125 'for git bisect it cannot be tested' pawl compare --bisect
runs 4 'neither builds' pawl compare HEAD~1..HEAD~1 --measure-identical
like 'and both are named' "$T/out" '^Nothing was compared: the base \(.*\) and the head \(.*\) do not build\.$'
runs 4 'in a document' pawl compare --json
is 'it is a field' "$(json "$T/out" "d['unbuilt']['base'], d['unbuilt']['head']")" "('$(git rev-parse HEAD~1)', None)"
valid 'that the schema knows' "$T/out"
runs 4 'kept' pawl report --last
like 'it is known later, too' "$T/out" '^Nothing was compared: the base \(.*\) does not build\.$'
sed 's/"chain"/"links"/' work.c >w && mv w work.c
commit_all . 'another benchmark'
runs 0 'a benchmark that changed its name' pawl compare --json
is 'was added' "$(field work/links "b['verdict']")" added
is 'and removed' "$(field work/chain "b['verdict']")" removed
sed 's/(void)ctx;/__builtin_trap();/' work.c >w && mv w work.c
commit_all . 'it dies'
runs 4 'a head that dies' pawl compare
like 'says how' "$T/out" 'SIG(ILL|TRAP)'
git revert -n HEAD && commit_all . 'it lives'
runs 4 'a base that dies' pawl compare
like 'says where and how' "$T/out" 'the base: .*SIG(ILL|TRAP)'
git rm -q Makefile && git commit -qm 'no Makefile'
runs 4 'a tree without what builds it' pawl compare
runs 0 'a script needs no build' pawl compare --build true --pairs 6 --threshold 90% -- sh -c 'cat work.c'

# ---- commands ------------------------------------------------------------------------------------

start_repo commands
sed '/benchmark/,$d' .pawlconfig >c && mv c .pawlconfig
printf 'all:\n\t@:\n' >Makefile
echo 'sleep 0.01; echo one' >job.sh
commit_all . one
echo 'sleep 0.15; echo one' >job.sh
commit_all . two
echo 'sleep 0.15; echo two' >job.sh
commit_all . three
runs 1 'each side runs its own script' pawl compare --pairs 12 HEAD~2..HEAD~1 -- sh job.sh
runs 0 'another answer' pawl compare --json --pairs 6 --threshold 90% -- sh job.sh
is 'is told' "$(field sh "b['output']")" differs
runs 0 'the same answer' pawl compare --json HEAD~1..HEAD~2 -- sh job.sh
is 'is told too' "$(field sh "b['output']")" same
runs 0 'for people' pawl compare --pairs 6 --threshold 90% -- sh job.sh
like 'beside the verdict' "$T/out" 'output differs'
# What is printed first is cut off where its end is written to a file that is opened anew.
echo 'echo "$1"; sleep 0.01; : >/dev/stdout; echo end' >first.sh
echo 'sh first.sh red' >cuts.sh
commit_all . cuts
echo 'sh first.sh green' >cuts.sh
commit_all . 'cuts another'
runs 0 'a program that opens its standard output anew' pawl compare --json --pairs 6 --threshold 90% -- sh cuts.sh
is 'has no output that could be called the same' "$(field sh "b.get('output')")" None
like 'and is told why' "$T/err" "opens its standard output anew"
git reset -q --hard HEAD~2
runs 0 'a path into the work tree' pawl compare HEAD~1..HEAD~1 --measure-identical --pairs 6 --threshold 90% -- sh "$PWD/job.sh"
# What it wrote in an earlier comparison is not there in the next one, on either side.
cat >job.sh <<EOF
test ! -e data || test "\$(head -n 1 data)" = "\$(cat '$T/round')" || exit 7
cat '$T/round' >>data
EOF
commit_all . four
for round in 1 2; do
	echo $round >"$T/round"
	runs 0 "a benchmark that writes, round $round" pawl compare --json --pairs 6 --threshold 90% \
		--measure-identical HEAD..HEAD -- sh job.sh
	is 'runs on both sides' "$(field sh "len(b['metrics']) > 0")" True
done
git rm -q job.sh && git commit -qm 'no script'
git revert -n HEAD && commit_all . 'a script'
runs 4 'a script that the base does not have' pawl compare --json -- sh job.sh
is 'is on one side alone' "$(field sh "b['verdict']")" added
like 'which is no comparison' "$T/out" "not compared: the base has no 'job.sh', which is new in the head; compare with a base"

echo data >untracked.txt
runs 4 'an untracked file by its absolute path' pawl compare --json -- cat "$PWD/untracked.txt"
like 'is called untracked' "$T/out" "'\./untracked\.txt' is untracked: your work tree has it, neither commit does; commit it"
like 'beside what the program said' "$T/out" 'untracked.txt: No such file'
runs 0 'one that the program can do without' pawl compare --pairs 6 --threshold 90% -- sh -c 'cat work.c' untracked.txt
like 'is warned of' "$T/err" "warning: 'untracked.txt' is untracked"

# ---- programs from elsewhere ---------------------------------------------------------------------

start_repo outside
set_work 1000 one
set_work 1001 two
runs 2 'a program outside both trees' pawl compare --json -- /bin/true 7
like 'is not measured against itself' "$T/err" "error: true: both sides would run the same program: '/.*/true' lies in neither tree"
like 'and the way to do that is told' "$T/err" '^hint: .*--measure-identical'
like 'while it built it said only that' "$T/err" 'building [0-9a-f]*$'
runs 0 'what is built already' env XDG_DATA_HOME=/nowhere BENCH_SIZE=7 \
	pawl compare -q --threshold 90% --measure-identical --pairs 6 HEAD..HEAD -- /bin/true
runs 0 'is told where that is asked' pawl compare --explain-build --threshold 90% --pairs 6 -- cat work.mk
like 'why' "$T/err" 'is not built: a kept build fits'
runs 2 'but not where nothing may be said' pawl compare -q --explain-build -- cat work.mk
like 'which is said' "$T/err" 'error: --quiet and --explain-build exclude each other'
runs 0 'another flag' env CFLAGS=-g pawl compare --threshold 90% --pairs 6 -- cat work.mk
like 'is told without being asked' "$T/err" "is built again: CFLAGS is '-g', was not set"
if slow_only 'variables that are named, where compilers look'; then
	runs 0 'a variable that is named' env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=pawl.env GIT_CONFIG_VALUE_0='MY_SDK MY_OTHER' \
		MY_SDK=/one pawl compare --threshold 90% --pairs 6 --build 'echo "$MY_SDK" >sdk' -- cat sdk work.mk
	runs 0 'and another value' env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=pawl.env GIT_CONFIG_VALUE_0='MY_SDK MY_OTHER' \
		MY_SDK=/two pawl compare --threshold 90% --pairs 6 --build 'echo "$MY_SDK" >sdk' -- grep -q two sdk
	like 'builds again, and reaches the build' "$T/err" "is built again: MY_SDK was '/one', is '/two'"
	runs 0 'a folder of the work tree, where compilers look' env CPATH="$PWD/include:/opt/include:$PWD" \
		pawl compare --threshold 90% --pairs 6 --build 'echo "$CPATH" >cpath' -- grep -qx /opt/include cpath
fi
runs 2 'one that holds a secret' env PAWL_ENV=PAWL_TOKEN pawl compare -- cat work.mk
like 'is refused' "$T/err" "none of git's or pawl's own"
runs 2 'nor is a shell that reads nothing of them' pawl compare -- sh -c 'exit 0'
runs 0 'one that opens a file it was not told of' pawl compare -q --pairs 6 --threshold 90% -- make -n
runs 0 'or is told of one' pawl compare -q --pairs 6 --threshold 90% -- cat ./work.mk
runs 0 'or is meant' pawl compare -q --pairs 6 --threshold 90% --measure-identical HEAD..HEAD -- /bin/true
git config benchmark.idle.command /bin/true
runs 4 'one of several' pawl compare --json --pairs 6 --threshold 90%
is 'fails alone' "$(json "$T/out" '[(b["name"], b["verdict"]) for b in d["benchmarks"] if b["verdict"] == "failed"]')" "[('idle', 'failed')]"
like 'with its reason' "$T/out" 'both sides would run the same program'

# A library that each build installs over the other's, and one that each has for itself.
cat >"$T/install.sh" <<'END'
mkdir -p "$1" && echo "int work(void) { return $(tr -dc 0-9 <work.mk); }" >lib.c &&
	cc -shared -fPIC -o "$1/libwork.so" lib.c &&
	echo 'int work(void); int main(void) { return !work(); }' >main.c &&
	cc -o uses main.c -L"$1" -lwork -Wl,-rpath,"$1"
END
runs 2 'a library that both builds install' pawl compare --build "sh $T/install.sh $T/installed" -- ./uses
like 'is not the same code twice' "$T/err" "would load the same '/.*/installed/libwork.so'.* written after one of them was built"
like 'and the cure is told' "$T/err" '^hint: .*below its own tree'
runs 0 'one in each tree' pawl compare --threshold 90% --pairs 6 --build "sh $T/install.sh \"\$PWD\"" -- ./uses

# ---- sources -------------------------------------------------------------------------------------

start_repo sources
printf '\tinput = none\n' >/dev/null
sed 's/build = make/build = exit 3\n\tsources = work.c\n\tsources = work.mk/' .pawlconfig >c && mv c .pawlconfig
set_work 1000 one
echo text >README
commit_all . 'a document'
runs 0 'unchanged sources are not even built' pawl compare --json
is 'but identical' "$(field work "b['verdict']")" identical
like 'and it says so' "$T/out" 'nothing was built'
runs 4 'a source that neither side has tells nothing' env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=pawl.sources GIT_CONFIG_VALUE_0=nothing \
	pawl compare
like 'and is named' "$T/err" "neither commit has the source 'nothing'"
set_work 2000 'other work'
runs 4 'changed ones are built' pawl compare

# ---- wrong use ------------------------------------------------------------------------------------

cd "$T/repo" || exit 1
runs 5 'an unknown commit' pawl compare nowhere..HEAD
like 'is named' "$T/err" 'nowhere'
runs 128 'which stops git bisect' pawl compare --bisect nowhere..HEAD
runs 2 'an unknown benchmark' pawl compare --benchmark nothing
like 'is named' "$T/err" "no benchmark 'nothing'"
runs 0 'a benchmark by its name' pawl compare --benchmark work/chain
runs 0 'or by its section' pawl compare --benchmark work
git config benchmark.again.command build/bench
git config benchmark.third.command build/bench
runs 0 'two benchmarks by their names' pawl compare --json --pairs 6 --threshold 90% -b again --benchmark work/chain
is 'are both compared' "$(json "$T/out" 'sorted(b["name"] for b in d["benchmarks"])')" \
	"['again/chain', 'work/chain']"
runs 0 'in the same sources too' pawl compare --json -b again -b work HEAD..HEAD
is 'they are both told' "$(json "$T/out" 'sorted(b["name"] for b in d["benchmarks"])')" "['again', 'work']"
runs 2 'one of two that is unknown' pawl compare -b work -b agaim
like 'is named, and no benchmark is dropped' "$T/err" "no benchmark 'agaim'"
git config --remove-section benchmark.again
git config --remove-section benchmark.third
runs 2 'three arguments' pawl compare a b c
runs 2 'quick and pairs' pawl compare --quick --pairs 20
runs 2 'too few pairs' pawl compare --pairs 3
runs 2 'a budget that is no time' pawl compare --budget soon
runs 2 'a range with the work tree' pawl compare --working-tree HEAD~1..HEAD
git checkout -q -b side HEAD~2
set_work 4000 'on a branch'
runs 1 'three dots start where the branch left' pawl compare --json main...side
is 'not at the other tip' "$(json "$T/out" 'd["baseline"]["commit"]')" "$(git merge-base main side)"
git checkout -q main
git clone -q --bare . "$T/bare.git"
cd "$T/bare.git" || exit 1
runs 1 'a bare repository has the configuration of HEAD' pawl compare --runs 12..12 --min-time 1ms main~3..main~2
runs 5 'but no work tree to collect in' pawl collect
like 'which says what to do' "$T/err" '^hint: .*pawl compare BASE..HEAD'
runs 1 'a command can be compared, too' pawl compare --runs 12..12 --min-time 1ms main~3..main~2 -- build/bench
git clone -q --depth 1 "file://$T/repo" "$T/shallow"
cd "$T/shallow" || exit 1
runs 5 'a shallow clone' pawl compare
like 'says how to deepen it' "$T/err" 'git fetch --'
unlike 'and has no first commit' "$T/err" 'nothing to compare with'
new_repo "$T/empty"
cd "$T/empty" || exit 1
runs 5 'an empty repository' pawl compare -- true
commit_all . one
runs 5 'a first commit has nothing before it' pawl compare -- true
first=$(git rev-parse --short=12 HEAD)
like 'which is told, and no revision that nobody named' "$T/err" \
	"^pawl: error: there is nothing to compare with yet: commit $first has no parent: it is the first one$"
like 'with what can be done' "$T/err" '^hint: commit again, or measure this commit alone: pawl collect -- true$'
runs 5 'where a decision may be kept' env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=benchmark.x.command GIT_CONFIG_VALUE_0=true \
	pawl compare --reuse
like 'it is told as well' "$T/err" 'there is nothing to compare with yet'
runs 5 'nor can functions be compared' pawl why -- true
like 'which is told, too' "$T/err" "there is nothing to compare with yet: commit $first has no parent"
like 'with what can be done about that' "$T/err" '^hint: commit again$'
runs 5 'a revision that was named' pawl compare HEAD~1 -- true
like 'is unknown' "$T/err" "unknown revision 'HEAD~1'"
runs 2 'nothing to run' pawl compare HEAD..HEAD
like 'says what to write' "$T/err" "pawl compare -- "

# ---- the way back --------------------------------------------------------------------------------

new_work_repo "$T/back"
cd "$T/back" || exit 1
set_work 3000 'slow'
set_work 1000 'quick'
runs 1 'an older, slower commit' pawl compare --runs 12..12 --layouts off HEAD..HEAD~1
like 'is told as one' "$T/err" 'is an older commit than [0-9a-f]{12}: what was quicker is in the commits since'
unlike 'it cannot be accepted or looked for' "$T/err" 'pawl (accept|bisect)'
