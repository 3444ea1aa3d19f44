# Ways in which a comparison could run the same code on both sides, or call other code the same:
# tried and closed. Each program does many times the work in its second commit.
. "$(dirname "$0")/../../lib.sh"
export PAWL_MIN_TIME=1ms

# start_repo NAME BUILD
start_repo() {
	new_repo "$T/$1"
	know_compilers "$T/$1"
	cd "$T/$1" || exit 1
	printf '/build/\n' >.gitignore
	printf '[pawl]\n\truns = 12..12\n\tproject = t\n\tbuild = %s\n' "$2" >.pawlconfig
}

cpu_work() {
	printf 'int main(void){volatile unsigned x=1;for(unsigned i=0;i<%s;i++)x=x*3+1;return 0;}\n' "$1"
}

# counts its work from the files below a folder
cat >"$T/reader.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "corpus/n";
	char name[200], text[32] = "0";
	FILE *f;
	if (!strncmp(path, "--n=", 4))
		path += 4;
	snprintf(name, sizeof(name), "%s", path);
	f = fopen(name, "r");
	if (!f || !fgets(text, sizeof(text), f)) {
		if (f)
			fclose(f);
		snprintf(name, sizeof(name), "%s/n", path);
		f = fopen(name, "r");
		if (!f || !fgets(text, sizeof(text), f))
			return 2;
	}
	for (volatile long i = atol(text); i > 0; i--)
		;
	return 0;
}
END
make_reader='mkdir -p build && cc -O1 -o build/bench reader.c'

# ---- what it runs on ------------------------------------------------------------------------------

start_repo inputs "$make_reader"
cp "$T/reader.c" .
mkdir corpus
echo 100000 >corpus/n
commit_all . one
echo 6000000 >corpus/n
commit_all . two
runs 1 'a folder as an argument' pawl compare -q -- build/bench corpus
runs 1 'a file behind an equals sign' pawl compare -q -- build/bench --n=corpus/n
printf '[benchmark "x"]\n\tcommand = build/bench\n\tinput = corpus\n' >>.pawlconfig
runs 1 'a folder as a declared input' pawl compare -q
printf '[pawl]\n\tsources = reader.c\n' >>.pawlconfig
runs 1 'unchanged sources on other inputs' pawl compare -q
runs 1 'or other arguments' pawl compare -q -- build/bench corpus/n
printf '[benchmark "y"]\n\tcommand = build/bench --version=nothing\n' >>.pawlconfig
git checkout -q HEAD~1 -- corpus
commit_all . three
git commit -q --allow-empty -m four
echo text >README
commit_all . five
runs 0 'unchanged sources and inputs' pawl compare --benchmark x
like 'are not built' "$T/out" 'nothing was built'

# What is run, is read or prepares the run may be elsewhere than where it is named.
start_repo elsewhere 'mkdir -p build && cc -O1 -o build/bench reader.c'
cp "$T/reader.c" .
mkdir scripts data
echo 100000 >scripts/few
echo 6000000 >scripts/many
printf '#!/bin/sh\nexec build/bench scripts/few\n' >scripts/run.sh
chmod +x scripts/run.sh
ln -s scripts/run.sh run
ln -s scripts linked
ln -s ../corpus/n data/n
ln -s n data/m
mkdir corpus
echo 100000 >corpus/n
printf '[pawl]\n\tsources = reader.c\n[benchmark "x"]\n\tcommand = ./run\n' >>.pawlconfig
commit_all . one
sed -i 's/few/many/' scripts/run.sh
commit_all . two
runs 1 'a command that is a link' pawl compare -q
like 'which is said' "$T/err" "^pawl: warning: both commits are built: the link 'run' leads to no source"
git config benchmark.x.command linked/run.sh
runs 1 'a command in a linked folder' pawl compare -q
echo 6000000 >corpus/n
commit_all . three
git config benchmark.x.command 'build/bench data/n'
runs 1 'an argument that is a link' pawl compare -q
git config benchmark.x.command 'build/bench data'
runs 1 'a folder with a link in it' pawl compare -q
git config pawl.sources corpus
runs 1 'where the link leads to a source' pawl compare -q
echo text >README
commit_all . four
runs 0 'which is the same' pawl compare
like 'nothing is built' "$T/out" 'nothing was built'
git config benchmark.x.prepare 'cp corpus/n m'
runs 0 'with a command for a shell' pawl compare
unlike 'both are built' "$T/out" 'nothing was built'
like 'which is said, too' "$T/err" "^pawl: both commits are built: nobody knows what the prepare or cleanup command of 'x' reads"

# ---- what is in the file --------------------------------------------------------------------------

start_repo payload 'mkdir -p build && cc -O1 -o build/bench own.c && cat payload >>build/bench'
cat >own.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	FILE *f = fopen("/proc/self/exe", "r");
	char text[16] = "";
	if (!f || fseek(f, -8, SEEK_END) || fread(text, 1, 8, f) != 8)
		return 2;
	for (volatile long i = atol(text); i > 0; i--)
		;
	return 0;
}
END
printf 00100000 >payload
commit_all . one
printf 06000000 >payload
commit_all . two
runs 1 'data behind the code of a program' pawl compare -q -- build/bench

# ---- the user's own work tree ---------------------------------------------------------------------

start_repo linked 'mkdir -p build && cc -O1 -o build/bench m.c'
cpu_work 100000 >m.c
commit_all . one
cpu_work 6000000 >m.c
commit_all . two
mkdir build && cc -O1 -o build/bench m.c
ln -s "$T/linked" "$T/other-name"
runs 1 'an absolute path is of each commit' pawl compare -q -- "$PWD/build/bench"
runs 1 'also by another name' pawl compare -q -- "$T/other-name/build/bench"
runs 4 'a program of the work tree found in PATH' env PATH="$PWD/build:$PATH" pawl compare -- bench
like 'is refused with the cure' "$T/out" 'of your work tree.*relative to the top'
git tag v1 HEAD~1
runs 1 'the last tag runs its own program too' pawl collect -q --since-tag -- "$PWD/build/bench"
cp build/bench top-bench
git add -f top-bench && git commit -qm 'a program at the top'
runs 0 'a program at the top' pawl compare -q --threshold 90% --measure-identical HEAD..HEAD -- "$PWD/top-bench"
runs 0 'as an argument' pawl compare -q --threshold 90% --measure-identical HEAD..HEAD -- sh -c "$PWD/top-bench"

start_repo library 'mkdir -p build && cc -O1 -shared -fPIC -o build/libw.so w.c && cc -o build/bench m.c -Lbuild -lw'
echo 'void work(void); int main(void){work();return 0;}' >m.c
library() {
	printf 'void work(void){volatile unsigned x=1;for(unsigned i=0;i<%s;i++)x=x*3+1;}\n' "$1" >w.c
}
library 100000
commit_all . one
library 6000000
commit_all . two
mkdir build && cc -O1 -shared -fPIC -o build/libw.so w.c
runs 4 'a library of the work tree' env LD_LIBRARY_PATH="$PWD/build" pawl compare -- build/bench
like 'is refused too' "$T/out" 'libw.so.* of your work tree'
runs 4 'also by a relative folder' env LD_LIBRARY_PATH=build pawl compare -q -- build/bench

# ---- where a program lies -------------------------------------------------------------------------

start_repo beside 'mkdir -p build && cc -O1 -o build/bench own.c && cp data.txt build/'
cp "$ROOT/tests/helpers/beside.c" own.c
echo 100000 >data.txt
commit_all . one
echo 6000000 >data.txt
commit_all . two
printf '[benchmark "x"]\n\tcommand = build/bench\n\tinput = data.txt\n' >>.pawlconfig
runs 1 'data beside the program is found' pawl compare -q

# ---- what was not tested -------------------------------------------------------------------------

start_repo tested true
commit_all . one
cpu_work 100000 >m.c
cc -O1 -o tracked m.c
commit_all . two
echo text >README
commit_all . three
runs 0 'a program that git tracks' pawl compare -- ./tracked
like 'is warned of' "$T/err" "'./tracked' is tracked by git"
runs 4 'a program that the base does not have' pawl compare HEAD~2..HEAD -- ./tracked
like 'was added' "$T/out" 'tracked +.*added'
like 'and not compared' "$T/out" "not compared: the base has no './tracked'"
runs 125 'and says nothing of good or bad' pawl compare --bisect HEAD~2..HEAD -- ./tracked
runs 5 'a letter that is no revision' pawl compare a..HEAD -- ./tracked
like 'is unknown' "$T/err" "unknown revision 'a'"

# ---- what a benchmark leaves behind ----------------------------------------------------------------

start_repo leaves true
cat >job.sh <<'END'
n=$(wc -l <notes 2>/dev/null || echo 0)
echo "run $n"
echo line >>notes
END
commit_all . one
echo text >README
commit_all . two
runs 0 'a benchmark that adds to a file' pawl compare -q --threshold 90% -- sh job.sh
is 'finds as much on both sides' "$(cat .git/pawl/trees/*/tree/notes | wc -l)" \
	"$((2 * $(wc -l <"$(find .git/pawl/trees -name notes | head -n 1)")))"

# ---- uncommitted work that git does not see at once ----------------------------------------------

start_repo unseen 'mkdir -p build && cc -O1 -o build/bench m.c'
cpu_work 1000000 >m.c
commit_all . one
cpu_work 9000000 >m.c # of the same size, in the same moment
runs 1 'an edit right behind a commit' pawl compare -q --working-tree -- build/bench
git checkout -q m.c
git update-index --assume-unchanged m.c
cpu_work 9000000 >m.c
runs 1 'a file that git was told to believe unchanged' pawl compare -q --working-tree -- build/bench
git update-index --no-assume-unchanged m.c
git checkout -q m.c
new_repo "$T/module"
echo one >"$T/module/file"
commit_all "$T/module" one
git -c protocol.file.allow=always submodule --quiet add "$T/module" module && commit_all . two
echo two >module/file
runs 5 'work inside a submodule' pawl compare --working-tree -- build/bench
like 'is refused by its name' "$T/err" "submodule 'module' has uncommitted work"

# ---- a submodule that moves ----------------------------------------------------------------------

new_repo "$T/turns"
echo 'int main(void) { volatile int n = 0; while (n < 100000) n++; return 0; }' >"$T/turns/turns.c"
commit_all "$T/turns" one
sed -i 's/100000/900000/' "$T/turns/turns.c"
commit_all "$T/turns" slow
new_repo "$T/moving"
cd "$T/moving" || exit 1
cat >.pawlconfig <<'END'
[pawl]
	build = "cc -o turns $(ls dep/turns.c 2>/dev/null || echo turns.c)"
[benchmark "turns"]
	command = ./turns
END
echo 'int main(void) { return 0; }' >turns.c
echo /turns >.gitignore
git -c protocol.file.allow=always submodule --quiet add "$T/turns" dep
git -C dep checkout -q HEAD~1
commit_all . 'a dependency'
git -C dep checkout -q "$(git -C "$T/turns" rev-parse HEAD)"
commit_all . 'a slower one'
runs 1 'a commit that moves a submodule is compared with what is in it' pawl compare --pairs 12
like 'which is said' "$T/err" "submodule 'dep' moved: both sides are built with submodules"
git config pawl.submodules false
runs 0 'where builds need none' pawl compare --pairs 12
like 'they get none' "$T/out" 'turns is the same machine code'
git config --unset pawl.submodules
echo text >README
commit_all . 'a document'
runs 0 'a commit that moves none' pawl compare --pairs 12
unlike 'is built without them' "$T/err" 'with submodules'
git config --unset pawl.submodules
mv .git/modules "$T/gone"
rm -rf dep
runs 4 'one that moved and is not here' pawl compare HEAD~2..HEAD~1 --pairs 12 --rebuild
like 'is refused by its name' "$T/err" "submodule 'dep' moved and is not here: what it changes would not be seen"
like 'with the cure' "$T/err" "'git submodule update --init' brings it"
git checkout -q --orphan plain
git rm -rqf --cached .
rm -rf .gitmodules dep
commit_all . 'a branch without submodules'
runs 4 'also from a branch that has none' pawl compare --pairs 12 main~2..main~1
like 'nothing is the same that cannot be seen' "$T/err" "submodule 'dep' moved and is not here"
mv "$T/gone" .git/modules
git checkout -q -f main

new_repo "$T/inner"
echo 1 >"$T/inner/n"
commit_all "$T/inner" one
echo 2 >"$T/inner/n"
commit_all "$T/inner" two
git -C "$T/turns" -c protocol.file.allow=always submodule --quiet add "$T/inner" inner
git -C "$T/turns/inner" checkout -q HEAD~1
commit_all "$T/turns" 'a part of its own'
git -C "$T/turns/inner" checkout -q "$(git -C "$T/inner" rev-parse HEAD)"
commit_all "$T/turns" 'which moves'
git -c protocol.file.allow=always submodule --quiet update --init
git -C dep fetch -q
git -C dep checkout -q "$(git -C "$T/turns" rev-parse HEAD~1)"
commit_all . 'a dependency with a part'
git -C dep checkout -q "$(git -C "$T/turns" rev-parse HEAD)"
commit_all . 'whose part moves'
runs 4 'a submodule that moves one of its own' pawl compare --pairs 12
like 'is refused, as those are not checked out' "$T/err" "submodule 'dep' moved one of its own, which is not checked out"
sed -i 's/turns.c)"/turns.c) -DX"/' .pawlconfig
commit_all . 'another build'
runs 0 'a commit with another build command' pawl compare --pairs 12 --json
like 'is warned of' "$T/out" 'two build commands in .pawlconfig, and both were built with one'
start_repo linked-configuration 'cc -o b b.c'
mkdir conf
printf '[benchmark "b"]\n\tcommand = ./b\n' >>.pawlconfig
mv .pawlconfig conf/pawl
ln -s conf/pawl .pawlconfig
printf 'int main(void) { return 0; }\n' >b.c
commit_all . one
sed -i 's/cc -o/cc -O2 -o/' conf/pawl
commit_all . two
runs 0 'another build command' pawl compare --pairs 12
like 'is warned of, also where .pawlconfig is a link' "$T/out" 'two build commands in .pawlconfig, and both were built with one'
