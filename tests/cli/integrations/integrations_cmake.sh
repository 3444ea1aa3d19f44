# find_package(pawl) in an outside project, against the installed tree: configured, built, run as
# tests, compared, gated.  CMakeLists.txt and the commands are those of docs/howto/cmake.md.
. "$(dirname "$0")/../../lib.sh"
if ! command -v cmake >/dev/null || ! command -v ctest >/dev/null; then
	skip 'pawl_add_benchmark' 'there is no cmake'
	exit 0
fi
installed_name='moved here'
. "$ROOT/tests/outside/outside.sh"
page=$ROOT/docs/howto/cmake.md
CMAKE_PREFIX_PATH=$INSTALLED
export CMAKE_PREFIX_PATH
# The sanitizer keeps the absolute path of a source, which is what CMake compiles by.
case $BUILD in *asan*) same='(identical|unchanged|inconclusive)' ;; esac
unset CMAKE_GENERATOR CMAKE_BUILD_TYPE

# gates STATUS NAME [VARIABLE=VALUE...]: the target bench-gate; what cmake ends with for a failure
# depends on the generator
gates() {
	wanted=$1
	name=$2
	shift 2
	env "$@" cmake --build build --target bench-gate >"$T/out" 2>"$T/err"
	got=$?
	[ "$got" -eq 0 ] || got=1
	is "$name" "$got" "$wanted"
}

# ---- the page ---------------------------------------------------------------------------------

new_outside "$T/a project" "$page" cmake CMakeLists.txt
cd "$T/a project" || exit 1
echo '/build*/' >.gitignore
commit_all . 'ignore what is built'
version=$(cmake --version | sed -n 's/^cmake version 3\.\([0-9]*\).*/\1/p')
adapt_block() {
	[ "$1" -eq 5 ] && [ "${version:-99}" -lt 20 ] || return 0
	sed 's/--test-dir build//; s/^/cd build; /' "$T/block" >"$T/b" && mv "$T/b" "$T/block"
}
after_block() {
	[ "$1" -ne 5 ] || like 'run both as tests' "$T/out" '100% tests passed.* out of 2'
}
later=3
run_page "$page" 1 6 6

# ---- a slowdown ---------------------------------------------------------------------------------

# In the short run make's gate alone is asked of one.
if slow_only 'a slowdown, and a commit that does not build'; then
	slow_down
	check 'comparing a slowdown is no failure' cmake --build build --target bench-compare
	gates 1 'the gate fails'
	like 'at the slowdown' "$T/out" 'bench_checksum/chain .*regressed'
	like 'what did not change is identical' "$T/out" "bench_multiply.* $same"
	like 'and says that it is one' "$T/err" 'a regression is confirmed \(status 1\)'
	gates 0 'A/A passes' PAWL_BASE=HEAD 'PAWL_FLAGS=--measure-identical --threshold 90%'
	like 'and was measured' "$T/out" 'bench_checksum/chain .* unchanged'
	gates 0 'the other way round too' PAWL_BASE=HEAD..HEAD~1
	like 'as an improvement' "$T/out" 'bench_checksum/chain .*improved'
	echo '/* a remark */' >>src/checksum.h
	gates 0 'uncommitted work' PAWL_FLAGS=--working-tree
	like 'is compared with HEAD' "$T/out" "bench_checksum.* $same"
	git checkout -q .
	commit_all . nothing
	echo '#error no' >>src/checksum.c
	commit_all . 'does not build'
	gates 1 'a commit that does not build'
	like 'is no regression' "$T/err" 'nothing was judged \(status 4\)'
	git reset -q --hard HEAD~2
fi
gates 1 'a base that is an option' PAWL_BASE=--rebuild
like 'is refused' "$T/err" "PAWL_BASE is '--rebuild'"
gates 1 'a base for a shell, and a list' "PAWL_BASE=;\$(touch $T/hit);--rebuild"
is 'is run by none' "$(ls "$T/hit" 2>/dev/null)" ''

# ---- what is printed ------------------------------------------------------------------------------

# logs STATUS NAME TARGET [VARIABLE=VALUE...]: both streams of the target in $T/log
logs() {
	wanted=$1
	name=$2
	target=$3
	shift 3
	env TOLD="$T/log" "$@" cmake --build build --target "$target" >"$T/log" 2>&1
	got=$?
	[ "$got" -eq 0 ] || got=1
	is "$name" "$got" "$wanted"
}
data=build/pawl/benchmarks-Release.cmake
cp "$data" "$T/data"
sed "s|^set(PAWL .*|set(PAWL [==[$T/told]==])|; s|\[==\[\]==\] \(\[==\[\]==\])\)\$|[==[$T/told]==] \1|" "$T/data" >"$data"
told 1
logs 1 'what is gated' bench-gate
like 'writes into the log itself, so that no line is cut' "$T/log" '^both are the log$'
like 'behind it comes what it means' "$T/log" 'a regression is confirmed \(status 1\)'
logs 0 'what is compared' bench-compare
like 'as well' "$T/log" '^both are the log$'
logs 1 'what is run by hand' bench
is 'too, each below its name' "$(grep -v '^told\|^\[\|^make\|^gmake\|^ninja' "$T/log" | head -n 4)" '== bench_checksum
both are the log
== bench_multiply
both are the log'
like 'and those that fail are named' "$T/log" "pawl: failed: 'bench_checksum' \(1\) 'bench_multiply' \(1\)"
logs 0 'what is kept' bench-baseline
like 'was built by cmake' "$T/log" '^told collect --built$'
told 4
logs 1 'what could not be judged' bench-compare
like 'is told behind it' "$T/log" 'nothing was judged \(status 4\)'
cp "$T/data" "$data"

# ---- what other programs can read ----------------------------------------------------------------

cd build && ctest --show-only=json-v1 >"$T/tests.json" && cd ..
of_tests() {
	json "$T/tests.json" "[$1 for t in d['tests']
		for p in [{q['name']: q['value'] for q in t['properties']}]]"
}
is 'the tests have names' "$(of_tests "t['name']")" "['bench_checksum', 'bench_multiply']"
is 'labels' "$(of_tests "p['LABELS']")" "[['benchmark'], ['benchmark', 'slow']]"
is 'run alone' "$(of_tests "p['RUN_SERIAL']")" '[True, True]'
is 'and their commands' "$(of_tests "t['command'][0].split('/')[-1:] + t['command'][1:]")" \
	"[['bench_checksum', '--min-time', '1ms'], ['bench_multiply', '--min-time', '1ms']]"

# ---- what can be wrong ---------------------------------------------------------------------------

# In the short run nothing but what is about compilers looks for one.
languages=NONE
[ -z "${PAWL_TEST_SLOW:-}" ] || languages=C
# configures NAME REGEX LINE...: fails with that message
configures() {
	name=$1
	regex=$2
	shift 2
	mkdir -p "$T/wrong" && rm -rf "$T/wrong/build"
	printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' "project(wrong $languages)" "$@" >"$T/wrong/CMakeLists.txt"
	runs 1 "$name" cmake -S "$T/wrong" -B "$T/wrong/build"
	tr '\n' ' ' <"$T/err" | tr -s ' ' >"$T/line"
	like 'is told' "$T/line" "$regex"
}
find='find_package(pawl REQUIRED)'
configures 'a later version' 'compatible with requested version "0.2"' 'find_package(pawl 0.2 REQUIRED)'
configures 'another major version' 'version: 0\.' 'find_package(pawl 1.0 REQUIRED)'
configures 'no sources' 'no SOURCES' "$find" 'pawl_add_benchmark(x)'
configures 'two of one name' 'two benchmarks have this name' "$find" 'add_executable(t x.c)' \
	'pawl_add_benchmark(x TARGET t)' 'pawl_add_benchmark(x TARGET t)'
configures 'a target that is not there' "no target 'y'" "$find" 'pawl_add_benchmark(x TARGET y)'
configures 'an unknown word' "unknown argument 'SOURCE;x.c'" "$find" 'pawl_add_benchmark(x SOURCE x.c)'
if ${CC:-cc} -m32 -xc -c -o "$T/m32.o" /dev/null 2>/dev/null &&
	printf 'int main(void) { return 0; }\n' >"$T/m.c" && ${CC:-cc} -m32 -o "$T/m" "$T/m.c" 2>/dev/null; then
	languages=C
	CFLAGS=-m32 configures 'pointers of another size' '0.1.0 \(for pointers of 8 bytes\)' "$find"
else
	skip 'pointers of another size' 'no compiler for 32 bits'
fi
mv "$INSTALLED/include" "$INSTALLED/away"
configures 'a header that is missing' 'include/pawl.h. is missing' "$find"
mv "$INSTALLED/away" "$INSTALLED/include"

slow_only 'several configurations, an emulator, own targets; pawl as a part of the project' || exit 0

# ---- kinds of builds -----------------------------------------------------------------------------

if command -v ninja >/dev/null && [ "${version:-99}" -ge 17 ]; then
	runs 0 'several configurations' cmake -S . -B build-many -G 'Ninja Multi-Config'
	runs 0 'are run' cmake --build build-many --config RelWithDebInfo --target bench
	like 'each by itself' "$T/out" '^chain '
	runs 1 'and gated' cmake --build build-many --config RelWithDebInfo --target bench-gate
	like 'each as itself' "$T/out" 'bench_checksum/chain .*regressed'
else
	skip 'several configurations' 'there is no ninja, or a CMake before 3.17'
fi
printf '#!/bin/sh\nexec "$@"\n' >"$T/bin/emulate" && chmod +x "$T/bin/emulate"
runs 0 'an emulator' cmake -S . -B build-emulated "-DCMAKE_CROSSCOMPILING_EMULATOR=$T/bin/emulate"
runs 0 'runs the programs' cmake --build build-emulated --target bench
check 'also when they are compared' cmake --build build-emulated --target bench-compare
like 'and they are still asked' "$T/.check" 'bench_checksum/chain .*regressed'
cat >>CMakeLists.txt <<'END'
set_target_properties(bench_multiply PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_SOURCE_DIR}/out")
add_executable(tool src/checksum.c bench/checksum.c)
target_link_libraries(tool PRIVATE pawl::shared checksum)
pawl_add_benchmark(own TARGET tool ARGS "a b" "it's;two" "\"quoted\" $x" SMOKE_ARGS --list)
END
sed 's/pawl_main(argc, argv/(argc == 4 \&\& !__builtin_strcmp(argv[2], "it'"'"'s;two") || argc < 4) ? pawl_main(1, argv/; s/, 1);/, 1) : argc;/' \
	bench/checksum.c >b && mv b bench/checksum.c
echo '/out/' >>.gitignore
commit_all . 'another'
runs 0 'an own target' cmake -S . -B build-own -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS=$CFLAGS -DA=\"b;c\""
runs 0 'with its arguments' cmake --build build-own --target bench
check 'and an own folder' [ -x out/bench_multiply ]
commit_all . 'nothing'
runs 0 'is compared' env PAWL_BASE=HEAD 'PAWL_FLAGS=--measure-identical --threshold 90%' \
	cmake --build build-own --target bench-gate
like 'with the same' "$T/out" 'own/chain .* unchanged'
cat .git/pawl/trees/*/tree/pawl-build/CMakeCache.txt >"$T/caches"
like 'the flags of this build were those of both' "$T/caches" '^CMAKE_C_FLAGS:.*=-O2.* -DA="b;c"$'
rm -rf out

# ---- without an installed libpawl -------------------------------------------------------------------

mkdir "$T/bundled"
cp -R src bench "$T/bundled"
cd "$T/bundled" || exit 1
mkdir third_party && ln -s "$ROOT" third_party/pawl
block "$page" cmake 2 >part
git -C "$T/a project" show HEAD~2:CMakeLists.txt | sed -e '/find_package/{r part
d}' >CMakeLists.txt
cp "$ROOT/tests/outside/bench/checksum.c" bench/
runs 0 'pawl as a part of the project' env CMAKE_PREFIX_PATH= cmake -S . -B build
runs 0 'is built' cmake --build build
check 'with its version' [ "$(build/bench_checksum --version)" = "bench_checksum, $(pawl --version)" ]
gates 1 'without git'
like 'there are no commits' "$T/err" 'is in no git work tree'
