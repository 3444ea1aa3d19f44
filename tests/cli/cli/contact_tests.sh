# A newcomer's first two commands where a project has no benchmark: one of its test programs stands in.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/contact.sh"

configured() {
	git config -f .pawlconfig "$1"
}

# works CONDITION: a program that works a while where that holds of n and v, else fails
works() {
	cat <<END
#include <stdio.h>
#include <string.h>
int main(int n, char **v)
{
	(void)v;
	if (!($1))
		return 1;
	for (volatile long i = 0; i < 50000000; i++) {
	}
	return 0;
}
END
}

# ---- make check -----------------------------------------------------------------------------------

project library
mkdir t
works 'n == 2 && !strcmp(v[1], "--all")' >t/suite.c
printf 'int main(void)\n{\n\treturn 0;\n}\n' >t/short.c
cat >t/usage.c <<'END'
#include <stdio.h>
int main(void)
{
	for (volatile long i = 0; i < 90000000; i++) {
	}
	return puts("Usage: usage FILE") < 0;
}
END
cat >Makefile <<'END'
liball.a: t/short.c
	ar rc $@
t/%: t/%.c
	cc -o $@ $<
check: t/suite t/short t/usage
	./t/short && env X="1 2" ./t/suite --all >/dev/null
	t/usage; ./t/no-such-target; cd t && ./suite
END
printf '*.a\n/t/short\n/t/suite\n/t/usage\n' >.gitignore
twice
runs 0 'a library whose tests make check builds' pawl init
like 'they are built, and not run' "$T/out" '^build .* && make -j.* t/short t/suite t/usage$'
is 'the one that works is written, with its arguments' "$(configured benchmark.suite.command)" 't/suite --all'
is 'and no other' "$(git config -f .pawlconfig --get-regexp '^benchmark.*command' | wc -l)" 1
like 'which is said' "$T/out" '^ +no benchmark was found: this test program is measured instead$'
like 'with how to take another' "$T/out" '^ +to measure another: pawl init -- PROGRAM ARGUMENTS$'
like 'in the file, too' .pawlconfig "^\\[benchmark \"suite\"\\] # run by 'make check'$"
runs 0 'it is compared' pawl compare
like 'as any program' "$T/out" 'suite +identical'
cp .pawlconfig was
runs 0 'init again' pawl init
check 'writes the same file, as nobody changed it' cmp was .pawlconfig
echo '# mine' >>.pawlconfig
runs 2 'where somebody did' pawl init
like 'it is refused' "$T/err" "there is a '.pawlconfig' already"
rm was .pawlconfig
printf 'all: t/short t/usage\nt/%%: t/%%.c\n\tcc -o $@ $<\n' >Makefile
commit_all . 'no other test'
runs 0 'a test that ends at once, and one that says how it is used' pawl init
is 'are not written' "$(git config -f .pawlconfig --get-regexp '^benchmark')" ''
like 'that which ends well is what can be typed' "$T/out" '^missing +a benchmark: pawl compare -- t/short   # or another program$'
is 'all the same there is something to try' "$(configured pawl.build)" 'make -j$(getconf _NPROCESSORS_ONLN)'

cp Makefile was
printf '\techo "# mine" >>%s/.pawlconfig\n' "$PWD" | sed -i '1r /dev/stdin' Makefile
commit_all . 'a build that takes long'
runs 2 'a file that somebody changes meanwhile' pawl init
like 'is left' .pawlconfig '^# mine$'
sed -i "/^# mine\$/d" .pawlconfig
mv was Makefile

printf 'bench-new: t/suite.c\n\tcc -o $@ $<\n' >Makefile
sed -i 's/n == 2 && .*"--all")/n/' t/suite.c
commit_all . 'a benchmark'
runs 0 'once there is a benchmark' pawl init
is 'init finds it, whatever was written before' "$(configured benchmark.bench-new.command)" './bench-new'
runs 2 'with one it is written once' pawl init

# ---- a benchmark that fails, beside tests ------------------------------------------------------------

project beside
mkdir test
works n >test/a.c
printf 'int main(void)\n{\n\treturn 3;\n}\n' >bench-x.c
printf 'all: test/a bench-x\n%%: %%.c\n\tcc -o $@ $<\n' >Makefile
printf '/test/a\n/bench-x\n' >.gitignore
twice
runs 0 'a benchmark that fails, and a test' pawl init
like 'leave the test' "$T/out" '^benchmark +a: test/a [(]a test program[)]$'
like 'and the comment' .pawlconfig '^# \[benchmark "bench-x"\]$|^# \[benchmark "bench-x"\] '
runs 0 'a command that is given' pawl init --dry-run -- test/a
unlike 'is no stand-in' "$T/out" 'a test program'

# ---- benchmarks that take a file -------------------------------------------------------------------------

project feed
mkdir -p tests/data
printf '%02000d\n' 7 >tests/data/digits.txt
printf '%04000d\n' 7 >big.c
works 'n == 2 && fopen(v[1], "r")' >x.c
cat >y.c <<'END'
#include <stdio.h>
int main(void)
{
	return puts("usage: bench-help FILE") < 0;
}
END
printf 'all: bench-file bench-help\nbench-file: x.c\n\tcc -o $@ x.c\nbench-help: y.c\n\tcc -o $@ y.c\n' >Makefile
printf '/bench-file\n/bench-help\n' >.gitignore
twice
runs 0 'a benchmark that takes a file' pawl init
is 'gets one of the repository, rather data' "$(configured benchmark.bench-file.command)" './bench-file tests/data/digits.txt'
like 'which is said' "$T/out" '^benchmark +bench-file: .* [(]named like a benchmark, given a file of the repository[)]$'
like 'one that only says how it is used' "$T/out" 'it is left out: it only says how it is used: give it arguments$'
like 'is a comment' .pawlconfig '^# \[benchmark "bench-help"\]'
runs 0 'the first is compared' pawl compare
like 'with that file' "$T/out" 'bench-file +identical'

# ---- tests that read a file of their folder, by CTest and by Meson ------------------------------------

reads() {
	works 'fopen("data", "r")' >tests/x.c
	echo 1 >tests/data
	printf '/build/\n' >.gitignore
}

if command -v cmake >/dev/null; then
	project ctest
	mkdir tests
	reads
	cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(x NONE)
option(X_TESTS "build them" OFF)
if(X_TESTS)
  enable_testing()
  add_custom_target(t ALL COMMAND cc -o tool ${CMAKE_SOURCE_DIR}/tests/x.c)
  add_test(NAME reads COMMAND ${CMAKE_BINARY_DIR}/tool WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/tests)
  add_test(NAME script COMMAND ${CMAKE_COMMAND} -E true)
else()
  add_custom_target(t ALL COMMAND cc -o main-tool ${CMAKE_SOURCE_DIR}/tests/x.c)
endif()
END
	twice
	runs 0 'tests of CTest, behind an option, beside a program' pawl init
	is 'run in their folder' "$(configured benchmark.reads.command)" 'env -C tests ../build/tool'
	sed -i 's/50000000/100000000/' tests/x.c
	commit_all . slower
	runs 1 'and is compared' pawl compare --pairs 12
	like 'as built from each commit' "$T/out" 'reads .* regressed'
else
	skip 'tests of CTest' 'cmake is not installed'
fi
if command -v meson >/dev/null && command -v ninja >/dev/null; then
	project meson
	mkdir tests
	reads
	printf "project('x', 'c')\ntest('reads', executable('tool', 'tests/x.c'), workdir: meson.source_root() / 'tests')\n" >meson.build
	twice
	runs 0 'tests of Meson' pawl init
	is 'do so, too' "$(configured benchmark.reads.command)" 'env -C tests ../build/tool'
else
	skip 'tests of Meson' 'meson or ninja is not installed'
fi

# ---- Python --------------------------------------------------------------------------------------------

project python
mkdir src tests
cat >src/lib.py <<'END'
def work():
    return sum(i * i for i in range(300000))
END
cat >tests/test_lib.py <<'END'
import unittest
import lib
class Test(unittest.TestCase):
    def test_work(self):
        for _ in range(10):
            self.assertTrue(lib.work())
END
touch tests/__init__.py
twice
runs 0 'the tests of a Python project' pawl init
like 'are measured as a whole' .pawlconfig 'command = env PYTHONPATH=src:. python3 -m (pytest -q|unittest discover)'
is 'without a build' "$(configured pawl.build)" true

project functions
mkdir tests
printf 'def test_work():\n    assert sum(i * i for i in range(3000000))\n' >tests/test_lib.py
twice
runs 0 'tests that unittest does not find' pawl init
unlike 'are not measured by it' .pawlconfig 'unittest'

# ---- scripts -------------------------------------------------------------------------------------------

project shell
printf '#!/bin/sh\ntouch %s/ran\n' "$T" | tee a_tool >b_test.sh
chmod +x a_tool b_test.sh
twice
runs 0 'a script that is a test' pawl init
like 'needs no arguments' "$T/out" '^missing +a benchmark: pawl compare -- \./b_test\.sh +# or another program$'
check 'and is not run' [ ! -e "$T/ran" ]

# ---- Automake, Cargo -----------------------------------------------------------------------------------

if ! slow_only 'programs that only make check builds, and examples of Cargo'; then
	exit 0
fi
if command -v autoreconf >/dev/null && command -v automake >/dev/null && command -v libtool >/dev/null; then
	project automake
	printf 'AC_INIT([x], [1])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nAC_PROG_CC\nAM_PROG_AR\nLT_INIT\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n' >configure.ac
	cat >Makefile.am <<'END'
lib_LTLIBRARIES = libx.la
libx_la_SOURCES = x.c
check_PROGRAMS = test-x
test_x_SOURCES = main.c
test_x_LDADD = libx.la
TESTS = test-x no-such-test
END
	works n | sed 's/main(int n/work(int n/' >x.c
	printf 'int work(int n, char **v);\nint main(int n, char **v)\n{\n\treturn work(n, v);\n}\n' >main.c
	twice
	runs 0 'programs that only make check builds' pawl init
	like 'are built and not run' "$T/out" '^build .* && make -j.* check TESTS=$'
	is 'also behind a wrapper of libtool' "$(configured benchmark.test-x.command)" './test-x'
	runs 0 'and compared' pawl compare
	like 'by their code' "$T/out" 'test-x +identical'
	printf 'check-local:\n\ttouch %s/ran-local\n' "$T" >>Makefile.am
	rm .pawlconfig
	commit_all . 'more than programs'
	runs 0 'where make check runs something of its own' pawl init
	check 'it is not made' [ ! -e "$T/ran-local" ]
	unlike 'and not written' .pawlconfig 'TESTS='
else
	skip 'programs that only make check builds' 'autoconf, automake or libtool is not installed'
fi
RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.rustup}
export RUSTUP_HOME
if cargo --version >/dev/null 2>&1; then
	project crate
	mkdir src examples
	printf '[package]\nname = "x"\nversion = "0.1.0"\n' >Cargo.toml
	printf 'pub fn work() -> u64 { (0..40_000_000u64).fold(1, |a, i| std::hint::black_box(a ^ i)) }\n' >src/lib.rs
	printf 'fn main() { println!("{}", x::work()); }\n' >examples/show.rs
	printf '/target\nCargo.lock\n' >.gitignore
	twice
	runs 0 'examples of Cargo' pawl init
	is 'are built, each once' "$(configured benchmark.show.command)" 'target/release/examples/show'
else
	skip 'examples of Cargo' 'there is no cargo'
fi
