# A newcomer's first two commands, `pawl init` and `pawl compare`, on small repositories that imitate kinds
# of real ones; tests/contact/run does it on those.  What init.sh asserts is not repeated.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/contact.sh"

configured() {
	git config -f .pawlconfig "$1"
}

program() {
	printf 'int main(int n, char **v)\n{\n\treturn %s;\n}\n' "$1"
}

# ---- no configuration ----------------------------------------------------------------------------

project bare
twice
runs 2 'without a configuration a comparison' pawl compare
like 'says which command writes one' "$T/err" "^hint: run 'pawl init', which looks for benchmarks"

runs 0 'a check of what was stored' pawl fsck
like 'says that there is nothing yet' "$T/out" '^there are no results yet'

# ---- descriptions that do not build, or promise more than the first ---------------------------------

project second
printf 'all:\n\t@echo "docker is not here"; false\n' >Makefile
cat >CMakeLists.txt <<'END_OF_FILE'
cmake_minimum_required(VERSION 3.16)
project(x NONE)
option(X_BUILD_BENCHMARKS "build them" OFF)
option(X_DISABLE_BENCH "not one that is to be on" OFF)
if(X_DISABLE_BENCH)
  message(FATAL_ERROR "no benchmarks")
endif()
if(X_BUILD_BENCHMARKS)
  add_custom_target(bench ALL COMMAND cc -o bench-x ${CMAKE_SOURCE_DIR}/x.c)
endif()
END_OF_FILE
program 0 >x.c
printf '/build/\n' >.gitignore
twice
if command -v cmake >/dev/null; then
	runs 0 'where make fails and CMake has an option for benchmarks' pawl init
	like 'CMake builds' "$T/out" '^build .*cmake -S \. -B build .* -DX_BUILD_BENCHMARKS=ON &&'
	is 'the benchmark' "$(configured benchmark.bench-x.command)" build/bench-x
	runs 0 'the comparison' pawl compare
	like 'has its answer' "$T/out" 'bench-x +identical'
	rm .pawlconfig
	sed -i 's/add_custom_target(bench.*/message(FATAL_ERROR "needs the network")/' CMakeLists.txt
	twice
	runs 0 'where the option does not build' pawl init
	like 'it is left out' "$T/out" '^build .*USE_ORIGIN=ON && cmake --build'
	like 'and why is told' "$T/out" '^ +which failed: .*docker is not here|^ +which failed: .*exited'
else
	skip 'an option of CMake' 'cmake is not installed'
fi

# ---- a library, whose tests alone make programs ------------------------------------------------------------

if command -v cmake >/dev/null; then
	project library
	cat >CMakeLists.txt <<'END_OF_FILE'
cmake_minimum_required(VERSION 3.16)
project(x NONE)
option(X_BUILD_TESTS "build them" OFF)
if(X_BUILD_TESTS)
  add_custom_target(tests ALL COMMAND cc -o try-x ${CMAKE_SOURCE_DIR}/x.c)
endif()
END_OF_FILE
	program 0 >x.c
	printf '/build/\n' >.gitignore
	twice
	runs 0 'where a library is all that is made' pawl init
	like 'its tests are built, too' "$T/out" '^build .*cmake -S \. -B build .* -DX_BUILD_TESTS=ON &&'
	like 'and may be what is compared' "$T/out" 'pawl compare -- build/try-x'
fi

# ---- a second build system, where the first makes no program ---------------------------------------------

project two-systems
program 0 >x.c
cat >CMakeLists.txt <<'END_OF_FILE'
cmake_minimum_required(VERSION 3.16)
project(x C)
add_library(x STATIC x.c)
END_OF_FILE
printf "project('x', 'c')\nsubdir('perf')\n" >meson.build
mkdir perf
printf "executable('fast', '../x.c')\n" >perf/meson.build
printf '/build/\n' >.gitignore
twice
if command -v cmake >/dev/null && command -v meson >/dev/null && command -v ninja >/dev/null; then
	runs 0 'where CMake makes a library alone' pawl init
	like 'Meson builds, which makes a program' "$T/out" '^build +meson setup build '
	like 'and it is named' "$T/out" '^missing .* pawl compare -- build/perf/fast$'
	rm .pawlconfig
	printf 'add_executable(tool x.c)\n' >>CMakeLists.txt
	if slow_only 'where CMake makes some program'; then
		twice
		runs 0 'where CMake makes some program' pawl init
		like 'it builds' "$T/out" '^build .*cmake -S'
		rm .pawlconfig
		printf "benchmark('quick', executable('fast', '../x.c'))\n" >perf/meson.build
		twice
		runs 0 'unless Meson has a benchmark' pawl init
		is 'which is found' "$(configured benchmark.quick.command)" build/perf/fast
	fi
else
	skip 'two build systems' 'cmake, meson or ninja is not installed'
fi

# ---- a folder of benchmarks, a folder with all of the project --------------------------------------------

project folder-tool
mkdir -p bench lib/vendor/x
program 0 | tee bench/b.c >x.c
printf 'all: atool tool\n%%: x.c\n\tcc -o $@ x.c\n' >Makefile
printf 'measure: b.c\n\tcc -o $@ b.c\nrun:\n\t./measure\n' >bench/Makefile
twice
runs 0 'a folder of benchmarks with a Makefile' pawl init
like 'is built, too' "$T/out" '^build +make -j.* && make -j.* -C bench$'
is 'and has the benchmark' "$(configured benchmark.measure.command)" bench/measure
rm .pawlconfig
printf 'measure:\n\ttouch %s/ran\n\t./fetch\n' "$T" >bench/Makefile
twice
runs 0 'one that does more than build' pawl init
like 'is not; of its programs the one is named that the project is called by' "$T/out" \
	'^missing .* pawl compare -- \./tool +# or another program$'
check 'nothing of it ran' [ ! -e "$T/ran" ]

project within
mkdir -p core/bench core/vendor/y tests
program 0 >core/b.c
printf 'bench/x: b.c\n\tcc -o $@ b.c\n' >core/Makefile
printf 'all:\n\tfalse\n' | tee tests/Makefile >core/vendor/y/Makefile
touch core/bench/keep
twice
runs 0 'a project in a folder' pawl init
like 'is built there' "$T/out" '^build +cd core && make -j'
is 'its benchmark found' "$(configured benchmark.x.command)" core/bench/x

# ---- more benchmarks than a first comparison should take -------------------------------------------------

project many
cat >x.c <<'END_OF_FILE'
#include <stdio.h>
#include <string.h>
int main(int n, char **v)
{
	for (int i = 0; n > 1 && strstr(v[1], "--benchmark_list_tests") && i < 130; i++)
		printf("%s/%d\n", i < 65 ? "parse" : "print", i);
	return 0;
}
END_OF_FILE
printf 'bench: x.c\n\tcc -DN=1 -o $@ x.c\n' >Makefile
commit_all . one
printf 'bench: x.c\n\tcc -O1 -DN=2 -o $@ x.c\n' >Makefile
commit_all . two
runs 0 'a program with many benchmarks' pawl init
like 'they are counted' "$T/out" '^benchmark +bench: \./bench \(linked to google-benchmark\), 130 benchmarks$'
like 'and it is said how to take some' "$T/out" \
	'^  pawl compare -b bench/parse +# only these: all 130 take 11 min or more$'
runs 4 'of those that lie below a name' pawl compare --json -b bench/parse
is 'there are as many as it has' "$(json "$T/out" "len(d['benchmarks'])")" 65
runs 2 'half a word' pawl compare -b bench/pars
like 'names none' "$T/err" "no benchmark 'bench/pars'"

# ---- what runs, and what does not ------------------------------------------------------------------------

project wants
cat >Makefile <<'END_OF_FILE'
all: bench-data bench-fine bench-long bench-clock bench-slow
bench-slow: v.c
	cc -o $@ v.c
bench-clock: w.c
	cc -o $@ w.c
bench-long: z.c
	cc -o $@ z.c
bench-data: x.c
	cc -o $@ x.c
bench-fine: y.c
	cc -o $@ y.c
END_OF_FILE
{
	printf '#include <stdio.h>\n'
	program '(n < 2 && puts("usage: bench-data FILE") > 0) ? 2 : 0'
} >x.c
program 0 >y.c
printf '#include <unistd.h>\nint main(void)\n{\n\treturn pause();\n}\n' >z.c
printf '#include <unistd.h>\nint main(void)\n{\n\treturn sleep(3) != 0;\n}\n' >v.c
printf '#include <stdlib.h>\nint main(void)\n{\n\treturn getenv("NANOBENCH_ENDLESS") != NULL;\n}\n' >w.c
twice
runs 0 'a program that wants arguments' pawl init
like 'one that runs for long, too' "$T/out" 'it is left out: one run takes more than 20 s: give it less to do$'
like 'is told' "$T/out" 'it is left out: exited with status 2: usage: bench-data FILE$'
like 'and one whose time is that of its clock' "$T/out" 'it is left out: nanobench repeats each benchmark until'
like 'with what to write instead' "$T/out" "templates::json.*, and give its section 'format = nanobench' and 'output = FILE'\$"
like 'and a comment' .pawlconfig '^# \[benchmark "bench-data"\]'
is 'the others are written' "$(git config -f .pawlconfig --get-regexp '^benchmark.*command' | tr '\n' ' ')" \
	'benchmark.bench-fine.command ./bench-fine benchmark.bench-slow.command ./bench-slow '
like 'with what they take' "$T/out" 'pawl compare +# HEAD with the commit before; 1 to [12][0-9] min if the code differs$'
like 'and how to take less time' "$T/out" '^  pawl compare --budget 2m +# what 2 min can tell$'
runs 4 'that time compared' pawl compare --measure-identical -- ./bench-clock
like 'is no verdict, and how to get one is said' "$T/out" 'nanobench repeats .*format = nanobench'

project repeats
printf 'all: nb\nnb: x.c\n\tcc -o $@ x.c\n' >Makefile
printf '#include <stdlib.h>\nint main(void)\n{\n\treturn getenv("NANOBENCH_ENDLESS") != NULL;\n}\n' >x.c
twice
runs 0 'a build whose one program repeats itself' pawl init
like 'says so of it' "$T/out" '^benchmark +nb: \./nb \(made by the build\)$'
like 'and what it takes' "$T/out" 'it is left out: nanobench repeats .*format = nanobench'
unlike 'without a command that would end with the same' "$T/out" 'pawl compare -- ./nb'

project faults
printf 'all: bench-x tool\nbench-x tool: x.c\n\tcc -o $@ x.c\n' >Makefile
program 3 >x.c
twice
runs 0 'a benchmark that fails' pawl init
like 'leaves the programs beside it' "$T/out" '^missing +a benchmark that runs: pawl compare -- \./tool +# or another program$'

project check
printf 'all: a-helper check-all\n%%: x.c\n\tcc -o $@ x.c\na-helper: y.c\n\tcc -o $@ y.c\n' >Makefile
program 0 >y.c
cat >x.c <<'END_OF_FILE'
#include <stdio.h>
int main(void)
{
	puts("<?xml version=\"1.0\"?><Catch2TestRun name=\"x\"><TestCase name=\"t\"/></Catch2TestRun>");
	return "--benchmark-samples" == 0;
}
END_OF_FILE
twice
runs 0 'tests that Catch2 is linked into' pawl init
like 'are no benchmark' "$T/out" '^missing +a benchmark: pawl compare -- \./check-all +# or another program$'
unlike 'nor written as one' .pawlconfig '^(# )?\[benchmark "check'
rm .pawlconfig
runs 0 'a program that is given and fails' pawl init -- ./check-all/x
like 'is told so' "$T/err" 'warning: the command was tried without success: '

project alone
printf 'tool: x.c\n\tcc -o $@ x.c\n' >Makefile
cat >x.c <<'END'
long write(int, const void *, unsigned long);
int main(int n, char **v) { return n < 2 ? write(2, "usage: build/tool FILE\n", 23), 2 : !v; }
END
commit_all . one
echo '/* 2 */' >>x.c
commit_all . two
runs 4 'a program that fails without arguments' pawl compare --measure-identical -- ./tool
like 'is told how it gets some' "$T/err" '^hint: it may need arguments.*: pawl compare -- \./tool ARGUMENTS$'

project rings
printf 'rings: x.c\n\tcc -o $@ x.c\n' >Makefile
cat >x.c <<'END'
#include <unistd.h>
int main(int n, char **v) { alarm(0); return n > 1 ? sleep(1) != 0 : !v; }
END
commit_all . one
echo 'int more;' >>x.c
commit_all . two
# Whatever they say of noise.
pawl compare --measure-identical --budget 1s --wait 1h -- ./rings >"$T/out" 2>"$T/err"
like 'a short program with an alarm' "$T/out" '^judged by '
unlike 'does not wait for it' "$T/err" 'alarm'
pawl compare --measure-identical --budget 10s --wait 1h -- ./rings 1 >"$T/out" 2>"$T/err"
like 'one of a second is doubted' "$T/err" "warning: 'rings' calls alarm\(\): if it repeats its work"

project scripts
mkdir benchmarks
printf 'import lib, sys\nprint(lib.answer)\nprint("warning: 3 words not found", file=sys.stderr)\naxis = dict(autorange="reversed")\n' >benchmarks/parse.py
printf 'import nothing_of_this_name\n' >benchmarks/other.py
printf 'print(open("/dev/null").read())\n' >benchmarks/extract_graph_data.py
printf 'answer = 42\n' >lib.py
printf 'import subprocess, sys\nsubprocess.run([sys.executable, "-m", "pyperf", "timeit"])\n' >benchmarks/by_clock.py
printf 'import os\nos.system("nothing-of-this-name 4")\n' >benchmarks/helper.py
printf 'import sys\ntry:\n\timport nothing\nexcept ImportError as e:\n\tprint("imports tried:", e, file=sys.stderr)\n' >benchmarks/imports.py
twice
runs 0 'scripts that are called benchmarks' pawl init
like 'are found' "$T/out" "^benchmark +parse: env PYTHONPATH=src:. python3 benchmarks/parse.py \\(a script"
like 'and told where they do not run' "$T/out" 'it is left out: .*nothing_of_this_name'
unlike 'but not those that draw what was measured' "$T/out" 'extract_graph_data'
like 'or end well and say that something is not here' "$T/out" '^ +it ended well, but said: .*nothing-of-this-name: not found'
unlike 'which is no fault by its words' .pawlconfig '^# \[benchmark "(helper|imports)"\]'
like 'whatever they measure' "$T/out" '^ +it ended well, but said: .*No module named'
like 'or the time says nothing of the code' "$T/out" 'it is left out: pyperf repeats each benchmark until'
is 'nothing is built for them' "$(configured pawl.build)" true
rm .pawlconfig
touch setup.py
printf 'docs:\n\t@nothing-that-makes-documents\n' >Makefile
commit_all . 'a Makefile that makes documents'
runs 0 'beside a Makefile that fails' pawl init
is 'they are found, too' "$(configured benchmark.parse.command)" 'env PYTHONPATH=src:. python3 benchmarks/parse.py'
like 'and it is said what was left out' "$T/out" '^ +rather than: make'

project tool
mkdir bin docs
printf '#!/bin/sh\necho "$1"\n' >bin/tool
chmod +x bin/tool
printf 'all:\n\tfalse\n' >docs/Makefile
mkdir bench
printf '#!/bin/sh\ntouch %s/fetched\n' "$T" >bench/run.sh
chmod +x bench/run.sh
twice
runs 0 'a program that is not built' pawl init
check 'scripts of a shell are not run' [ ! -e "$T/fetched" ]
like 'is named' "$T/out" '^missing +a benchmark: pawl compare -- bin/tool ARGUMENTS +# or'
if command -v script >/dev/null; then
	echo text >notes
	commit_all . 'another tree'
	TERM=xterm script -qec 'pawl compare --rebuild -- bin/tool x' "$T/typed" </dev/null >/dev/null 2>&1
	is 'a terminal shows each step, however short' \
		"$(tr '\r' '\n' <"$T/typed" | grep -c 'checking out [0-9a-f]')" 2
else
	skip 'a terminal shows each step, however short' 'script is not installed'
fi

# ---- the same commands, typed by a program on clones of real repositories --------------------------------

mkdir "$T/clones"
project somebody+slower
printf 'bench-x: x.c\n\tcc -O1 -o $@ x.c\n' >Makefile
printf 'int main(void)\n{\n\tfor (volatile long i = 0; i < 1000000; i++) {}\n\treturn 0;\n}\n' >x.c
commit_all . one
sed -i 's/1000000/20000000/' x.c
commit_all . two
mv "$PWD" "$T/clones"
cd "$T" || exit 1
echo "somebody/slower $(git -C clones/somebody+slower rev-parse HEAD) C/make/bench verdict" >table
runs 0 'a regression in a table of repositories' \
	env BUILD="$BUILD" CONTACT="$T/table" PAWL_CONTACT_DIR="$T/clones" "$ROOT/tests/contact/run"
like 'is a verdict' "$T/out" '[|] verdict: 1 regressed [|] yes [|]'
