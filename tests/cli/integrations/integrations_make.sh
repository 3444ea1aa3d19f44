# pawl.mk in an outside project, against the installed tree: built, run, compared, gated; and what
# its users do with make.  The Makefile and the commands are those of docs/howto/make.md.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/outside/outside.sh"
page=$ROOT/docs/howto/make.md
command -v g++ >/dev/null || {
	skip 'pawl.mk in an outside project' 'one of its benchmarks is C++, and g++ is not installed'
	exit
}

# ---- the page --------------------------------------------------------------------------------

new_outside "$T/project" "$page" make Makefile
cd "$T/project" || exit 1
block "$page" sh 1 >"$T/block" && sh -e "$T/block" && commit_all . 'ignore what is built'
run_page "$page" 2 6 5

runs 0 'make alone builds them' make
runs 0 'so that pawl init does' pawl init --dry-run
like 'and finds the benchmarks' "$T/out" '^\[benchmark "checksum"\] # linked to libpawl'
runs 0 'without a default target, too' sh -c 'sed "/^all:/d" Makefile >m && mv m Makefile &&
	git commit -qam "no default target" && pawl init --dry-run; status=$?; git reset -q --hard HEAD~1; exit $status'
like 'it finds them' "$T/out" '^\[benchmark "checksum"\] # linked to libpawl'

# ---- a slowdown --------------------------------------------------------------------------------

slow_down
runs 0 'comparing a slowdown is no failure' make bench-compare
like 'it is told' "$T/out" 'checksum/chain .*regressed'
like 'what did not change is identical' "$T/out" 'multiply.* identical'
runs 2 'the gate fails' make bench-gate
like 'with the status of a regression' "$T/err" 'bench-gate\] Error 1'
like 'and what to type next, without the settings of make' "$T/err" 'got slower: pawl init && pawl why [^ ]* --benchmark [^ ]*$'
if slow_only 'A/A, the other way round, variables of make for both builds, VPATH compared'; then
	runs 0 'A/A passes' make bench-gate PAWL_BASE=HEAD 'PAWL_FLAGS=--measure-identical --threshold 90%'
	like 'and was measured' "$T/out" 'checksum/chain .* unchanged'
	runs 0 'the other way round too' make bench-gate PAWL_BASE=HEAD..HEAD~1
	like 'as an improvement' "$T/out" 'checksum/chain .*improved'
fi
runs 0 'its result is kept' make bench-baseline
unlike 'without a doubt that make has built all' "$T/out" 'is older than'
echo '/* a remark */' >>src/checksum.h
runs 0 'uncommitted work' make bench-gate PAWL_FLAGS=--working-tree
like 'is compared with HEAD' "$T/out" 'checksum.* identical'
runs 0 'is left out otherwise' make bench-compare PAWL_BASE=HEAD
like 'which is said' "$T/err" 'uncommitted changes are left out'
git checkout -q .
commit_all . 'nothing'
echo '#error no' >>src/checksum.c
commit_all . 'does not build'
runs 2 'a commit that does not build' make bench-gate
like 'is no regression' "$T/err" 'Error 4'
like 'and said to be none' "$T/err" 'nothing was judged \(status 4\)'
if [ -n "${PAWL_TEST_SLOW:-}" ]; then
	runs 2 'nor does the comparison pass' make bench-compare
fi
runs 2 'a commit that is not there' make bench-gate PAWL_BASE=nowhere
like 'has its status' "$T/err" 'Error 5'
git reset -q --hard HEAD~2

# ---- hostile words ----------------------------------------------------------------------------

runs 2 'a base for make to expand' make bench-compare "PAWL_BASE=\$(shell touch $T/hit)"
runs 2 'one for the shell' make bench-compare "PAWL_BASE=';touch $T/hit;'\$(touch $T/hit)"
PAWL_BASE="\$(shell touch $T/hit)\`touch $T/hit\`" runs 2 'one of the environment' \
	make -e bench-compare
is 'none was run' "$(ls "$T/hit" 2>/dev/null)" ''
runs 2 'a base that is an option' make bench-compare PAWL_BASE=--rebuild
like 'is refused' "$T/err" 'PAWL_BASE is no commit'

# ---- make's own ways -----------------------------------------------------------------------------

# pawl knows a kept build by the text of its command: an unrelated variable must not make it another one.
printf '#!/bin/sh\nprintf "%%s\\n" "$3"\n' >"$T/bin/build-of" && chmod +x "$T/bin/build-of"
built='make --no-print-directory -jN'
build_of() {
	env "$@" PAWL_TOOL=build-of "D=a  b" E=c 2>/dev/null | sed 's/ -j[0-9]* / -jN /'
}
is 'the command that builds a commit' "$(build_of make bench-compare)" "$built 'D=a  b' 'E=c' bench-programs"
is 'is the same with one more variable in the environment' "$(build_of FOO_BAR=1 make bench-compare)" \
	"$built 'D=a  b' 'E=c' bench-programs"
is 'or in the Makefile' "$(build_of make --eval=FOO_BAR=1 bench-compare)" "$built 'D=a  b' 'E=c' bench-programs"
is 'those that are passed on are part of it' "$(build_of AR=ar FOO_BAR=1 make bench-compare PAWL_PASS=FOO_BAR)" \
	"AR='ar' FOO_BAR='1' $built 'D=a  b' 'E=c' bench-programs"

printf '#!/bin/sh\nexec "$@"\n' >"$T/bin/emulate" && chmod +x "$T/bin/emulate"
runs 2 'what runs the programs, such as an emulator' make bench-gate PAWL_EXEC='env A=b emulate'
like 'is used for both, and they are still asked' "$T/out" 'checksum/chain .*regressed'
sed '/^all:/d' Makefile >without && mv without Makefile
printf 'first:\n\t@echo the first goal\n' >>Makefile
is 'the default goal stays' "$(make -s)" 'the first goal'
make -s bench-programs
is 'what is up to date is not built' "$(make bench-programs)" ''
touch src/checksum.h
make bench-programs >"$T/out"
like 'a header builds what includes it' "$T/out" '-o bench/checksum '
unlike 'and nothing else' "$T/out" 'multiply'
runs 0 'make -n runs nothing' make -n bench-compare bench
is 'a list for programs' "$(make -s bench-list | tr -d "'" | tr '\t' ' ')" \
	'checksum bench/checksum
multiply bench/multiply'
make -s bench-clean
if [ -n "${PAWL_TEST_SLOW:-}" ]; then
	runs 0 'variables of the command line' make bench-gate PAWL_BASE=HEAD~1..HEAD~1 \
		PAWL_FLAGS='--measure-identical --threshold 90%' CC=gcc "CFLAGS=$CFLAGS -DA=\"b c\"" V='$$x'
	cat .git/pawl/log/build-*.log >"$T/out"
	like 'reach both builds' "$T/out" '^gcc .* -DA="b c" .*-c -o .*checksum'
fi
runs 0 'libpawl.so' make bench-programs PAWL_LINK=shared LDFLAGS=-Wl,--enable-new-dtags
like 'is found where it is installed' "$T/out" "-Wl,-rpath,$INSTALLED/lib"

# Each run says when it begins and when it ends: with -j, too, one lies within the other nowhere.
cat >Makefile <<'END'
PAWL_PROGRAMS = one two
include $(shell pkg-config --variable=makefile pawl)
one two: ; @printf '#!/bin/sh\necho begin; sleep 0.1; echo end\n' >$@; chmod +x $@
slow: ; @echo begin; sleep 0.5; echo end
END
make -s -j4 slow bench | grep -v == >"$T/out"
is 'nothing is measured beside something else' "$(tr '\n' ' ' <"$T/out")" \
	'begin end begin end begin end '
cat >both.mk <<'END'
all: x y
x y: ; @$(MAKE) --no-print-directory -s -f Makefile bench
.PHONY: all x y
END
make -s bench-programs
if command -v flock >/dev/null; then
	is 'nor by two makes' "$(make -s -j2 -f both.mk 2>/dev/null | grep -v == | tr '\n' ' ')" \
		'begin end begin end begin end begin end '
else
	skip 'nor by two makes' 'there is no flock(1)'
fi
printf '#!/bin/sh\nexit 3\n' >two
runs 2 'a program that fails' make bench
like 'is named' "$T/err" "'two' ended with status 3"
git checkout -q .

# ---- a subfolder, another folder ------------------------------------------------------------------

new_repo "$T/tree"
cd "$T/tree" || exit 1
mkdir 'a part' && cp -R "$T/project/src" "$T/project/bench" "$T/project/Makefile" 'a part'
mv 'a part' part # make knows no spaces in names; the folder above may have them
printf '.gitignore\npart/pawl-objects/\npart/out/\npart/bench/checksum\npart/bench/multiply\n' >.gitignore
commit_all . one
(cd part && sed 's/STEPS 40000/STEPS 1600000/' src/checksum.h >h && mv h src/checksum.h)
commit_all . two
runs 2 'a Makefile in a subfolder gates' make -C part bench-gate
like 'the slowdown' "$T/out" 'checksum/chain .*regressed'
sed '/^include/i VPATH = ..' part/Makefile | sed 's|-Isrc|-I../src|' >part/vpath.mk
commit_all . three
mkdir part/out
runs 0 'VPATH' make -C part/out -f ../vpath.mk bench
like 'builds and runs' "$T/out" '^chain '
check 'beside the sources' [ -x part/out/bench/checksum ]
if [ -n "${PAWL_TEST_SLOW:-}" ]; then
	echo text >README
	commit_all . 'a document'
	runs 0 'and compares' make -C part/out -f ../vpath.mk bench-compare
	like 'the same' "$T/out" 'checksum.* identical'
fi

# ---- what is missing ------------------------------------------------------------------------------

cd "$T/project" || exit 1
runs 2 'without pawl' make bench-compare PAWL_TOOL=pawl-that-is-not
like 'it says so' "$T/err" "'pawl-that-is-not' is not installed"
like 'and what helps' "$T/err" 'hint: install pawl'
sed 's|^include.*|include '"$INSTALLED"'/share/pawl/pawl.mk|' Makefile >plain.mk
runs 2 'without libpawl' env PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= make -f plain.mk bench
like 'it says so' "$T/err" 'does not find libpawl'
like 'and what helps' "$T/err" 'PKG_CONFIG_PATH=PREFIX/lib/pkgconfig'
runs 0 'a libpawl that pkg-config does not know' env PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= \
	make -f plain.mk bench PAWL_CFLAGS="-I$INSTALLED/include" PAWL_LIBS="$INSTALLED/lib/libpawl.a"
runs 2 'no benchmarks' make -f "$INSTALLED/share/pawl/pawl.mk" bench-compare
like 'are asked for' "$T/err" 'set PAWL_BENCHMARKS before'
printf 'PAWL_PROGRAMS = a/x b/x\ninclude %s\n' "$INSTALLED/share/pawl/pawl.mk" >two.mk
runs 2 'two of one name' make -f two.mk bench
like 'are refused' "$T/err" 'two benchmarks have one name'
mkdir "$T/nowhere" && cp -R bench src Makefile "$T/nowhere"
cd "$T/nowhere" || exit 1
runs 2 'without git' make bench-compare
like 'there are no commits' "$T/err" 'is in no git work tree'

# ---- .pawlconfig ------------------------------------------------------------------------------------

cd "$T/project" || exit 1
git clean -qfdx
printf '[pawl]\n\tbuild = make bench/checksum\n[benchmark "mine"]\n\tcommand = bench/checksum\n' >.pawlconfig
commit_all . configured
runs 0 'what is configured rules' make bench-compare PAWL_BASE=HEAD~1
like 'by its own name' "$T/out" 'mine.* identical'
unlike 'alone' "$T/out" 'multiply'

# ---- pkg-config and taking it back -------------------------------------------------------------------

cd "$T" || exit 1
runs 0 'pkg-config links libpawl.so' sh -c '${CC:-cc} $CFLAGS $LDFLAGS -I"$1" -o so "$1/../bench/checksum.c" "$1/checksum.c" \
	$(pkg-config --cflags --libs pawl) && LD_LIBRARY_PATH=$2/lib ./so --list' sh "$T/project/src" "$INSTALLED"
runs 0 'pkg-config --static' sh -c '${CC:-cc} $CFLAGS $LDFLAGS -I"$1" -o a "$1/../bench/checksum.c" "$1/checksum.c" \
	-Wl,-Bstatic $(pkg-config --cflags --libs --static pawl) -Wl,-Bdynamic && ./a --list' sh "$T/project/src"
check 'needs no libpawl.so' sh -c '[ -x a ] && ! ldd ./a | grep libpawl'
mkdir -p "$T/stage/opt" && mv "$INSTALLED" "$T/stage/opt/pawl"
runs 0 'it can be taken back' make -C "$ROOT" MODE="${BUILD##*/}" DESTDIR="$T/stage" PREFIX=/opt/pawl uninstall
is 'without a rest' "$(find "$T/stage" ! -type d)" ''
