# pawl init: what it finds in a repository, and that what it writes works.
. "$(dirname "$0")/../../lib.sh"

# ---- make, and a program linked to libpawl ----------------------------------------------------

new_work_repo "$T/make"
cd "$T/make" || exit 1
rm .pawlconfig
set_work 1000 'one'
set_work 1001 'two'
runs 0 'a dry run' pawl init --dry-run
like 'shows the file' "$T/out" '^\[benchmark "bench"\] # linked to libpawl'
check 'and writes nothing' [ ! -e .pawlconfig ]
runs 0 'the repository is looked at' pawl init </dev/null
like 'the build is told' "$T/out" '^build +make -j\$\(getconf _NPROCESSORS_ONLN\)$'
like 'the benchmark is told, and how it was found' "$T/out" '^benchmark +bench: build/bench \(linked to libpawl\)'
like 'and what to type next' "$T/out" '^  pawl compare '
is 'the file says the command' "$(git config -f .pawlconfig benchmark.bench.command)" build/bench
is 'and the build, with the processors of whoever runs it' "$(git config -f .pawlconfig pawl.build)" \
	'make -j$(getconf _NPROCESSORS_ONLN)'
unlike 'nothing is missing' "$T/out" '^missing'
PAWL_MIN_TIME=1ms runs 0 'the next command works at once' pawl compare --threshold 90% --pairs 8
unlike 'and finds HEAD built' "$T/err" "building $(git rev-parse --short=12 HEAD)"
check 'the work tree is as it was but for the file' [ "$(git status --porcelain)" = '?? .pawlconfig' ]
runs 2 'a second time it is refused' pawl init
like 'with the cure' "$T/err" '^hint: .pawl init --dry-run. shows'
runs 2 'an argument is refused' pawl init here
commit_all . 'configured'
PAWL_MIN_TIME=1ms runs 0 'the next command works' pawl compare HEAD~2..HEAD --pairs 8
like 'without building anew' "$T/out" 'bench/'

# ---- a command that is given ------------------------------------------------------------------

rm .pawlconfig
runs 0 'the command to measure can be given' pawl init -- ./build/bench --benchmark 'two words'
like 'it is told' "$T/out" "^benchmark +bench: \./build/bench --benchmark 'two words' \(linked to libpawl\)"
like 'and that it does not run so' "$T/err" 'warning: the command was tried without success: '
is 'the file holds it, quoted' "$(git config -f .pawlconfig benchmark.bench.command)" \
	"./build/bench --benchmark 'two words'"
is 'and no other' "$(grep -c '^\[benchmark ' .pawlconfig)" 1
rm .pawlconfig
runs 0 'a program that nobody knows' pawl init --dry-run -- /bin/echo 1
like 'is taken as it is' "$T/out" '^\[benchmark "echo"\] # the command given$'
like 'with its arguments' "$T/out" '^	command = /bin/echo 1$'
runs 2 'a command without its dashes' pawl init ./build/bench
like 'is told where it goes' "$T/err" "^hint: a command goes after '--'"
runs 2 'a command that no file can hold' pawl init -- ./build/bench 'a
b'
check 'leaves none' [ ! -e .pawlconfig ]

# ---- nothing that is known ----------------------------------------------------------------------

new_repo "$T/none"
cd "$T/none" || exit 1
printf 'int main(void) { return 0; }\n' >tool.c
printf 'tool: tool.c\n\t$(CC) -o $@ tool.c\n' >Makefile
printf '/tool\n' >.gitignore
commit_all . 'a tool'
runs 0 'a repository without benchmarks' pawl init
like 'is told so' "$T/out" '^benchmark +found none'
like 'with the programs there are' "$T/out" 'the build makes \./tool$'
cp "$T/out" "$T/out.init"
like 'and what is missing' "$T/out" '^missing +a benchmark: pawl compare -- \./tool$'
like 'the file shows how' .pawlconfig '^#	command = \./tool$'
unlike 'but no comparison, of what' "$T/out" '^next:'
runs 0 'the file is one that pawl reads' pawl doctor
runs 2 'a comparison all the same' pawl compare
like 'says how a program is named' "$T/err" "^hint: name a program: 'pawl compare -- PROGRAM"
for words in compare collect 'bisect HEAD HEAD --benchmark x' 'backfill HEAD~1..HEAD' why calibrate; do
	# shellcheck disable=SC2086
	runs 2 "without a benchmark ${words%% *}" pawl $words
	like 'says who knows why' "$T/err" \
		"^hint: name .*'pawl ${words%% *} .*into .pawlconfig; 'pawl init' tells what is missing$"
done
commit_all . 'the same tool'
runs 0 'what was to be typed' sh -c "$(sed -n 's/^missing  *a benchmark: //p' "$T/out.init")"
like 'is a comparison' "$T/out" 'tool +identical'
git reset -q HEAD~1
runs 0 'what keeps it' sh -c "$(sed -n 's/^ *to keep it: //p' "$T/out.init")"
is 'is a benchmark' "$(git config -f .pawlconfig benchmark.tool.command)" ./tool
like 'a first commit is collected' "$T/out" '^  pawl collect '

# ---- a target that is called so and does more than build -------------------------------------------

new_repo "$T/runs"
cd "$T/runs" || exit 1
printf 'int main(void) { return 0; }\n' >b.c
cat >Makefile <<END
bench-it: b.c
	\$(CC) -o \$@ b.c
bench: bench-it
	touch $T/ran
	./bench-it
END
printf '/bench-it\n' >.gitignore
commit_all . 'a target that runs'
commit_all . 'again'
runs 0 'a target bench that runs benchmarks' pawl init
check 'is not made' [ ! -e "$T/ran" ]
unlike 'nor written' .pawlconfig ' bench$'
is 'what the default target makes is found' "$(git config -f .pawlconfig benchmark.bench-it.command)" ./bench-it
rm .pawlconfig
runs 0 'a comparison without a build' pawl compare --threshold 90% --pairs 6 --measure-identical -- ./bench-it
check 'does not make it either' [ ! -e "$T/ran" ]

# ---- a Makefile that only asks for ./configure, as zlib has one -------------------------------------

new_repo "$T/configure"
cd "$T/configure" || exit 1
printf 'int main(void) { return 0; }\n' >b.c
printf 'all:\n\t-@echo "Please use ./configure first."\n' >Makefile
printf '#!/bin/sh\nprintf "bench: b.c\\n\\t\\$(CC) -o bench b.c\\n" >Makefile\n' >configure
chmod +x configure
printf '/bench\n' >.gitignore
commit_all . 'to be configured'
runs 0 'a Makefile beside ./configure' pawl init
is 'that makes nothing is configured' "$(git config -f .pawlconfig pawl.build)" \
	'sh ./configure && make -j$(getconf _NPROCESSORS_ONLN)'
is 'and has its benchmark' "$(git config -f .pawlconfig benchmark.bench.command)" ./bench
rm .pawlconfig
runs 0 'a build that is given' pawl init --build './configure && make'
is 'is written as it is' "$(git config -f .pawlconfig pawl.build)" './configure && make'
chmod -x configure
rm .pawlconfig
commit_all . 'no program'
runs 0 'a ./configure that cannot be run' pawl init
like 'is not' "$T/out" '^benchmark +found none'

new_repo "$T/broken"
cd "$T/broken" || exit 1
printf 'all:\n\tfalse\n' >Makefile
commit_all . 'broken'
runs 0 'a build that fails' pawl init
like 'is told' "$T/out" '^ +it failed: '
like 'with the command' "$T/out" '^build +make -j'
like 'and what is missing' "$T/out" '^missing +a build that works'
is 'it is not written' "$(git config -f .pawlconfig pawl.build)" ''
like 'but as a comment' .pawlconfig '^	# build = make -j'
like 'with the reason' .pawlconfig '^	# this build was tried and failed: .*exited with status 2'
runs 0 'the file is read all the same' pawl doctor
rm .pawlconfig
runs 0 'a build that was given and fails' pawl init --build 'false #'
like 'is told, too' "$T/out" '^build +false #$'
like 'and written as a comment' .pawlconfig '^	# build = "false #"$'
new_repo "$T/empty"
cd "$T/empty" || exit 1
runs 5 'a repository without a commit is told' pawl init
check 'and nothing is written' [ ! -e .pawlconfig ]
git init -q --bare "$T/bare.git"
cd "$T/bare.git" || exit 1
runs 5 'a bare repository' pawl init
like 'has no work tree' "$T/err" 'a bare repository has no work tree'

# ---- names that git's syntax would take for something else --------------------------------------

new_repo "$T/lines"
cd "$T/lines" || exit 1
commit_all . 'one'
build=$(printf ':\n\tseed=3\t#\n: \r')
runs 0 'a build of several lines' pawl init --build "$build"
is 'stays one value' "$(git config -f .pawlconfig pawl.build)" "$build"
runs 0 'and pawl reads it' pawl doctor

new_repo "$T/names"
cd "$T/names" || exit 1
printf 'int main(void) { return 0; }\n' >b.c
printf 'all:\n\t$(CC) -o "bench #1;" b.c\n\t$(CC) -o "bench\\"2" b.c\n' >Makefile
printf '/bench*\n' >.gitignore
commit_all . 'odd names'
runs 0 'odd names' pawl init
is 'come back from the file' "$(git config -f .pawlconfig --get 'benchmark.bench #1;.command')" "'./bench #1;'"
is 'with quotes too' "$(git config -f .pawlconfig --name-only --get-regexp 'command' | wc -l)" 2
runs 0 'and pawl reads it' pawl doctor
like 'both' "$T/out" 'benchmarks +2 configured'

# ---- CMake ------------------------------------------------------------------------------------------

if command -v cmake >/dev/null && command -v ctest >/dev/null; then
	new_repo "$T/cmake"
	cd "$T/cmake" || exit 1
	printf 'int main(void) { return 0; }\n' >x.c
	cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(x C)
enable_testing()
add_executable(sorting x.c)
add_test(NAME sort COMMAND sorting --level 6 --min-time 1ms)
set_tests_properties(sort PROPERTIES LABELS "slow;Benchmark")
add_executable(checks x.c)
add_test(NAME checks COMMAND checks)
END
	printf '/build/\n' >.gitignore
	commit_all . 'cmake'
	runs 0 'a project of CMake' pawl init
	is 'gives what CTest labels so' "$(git config -f .pawlconfig --get-regexp '^benchmark')" \
		"$(printf 'benchmark.sort.command build/sorting --level 6\nbenchmark.sort.format command')"
	new_repo "$T/headers"
	cd "$T/headers" || exit 1
	printf 'cmake_minimum_required(VERSION 3.16)\nproject(x C)\nadd_library(x INTERFACE)\n' >CMakeLists.txt
	mkdir -p build/more
	printf 'int main(void) { return 0; }\n' >build/more/x.c
	printf '%s\n' 'default: fails benchmark' 'benchmark: x.c' '\tcc -o $@ $<' 'fails: x.c' '\tcc -o $@ absent.c' |
		sed 's/^\\t/\t/' >build/more/makefile
	commit_all . 'headers alone'
	runs 0 'where CMake makes no program' pawl init
	is 'a folder that make builds is looked at, and its target for benchmarks where the others do not build' \
		"$(git config -f .pawlconfig --get-regexp '^(pawl.build|benchmark.*command)')" \
		"$(printf '%s\n' 'pawl.build cd build/more && make -j$(getconf _NPROCESSORS_ONLN) benchmark' \
			'benchmark.benchmark.command build/more/benchmark')"
else
	skip 'a project of CMake' 'cmake is not installed'
fi

# ---- Meson ------------------------------------------------------------------------------------------

if command -v meson >/dev/null && command -v ninja >/dev/null; then
	new_repo "$T/meson"
	cd "$T/meson" || exit 1
	printf 'int main(void) { return 0; }\n' >x.c
	printf "project('x', 'c')\ne = executable('sorting', 'x.c')\nbenchmark('sort', e, args : ['-n', '3'])\ntest('t', e)\n" >meson.build
	printf '/build/\n' >.gitignore
	commit_all . 'meson'
	runs 0 'a project of Meson' pawl init
	is 'gives its benchmark()' "$(git config -f .pawlconfig benchmark.sort.command)" 'build/sorting -n 3'
else
	skip 'a project of Meson' 'meson or ninja is not installed'
fi

# ---- Go -----------------------------------------------------------------------------------------------

# A go that makes what `go test -c -o PROGRAM PACKAGE` would; it fails for "broken".
mkdir "$T/tools"
cat >"$T/tools/go" <<'END'
#!/bin/sh
case $5 in *broken) echo 'go: broken' >&2; exit 1 ;; esac
mkdir -p "${4%/*}" && printf '#!/bin/sh\necho BenchmarkX 1 100 ns/op\n' >"$4" && chmod +x "$4"
END
chmod +x "$T/tools/go"
old_path=$PATH
PATH=$T/tools:$PATH
new_repo "$T/go"
cd "$T/go" || exit 1
mkdir -p sub/fast
printf 'package fast\n\nimport "testing"\n\nfunc BenchmarkX(b *testing.B) {\n}\n' >sub/fast/x_test.go
printf 'package fast\n\nfunc TestX() {}\n' >sub/y_test.go
printf 'module x\n' >go.mod
commit_all . 'go'
runs 0 'a module of Go' pawl init
is 'gives its packages with benchmarks' "$(git config -f .pawlconfig --get-regexp '^benchmark')" \
	"$(printf 'benchmark.sub-fast.command pawl-bench/sub-fast.test\nbenchmark.sub-fast.format go')"
is 'and how they are built' "$(git config -f .pawlconfig pawl.build)" \
	'go test -c -o pawl-bench/sub-fast.test ./sub/fast'

mkdir sub-fast
cp sub/fast/x_test.go sub-fast
cp sub/fast/x_test.go sub/fast/z_test.go
printf 'package x\n\nfunc BenchmarkTop(b *testing.B) {\n}\n' >top_test.go
commit_all . 'two folders that read alike, two files of one package, the top'
rm .pawlconfig
runs 0 'folders whose names read alike' pawl init
is 'have a program each, and a package of two files one' \
	"$(git config -f .pawlconfig --get-regexp '^benchmark.*command')" \
	"$(printf 'benchmark.%s.command pawl-bench/%s.test\n' sub-fast sub-fast sub-fast-2 sub-fast-2 go go)"
is 'and each is built' "$(git config -f .pawlconfig pawl.build)" \
	"$(printf 'go test -c -o pawl-bench/%s.test ./%s && ' sub-fast sub-fast sub-fast-2 sub/fast)go test -c -o pawl-bench/go.test ./"
git rm -q -r sub-fast top_test.go sub/fast/z_test.go
rm .pawlconfig

cp -r sub/fast broken
commit_all . 'a package that does not build'
runs 0 'a package that does not build' pawl init
like 'is told' "$T/err" 'build: go: broken'
is 'and left out' "$(git config -f .pawlconfig pawl.build)" \
	'go test -c -o pawl-bench/sub-fast.test ./sub/fast'
is 'with its benchmark' "$(git config -f .pawlconfig --get-regexp '^benchmark.*command')" \
	'benchmark.sub-fast.command pawl-bench/sub-fast.test'
git rm -q -r --cached sub
git commit -q -m 'that one alone'
rm .pawlconfig
runs 0 'where none builds' pawl init
like 'it is said' "$T/out" 'it failed: .*go: broken'
is 'and the build not written' "$(git config -f .pawlconfig pawl.build)" ''
like 'but as a comment' .pawlconfig '^	# build = go test -c -o pawl-bench/broken.test'
rm -r .pawlconfig broken
commit_all . 'without it'

mkdir -p 'my dir' 'x;touch owned;' "$(printf 'n\n\tseed = 3')"
for dir in 'my dir' 'x;touch owned;' "$(printf 'n\n\tseed = 3')"; do
	cp sub/fast/x_test.go "$dir"
done
commit_all . 'hostile names'
runs 0 'folders with hostile names' pawl init
mkdir "$T/echo"
printf '#!/bin/sh\nfor word; do last=$word; done\necho "$last" >>made\n' >"$T/echo/go"
chmod +x "$T/echo/go"
runs 0 'are one word each to the shell' \
	env PATH="$T/echo:$PATH" sh -c "$(git config -f .pawlconfig pawl.build)"
is 'as they are' "$(LC_ALL=C sort made)" "$(printf './my dir\n./sub/fast\n./x;touch owned;')"
check 'run nothing' [ ! -e owned ]
is 'and set nothing' "$(git config -f .pawlconfig --name-only --get-regexp '^pawl')" \
	"$(printf 'pawl.project\npawl.build')"

PATH=$old_path

# ---- what is found and does not run -------------------------------------------------------------

new_repo "$T/lame"
cd "$T/lame" || exit 1
printf '[package]\nname = "x"\n[dev-dependencies]\ncriterion = "0"\n' >Cargo.toml
printf 'bench-it:\n\tprintf "int main(void) { return 0; }" >b.c && $(CC) -o $@ b.c\n' >Makefile
commit_all . 'one'
tools_but cargo "$T/no-cargo"
runs 0 'a benchmark whose program is not here' env PATH="$T/no-cargo" pawl init
like 'is told' "$T/out" 'it is left out: .*cargo: not found'
like 'and written as a comment' .pawlconfig '^# \[benchmark "criterion"\]'
is 'beside the one that runs' "$(git config -f .pawlconfig --name-only --get-regexp '^benchmark.*command')" \
	benchmark.bench-it.command

# ---- no configuration at all ---------------------------------------------------------------------------

new_work_repo "$T/bare-hands"
cd "$T/bare-hands" || exit 1
rm .pawlconfig
set_work 1000 one
set_work 40000 two
PAWL_MIN_TIME=1ms runs 1 'without any configuration a comparison works' pawl compare HEAD~1 --pairs 12 --build make -- ./build/bench
like 'and finds the regression' "$T/out" 'regressed'
like 'and says what to type next, as it was typed' "$T/err" \
	'pawl why [0-9a-f]{12}\.\.[0-9a-f]{12} --benchmark .*bench/chain.* --build make -- \./build/bench$'
check 'no file was written' [ -z "$(git status --porcelain)" ]
