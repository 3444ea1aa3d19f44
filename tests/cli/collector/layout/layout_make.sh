# A recorded link made again with other places: the same program, each time somewhere else.
. "$(dirname "$0")/../../../lib.sh"
unset PAWL_LAYOUTS
. "$ROOT/tests/helpers/layout_lib.sh"
CC=${CC:-cc}

# So many layouts of each way to link, and at once.
few=2 many=10
[ -z "${PAWL_TEST_SLOW:-}" ] || few=3 many=20

# built NAME COMMAND...: a tree where that command makes "prog"; its layouts 1 to $few go to $T/made
built() {
	name=$1
	shift
	rm -rf "$KEY/links" "$KEY/layouts" prog
	recorded "$@" >"$T/built" 2>&1 || { result 1 "$name: builds" "$(cat "$T/built")"; return 1; }
	"$LAYOUTS" "$KEY/tree" prog $(seq $few) >"$T/made" 2>&1
}

# addresses PROGRAM: of the functions and data of the project
addresses() {
	nm "$1" | grep -E ' [TtDdBbRr] (main|f|h|local|kept|q|plain|many|table|first|second|third)$' | sort -k3,3
}

# layouts_of NAME COMMAND...: the layouts print what the program prints, each placed otherwise
layouts_of() {
	built "$@" || return
	name=$1
	is "$name: $few are made" "$(grep -c "^$KEY/layouts/" "$T/made")" $few
	said=$(./prog)
	[ "$(wc -l <"$T/made")" -eq $few ] || cat "$T/made"
	while read -r path rest; do
		[ -x "$path" ] || { echo "# $path $rest"; continue; }
		addresses "$path" | cksum
		[ "$($path)" = "$said" ] || echo "# $path says $($path), not $said"
	done <"$T/made" >"$T/sums"
	is "$name: the same output, other places" "$(grep -vc '^#' "$T/sums") $(grep -v '^#' "$T/sums" | sort -u | wc -l) $(grep -c '^#' "$T/sums")" "$few $few 0"
}
# long_layouts_of NAME COMMAND...: the same, in the long run alone; the short one has one of each way to place code
long_layouts_of() {
	[ -z "${PAWL_TEST_SLOW:-}" ] || layouts_of "$@"
}
slow_only 'other kinds of programs, and each of them by each linker' || :

# one_layout NAME REASON COMMAND...
one_layout() {
	name=$1
	reason=$2
	shift 2
	built "$name" "$@" || return
	like "$name: one layout" "$T/made" "^one layout: .*$reason"
}

new_tree
layouts_of 'sources' $CC -O2 -fuse-ld=bfd -o prog main.c f.c h.c
$CC -O1 -c main.c f.c h.c
long_layouts_of 'objects' $CC -fuse-ld=bfd -o prog main.o f.o h.o
ar rc lib.a f.o h.o
layouts_of 'an archive' $CC -fuse-ld=bfd -o prog main.o lib.a
ar rcT thin.a f.o h.o
long_layouts_of 'a thin archive' $CC -fuse-ld=bfd -o prog main.o thin.a
long_layouts_of 'a library by its name' $CC -fuse-ld=bfd -o prog main.o -L. -l:lib.a
mkdir -p sub
cp h.o sub/f.o
rm -f twice.a
ar qc twice.a f.o sub/f.o
long_layouts_of 'two members of one name' $CC -fuse-ld=bfd -o prog main.o twice.a
long_layouts_of 'a whole archive' $CC -fuse-ld=bfd -o prog main.o -Wl,--whole-archive lib.a -Wl,--no-whole-archive
layouts_of 'stripped' $CC -fuse-ld=bfd -s -o prog main.o f.o h.o
long_layouts_of 'stripped later' sh -c "$CC -fuse-ld=bfd -g -o prog main.o f.o h.o && strip prog"
long_layouts_of 'no pie' $CC -fuse-ld=bfd -no-pie -fno-pie -o prog main.c f.c h.c
layouts_of 'static' $CC -fuse-ld=bfd -static -o prog main.o f.o h.o
long_layouts_of 'static pie' $CC -fuse-ld=bfd -static-pie -fPIE -o prog main.c f.c h.c
layouts_of 'sections of functions, collected' $CC -fuse-ld=bfd -O1 -ffunction-sections \
	-fdata-sections -Wl,--gc-sections -o prog main.c f.c h.c
is 'what was collected stays away' "$(nm "$(sed -n '1s/ .*//p' "$T/made")" | grep -c ' unused$')" 0
# optimised_once NAME: no layout asks the optimiser again
optimised_once() {
	is "$1: the optimiser ran once" "$(grep -ac -e -plugin "$KEY"/layouts/*/reference.flat) $(ls "$KEY"/layouts/*/optimised.* | wc -l)" "0 1"
}
layouts_of 'link-time optimisation' $CC -fuse-ld=bfd -O2 -flto -o prog main.c f.c h.c
optimised_once 'link-time optimisation'
long_layouts_of 'link-time optimisation in parts' $CC -fuse-ld=bfd -O2 -flto -flto-partition=1to1 -o prog main.c f.c h.c
long_layouts_of 'a copy of what was linked' sh -c "$CC -fuse-ld=bfd -o bench main.o f.o h.o && cp bench prog"
long_layouts_of 'a map, in its place' $CC -fuse-ld=bfd -Wl,-Map=kept.map,--cref -o prog main.o f.o h.o
echo 'char odd[3] = { 1 };' >odd.c # what lies behind an empty section moves when that is kept
long_layouts_of 'data of an odd size' $CC -fuse-ld=bfd -O1 -fdata-sections -o prog main.c f.c h.c odd.c
long_layouts_of 'relro and bindings now' $CC -fuse-ld=bfd -Wl,-z,now,-z,relro,-z,noseparate-code -o prog main.o f.o h.o
if has g++; then
	cat >cxx.cc <<'END'
#include <cstdio>
#include <map>
#include <string>
struct noisy { noisy() { std::puts("made"); } } one;
template <class T> T twice(T x) { return x + x; }
inline int shared_by_all() { static int n; return ++n; }
int other();
int main()
{
	std::map<std::string, int> m;
	m[twice(std::string("a"))] = shared_by_all();
	try { if (other()) throw 3; } catch (int n) { std::printf("%d %zu\n", n, m.size()); }
}
END
	cat >cxx2.cc <<'END'
#include <cstdio>
struct noisy { noisy() { std::puts("made too"); } } two;
inline int shared_by_all() { static int n; return ++n; }
int other() { return shared_by_all(); }
END
	cp cxx.cc main.cc
	layouts_of 'C++' g++ -fuse-ld=bfd -O1 -o prog cxx.cc cxx2.cc
	long_layouts_of 'C++, link-time optimisation' g++ -fuse-ld=bfd -O2 -flto -flto-partition=1to1 -o prog cxx.cc cxx2.cc
else
	skip 'C++' 'there is no g++'
fi
if has clang; then
	long_layouts_of 'clang' clang -fuse-ld=bfd -O2 -o prog main.c f.c h.c
else
	skip 'clang' 'there is no clang'
fi

# Linkers that shuffle by themselves.
cat >texts.c <<'END'
int puts(const char *);
int plain = 3;
int f(int x) { return x * plain; }
int h(int x) { return f(x) + 1; }
int main(void) { return puts(h(2) == 7 ? "seven" : "other") < 0; }
END
for linker in lld mold; do
	if has ld.$linker; then
		long_layouts_of "$linker" $CC -fuse-ld=$linker -O1 -ffunction-sections -o prog main.c f.c h.c
		layouts_of "$linker, objects, collected" $CC -fuse-ld=$linker -Wl,--gc-sections -o prog main.o f.o h.o
		long_layouts_of "$linker, an archive, static" $CC -fuse-ld=$linker -static -o prog main.o lib.a
		long_layouts_of "$linker, stripped" $CC -fuse-ld=$linker -g -s -o prog main.c f.c h.c
		long_layouts_of "$linker, no constants but texts" $CC -fuse-ld=$linker -O1 -fno-inline -o prog texts.c
		long_layouts_of "$linker, debug information" $CC -fuse-ld=$linker -g -o prog main.c f.c h.c
	else
		skip "$linker" "there is no ld.$linker"
	fi
done
if has clang && has ld.lld; then
	# lld 14 puts .eh_frame elsewhere when it keeps relocations, and with it the code
	printf 'int one(int x) { return x; }\nint two(int x) { return one(x) + 1; }\n' >more.c
	long_layouts_of 'lld, clang' clang -fuse-ld=lld -O2 -o prog main.c f.c h.c
	long_layouts_of 'lld, clang, more functions' clang -fuse-ld=lld -O2 -o prog main.c f.c h.c more.c
	layouts_of 'lld, link-time optimisation' clang -fuse-ld=lld -O2 -flto -o prog main.c f.c h.c
	optimised_once 'lld, link-time optimisation'
else
	skip 'lld, link-time optimisation' 'there is no clang or no ld.lld'
fi
if has ld.gold; then
	long_layouts_of 'gold' $CC -fuse-ld=gold -o prog main.o f.o h.o
	long_layouts_of 'gold, an archive' $CC -fuse-ld=gold -o prog main.o lib.a
	layouts_of 'gold, sections' $CC -fuse-ld=gold -O1 -ffunction-sections -fdata-sections -Wl,--gc-sections -o prog main.c f.c h.c
	long_layouts_of 'gold, no constants but texts' $CC -fuse-ld=gold -O1 -fno-inline -o prog texts.c
	long_layouts_of 'gold, --icf' $CC -fuse-ld=gold -O1 -ffunction-sections -Wl,--icf=all -s -o prog main.c f.c h.c
else
	skip 'gold' 'there is no ld.gold'
fi

# Shared objects are links like any other, with a version script or without.
printf '{ global: f; h; local: *; };\n' >v.map
for script in ${PAWL_TEST_SLOW:+''} -Wl,--version-script,v.map; do
	built 'a shared object' $CC -fuse-ld=bfd -O1 -fPIC -shared $script -o prog f.c h.c
	is "a shared object ($script): $few are made" "$(grep -c "^$KEY/layouts/" "$T/made")" $few
	printf 'extern int started; int started;\n' >started.c
	$CC -o user main.o ./prog
	said=$(./user)
	while read -r path rest; do
		cp "$path" prog && [ "$(./user)" = "$said" ] && addresses prog | cksum
	done <"$T/made" | sort -u >"$T/sums"
	is "a shared object ($script): the same output, other places" "$(wc -l <"$T/sums")" $few
done

# Many at once.
rm -rf "$KEY/links" "$KEY/layouts"
recorded $CC -fuse-ld=bfd -O2 -ffunction-sections -o prog main.c f.c h.c
"$LAYOUTS" "$KEY/tree" prog $(seq $many) >"$T/made"
said=$(./prog)
while read -r path rest; do
	[ "$($path)" = "$said" ] && addresses "$path" | sort | cksum >>"$T/many"
	addresses "$path" | sort | sed -n 's/.* [Tt] //p' | tr '\n' ' ' >>"$T/orders"
	echo >>"$T/orders"
done <"$T/made"
is 'they print the same' "$(wc -l <"$T/many")" $many
is 'no two are the same' "$(sort -u "$T/many" | wc -l)" $many
# 3 functions and 3 startup ones in any order: 6 x 6 x ...; ten of them are hardly ever one
check 'their functions come in many orders' test "$(sort -u "$T/orders" | wc -l)" -ge 5
cp "$T/made" "$T/before"
"$LAYOUTS" "$KEY/tree" prog $(seq $many) >"$T/made"
is 'the second time they are there' "$(grep -c ' 0$' "$T/made")" $many
path=$(sed -n '3s/ .*//p' "$T/made")
cp "$path" "$T/third"
: >"$path"
"$LAYOUTS" "$KEY/tree" prog 3 >"$T/made"
check 'one that was damaged is made again, as it was' cmp "$path" "$T/third"
# One bit of its code: it would still be a program of that shape, and measure something else.
/usr/bin/python3 -IS -c 'import sys
headers = [line.split() for line in sys.stdin if "] .text " in line]
at = int(headers[0][headers[0].index(".text") + 3], 16) + 1
with open(sys.argv[1], "r+b") as file:
    file.seek(at); byte = file.read(1)[0] ^ 1
    file.seek(at); file.write(bytes([byte]))' "$path" <<END
$(readelf -SW "$path")
END
check 'another bit' not cmp -s "$path" "$T/third"
"$LAYOUTS" "$KEY/tree" prog 3 >"$T/made"
check 'one of which a single bit is wrong, too' cmp "$path" "$T/third"
rm "$path.sum"
"$LAYOUTS" "$KEY/tree" prog 3 >"$T/made"
check 'and one of which nothing says whether it is whole' [ -s "$path.sum" ]
is 'there is no layout 0' "$("$LAYOUTS" "$KEY/tree" prog 0)" 'not: layouts are numbered from 1 to 32'
is 'and no 33rd' "$("$LAYOUTS" "$KEY/tree" prog 33)" 'not: layouts are numbered from 1 to 32'
is 'nothing unfinished lies about' "$(find "$KEY/layouts" -name '*.new*' | wc -l)" 0
is 'nothing is written into the tree' "$(find . -newer "$T/before" -type f | wc -l)" 0

# Of the system's libraries a link reads the few names that it needs; from the whole ones the same comes out.
libraries=$(echo "$KEY"/layouts/*/libraries)
check 'libraries with the few names that are needed' [ "$(wc -c <"$libraries/part-libc.so.6")" -lt 100000 ]
check 'they were proven' [ -e "$libraries/proven" ]
"$LAYOUTS" "$KEY/tree" prog 31 >"$T/made"
like 'another layout' "$T/made" '/31 '
: >"$libraries/part-libc.so.6"
"$LAYOUTS" "$KEY/tree" prog 32 >"$T/made"
like 'where one was damaged, from the whole ones' "$T/made" '/32 '
is 'and it prints the same' "$("$(sed 's/ .*//' "$T/made")")" "$said"
rm -r "$libraries"
"$LAYOUTS" "$KEY/tree" prog 30 >"$T/made"
like 'where they are gone, too' "$T/made" '/30 '

# What has one layout, and why.
one_layout 'a link that was not recorded' 'no link was recorded' env -u COMPILER_PATH $CC -o prog main.o f.o h.o
ld --verbose | sed '/^=====/,/^=====/!d; /^=====/d' >own.ld
one_layout 'a script of its own' 'a linker script of its own' $CC -fuse-ld=bfd -Wl,-T,own.ld -o prog main.o f.o h.o
cp f.o gone.o
one_layout 'an object that is gone' 'gone.o' sh -c "$CC -fuse-ld=bfd -o prog main.o gone.o h.o && rm gone.o"
one_layout 'an object that is another one' 'another program' sh -c "
	$CC -c -o now.o f.c && $CC -fuse-ld=bfd -o prog main.o now.o h.o && $CC -O3 -c -o now.o h.c && $CC -O2 -c -o now.o f.c"
one_layout 'a program with more behind it' 'another program' sh -c "$CC -fuse-ld=bfd -o prog main.o f.o h.o && echo data >>prog"
one_layout 'a script' 'not an' sh -c "$CC -fuse-ld=bfd -o bench main.o f.o h.o && echo '#!/bin/sh' >prog"
mkdir "$T/bin"
printf '#!/bin/sh\ncase $* in *--version*) exec /usr/bin/ld "$@";; esac\n/usr/bin/ld "$@" && echo garbage >>prog\n' >"$T/bin/ld"
chmod +x "$T/bin/ld"
one_layout 'a linker that writes garbage' '.' env PATH="$T/bin:$PATH" $CC -o prog main.o f.o h.o
# What lies with the machine is tried again.
printf '#!/bin/sh\n[ -e "%s" ] || exec /usr/bin/ld "$@"\ncase $* in *--version*) exec /usr/bin/ld "$@";; esac\nkill -9 $$\n' "$T/kill" >"$T/bin/ld"
rm -rf "$KEY/links" "$KEY/layouts"
recorded env PATH="$T/bin:$PATH" $CC -o prog main.o f.o h.o
: >"$T/kill"
"$LAYOUTS" "$KEY/tree" prog 1 >"$T/made"
is 'a linker that is killed' "$(cat "$T/made")" 'one layout: the linker was killed when the link was made again'
rm "$T/kill"
"$LAYOUTS" "$KEY/tree" prog 1 >"$T/made"
is 'and the next time is not' "$(grep -c "^$KEY" "$T/made")" 1
built 'a record that is damaged' $CC -o prog main.o f.o h.o
for record in "$KEY"/links/*; do
	echo garbage >"$record"
done
rm -rf "$KEY/layouts"
runs 1 'a damaged record is none' "$LAYOUTS" "$KEY/tree" prog 1
if [ "$(id -u)" != 0 ]; then
	built 'a folder' $CC -o prog main.o f.o h.o
	rm -rf "$KEY/layouts"
	chmod a-w "$KEY"
	runs 1 'a folder that cannot be written' "$LAYOUTS" "$KEY/tree" prog 1
	chmod u+w "$KEY"
else
	built 'a folder' $CC -fuse-ld=bfd -o prog main.o f.o h.o
	rm -rf "$KEY/layouts"
	: >"$KEY/layouts"
	runs 1 'a folder that cannot be made' "$LAYOUTS" "$KEY/tree" prog 1
	rm "$KEY/layouts"
fi
