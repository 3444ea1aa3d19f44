# Programs of other harnesses side by side: the same code is no regression, a slower one is found.
. "$(dirname "$0")/../../lib.sh"

# Nothing of what is built here may differ by where it lies.
new_project() {
	new_repo "$T/$1"
	cd "$T/$1" || exit 1
	printf '/build/\n' >.gitignore
}

field() {
	json "$T/out" "[$2 for b in d['benchmarks'] if b['name'] == '$1'][0]"
}

# same_and_slower NAME: HEAD~2 and HEAD~1 differ in a document only, HEAD is slower in NAME
same_and_slower() {
	runs 0 "$1: the same code is no regression" pawl compare --json --measure-identical HEAD~2..HEAD~1
	is "$1: it is measured" "$(field "$1" "b['status']")" ok
	is "$1: side by side" "$(field "$1" "b['paired']")" True
	runs 1 "$1: what takes longer is a regression" pawl compare --json
	is "$1: of that benchmark" "$(field "$1" "b['verdict']")" regressed
	valid "$1: the document fits the schema" "$T/out"
}

# ---- google-benchmark on a busy machine: it ends with its first iteration ------------------------

new_project busy
# One as version 1.7 is: every third run is cut short, unless it was given more time than pawl asks for first.
cat >program <<END
#!/bin/sh
case "\$*" in
*list_tests*) echo spin; exit ;;
*min_time=*x*) echo "invalid value" >&2; exit 1 ;;
*min_time=0.005*)
	read -r n <"$T/busy.n"
	echo \$((n + 1)) >"$T/busy.n"
	[ \$((n % 3)) -ne 0 ] || set -- cut ;;
esac
if [ "\$1" = cut ]; then
	figures='"iterations": 1, "real_time": 7.1e7, "cpu_time": 2.1e4'
else
	figures='"iterations": 9000, "real_time": 1004, "cpu_time": 1000'
fi
printf '{"context": {}, "benchmarks": [{"name": "spin", "run_name": "spin", "run_type": "iteration", %s, "time_unit": "ns"}]}\n' "\$figures"
END
chmod +x program
printf '[pawl]\n\truns = 12..12\n\tminTime = 5ms\n\tlayouts = off\n[benchmark "g"]\n\tcommand = ./program\n\tformat = google\n' >.pawlconfig
echo 0 >"$T/busy.n"
commit_all . one
sed 's/1004, "cpu_time": 1000/1304, "cpu_time": 1300/' program >"$T/program" && cp "$T/program" program
commit_all . slower
runs 1 'what is slower is found' pawl compare --json
is 'runs that were cut short are made again' "$(field g/spin "[set(m['samples']) | set(m['baseline_samples']) \
	for m in b['metrics'] if m['name'] == 'cpu']")" '[{1000, 1300}]'
check 'there were such' [ "$(cat "$T/busy.n")" -gt 24 ]

# twice SUBJECT: the program, and once more with a word that changes nothing; nobody has asked it yet
twice() {
	commit_all . "$1"
	echo '# other' >>program
	commit_all . 'and a word more'
	: >"$T/asked"
}

# A program with a main of its own may go on without what its 1.7 could not read: for half a second.
cat >program <<END
#!/bin/sh
echo "\$*" >>"$T/asked"
case "\$*" in
*list_tests*) echo spin; exit ;;
*min_time=*x*) n=500000 ;;
*) n=9000 ;;
esac
printf '{"context": {}, "benchmarks": [{"name": "spin", "run_name": "spin", "run_type": "iteration", "iterations": %s, "real_time": 1004, "cpu_time": 1000, "time_unit": "ns"}]}\n' \$n
END
twice 'one with a main of its own'
runs 0 'a number that the program passes over' pawl compare --json
is 'is asked for once' "$(grep -c 'min_time=[0-9]*x' "$T/asked")" 1
check 'then it is asked for a time' [ "$(grep -c 'min_time=0.005' "$T/asked")" -ge 24 ]
# A number that the source fixes is short of any time: no run of it is one that was cut short.
sed 's|spin|spin/iterations:90|g; s/n=[0-9]*/n=90/' program >"$T/program" && cp "$T/program" program
twice 'a fixed number'
runs 0 'a number of iterations that the source fixes' pawl compare --json
is 'is taken as it is' "$(grep -c 'min_time=0\.0[1-9]' "$T/asked")" 0

# ---- google-benchmark: processor time decides -------------------------------------------

new_project google
# What changes is in C: the header of the harness takes a second to read, and is read once.
cat >work.c <<'END'
void work(void);
void work(void)
{
	for (int i = 0; i < WORK; i++)
		__asm__ volatile("" : : "r"(i));
}
END
cat >"$T/bench.cc" <<'END'
#include <benchmark/benchmark.h>
extern "C" void work(void);
static void spin(benchmark::State &state)
{
	for (auto _ : state)
		work();
	state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(spin);
static void broken(benchmark::State &state)
{
	state.SkipWithError("no input");
	for (auto _ : state)
		;
}
BENCHMARK(broken);
BENCHMARK(spin)->Name("twice");
static void counting(benchmark::State &state)
{
	for (auto _ : state)
		;
	state.counters["cpu"] = 7;
	state.counters["wall"] = 8;
}
BENCHMARK(counting);
BENCHMARK(spin)->Name("twice");
BENCHMARK_MAIN();
END
cat >Makefile <<END
include work.mk
build/bench: work.c work.mk
	mkdir -p build
	\$(CC) -O2 -DWORK=\$(WORK) -c -o build/work.o work.c
	\$(CXX) $(linker_flag) -o \$@ build/work.o $T/bench.o -lbenchmark -lpthread
END
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = make
	runs = 12..12
	minTime = 5ms
[benchmark "g"]
	command = build/bench --benchmark_filter=spin
END
echo 'WORK = 1000' >work.mk
commit_all . one
echo text >README
commit_all . 'a document'
echo 'WORK = 3000' >work.mk
commit_all . 'three times the work'
if ! { ${CXX:-c++} -O1 -c -o "$T/bench.o" "$T/bench.cc" && make; } >"$T/make" 2>&1; then
	skip 'google-benchmark programs' "none can be built here: $(tail -n 1 "$T/make")"
else
	same_and_slower g/spin
	is 'it was told by its executable' "$(field g/spin "b['format']")" google
	# A run that the hypervisor halts is off the processor as one that waits: once in many comparisons all are.
	for again in 1 2 3 4; do
		gate=$(field g/spin "b['gate'] == 'cpu' or b['gate_why']")
		[ "$gate" != True ] || break
		pawl compare --json >"$T/out" 2>"$T/err"
	done
	is 'processor time decides' "$gate" True
	is 'by about three' "$(field g/spin "[2 < m['delta']['ratio'] < 4.5 for m in b['metrics'] \
		if m['name'] == 'cpu']")" '[True]'
	is 'rates are metrics, better when higher' \
		"$(field g/spin "[m['better'] for m in b['metrics'] \
			if m['name'] == 'items_per_second']")" "['higher']"
	runs 0 'a collection stores it' pawl collect --json $quick
	is 'with the samples' "$(field g/spin "[m['n'] for m in b['metrics'] \
		if m['name'] == 'cpu']")" '[12]'
	runs 4 'a benchmark that fails is told' pawl collect --no-build --json $quick -- build/bench
	is 'with its own reason' "$(field bench/broken "b['detail']")" 'no input'
	is 'beside those that do not' "$(field bench/spin "b['status']")" ok
	is 'so is one that is registered twice, once' \
		"$(json "$T/out" "[b['detail'] for b in d['benchmarks'] if b['name'] == 'bench/twice']")" \
		"['the program has it twice; give each benchmark a name of its own']"
	is 'counters called as metrics are no times' \
		"$(field bench/counting "[m['samples'][0] for m in b['metrics'] \
			if m['name'] in ('counter.cpu', 'counter.wall')]")" '[7, 8]'
	valid 'the document fits the schema' "$T/out"
	runs 4 'a program that does not take the options it is given' pawl collect --no-push --no-build \
		-- build/bench --no-such-option
	like 'is not silently measured as a whole' "$T/err" \
		"measured as a whole, for the program looks like one of google but does not tell"
fi

# ---- go: the harness tells wall time alone ----------------------------------------------------

new_project go
printf 'module example.org/x\n\ngo 1.19\n' >go.mod
cat >x_test.go <<'END'
package x

import "testing"

var sink int

func spin(b *testing.B, n int) {
	for i := 0; i < b.N; i++ {
		for k := 0; k < n; k++ {
			sink += k ^ i
		}
	}
}

func BenchmarkSpin(b *testing.B) {
	b.Run("n=1(a)", func(b *testing.B) { spin(b, work) })
}
END
cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = go test -c -o build/x.test
	runs = 12..68
	minTime = 5ms
[benchmark "x"]
	command = build/x.test
END
GOCACHE=$T/gocache GOFLAGS=-mod=mod
# Go's library as it is installed: with -trimpath, which pawl adds where nothing is said of it (contact_languages.sh), an empty
# cache has all of it compiled, 17 s, and go vet looks at all of it.
[ -n "${PAWL_TEST_SLOW:-}" ] || GOFLAGS='-mod=mod -vet=off -trimpath=false'
export GOCACHE GOFLAGS
printf 'package x\n\nconst work = 1000\n' >x.go
commit_all . one
echo text >README
commit_all . 'a document'
printf 'package x\n\nconst work = 3000\n' >x.go
commit_all . 'three times the work'
if ! go test -c -o build/x.test >"$T/make" 2>&1; then
	skip 'go test binaries' "none can be built here: $(tail -n 1 "$T/make")"
else
	same_and_slower 'x/BenchmarkSpin/n=1(a)'
	is 'it was told by its executable' "$(field 'x/BenchmarkSpin/n=1(a)' "b['format']")" go
	is 'the iterations are frozen' "$(field 'x/BenchmarkSpin/n=1(a)' "b['iterations'] > 1")" True
	printf '\nfunc BenchmarkE(b *testing.B) { b.Run("size-64", func(b *testing.B) { spin(b, 64) }) }\n' \
		>>x_test.go
	commit_all . 'a name that ends in a number'
	runs 0 'on one processor, where go writes nothing behind a name' \
		taskset -c 0 pawl collect --json $quick
	is 'a number at its end is part of it' "$(field x/BenchmarkE/size-64 "b['status']")" ok
fi

# ---- Catch2: one test case a process --------------------------------------------------------

new_project catch2
cat >bench.cc <<'END'
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
static int sum(int n)
{
	volatile int s = 0;
	for (int i = 0; i < n; i++)
		s = s + i;
	return s;
}
TEST_CASE("sums, [all]")
{
	BENCHMARK("short") { return sum(100); };
	SECTION("more") { BENCHMARK("long") { return sum(1000); }; }
}
END
cat >.pawlconfig <<'END'
[pawl]
	project = demo
[benchmark "c"]
	command = ./bench
END
if [ "${PAWL_TEST_SLOW:-}" != 1 ]; then
	# It compiles for ten seconds, and each of its processes looks at the clock for one.  The short form, on
	# what such a program wrote: tests/unit/lib/foreign.
	skip 'Catch2 programs' 'takes half a minute: make check-slow'
elif ! c++ -O0 -o bench bench.cc >"$T/make" 2>&1; then
	skip 'Catch2 programs' "none can be built here: $(head -n 1 "$T/make")"
else
	commit_all . one
	runs 0 'a Catch2 program is collected' pawl collect --json --runs 2..2 --min-time 1ms
	is 'its benchmarks bear case and section' \
		"$(json "$T/out" 'sorted(b["name"] for b in d["benchmarks"])')" \
		"['c/sums, [all]/more/long', 'c/sums, [all]/short']"
	is 'it was told by its executable' "$(field 'c/sums, [all]/short' "b['format']")" catch2
	is 'each run gives a sample' "$(field 'c/sums, [all]/short' "[m['n'] for m in b['metrics'] \
		if m['name'] == 'wall']")" '[2]'
	valid 'the document fits the schema' "$T/out"
fi
