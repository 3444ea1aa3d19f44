# Of a program of 24 benchmarks where one function changed that two of them execute, two are
# measured; so it is with what only the iterations of a measured run reach, and with another harness.
. "$(dirname "$0")/../../../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip 'what is executed' 'only programs of x86-64 are recorded'
	exit 0
fi
case $BUILD in
*asan* | *tsan*)
	skip 'what a benchmark of a suite executes' 'a sanitizer looks at how its program lies in memory: it is measured'
	exit 0
	;;
*coverage*)
	skip 'what a benchmark of a suite executes' 'each writes down which lines ran, so that all execute that: it is measured'
	exit 0
	;;
esac
extra=$(libpawl_flags)
new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >bench.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "include/pawl.h"
#include "steps.h"
static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	unsigned x = 1;

	(void)r;
	while (n--)
		x = (*(step **)ctx)(x);
	pawl_keep(x);
}
int main(int argc, char **argv)
{
	struct pawl_bench b[N];
	char asked[4000];

	/* Each start makes one folder more; those that it asked for when it was recorded stay. */
	for (int i = 0; i < 500; i++) {
		snprintf(asked, sizeof(asked), ASKED "/%s.%s.%d", getenv("PAWL_ASK"), getenv("PAWL_BENCHMARK"), i);
		if (!mkdir(asked, 0700))
			break;
	}
	for (int i = 0; i < N; i++)
		b[i] = (struct pawl_bench){ .name = names[i], .run = run, .ctx = &steps[i] };
	return pawl_main(argc, argv, b, N);
}
END
cat >step.h <<'END'
typedef unsigned step(unsigned);
END
{
	echo '#include "step.h"'
	echo '__attribute__((noinline)) unsigned shared(unsigned x) { return x * 700 + 1; }'
	for i in $(seq 1 24); do
		case $i in
		7 | 23) echo "unsigned step_$i(unsigned x) { return shared(x) + $i; }" ;;
		24)
			echo '__attribute__((noinline)) unsigned late(unsigned x) { return x + 3; }'
			echo 'static unsigned n;'
			echo 'unsigned step_24(unsigned x) { return ++n > 300 ? late(x) : x + 5; }'
			;;
		*) echo "unsigned step_$i(unsigned x) { return x * $i + 3; }" ;;
		esac
	done
} >step.c
{
	echo '#include "step.h"'
	echo '#define N 24'
	seq 1 24 | sed 's/.*/step step_&;/'
	echo 'static step *steps[N] = {'
	seq 1 24 | sed 's/.*/step_&,/'
	echo '};'
	echo 'static const char *const names[N] = {'
	seq 1 24 | sed 's/.*/"b&",/'
	echo '};'
} >steps.h
mkdir "$T/asked"
cat >Makefile <<END
ASKED = $T/asked
bench: bench.o step.o
	cc -fuse-ld=bfd -o \$@ bench.o step.o $BUILD/libpawl.a $extra -lm
%.o: %.c
	cc -O1 -I$ROOT -I$ROOT/include -DASKED='"\$(ASKED)"' -c -o \$@ \$<
END
printf '[pawl]\n\tbuild = make\n\tminTime = 1ms\n[benchmark "s"]\n\tcommand = ./bench\n' >.pawlconfig
printf 'bench\n*.o\n' >.gitignore
commit_all . one

# compares NAME [OPTION...]
compares() {
	name=$1
	shift
	pawl compare --json --pairs 12 --layouts off --threshold 90% "$@" >"$T/out" 2>"$T/err"
	status=$?
	[ $status -le 1 ]
	result $? "$name" "exit status $status" "$(tail -n 20 "$T/err")"
}

measured() {
	json "$T/out" "' '.join(sorted(b['name'] for b in d['benchmarks'] if b['metrics'] != []))"
}

identical() {
	json "$T/out" "sum(b['verdict'] == 'identical' for b in d['benchmarks'])"
}

sed -i 's/x \* 700/x * 900/' step.c && commit_all . 'a function of two'
compares 'a function of two'
case $(json "$T/out" "d['benchmarks'][0]['changes'].get('why')") in
*'may be traced'*)
	skip 'what is executed' 'ptrace is refused here'
	exit 0
	;;
esac
is 'two are measured' "$(measured)" 's/b23 s/b7'
is 'the others are identical' "$(identical)" 22
valid 'the document is as its schema says' "$T/out"

# What was found of the base is true of the head: only the two are recorded on it.
recordings=$(ls .git/pawl/trees/*/layouts/*/executed-* | wc -l)
ls "$T/asked" | sort >"$T/asked.before"
# started HOW: which benchmarks were, since then
started() {
	ls "$T/asked" | sort | comm -13 "$T/asked.before" - | sed -n "s/^\($1\.[^.]*\)\.[0-9]*\$/\1/p" | sort -u | tr '\n' ' '
}
sed -i 's/x \* 900/x * 1100/' step.c && commit_all . 'and again'
compares 'the next commit'
is 'two are measured again' "$(measured), $(identical)" 's/b23 s/b7, 22'
is 'only they are calibrated' "$(started calibrate)" 'calibrate.b23 calibrate.b7 '
is 'and run' "$(started run)" 'run.b23 run.b7 '
is 'each recording serves the next base' "$(($(ls .git/pawl/trees/*/layouts/*/executed-* | wc -l) - recordings))" 24

sed -i 's/x + 3;/x + 9;/' step.c && commit_all . 'what only many iterations reach'
compares 'what only many iterations reach'
is 'its benchmark is measured' "$(measured), $(identical)" 's/b24, 23'
compares 'on purpose' --measure-identical --benchmark s/b4
is 'on purpose: it is measured' "$(measured)" "$(json "$T/out" "' '.join(sorted(b['name'] for b in d['benchmarks']))")"

# So are those of google-benchmark, whose variables the loader copies into the program.
slow_only 'a program of google-benchmark' || exit 0
if ! echo '#include <benchmark/benchmark.h>' | g++ -x c++ -E - >"$T/out" 2>&1; then
	skip 'a program of google-benchmark' 'no benchmark/benchmark.h'
	exit 0
fi
new_repo "$T/google"
cd "$T/google" || exit 1
cat >bench.cc <<'END_SOURCE'
#include <benchmark/benchmark.h>
unsigned one(unsigned), two(unsigned);
static void bm_one(benchmark::State &s) { for (auto _ : s) benchmark::DoNotOptimize(one(7)); }
static void bm_two(benchmark::State &s) { for (auto _ : s) benchmark::DoNotOptimize(two(7)); }
BENCHMARK(bm_one);
BENCHMARK(bm_two);
BENCHMARK_MAIN();
END_SOURCE
printf 'unsigned one(unsigned x) { return x * 3; }\nunsigned two(unsigned x) { return x * 5; }\n' >step.cc
cat >Makefile <<'END_SOURCE'
bench: bench.o step.o
	g++ -fuse-ld=bfd -o $@ bench.o step.o -lbenchmark -lpthread
%.o: %.cc
	g++ -O1 -c -o $@ $<
END_SOURCE
printf '[pawl]\n\tbuild = make\n\tminTime = 1ms\n[benchmark "g"]\n\tcommand = ./bench\n\tformat = google\n' >.pawlconfig
printf 'bench\n*.o\n' >.gitignore
commit_all . one
sed -i 's/x \* 5/x * 9/' step.cc && commit_all . 'one of two'
compares 'a program of google-benchmark'
is 'the other one is identical' "$(measured), $(identical)" 'g/bm_two, 1'
