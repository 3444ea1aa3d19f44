# Ways to a wrong verdict that were tried and closed: each must not come out as "no change",
# and nothing that did not change may come out as a regression.
. "$(dirname "$0")/../../lib.sh"
export PAWL_MIN_TIME=1ms

# verdict_of NAME: of the last collection
verdict_of() {
	pawl report --json >"$T/doc.json"
	json "$T/doc.json" "[b['verdict'] for b in d['benchmarks'] if b['name'] == '$1']"
}

start_repo() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	printf '/build/\n' >.gitignore
	mkdir build
}

# cpu_work N: C source of a program that does N steps
cpu_work() {
	printf 'int main(void){volatile unsigned x=1;for(unsigned i=0;i<%s;i++)x=x*3+1;return 0;}\n' "$1"
}

# ---- code outside the executable's own file ---------------------------------------------------

start_repo library
printf '[pawl]\n\truns = 2..2\n\tproject = t\n[benchmark "x"]\n\tcommand = build/bench\n' >.pawlconfig
build_library() {
	printf 'void work(void){volatile unsigned x=1;for(unsigned i=0;i<%s;i++)x=x*3+1;}\n' "$1" >w.c
	echo 'void work(void); int main(void){work();return 0;}' >m.c
	${CC:-cc} -O1 -shared -fPIC -o build/libw.so w.c && ${CC:-cc} -o build/bench m.c build/libw.so
}
build_library 100000
commit_all . one
pawl collect -q >/dev/null
build_library 6000000
commit_all . two
pawl collect -q >"$T/out" 2>&1
unlike 'a library linked by its path is part of the code' "$T/out" 'identical'

start_repo runpath
printf '[pawl]\n\truns = 12..12\n\tproject = t\n[benchmark "x"]\n\tcommand = build/bench\n' >.pawlconfig
mkdir sub build/lib
echo keep >sub/file
build_runpath() {
	printf 'void work(void){volatile unsigned x=1;for(unsigned i=0;i<%s;i++)x=x*3+1;}\n' "$1" >w.c
	echo 'void work(void); int main(void){work();return 0;}' >m.c
	${CC:-cc} -O1 -shared -fPIC -Wl,-soname,libw.so -o build/lib/libw.so w.c &&
		${CC:-cc} -o build/bench m.c -Lbuild/lib -lw -Wl,-rpath,'$ORIGIN/lib'
}
build_runpath 100000
commit_all . one
(cd sub && pawl collect -q >/dev/null)
build_runpath 6000000
commit_all . two
(cd sub && pawl collect -q >"$T/out" 2>&1)
is 'a slower library beside the program is a regression' "$?" 1

start_repo inputs
printf '[pawl]\n\truns = 2..2\n\tproject = t\n[benchmark "x"]\n\tcommand = build/bench\n\tinput = data.txt\n' >.pawlconfig
cpu_work 1000000 >m.c
${CC:-cc} -O1 -o build/bench m.c
echo one >data.txt
commit_all . one
pawl collect -q >/dev/null
echo two >data.txt
commit_all . two
pawl collect -q >"$T/out" 2>&1
unlike 'another input file is not identical' "$T/out" ' identical'

start_repo interpreter
mkdir tools
ln -s "$(command -v sh)" tools/run
printf '[pawl]\n\truns = 2..2\n\tproject = t\n[benchmark "x"]\n\tcommand = tools/run job.sh\n' >.pawlconfig
echo 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done' >job.sh
commit_all . one
pawl collect -q >/dev/null
echo 'i=0; while [ $i -lt 9000 ]; do i=$((i+1)); done' >job.sh
commit_all . two
pawl collect -q >"$T/out" 2>&1
unlike 'a script under a linked interpreter is not identical' "$T/out" ' identical'
rm -f tools/run

# ---- what moves while measuring, or between results --------------------------------------------

start_repo moving
printf '[pawl]\n\truns = 2..2\n\tproject = t\n\tbuild = "git commit -q --allow-empty -m sneaked"\n[benchmark "x"]\n\tcommand = sleep 0.01\n' >.pawlconfig
commit_all . one
runs 0 'a commit made during the build' pawl collect
like 'is noticed' "$T/err" 'HEAD moved while building or measuring'
is 'and the result is never a baseline' "$(git log -1 --format=%s; pawl report --json HEAD~1 | /usr/bin/python3 -ISc 'import json,sys; print(json.load(sys.stdin)["commit"]["dirty"])')" "sneaked
True"

start_repo edited
printf '[pawl]\n\truns = 2..2\n\tproject = t\n\tbuild = "echo made >>made"\n[benchmark "x"]\n\tcommand = sleep 0.01\n' >.pawlconfig
echo one >made
commit_all . one
runs 0 'a build that rewrites a tracked file' pawl collect
like 'is told' "$T/err" 'the build changed files that git tracks'
is 'and its result may be a baseline' "$(pawl report --json >"$T/doc.json"; json "$T/doc.json" 'd["commit"]["dirty"]')" False
git checkout -q made
# Another hand while the build waits for it: a file of its own, and the one that the build writes too.
printf '[pawl]\n\truns = 2..2\n\tproject = t\n\tbuild = sh build.sh\n[benchmark "x"]\n\tcommand = sleep 0.01\n' >.pawlconfig
echo 'echo made >>made; [ ! -p ../go ] || { : >../go; : <../went; }' >build.sh
echo one >source
commit_all . 'a build that can be met'
for edit in 'echo edited >source' 'rm source' 'chmod +x source' 'git rm -q -f source' 'echo edited >>made'; do
	mkfifo ../go ../went
	pawl collect >"$T/out" 2>"$T/err" &
	: <../go
	rm ../go
	eval "$edit"
	: >../went
	wait $!
	rm ../went
	like "while it builds, $edit" "$T/err" 'files of the work tree changed while building: .(source|made).'
	unlike 'is not taken for the build' "$T/err" 'the build changed files'
	is 'and its result is never a baseline' "$(pawl report --json >"$T/doc.json"; json "$T/doc.json" 'd["commit"]["dirty"]')" True
	git reset -q --hard
done
runs 0 'the same build, left alone' pawl collect
like 'is told from an edit' "$T/err" 'the build changed files that git tracks: the commit is built twice'
is 'and may be a baseline' "$(pawl report --json >"$T/doc.json"; json "$T/doc.json" 'd["commit"]["dirty"]')" False
git checkout -q made
printf '[pawl]\n\truns = 2..2\n\tproject = t\n\tbuild = "echo made >>made"\n[benchmark "x"]\n\tcommand = sh job.sh\n' >.pawlconfig
echo 'sleep 0.01; echo edited >>made' >job.sh
commit_all . 'a benchmark that writes what the build writes'
runs 0 'a file that the build changed and that changes while measuring' pawl collect
like 'is noticed, too' "$T/err" 'changed while measuring: .made.'
git checkout -q made
printf '[pawl]\n\truns = 2..2\n\tproject = t\n[benchmark "x"]\n\tcommand = sh job.sh\n' >.pawlconfig
commit_all . two
runs 0 'a file that changes while measuring' pawl collect
like 'is noticed' "$T/err" 'changed while measuring'
git checkout -q made

start_repo partial
printf '[pawl]\n\truns = 12..12\n\tproject = t\n\tminTime = 1ms\n[benchmark "work"]\n\tcommand = build/work\n' >.pawlconfig
build_work build/work 1000
commit_all . one
pawl collect -q >/dev/null
pawl collect -q -- true >/dev/null
build_work build/work 6000
commit_all . two
pawl collect -q >"$T/out"
is 'a later result without the benchmark does not hide the earlier one' "$?" 1
unlike 'and a single command removes nothing' "$T/out" 'removed'

printf '[pawl]\n\truns = 8..8\n[benchmark "a"]\n\tcommand = build/work\n[benchmark "a/chain"]\n\tcommand = true\n' >.pawlconfig
runs 2 'two benchmarks of one name' pawl collect
like 'are refused by both names' "$T/err" "'a/chain'.*rename one|two benchmarks are called 'a/chain'"
git checkout -q .pawlconfig

build_work build/work 1000
commit_all . three
for entry in .git/pawl/cache/*/exe; do
	chmod u+w "$entry" && echo garbage >>"$entry"
done
runs 0 'a damaged cache' pawl collect
unlike 'is not taken for the old commit' "$T/out" 'regressed|improved'

# ---- time that CPU time does not show ----------------------------------------------------------

start_repo waiting
printf '[pawl]\n\truns = 12..12\n\tproject = t\n[benchmark "x"]\n\tcommand = build/bench\n' >.pawlconfig
cpu_work 1000000 >m.c
${CC:-cc} -O1 -o build/bench m.c
commit_all . one
pawl collect -q >/dev/null
sed -i 's/^/#include <unistd.h>\n/; s/return 0/usleep(40000);return 0/' m.c
${CC:-cc} -O1 -o build/bench m.c
commit_all . two
runs 1 'one sleep more is a regression' pawl collect
is 'judged by wall time' "$(pawl report --json >"$T/doc.json"; json "$T/doc.json" 'd["benchmarks"][0]["gate"]')" wall

if [ "$(nproc)" -gt 1 ]; then
	start_repo threads
	printf '[pawl]\n\truns = 4..4\n\tproject = t\n[benchmark "x"]\n\tcommand = build/bench\n' >.pawlconfig
	cat >m.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
	volatile unsigned x = 1;
	LOCK
	for (unsigned i = 0; i < 15000000; i++)
		x = x * 3 + 1;
	UNLOCK
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return &lock == 0;
}
END
	${CC:-cc} -O1 -DLOCK= -DUNLOCK= -o build/bench m.c -lpthread
	commit_all . one
	pawl collect -q >/dev/null
	${CC:-cc} -O1 '-DLOCK=pthread_mutex_lock(&lock);' '-DUNLOCK=pthread_mutex_unlock(&lock);' -o build/bench m.c -lpthread
	commit_all . two
	pawl collect -q >/dev/null
	is 'threads are judged by wall time' "$(pawl report --json >"$T/doc.json"; json "$T/doc.json" 'd["benchmarks"][0]["gate"]')" wall
	taskset -c "$(taskset -cp $$ | sed 's/.*[:,-] *//')" pawl collect -q >/dev/null
	is 'also where only one processor is free' "$(pawl report --json >"$T/doc.json"; json "$T/doc.json" 'd["benchmarks"][0]["gate"]')" wall
	printf '[pawl]\n\truns = 4..4\n\tproject = t\n[benchmark "child"]\n\tcommand = sh job.sh\n' >.pawlconfig
	echo 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; (while [ $i -lt 20000 ]; do i=$((i+1)); done)' >job.sh
	commit_all . three
	pawl collect -q >/dev/null
	pawl report --json >"$T/doc.json"
	json "$T/doc.json" 'd["benchmarks"][0]["gate_why"]' >"$T/why"
	unlike 'processes that are waited for are no threads' "$T/why" threads
else
	skip 'threads made serial' 'needs two processors'
fi
