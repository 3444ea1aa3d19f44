# pawl why: two commits, one function that does twice the work, and who is named for it.
. "$(dirname "$0")/../../lib.sh"

if ! command -v valgrind >/dev/null; then
	skip 'pawl why names the function that grew' 'valgrind is not installed'
	exit
fi
case $BUILD in
*asan* | *coverage*)
	skip 'pawl why names the function that grew' 'libpawl is instrumented in this build'
	exit
	;;
esac

# source STEPS: a command of two functions, the second does STEPS steps
source_of() {
	cat <<END
#include <stdio.h>
__attribute__((noinline)) unsigned parse(unsigned n)
{
	volatile unsigned x = 1;
	while (n--)
		x = x * 3 + 1;
	return x;
}
__attribute__((noinline)) unsigned emit(unsigned n)
{
	volatile unsigned y = 1;
	for (unsigned i = 0; i < $1 * n; i++)
		y = y * 5 + 1;
	return y;
}
int main(void)
{
	printf("%u\n", parse(100000) + emit(100000));
	return 0;
}
END
}

# The compiler is given whole paths, as by CMake.
new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '/build/\n' >.gitignore
cat >.pawlconfig <<END
[pawl]
	project = t
	build = mkdir -p build && top=\$PWD && cd build && ${CC:-cc} -O1 -g -o prog \$top/prog.c
[benchmark "prog"]
	command = build/prog
[benchmark "other"]
	command = build/prog
END
source_of 1 >prog.c
commit_all . one
source_of 2 >prog.c
commit_all . two
echo more >README
commit_all . three

runs 0 'why of two builds' pawl why HEAD~2..HEAD~1 --benchmark prog --html why.html --svg why.svg
like 'the function that does twice as much comes first' "$T/out" '^ *\+[0-9.]+ k .*emit +prog\.c'
like 'and is named at the end' "$T/out" '^emit adds (9[0-9]|100) % of the [0-9.]+ % more instructions$'
unlike 'the other one did not move' "$T/out" ' parse '
like 'its line is shown with its text' "$T/out" 'prog\.c:1[23]  .*(y = y \* 5|i < 2 \* n)'
like 'the page holds the table' why.html '<code>emit</code>'
like 'and a policy without scripts' why.html "default-src 'none'"
unlike 'and none' why.html '<script'
check 'the picture is XML' /usr/bin/python3 -ISc 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' why.svg

runs 0 'as JSON' pawl why HEAD~2..HEAD~1 --benchmark prog --json
is 'the share of the function is above 90 %' \
	"$(json "$T/out" "d['functions'][0]['name'] == 'emit' and 0.9 < d['functions'][0]['share'] < 1.1")" True
is 'all figures are there' "$(json "$T/out" "d['head_instructions'] > d['base_instructions'] > 0")" True

if slow_only 'backwards, and a command that no configuration names'; then
	runs 0 'backwards' pawl why HEAD~1..HEAD~2 -b prog
	like 'it saves' "$T/out" '^emit saves (9[0-9]|100) % of the [0-9.]+ % fewer instructions$'
	runs 0 'a command that no configuration names' pawl why HEAD~2..HEAD~1 -- build/prog
	like 'has its functions shown' "$T/out" '^emit adds (9[0-9]|100) %'
fi

runs 0 'a commit that changes no code' pawl why -b prog
like 'is told so' "$T/out" 'same machine code'

runs 2 'a benchmark that is not there' pawl why --benchmark porg
like 'is an error with the name' "$T/err" "there is no benchmark 'porg'"
like 'and the nearest one' "$T/err" "^hint: did you mean 'prog'"
runs 5 'a commit that is not there' pawl why nowhere..HEAD -b prog
unlike 'before anything is built' "$T/err" 'building'
runs 2 'no benchmark said where there are two' pawl why
like 'is told so' "$T/err" 'there are 2 benchmarks, and it is not said which'
like 'with their names' "$T/err" "^hint: say --benchmark NAME; there is 'prog', 'other'"
runs 2 'a format that is not there' pawl why -b prog --format csv

tools_but 'valgrind.*' "$T/bin"
PATH=$T/bin "$(command -v pawl)" why HEAD~2..HEAD~1 -b prog >"$T/out" 2>"$T/err"
is 'without valgrind the status is that of the environment' $? 5
like 'and the cure is told' "$T/err" 'hint: apt install valgrind'

# ---- without debug information, and linked to libpawl ------------------------------------------

new_repo "$T/linked"
cd "$T/linked" || exit 1
cat >.pawlconfig <<END
[pawl]
	project = t
	build = ${CC:-cc} -O2 -I$ROOT -I$ROOT/include -o bench bench.c $BUILD/libpawl.a
[benchmark "chains"]
	command = ./bench
END
bench_of() {
	cat <<END
#include "include/pawl.h"
static __attribute__((noinline)) uint64_t step(uint64_t x)
{
	for (int i = 0; i < $1; i++) {
		x = x * 6364136223846793005u + 1;
		pawl_keep(x);
	}
	return x;
}
static void chain(void *ctx, uint64_t n, struct pawl_run *run)
{
	uint64_t x = 1;
	(void)ctx;
	(void)run;
	while (n--)
		x = step(x);
	pawl_keep(x);
}
int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { { .name = "one", .run = chain } };
	return pawl_main(argc, argv, list, 1);
}
END
}
case $BUILD in
/*) ;;
*) sed -i "s| $BUILD/| $ROOT/$BUILD/|" .pawlconfig ;;
esac
bench_of 100 >bench.c
commit_all . one
bench_of 200 >bench.c
commit_all . two
runs 0 'why of a libpawl program that is all there is' pawl why
like 'needs no name' "$T/out" '^chains/one: '
like 'counts one iteration' "$T/out" 'instructions per iteration: [3-8][0-9]+ before'
like 'names the function' "$T/out" '^step adds (9[89]|100) % of the (9[0-9]|100) % more instructions$'
like 'and says how lines can be had' "$T/out" 'build with -g'

sed -i 's/ list, 1)/ list, 2)/; s/\[\] = { \(.*\) };/[] = { \1, { .name = "two", .run = chain } };/' bench.c
commit_all . three
runs 2 'a section of two benchmarks, and none said' pawl why
like 'is told so' "$T/err" "'chains' holds 2 benchmarks, and it is not said which"
like 'with their names' "$T/err" "^hint: say --benchmark NAME; there is 'chains/one', 'chains/two'"
