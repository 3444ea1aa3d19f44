# A project outside of the source tree that uses the installed pawl; for the tests of integrations/.
#
#	. "$(dirname "$0")/../lib.sh"
#	. "$ROOT/tests/outside/outside.sh"
#
# Installs with DESTDIR, moves the tree, and makes it the one that is found: INSTALLED.
INSTALLED=$T/${installed_name:-moved}
if [ -d "${TESTS_SHARED:-/nonexistent}/installed" ]; then
	cp -R "$TESTS_SHARED/installed" "$T/stage"
elif ! make -C "$ROOT" MODE="${BUILD##*/}" DESTDIR="$T/stage" PREFIX=/opt/pawl install >"$T/install" 2>&1; then
	result 1 'pawl installs' "$(tail -n 20 "$T/install")"
	exit 1
elif [ -n "${TESTS_SHARED:-}" ]; then
	# Whole or not at all: two may come to it at a time.
	cp -R "$T/stage" "$TESTS_SHARED/installed.$$" && mv -T "$TESTS_SHARED/installed.$$" "$TESTS_SHARED/installed" 2>/dev/null ||
		rm -rf "$TESTS_SHARED/installed.$$"
fi
mv "$T/stage/opt/pawl" "$INSTALLED"
mkdir "$T/bin"
pkg_config=$(command -v pkg-config) || exit 1
printf '#!/bin/sh\nexec %s --define-prefix "$@"\n' "$pkg_config" >"$T/bin/pkg-config"
chmod +x "$T/bin/pkg-config"
PATH="$T/bin:$INSTALLED/bin:$PATH"
PKG_CONFIG_PATH="$INSTALLED/lib/pkgconfig"
# Whatever the library was built with, a program needs for linking it.
case $BUILD in
*asan*) CFLAGS='-O2 -fsanitize=address,undefined' ;;
*) CFLAGS=-O2 ;;
esac
CXXFLAGS=$CFLAGS
# The library counts, the program does not: a count of its own would make each build of it another one.
case $BUILD in *coverage*) LDFLAGS=--coverage ;; *) LDFLAGS= ;; esac
# A link by mold takes a fifth of the time; the long tests use what users do.
if [ "${PAWL_LAYOUTS:-}" = off ] && command -v ld.mold >/dev/null; then
	LDFLAGS="$LDFLAGS -fuse-ld=mold"
fi
[ -z "$LDFLAGS" ] || export LDFLAGS
export PATH PKG_CONFIG_PATH CFLAGS CXXFLAGS
# Quick settings, as the environment has them: the verdicts asked for are about changes of 100 %.
PAWL_RUNS=12..12 PAWL_MIN_TIME=1ms PAWL_BENCH_ARGS='--min-time 1ms'
export PAWL_RUNS PAWL_MIN_TIME PAWL_BENCH_ARGS
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

# block FILE LANGUAGE N: the Nth block of that language in a page, for its text to be true
block() {
	awk -v language="$2" -v n="$3" '
		/^```/ { inside = !inside && $0 == "```" language && ++seen == n; open = !open; next }
		inside' "$1"
}

# run_page PAGE FIRST LAST KEEPS: carries out the blocks of sh from the FIRST to the LAST, which must be
# all; the second runs the benchmarks and compares, block KEEPS stores a result.  A script may make
# adapt_block N, which may change $T/block, and after_block N, which looks at $T/out; the block $later, which compares
# in other ways what the others do, is carried out in the long tests alone.
run_page() {
	n=$2
	while [ "$n" -le "$3" ]; do
		block "$1" sh "$n" >"$T/block"
		check "there is a block $n" [ -s "$T/block" ]
		if [ "$n" = "${later:-}" ] && ! slow_only "the commands of block $n"; then
			n=$((n + 1))
			continue
		fi
		adapt_block "$n"
		runs 0 "the commands of block $n" sh -e "$T/block"
		case $n in
		2)
			like 'run the first' "$T/out" '^chain '
			like 'and the second, in C++' "$T/out" '^once '
			like 'and call the same code identical' "$T/out" "checksum.* $same"
			;;
		"$4") check 'keep a result' pawl report HEAD ;;
		esac
		after_block "$n"
		n=$((n + 1))
	done
	is 'there is no other block' "$(block "$1" sh "$n")" ''
	is 'nothing is left in the repository' "$(git status --porcelain)" ''
}
same=identical
adapt_block() { :; }
after_block() { :; }

# new_outside DIR PAGE LANGUAGE FILE: a repository with one commit, whose FILE, the description for the
# build system, is the first block of the page
new_outside() {
	new_repo "$1"
	cp -R "$ROOT/tests/outside/src" "$ROOT/tests/outside/bench" "$1"
	block "$2" "$3" 1 >"$1/$4"
	commit_all "$1" one
}

# slow_down: the commit that does forty times the work
slow_down() {
	sed 's/STEPS 1000/STEPS 40000/' src/checksum.h >h && mv h src/checksum.h
	commit_all . 'forty times the work'
}

# told STATUS: makes $T/told, a program that says its first two arguments, and whether its stdout and stderr are
# themselves the file that TOLD names, and ends with that status.  A pipe on the way would cut lines of the one where the other says something.
told() {
	printf '#!/bin/sh\n[ /dev/fd/1 -ef "$TOLD" ] && [ /dev/fd/2 -ef "$TOLD" ] && echo both are the log\necho "told $1 $2" >&2\nexit %s\n' "$1" \
		>"$T/told"
	chmod +x "$T/told"
}
