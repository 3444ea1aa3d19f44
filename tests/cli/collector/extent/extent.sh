# Benchmarks that execute nothing of what changed are not measured, and the report says why; what
# executes something is, and so is all that cannot be told.
. "$(dirname "$0")/../../../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip 'what is executed' 'only programs of x86-64 are recorded'
	exit 0
fi
new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >hot.c <<'END'
int table[64];
int limits[4] = { 1, 2, 3, 4 };
int hot(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		table[i % 64] += i ^ 3;
		sum += table[(i * 7) % 64] + limits[i & 3];
	}
	return sum;
}
int version(void) { return 1; }
END
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int hot(int), version(void), spare(int);
__attribute__((noinline)) static int usage(void) { puts("usage: prog"); return 2; }
int main(int c, char **v)
{
	if (c > 1 && !strcmp(v[1], "-h"))
		return usage();
	if (c > 1 && !strcmp(v[1], "-s"))
		return system("exit 0");
	if (c > 1 && !strcmp(v[1], "-v"))
		return printf("%d\n", spare(version())) < 0;
	printf("%d\n", hot(100000));
	return 0;
}
END
echo 'int spare(int x) { return x * 3; }' >spare.c
echo 'void lib_unused(void) { }' >other.c
# With the compiler's plugin: looking for one, ar would load all of LLVM, if that is here.
cat >Makefile <<'END'
AR = ar --plugin $(shell cc -print-file-name=liblto_plugin.so)
FLAGS = -O2
LINK =
prog: main.o hot.o lib.a
	cc -fuse-ld=bfd $(LINK) -o $@ main.o hot.o lib.a
lib.a: spare.o other.o
	rm -f $@ && $(AR) rc $@ spare.o other.o
%.o: %.c
	cc $(FLAGS) -c -o $@ $<
END
cat >.pawlconfig <<'END'
[pawl]
	build = make
[benchmark "work"]
	command = ./prog
[benchmark "version"]
	command = ./prog -v
END
printf 'prog\n*.[oa]\n' >.gitignore
commit_all . one
first=$(git rev-parse HEAD)

# field NAME EXPRESSION: of the benchmark's entry b
field() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}

# edit FILE SCRIPT: a commit on the first one with one line changed
edit() {
	git checkout -q "$first" && sed -i "$2" "$1" && commit_all . "$2"
}

# compares NAME [OPTION...]: the last commit with the first one
compares() {
	name=$1
	shift
	pawl compare --json --pairs 12 --layouts off --threshold 90% "$@" >"$T/out" 2>"$T/err"
	status=$?
	[ $status -le 1 ]
	result $? "$name" "exit status $status" "$(tail -n 20 "$T/err")"
}

# known NAME [OPTION...]: so, and what the first benchmark executes is known
known() {
	compares "$@"
	is "$1: it is known" "$(field work "b['changes'].get('why')")" None
}

edit spare.c 's/3/4/'
compares 'a function of an archive'
case $(field work "b['changes'].get('why')") in
*'may be traced'*)
	is 'it is measured' "$(field work "b['metrics'] != []")" True
	skip 'what is executed' 'ptrace is refused here'
	exit 0
	;;
esac
is 'is not executed' "$(field work "b['verdict']")" identical
is 'so it was not run' "$(field work "b['metrics']")" '[]'
is 'by the other it is' "$(field version "(b['changes']['executed'], b['metrics'] != [])")" "(['spare'], True)"
is 'of six functions' "$(field work "(b['changes']['n_functions'], b['changes']['changed'])")" "(6, ['spare'])"
valid 'the document is as its schema says' "$T/out"
runs 0 'in words' pawl compare --pairs 12 --threshold 90% --layouts off --benchmark work
like 'the reason' "$T/out" 'of 6 functions 1 changed, none is executed by it \(spare\)'
like 'the answer' "$T/out" 'work executes the same code as in'
runs 0 'the answer is kept' pawl report --last
like 'with its reason' "$T/out" 'of 6 functions 1 changed, none is executed by it \(spare\)'

compares 'on purpose' --measure-identical
is 'it is measured' "$(field work "b['metrics'] != []")" True
runs 0 'explained' pawl compare --explain --pairs 12 --threshold 90% --layouts off
like 'what is executed' "$T/out" 'of 6 functions 1 changed; it executes what changed: spare'

recordings() {
	ls .git/pawl/trees/*/layouts/*/executed-* | wc -l
}
is 'each benchmark was recorded once, and what is identical is known of the head too' "$(recordings)" 3
edit main.c 's/usage: prog/usage: prog -h/'
known 'a text that is printed elsewhere'
is 'is not executed' "$(field work "(b['verdict'], b['changes']['changed'])")" "('identical', ['usage'])"
is 'the recordings are used again' "$(recordings)" 5
edit hot.c 's/return 1/return 100 * table[3]/'
known 'a function that grew beside the one that runs'
is 'is not executed by it' "$(field work "(b['verdict'], b['changes']['changed'])")" "('identical', ['version'])"
edit hot.c '$a int more(int x) { return x / 7; }'
known 'a new function'
is 'changes nothing that runs' "$(field work "b['verdict']"), $(field version "b['verdict']")" 'identical, identical'

# What is executed is measured.
edit hot.c 's/i ^ 3/i ^ 5/'
known 'the function itself'
is 'is executed' "$(field work "(b['changes']['executed'], b['metrics'] != [])")" "(['hot'], True)"
is 'and not by the other' "$(field version "b['verdict']")" identical
for kept in .git/pawl/trees/*/layouts/*/executed-*; do
	sed -i 2,9d "$kept"
done
known 'recordings that lost lines'
is 'are made again' "$(field work "(b['changes']['executed'], b['metrics'] != [])")" "(['hot'], True)"
all=
! slow_only 'texts, other links, what may load, programs without symbols' || all=yes
edit hot.c 's/^int limits.*/int limits[4] = { 1, 2, 3, 5 };/'
known 'a table that it uses'
is 'is executed with it' "$(field work "(b['changes']['executed'], b['changes']['n_changed'], b['metrics'] != [])")" "(['hot (data)'], 0, True)"
if [ -n "$all" ]; then
	edit main.c 's/"%d.n", hot/"%d.\\n", hot/'
	known 'a text that it prints'
	is 'is measured' "$(field work "(b['changes']['executed'], b['metrics'] != [])")" "(['main'], True)"
fi

# A file that it opens and no configuration names.
cat >reads.c <<'END'
#include <stdio.h>
int idle(void) { return 5; }
int main(void)
{
	FILE *f = fopen("data", "r");
	int c = f ? getc(f) : 0;

	return c == '7' ? idle() : 0;
}
END
printf 'reads: reads.c\n\t$(CC) -O0 -o $@ reads.c\nprog: reads\n' >>Makefile
echo reads >>.gitignore
echo one >data
commit_all . 'a program that reads'
sed -i 's/return 5/return 6/' reads.c
commit_all . 'what it does not execute'
compares 'a file that stays as it was' -- ./reads
is 'a file that stays as it was: nothing that runs changed' "$(json "$T/out" "d['benchmarks'][0]['verdict']")" identical
sed -i 's/return 6/return 7/' reads.c
echo one >optional
commit_all . 'a file that nobody reads yet'
compares 'a file that is new' -- ./reads
is 'a file that is new: it is measured' "$(json "$T/out" "d['benchmarks'][0]['metrics'] != []")" True
is 'as it may be looked for' "$(json "$T/out" "d['benchmarks'][0]['changes']['why']")" 'files differ, in name, size or link, that it may look at'
sed -i 's/return 7/return 8/' reads.c
echo other >data
commit_all . 'and the data'
compares 'a file that changed' -- ./reads
is 'a file that changed: it is measured' "$(json "$T/out" "d['benchmarks'][0]['metrics'] != []")" True
is 'with the reason' "$(json "$T/out" "d['benchmarks'][0]['changes']['why']")" 'a file differs that it opens'

# What cannot be told is measured.
# unknown WHAT REASON [OPTION...]
unknown() {
	what=$1
	why=$2
	shift 2
	compares "$what" "$@"
	is "$what: it is measured" "$(json "$T/out" "d['benchmarks'][0]['metrics'] != []")" True
	is "$what: why" "$(json "$T/out" "'$why' in (d['benchmarks'][0]['changes'].get('why') or d['benchmarks'][0]['changes'])")" True
}
edit hot.c '$a __attribute__((constructor)) static void begin(void) { table[3] = 1; }'
unknown 'a constructor' 'more than functions changed'
if [ -n "$all" ]; then
	edit Makefile 's/^LINK =/& -Wl,-z,now/'
	unknown 'another link' 'more than functions changed'
	edit Makefile 's/^FLAGS =/& -flto/'
	unknown 'a link that compiles' 'ltrans'
	edit hot.c '$a void *dlopen(const char *, int); void *load(void) { return dlopen("a", 1); }'
	unknown 'a program that may load' 'loads libraries'
fi
edit spare.c 's/3/4/'
unknown 'a program that starts others' 'it starts other programs' -- ./prog -s
runs 0 'in words' pawl compare --pairs 12 --threshold 90% --layouts off -- ./prog -s
like 'the reason is told' "$T/out" 'what prog executes of what changed is not known \(it starts other programs\)'
[ -n "$all" ] || exit 0
edit Makefile 's/^LINK =/& -s/'
first=$(git rev-parse HEAD)
edit spare.c 's/3/4/'
known 'a program without symbols'
is 'is known by its objects' "$(field work "b['verdict']")" identical
