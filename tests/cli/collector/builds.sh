# Two builds of one commit, and two environments: each side is built and run as it was asked to,
# reports say which is which, and nothing of it becomes a result of the commit.
. "$(dirname "$0")/../../lib.sh"

# field EXPRESSION: of the only benchmark b of the document d
field() {
	json "$T/out" "[$1 for b in d['benchmarks']][0]"
}

# trees: how many built trees are kept
trees() {
	find "$repo/.git/pawl/trees" -maxdepth 2 -name built | wc -l
}

repo=$T/repo
# A linker that draws layouts; they are drawn once.
layouts=${PAWL_LAYOUTS:-}
unset PAWL_LAYOUTS
new_work_repo "$repo"
[ -z "$layouts" ] || export PAWL_LAYOUTS="$layouts"
cd "$repo" || exit 1
set_work 1000 one
first=$(git rev-parse HEAD)
set_work 1001 two
head=$(git rev-parse HEAD)

# ---- two builds ----------------------------------------------------------------------------------

runs 1 'a build that makes it do more' \
	env -u PAWL_LAYOUTS pawl compare --json --layouts 12 --base-build 'make WORK=1000' --head-build 'make WORK=3000'
valid 'the document fits the schema' "$T/out"
unlike 'that one build is not the other is no news' "$T/err" 'is built again'
like 'which of them is built is told' "$T/err" "^pawl: building the base \($(git rev-parse --short=12 HEAD)\)$"
like 'of both' "$T/err" "^pawl: building the head \($(git rev-parse --short=12 HEAD)\)$"
cp "$T/out" "$T/builds.json"
is 'is a regression' "$(field "(b['name'], b['verdict'])")" "('work/chain', 'regressed')"
is 'of one commit' "$(json "$T/out" 'd["commit"]["id"], d["baseline"]["commit"]')" "('$head', '$head')"
is 'the sides are the builds' "$(json "$T/out" 'd["sides"]')" \
	"{'base': 'make WORK=1000', 'head': 'make WORK=3000'}"
is 'layouts are drawn as for commits' "$(field "b['layouts']['n']")" 12
is 'the work tree is as it was' "$(git status --porcelain)" ''
runs 1 'it is shown again' pawl report --last
like 'with the commit and the build' "$T/out" '^demo [0-9a-f]{7} "two" on .*: make WORK=3000$'
like 'and what it was compared with' "$T/out" '^baseline: [0-9a-f]{7}: make WORK=1000, both built'
like 'named in the sentence' "$T/out" "slower \[.*\] than 'make WORK=1000'"
unlike 'what commits have is not advised' "$T/err" 'pawl (why|accept)'
runs 5 'no commit has that result' pawl report HEAD
is 'not stored either' "$(test -e .git/pawl/results.db && echo stored)" ''
runs 5 'nor taken as one' pawl import --format pawl "$T/builds.json"
like 'with the reason' "$T/err" "'make WORK=3000' with 'make WORK=1000' is no result of a commit"
runs 0 'a build against the configured one' pawl compare --json --head-build 'make WORK=1001'
is 'of the same code is identical' "$(field "b['verdict']")" identical
is 'and named all the same' "$(json "$T/out" 'd["sides"]["base"]')" make
runs 0 'in words' pawl report --last
like 'too' "$T/out" "the same machine code as in 'make'"
all=
! slow_only 'of older commits, long values, each way to name two libraries' || all=yes
if [ -n "$all" ]; then
	runs 1 'of an older commit' pawl compare --json --head-build 'make WORK=3000' HEAD~1
	is 'both are of that' "$(json "$T/out" 'd["commit"]["id"], d["baseline"]["commit"]')" "('$first', '$first')"
	runs 1 'of two commits' pawl compare --json --base-build 'make WORK=1000' --head-build 'make WORK=3000' HEAD~1..HEAD
	is 'they are told apart' "$(json "$T/out" 'd["sides"]["base"]')" \
		"$(printf %.7s "$first"): make WORK=1000"
fi
runs 4 'a side that does not build' pawl compare --head-build 'make no-such-target'
like 'is named' "$T/out" "the head \($(printf %.12s "$head")\): the build exited with status 2"

# ---- all combinations --------------------------------------------------------------------------

runs 1 'more than two builds' pawl compare --json --layouts off \
	--build 'make -e' --matrix WORK=1000,3000 --matrix CFLAGS=-g,-g0
valid 'the document fits the schema, too' "$T/out"
is 'each other one stands beside the first' "$(json "$T/out" 'sorted((b["name"], b["verdict"]) for b in d["benchmarks"])')" \
	"[('work/chain (WORK=1000 CFLAGS=-g0)', 'identical'), ('work/chain (WORK=3000 CFLAGS=-g)', 'regressed'), ('work/chain (WORK=3000 CFLAGS=-g0)', 'regressed')]"
is 'the first is the base' "$(json "$T/out" 'd["sides"]')" \
	"{'base': 'WORK=1000 CFLAGS=-g', 'head': 'WORK=1000,3000 CFLAGS=-g,-g0'}"
unlike 'values that reach the build are not said to be lost' "$T/out" 'built the same code'
like 'progress is told' "$T/err" '^pawl: 3 of 3: WORK=3000 CFLAGS=-g0$'
runs 1 'it is shown again, in words' pawl report --last
like 'with the sentence' "$T/out" "slower \[.*\] than '[0-9a-f: ]*WORK=1000 CFLAGS=-g'"
if [ -n "$all" ]; then
	long=$(printf '%0300d' 7)
	runs 0 'a long value' pawl compare --json --build 'make -e' --pairs 6 --threshold 90% --matrix "WORK=1000" --matrix "NOTE=a,$long"
	valid 'fits into a name' "$T/out"
	like 'which says its number' "$T/out" '"name": "work/chain \(WORK=1000 NOTE=0+\.\.\. #1\)"'
	runs 0 'and can be shown again' pawl report --last
fi
for wrong in "--matrix=A=1,$(printf '\033')" "--matrix=WORK" "--matrix=1A=a,b" "--matrix=A=1" "--matrix=A=1,1" "--matrix=A=1,2 --matrix=A=3,4" \
	"--matrix=A=1,2 --base-env=B=1" "--matrix=A=1,2 --head-build=make" \
	"--matrix=A=1,2,3,4,5 --matrix=B=1,2,3,4,5 --matrix=C=1,2,3"; do
	pawl compare $wrong >"$T/out" 2>"$T/err"
	is "$wrong is refused" "$?" 2
	like "$wrong: and named" "$T/err" '^pawl: error: .*--matrix'
done

# A Makefile's own assignment is stronger than the environment.
runs 0 'a value that the Makefile sets itself' pawl compare --json --build make --pairs 6 --threshold 90% \
	--matrix WORK=1000,3000
like 'is told, with the cure' "$T/out" "WORK=3000 built the same code as WORK=1000, as the Makefile sets WORK itself: .*'make -e'"

# The second build of three waits to be stopped.
printf 'case $WORK in 4000) touch %s/waits; sleep 60 ;; esac; make -e\n' "$T" >"$T/build"
pawl compare --layouts off --build "sh $T/build" --matrix WORK=1000,3000,4000 >"$T/out" 2>"$T/err" &
pid=$!
check 'the second combination is begun' wait_for [ -e "$T/waits" ]
kill -INT "$pid"
wait "$pid"
is 'a matrix that is stopped ends so' "$?" 130
like 'with what is finished' "$T/out" '\(WORK=3000\) .* regressed'
like 'and says how much that is' "$T/err" '^pawl: error: after 1 of 2 combinations: '
runs 1 'which is kept' pawl report --last
like 'with that' "$T/out" '1 of 2 combinations were compared: run it again'

# ---- two environments ----------------------------------------------------------------------------

runs 1 'a variable reaches the build of its side' pawl compare --json --build 'make -e' \
	--base-env WORK=1000 --head-env WORK=3000
is 'and names it' "$(json "$T/out" 'd["sides"]')" "{'base': 'WORK=1000', 'head': 'WORK=3000'}"
runs 0 'two compiler flags with the same code' pawl compare --json --base-env CFLAGS=-g --head-env CFLAGS=-g0
is 'are identical: they reach no run' "$(field "b['verdict']")" identical
rm -rf .git/pawl/trees
runs 0 'a variable of libc' pawl compare --json --threshold 90% --head-env MALLOC_ARENA_MAX=1
is 'is one of runs alone: there is one tree' "$(trees)" 1
is 'both are measured' "$(field "(b['verdict'], b['binary_id'] == b['base_binary_id'])")" \
	"('unchanged', True)"
is 'the other side is as configured' "$(json "$T/out" 'd["sides"]')" \
	"{'base': 'as configured', 'head': 'MALLOC_ARENA_MAX=1'}"
for wrong in '--working-tree' '--bisect' '--reuse'; do
	pawl compare --head-build make $wrong >"$T/out" 2>"$T/err"
	like "refused: $wrong" "$T/err" "two builds or environments and $wrong exclude each other"
done

# ---- two libraries -------------------------------------------------------------------------------

mkdir "$T/lib" "$T/fast" "$T/slow"
cd "$T/lib" || exit 1
echo 'void work(void); int main(void) { work(); return 0; }' >main.c
echo 'void work(void) { volatile long i; for (i = 0; i < N; i++) ; }' >work.c
${CC:-cc} -shared -fPIC -DN=100000 -o "$T/fast/libwork.so" work.c
${CC:-cc} -shared -fPIC -DN=6000000 -o "$T/slow/libwork.so" work.c
${CC:-cc} -o prog main.c -L"$T/fast" -lwork
for way in '--base-bin prog --head-bin prog' ${all:+'--base-cmd ./prog --head-cmd ./prog'}; do
	# shellcheck disable=SC2086  # options
	runs 1 "one program with two libraries: $way" pawl compare --runs 12..12 --json $way \
		--base-env "LD_LIBRARY_PATH=$T/fast" --head-env "LD_LIBRARY_PATH=$T/slow"
done
echo 'int puts(const char *s); __attribute__((constructor)) static void hi(void) { puts("here"); }' >hi.c
${CC:-cc} -shared -fPIC -o hi.so hi.c
runs 0 'an object that is loaded first' pawl compare --runs 12..12 --threshold 90% --json \
	--base-bin prog --head-bin prog --base-env "LD_LIBRARY_PATH=$T/fast" \
	--head-env "LD_LIBRARY_PATH=$T/fast" --head-env "LD_PRELOAD=$T/lib/hi.so"
is 'is, on its side' "$(field "b['output']")" differs

# ---- a build that was found, and is configured afterwards ------------------------------------------------

cd "$repo" || exit 1
rm -rf .git/pawl
sed '/^[[:space:]]*build = /d' .pawlconfig >c && mv c .pawlconfig
runs 0 'a build that is found' pawl compare --layouts off --measure-identical --pairs 6 "$first..$first"
like 'is told' "$T/err" "building .* by its 'Makefile': make"
git config pawl.build "$(sed -n "s/.* by its 'Makefile': //p" "$T/err" | head -n 1)"
runs 0 'the same, configured' pawl compare --layouts off --measure-identical --pairs 6 "$first..$first"
unlike 'is not built again' "$T/err" 'building|is built'
is 'and kept once' "$(trees)" 1
git config pawl.build 'make WORK=1000'
runs 0 'another one' pawl compare --layouts off --measure-identical --pairs 6 "$first..$first"
like 'is built, with the reason' "$T/err" "is built again: build is 'make WORK=1000', and was found before"
runs 0 'and of another commit' pawl compare --layouts off --measure-identical --pairs 6 "$head..$head"
git config --unset pawl.build
runs 0 'a build that is found, after one that was configured' pawl compare --layouts off --measure-identical --pairs 6 "$head..$head"
like 'is built, with the reason in words' "$T/err" "is built again: build was 'make WORK=1000', and is found now$"

# ---- below git -------------------------------------------------------------------------------------------

# git bisect is a script, whose commands get git's own folder in front of PATH twice.
git checkout -q .
commit_all . three
compares="pawl compare --layouts off --measure-identical --pairs 6 $first..$first"
runs 0 'what is built' $compares
git bisect start HEAD "$first" >"$T/out"
runs 0 'git bisect run' git bisect run sh -c "$compares"
like 'compares' "$T/out" 'work/chain'
unlike 'and builds nothing' "$T/err" 'building|is built'
git bisect reset >"$T/out" 2>&1
