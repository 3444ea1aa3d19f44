# What decides what a program does, and is no code of it: its processors, files that it looks at and
# does not open, links, what unwinds its stack, code that runs on.  None of it is called identical.
. "$(dirname "$0")/../../../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip 'what is executed' 'only programs of x86-64 are recorded'
	exit 0
fi

# begin NAME: a project of main.c and spare.c, which main.c executes no function of unless it is told to
begin() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	printf 'LINK =\nOBJECTS = main.o spare.o\nprog: $(OBJECTS)\n\t$(CXX) -fuse-ld=bfd $(LINK) -o $@ $(OBJECTS)\n' >Makefile
	printf '%%.o: %%.c\n\t$(CC) -O1 -c -o $@ $<\n%%.o: %%.cc\n\t$(CXX) -O1 -c -o $@ $<\n' >>Makefile
	printf '*.o\nprog\n' >.gitignore
	printf '[pawl]\n\tbuild = make -s CC=%s CXX=%s prog\n[benchmark "t"]\n\tcommand = ./prog\n' "${CC:-cc}" "${CXX:-c++}" >.pawlconfig
	echo 'int spare(int x) { return x * 3; }' >spare.c
}

# verdict: of a comparison of the last two commits
verdict() {
	pawl compare --json -q --pairs 6 --layouts off --threshold 90% >"$T/out" 2>"$T/err"
	json "$T/out" "d['benchmarks'][0]['verdict'] == 'identical' or d['benchmarks'][0]['changes'].get('why') or 'measured'"
}

begin control
echo 'extern int spare(int); int main(int c, char **v) { return c > 5 ? spare(c) : !v; }' >main.c
commit_all . one
sed -i 's/3/4/' spare.c
commit_all . two
is 'what is not executed' "$(verdict)" True

begin processors
cat >main.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
extern int one(int), many(int);
int main(int c, char **v)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	return !v || (CPU_COUNT(&set) == 1 ? one(c) : many(c)) < 0;
}
END
echo 'int one(int x) { return x * 3; } int many(int x) { return x * 5; }' >spare.c
commit_all . one
sed -i 's/3/4/' spare.c
commit_all . two
if [ "$(nproc)" -gt 1 ]; then
	like 'what one processor runs and more do not' "$(verdict >"$T/verdict"; echo "$T/verdict")" 'each run executes other functions'
else
	skip 'what one processor runs' 'there is one'
fi

# What was recorded of it when a file outside of the tree was another one says nothing.
begin settings
cat >main.c <<END
#include <stdio.h>
extern int spare(int);
int main(void)
{
	FILE *f = fopen("$T/settings.txt", "r");

	return f && fgetc(f) == 'b' ? spare(1) < 0 : 0;
}
END
echo a >"$T/settings.txt"
commit_all . one
sed -i 's/3/4/' spare.c
commit_all . two
is 'what a file elsewhere does not ask for' "$(verdict)" True
sed -i 's/4/5/' spare.c
commit_all . three
is 'nor one that is as it was' "$(verdict)" True
cp -p "$T/settings.txt" "$T/as-it-was"
echo b >"$T/settings.txt"
touch -r "$T/as-it-was" "$T/settings.txt" # the same size and time
sed -i 's/5/6/' spare.c
commit_all . four
is 'what it asks for by now' "$(verdict)" measured
slow_only 'a way around, sizes and links, code that runs on, files beside, what unwinds' || exit 0
cp "$T/as-it-was" "$T/settings.txt"
sed -i "s|$T/settings.txt|/sys/devices/system/../../..$T/settings.txt|" main.c
commit_all . five
sed -i 's/6/7/' spare.c
commit_all . six
verdict >/dev/null
echo b >"$T/settings.txt"
sed -i 's/7/8/' spare.c
commit_all . seven
is 'also by a way around' "$(verdict)" measured

begin size
cat >main.c <<'END'
#include <sys/stat.h>
extern int spare(int);
int main(int c, char **v)
{
	struct stat st;

	return c > 5 ? spare(c) : !v || stat("data", &st) || st.st_size > 1000000;
}
END
head -c 1000 /dev/zero >data
commit_all . one
sed -i 's/3/4/' spare.c
head -c 9000 /dev/zero >data
commit_all . two
is 'a size that it asks for' "$(verdict)" 'a file differs that it looks at'
echo 1 >small
echo 2 >large
sed -i 's/"data"/"now"/' main.c
ln -s small now
commit_all . three
sed -i 's/4/5/' spare.c
ln -sf large now
commit_all . four
is 'a link that leads elsewhere' "$(verdict)" 'a file differs that it looks at'
sed -i 's/"now"/v[0]/' main.c
commit_all . five
echo 'int more(int x) { return x / 7; }' >>spare.c
commit_all . six
is 'the size of its own file' "$(verdict)" 'a file differs that it looks at'

begin assembler
echo 'extern int entry(int), spare(int); int main(int c, char **v) { return c > 5 ? spare(c) : !v || entry(9) == 7; }' >main.c
sed -i 's/^OBJECTS = .*/& code.o/' Makefile
function() {
	printf '\t.globl %s\n\t.type %s,@function\n%s:\n%b\t.size %s,.-%s\n' "$1" "$1" "$1" "$2" "$1" "$1"
}
rest() {
	function work '1:\tdec %eax\n\tjnz 1b\n\tret\n'
	printf '\t.section .note.GNU-stack,"",@progbits\n'
}
{ printf '\t.text\n'; function entry '\tmov %edi,%eax\n'; rest; } >code.s
printf 'code.o: code.s\n\t$(CC) -c -o $@ code.s\n' >>Makefile
commit_all . one
{ printf '\t.text\n'; function entry '\tmov %edi,%eax\n'; function warm '\tadd $9,%eax\n'; rest; } >code.s
commit_all . two
unlike 'code that runs on into what is new' "$(verdict >"$T/verdict"; echo "$T/verdict")" '^True$'

# It looks beside the file that runs; what lies beside the one of the tree is not looked at.
begin beside
cat >main.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
extern int spare(int);
int main(int c, char **v)
{
	char path[4096];
	FILE *f;

	strcpy(path, (const char *)getauxval(AT_EXECFN));
	strcpy(strrchr(path, '/'), "/data");
	f = fopen(path, "r");
	return c > 5 || f ? spare(c) : !v;
}
END
echo data >data
commit_all . one
sed -i 's/3/4/' spare.c
commit_all . two
like 'a file beside the program' "$(verdict >"$T/verdict"; echo "$T/verdict")" '^it looks for files beside itself'

begin unwinder
rm spare.c
sed -i 's/^LINK =.*/LINK = -static-libstdc++ -static-libgcc/; s/spare.o/throws.o/' Makefile
cat >types.h <<'END'
struct A { virtual ~A(); int x; };
struct B { virtual ~B(); int x; };
END
printf '#include "types.h"\nA::~A() {}\nB::~B() {}\nvoid throws(int n) { if (n > 100) throw B{}; throw A{}; }\n' >throws.cc
cat >main.cc <<'END'
#include "types.h"
#include <typeinfo>
void throws(int);
const void *keep[2];
__attribute__((noinline)) int fast(int n) { return n; }
__attribute__((noinline)) int slow(int n) { return n + 1; }
__attribute__((noinline)) int inner(int n) { try { throws(n); } catch (const A &) { return fast(n); } return 0; }
int main(int c, char **)
{
	keep[0] = &typeid(A);
	keep[1] = &typeid(B);
	try { return inner(c) == 77; } catch (...) { return slow(c) == 77; }
}
END
commit_all . one
sed -i 's/const A &/const B \&/' main.cc
commit_all . two
unlike 'what catches an exception, unwound by the program itself' "$(verdict >"$T/verdict"; echo "$T/verdict")" '^True$'
