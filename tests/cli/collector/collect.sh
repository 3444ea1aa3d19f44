# The main job on a real repository: measure, tag, compare, store, report.
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
[benchmark "true"]
	command = true
END
printf '/work\n' >.gitignore
build_work work 1000
commit_all . 'one'

runs 0 'the first commit is collected' pawl collect
like 'it has no baseline and says why' "$T/out" 'nothing to compare them with: this is the first commit'
like 'a benchmark inside the executable is named after both' "$T/out" 'work/chain .*no-baseline'
runs 0 'its result is reported again' pawl report --json
valid 'the stored document fits the schema' "$T/out"
is 'it carries the commit' "$(json "$T/out" 'd["commit"]["id"]')" "$(git rev-parse HEAD)"
is 'the tree' "$(json "$T/out" 'd["commit"]["tree"]')" "$(git rev-parse 'HEAD^{tree}')"
is 'the branch' "$(json "$T/out" 'd["commit"]["branch"]')" main
is 'and the subject' "$(json "$T/out" 'd["commit"]["subject"]')" one
is 'twelve runs are kept' "$(json "$T/out" 'd["benchmarks"][0]["metrics"][0]["n"]')" 12
is 'wall and CPU time are there' \
	"$(json "$T/out" '[m["name"] for m in d["benchmarks"][0]["metrics"][:3]]')" \
	"['cpu', 'wall', 'peak-rss']"
is 'no metric that could not be had is 0' \
	"$(json "$T/out" '[m["name"] for b in d["benchmarks"] for m in b["metrics"] if m["state"] not in ("ok", "scaled") and (m["samples"] or not m["reason"])]')" '[]'

echo text >README
commit_all . 'a document'
runs 0 'a documentation commit' pawl collect
like 'is identical' "$T/out" 'work/chain +.*identical'
like 'what cannot be run again says why' "$T/out" 'not run again: what it runs is not in its own file'
like 'a program from outside the work tree is never called identical' "$T/out" 'true .*(unchanged|inconclusive|suspect)'

echo 'int f;' >f.c
commit_all . 'a source'
touch -d '2 hours ago' work
runs 0 'a program that is older than what HEAD changed' pawl collect
like 'is told' "$T/out" "warning: '\./work' is older than 'f\.c', which this commit changed, and nothing was built"
runs 0 'where a build tool has just built' pawl collect --built
unlike 'it knows better' "$T/out" 'is older than'
git config pawl.build 'touch built'
runs 0 'what is configured' pawl collect --built
check 'is not built' [ ! -e built ]
git config --unset pawl.build
touch work
runs 0 'one that was built after that' pawl collect
unlike 'is not' "$T/out" 'is older than'

build_work work 2000
commit_all . 'twice the work'
runs 1 'twice the work ends with status 1' pawl collect
like 'and is a regression' "$T/out" 'work/chain .*regressed'
pawl report --json >"$T/doc.json"
is 'judged against the previous commit' "$(json "$T/doc.json" 'd["baseline"]["commit"]')" \
	"$(git rev-parse HEAD~1)"
is 'whose executable ran beside it' "$(json "$T/doc.json" 'd["baseline"]["how"]')" rerun
is 'the other one has stored samples only' \
	"$(json "$T/doc.json" '[b["baseline_how"] for b in d["benchmarks"] if b["name"] == "true"]')" "['stored']"
is 'the delta is about two' \
	"$(json "$T/doc.json" '[1.8 < m["delta"]["ratio"] < 2.2 for b in d["benchmarks"] if b["name"] == "work/chain" for m in b["metrics"] if m["name"] == b["gate"]]')" '[True]'
valid 'its document fits the schema' "$T/doc.json"
runs 1 'report ends with the same status' pawl report
runs 1 'markdown' pawl report --format markdown
like 'is a table' "$T/out" '^\|.*work/chain.*\|'
runs 2 'one benchmark of a report' pawl report -b work/chain
like 'is refused with the way to it' "$T/err" "^hint: all are shown; 'pawl history NAME' shows one"
runs 2 'a collection of one' pawl collect -b work/chain
like 'as well' "$T/err" "^hint: all are measured here; 'pawl compare -b NAME' measures one"
runs 1 'a plot' pawl report --plot --benchmark work/chain
like 'has a legend' "$T/out" 'median .* of 12 runs'
runs 1 'a picture' pawl report --svg "$T/p.svg" --benchmark work/chain
check 'the picture is well-formed XML' /usr/bin/python3 -ISc \
	'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$T/p.svg"

build_work work 1000
commit_all . 'repaired'
runs 0 'the repair' pawl collect
like 'is an improvement' "$T/out" 'work/chain .*improved'
runs 1 'a range reports every commit in it' pawl report HEAD~2..HEAD
is 'both of them' "$(grep -c '^baseline:' "$T/out")" 2

echo more >>README
git add README
runs 0 'a dirty tree is collected' pawl collect
like 'with a warning' "$T/err" 'uncommitted changes'
runs 0 'and tagged' pawl report --json
is 'dirty' "$(json "$T/out" 'd["commit"]["dirty"]')" True
git commit -q -m 'clean again'
runs 0 'the next commit' pawl collect --json
is 'is not compared with the dirty result' "$(json "$T/out" 'd["baseline"]["commit"]')" \
	"$(git rev-parse HEAD~1)"

runs 0 'pawl fsck finds the store in order' pawl fsck
like 'and says how much it holds' "$T/out" '^10 results, 0 damaged$'

git checkout -q --detach
runs 0 'a detached HEAD is collected' pawl collect --json
is 'and has no branch' "$(json "$T/out" 'd["commit"]["branch"]')" None

git worktree add -q ../linked HEAD~1 >/dev/null 2>&1
cp work ../linked/
cd ../linked || exit 1
runs 0 'a linked worktree shares the store' pawl collect
like 'and finds the baseline there' "$T/out" 'baseline: [0-9a-f]{7}'

cd "$T/repo" || exit 1
git checkout -q main
git config pawl.build 'exit 3'
commit_all . 'a build that fails'
runs 4 'a build that fails' pawl collect
like 'fails every benchmark that there was, by its own name' "$T/out" 'work/chain .*failed'
unlike 'and removes none' "$T/out" 'removed'
git config --unset pawl.build
runs 0 'a command of the user needs no configuration' pawl collect --runs 2..2 -- ./work
like 'it is named after the program' "$T/out" 'work/chain'
check 'another project' pawl collect -q --project other --runs 2..2 -- true
runs 0 'the same commit once more' pawl collect --project other --runs 2..2 -- true
like 'has no baseline, whatever it was measured before' "$T/out" \
	"baseline: none: no earlier commit has results of 'other' on this machine"

cp /bin/true mine
for i in 1 2 3 4; do
	printf '[benchmark "lost%d"]\n\tcommand = ./mine %d\n\tinput = nowhere%d\n' $i $i $i
done >.pawlconfig
commit_all . 'the same fault four times'
runs 0 'a warning that several benchmarks bring' pawl collect --runs 2..2
is 'is one line' "$(grep -c 'cannot be read' "$T/err")" 1
like 'with a count' "$T/err" "input 'nowhere1' of benchmark 'lost1' cannot be read \\(and 3 more like it\\)"

# ---- built in another way -------------------------------------------------------------------------

new_repo "$T/ways"
cd "$T/ways" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	build = $CC -O2 -o spin spin.c
	runs = 12..12
[benchmark "spin"]
	command = ./spin
END
cat >spin.c <<'END'
int main(void) { volatile int n = 0; while (n < TURNS) n++; return 0; }
END
echo /spin >.gitignore
commit_all . 'one'
CC='cc -DTURNS=100000'
export CC
check 'a program is collected' pawl collect -q
echo text >README
commit_all . 'a document'
CC='cc -DTURNS=900000'
runs 0 'the same source, built by another compiler' pawl collect --json
unlike 'is not held against the program that the other one built' "$T/out" '"how": *"rerun"'
unlike 'and nobody is blamed for it' "$T/out" '"verdict": *"regressed"'
git config pawl.build 'cc -O2 -DTURNS=100000 -o spin spin.c'
echo more >README
commit_all . 'another document'
runs 0 'nor by another command' pawl collect --json
unlike 'which is seen, too' "$T/out" '"how": *"rerun"'
sed -i 's/n++/n += 1 + 0 * (n > 5)/' spin.c
commit_all . 'another program'
check 'built in the same way' pawl collect -q
sed -i 's/n > 5/n > 9/' spin.c
commit_all . 'the next one'
check 'the next one is collected' pawl collect -q
runs 0 'and reported' pawl report --json
like 'it is held against the one before' "$T/out" '"how": *"(rerun|identical)"'
PATH=$PATH:$T
echo text >>README
commit_all . 'a folder more in PATH'
check 'what is found by PATH counts, not its folders' pawl collect -q
runs 0 'another folder' pawl report --json
like 'changes nothing' "$T/out" '"how": *"(rerun|identical)"'
git config --unset pawl.build
unset CC
sed -i 's/\$CC/cc -DTURNS=100000/' .pawlconfig
commit_all . 'the build names it all'
check 'which is collected' pawl collect -q
sed -i 's/=100000/=9000000/' .pawlconfig
commit_all . 'another build'
runs 1 'a commit that changes how it is built' pawl collect --json
like 'is compared with what was before' "$T/out" '"how": *"rerun"'
cd "$T/repo" || exit 1

# ---- what only the work tree has ------------------------------------------------------------------

new_repo "$T/left"
cd "$T/left" || exit 1
cat >build.sh <<'END'
[ -e turns ] || echo 100000 >turns
# A fresh checkout waits to be stopped.
case $PWD in */trees/*) if [ -e "$MARK.wait" ]; then touch "$MARK.waits"; sleep 60; fi ;; esac
cc -O2 -DTURNS=$(cat turns) -o spin spin.c
END
export MARK="$T/mark"
git config pawl.env MARK
cat >.pawlconfig <<'END'
[pawl]
	build = sh build.sh
	runs = 12..12
[benchmark "spin"]
	command = ./spin
END
cp ../ways/spin.c .
printf '/spin\n/turns\n' >.gitignore
echo 300000 >turns
commit_all . 'one'
check 'with an ignored file' pawl collect -q
echo 2700000 >turns
echo text >README
commit_all . 'a document'
runs 0 'another ignored file is no regression' pawl collect --json
valid 'the document fits the schema' "$T/out"
is 'what was found is checked: both commits are built alike' "$(grep -c '^pawl: 1 to be checked: building' "$T/err")" 1
is 'it is left open' "$(json "$T/out" '[(b["verdict"], b["baseline_how"]) for b in d["benchmarks"]]')" \
	"[('inconclusive', 'unlike')]"
runs 0 'in words' pawl report
like 'it says where the difference is' "$T/out" 'both builds are the same code: what differs is in the work tree'
unlike 'and does not advise more pairs' "$T/out" 'would find'
runs 0 'nor does the history blame the commit' pawl history spin --json
is 'it is open there, too' "$(json "$T/out" '[(p["verdict"], p["reported"]) for p in d["points"]][-1]')" \
	"('inconclusive', 'inconclusive')"
rm turns
echo text >>README
commit_all . 'as a fresh checkout has it'
runs 0 'nor is it an improvement' pawl collect --json
is 'both commits are the same code' "$(json "$T/out" '[(b["verdict"], b["baseline_how"]) for b in d["benchmarks"]]')" \
	"[('identical', 'identical')]"
sed -i 's/n < TURNS/n < 9 * TURNS/' spin.c
commit_all . 'slower'
runs 1 'a regression' pawl collect --json
is 'is seen in builds that are alike' "$(json "$T/out" '[(b["verdict"], b["baseline_how"]) for b in d["benchmarks"]]')" \
	"[('regressed', 'rebuilt')]"
sed -i 's/< 9/< 80/' spin.c
commit_all . 'slower still'
touch "$MARK.wait"
pawl collect >"$T/out" 2>"$T/err" &
pid=$!
check 'another one is built to be checked' wait_for [ -e "$MARK.waits" ]
kill -INT "$pid"
wait "$pid"
is 'a check that is stopped ends so' "$?" 130
like 'and says so' "$T/err" 'what was found could not be checked'
runs 1 'what was collected is kept' pawl report
rm "$MARK.wait" spin.c
printf 'int main(void) { volatile int n = 0; while (n < TURNS) n++; return 0; }\n' >spin.c
commit_all . 'quick'
check 'a base' pawl collect -q
sed -i 's/sh build/sh -e build/' .pawlconfig
sed -i 's/< TURNS/< 90 * TURNS/' spin.c
commit_all . 'another build command'
runs 1 'a commit that changes the build command' pawl collect --json
unlike 'is not built with one for both' "$T/err" 'to be checked'

new_repo "$T/named"
cd "$T/named" || exit 1
printf '[pawl]\n\tbuild = sh build.sh\n\tsources = spin.c\n\truns = 12..12\n[benchmark "spin"]\n\tcommand = ./spin\n' >.pawlconfig
cp ../ways/spin.c .
echo /spin >.gitignore
echo 'cc -O2 -DTURNS=300000 -o spin spin.c' >build.sh
commit_all . 'one'
check 'with sources that are named' pawl collect -q
sed -i 's/=300000/=2700000/' build.sh
commit_all . 'what is no source of them'
runs 1 'what the others change is a regression of the commit' pawl collect --json
is 'is built, whatever the sources' "$(json "$T/out" '[(b["verdict"], b["baseline_how"]) for b in d["benchmarks"]]')" \
	"[('regressed', 'rebuilt')]"
cd "$T/repo" || exit 1

# ---- uncommitted work in a submodule ---------------------------------------------------------------

new_repo "$T/part"
echo 1 >"$T/part/n"
commit_all "$T/part" one
new_repo "$T/with"
cd "$T/with" || exit 1
printf '[benchmark "true"]\n\tcommand = true\n' >.pawlconfig
git -c protocol.file.allow=always submodule --quiet add "$T/part" part
commit_all . one
runs 0 'a clean submodule' pawl collect --runs 2..2 --json
check 'is clean' [ "$(json "$T/out" 'd["commit"]["dirty"]')" = False ]
echo 2 >part/made
runs 0 'an untracked file in it' pawl collect --runs 2..2 --json
check 'is, too' [ "$(json "$T/out" 'd["commit"]["dirty"]')" = False ]
echo 2 >part/n
runs 0 'an edit in it' pawl collect --runs 2..2 --json
check 'is uncommitted work' [ "$(json "$T/out" 'd["commit"]["dirty"]')" = True ]
git submodule --quiet deinit -f part
runs 0 'one that is not checked out' pawl collect --runs 2..2 --json
check 'is clean as well' [ "$(json "$T/out" 'd["commit"]["dirty"]')" = False ]
cd "$T/repo" || exit 1

# ---- limits ---------------------------------------------------------------------------------------

printf '[benchmark "-x"]\n\tcommand = true\n' >.pawlconfig
commit_all . 'a name like an option'
runs 2 'a budget that is no time' pawl collect --budget soon
like 'is told' "$T/err" "^pawl: error: --budget takes a time such as 60s, not 'soon'"
runs 0 'a budget is kept' pawl collect --budget 1ms --wait 1h --json
check 'and recorded' [ "$(json "$T/out" "d['settings']['budget_ns']")" = 1000000 ]
runs 0 'a benchmark whose name looks like an option' pawl history -- -x
like 'can be asked for' "$T/out" '^-x: '
runs 5 'files that may not grow' sh -c 'ulimit -f 8; exec pawl collect --runs 2..2'
like 'are an error that is told' "$T/err" '^pawl: error: '
runs 0 'and the store is sound' pawl fsck
awk 'BEGIN { for (i = 0; i <= 10000; i++) printf "[benchmark \"%d\"]\n\tcommand = true\n", i }' >.pawlconfig
runs 2 'more benchmarks than a result holds are refused' pawl collect
like 'before any is looked at' "$T/err" '^pawl: error: these are more than 10000 benchmarks: one result does not hold them$'

# ---- a check beside others ----------------------------------------------------------------------------

# One alone would be decided by its first point, and is judged together with the other.
new_repo "$T/beside"
cd "$T/beside" || exit 1
printf '[pawl]\n\tbuild = make\n' >.pawlconfig
printf 'all: one other\none other: %%: %%.c\n\tcc -O1 -o $@ $<\n' >Makefile
for name in one other; do
	printf '[benchmark "%s"]\n\tcommand = ./%s\n' $name $name >>.pawlconfig
	printf 'int main(void) { volatile int n = 0; while (n < 2000000) n++; return 0; }\n' >$name.c
done
printf '/one\n/other\n' >.gitignore
commit_all . 'one'
make -s
check 'a base' pawl collect -q
sed -i 's/2000000/6000000/' one.c
sed -i 's/2000000/2000001/' other.c
commit_all . 'three times the work'
make -s
runs 1 'what is checked beside others' pawl collect --json
is 'is measured until it is decided with them' "$(json "$T/out" '[(b["verdict"], b["baseline_how"]) for b in d["benchmarks"] if b["name"] == "one"]')" \
	"[('regressed', 'rebuilt')]"
