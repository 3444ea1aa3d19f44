# The linker of a build is pawl, which writes down what it was asked and becomes the real one: the
# build must not be able to tell.
. "$(dirname "$0")/../../../lib.sh"
unset PAWL_LAYOUTS
. "$ROOT/tests/helpers/layout_lib.sh"
CC=${CC:-cc}
export CC

# same_link NAME WANTED COMMAND...: with a FILE that it makes named "out": the bytes, the status and
# the output are those without pawl, and so many links are recorded
same_link() {
	name=$1
	wanted=$2
	shift 2
	rm -rf out "$KEY/links"
	"$@" >"$T/plain.out" 2>"$T/plain.err"
	plain=$?
	[ ! -e out ] || mv out "$T/plain"
	recorded "$@" >"$T/rec.out" 2>"$T/rec.err"
	is "$name: status" $? $plain
	check "$name: output" cmp "$T/plain.out" "$T/rec.out"
	# names of temporary objects are drawn anew each time
	for which in plain rec; do
		sed -e 's/cc[A-Za-z0-9]\{6\}/ccNNNNNN/g' -e "s|$T/linkers/|/usr/bin/|" "$T/$which.err" \
			>"$T/$which.plain"
	done
	check "$name: messages" cmp "$T/plain.plain" "$T/rec.plain"
	[ ! -e "$T/plain" ] || check "$name: bytes" cmp "$T/plain" out
	rm -f "$T/plain"
	is "$name: recorded" "$(records)" "$wanted"
}

# long_same_link NAME WANTED COMMAND...: the same, in the long run alone
long_same_link() {
	[ -z "${PAWL_TEST_SLOW:-}" ] || same_link "$@"
}
slow_only 'other kinds of links' || :

new_tree
$CC -O1 -fPIC -c main.c f.c h.c
same_link 'objects' 1 $CC -o out main.o f.o h.o
same_link 'sources' 1 $CC -O1 -o out main.c f.c h.c
check 'what the compiler deletes is copied' sh -c "ls '$KEY'/links/*.d/*.o"
same_link 'a shared object' 1 $CC -shared -o out f.o h.o
long_same_link 'static' 1 $CC -static -o out main.o f.o h.o
long_same_link 'no pie' 1 $CC -no-pie -o out main.o f.o h.o
printf '{ global: f; h; local: *; };\n' >v.map
long_same_link 'a version script' 1 $CC -shared -Wl,--version-script,v.map -o out f.o h.o
printf -- '-o out main.o f.o h.o\n' >response
same_link 'a response file' 1 $CC @response
ar rc lib.a f.o h.o
long_same_link 'an archive' 1 $CC -o out main.o lib.a
same_link 'a partial link' 0 $CC -r -o out f.o h.o
same_link 'an undefined name' 1 $CC -o out main.o f.o
long_same_link 'a missing object' 1 $CC -o out main.o nowhere.o
long_same_link 'a missing library' 1 $CC -o out main.o f.o h.o -lnowhere
same_link 'an output that cannot be written' 1 $CC -o nowhere/out main.o f.o h.o
same_link 'the version' 0 $CC -Wl,--version
same_link 'only a trial' 0 $CC -o conftest main.o f.o h.o
for linker in gold lld mold; do
	if has ld.$linker; then
		long_same_link "$linker" 1 $CC -fuse-ld=$linker -o out main.o f.o h.o
	else
		skip "$linker" "there is no ld.$linker"
	fi
done
same_link 'link-time optimisation' 1 $CC -O2 -flto -o out main.c f.c h.c
if has clang; then
	long_same_link 'clang' 1 clang -O1 -o out main.o f.o h.o
	! has ld.lld || same_link 'clang with lld' 1 clang -fuse-ld=lld -o out main.o f.o h.o
	! has ld.lld || same_link 'words from a pipe' 1 \
		sh -c 'cat response | clang -fuse-ld=lld -Wl,@/dev/stdin -o out'
	# As a cross compiler: one for each target, beside clang.
	mkdir "$T/cross"
	ln -s "$(command -v clang)" "$T/cross/clang"
	printf '#!/bin/sh\necho "of the target" >&2\nexec ld "$@"\n' >"$T/cross/$(uname -m)-linux-gnu-ld"
	chmod +x "$T/cross/$(uname -m)-linux-gnu-ld"
	same_link 'a linker of the target' 1 "$T/cross/clang" -no-canonical-prefixes \
		"--target=$(uname -m)-linux-gnu" -o out main.o f.o h.o
	like 'which clang names' "$T/rec.err" '^of the target'
else
	skip 'clang' 'there is no clang'
fi
if has ccache; then
	CCACHE_DIR=$T/ccache
	export CCACHE_DIR
	same_link 'ccache' 1 ccache $CC -o out main.o f.o h.o
else
	skip 'ccache' 'there is no ccache'
fi

# What the linker's place holds decides what the user sees, not pawl.
mkdir "$T/bin"
PATH=$T/bin:$PATH
printf '#!/bin/sh\necho "a broken linker" >&2\nexit 7\n' >"$T/bin/ld"
chmod +x "$T/bin/ld"
same_link 'a linker that fails' 1 $CC -o out main.o f.o h.o
printf '#!/bin/sh\nkill -9 $$\n' >"$T/bin/ld"
same_link 'a linker that is killed' 1 $CC -o out main.o f.o h.o
rm "$T/bin/ld"
cc=$(command -v $CC)
runs 1 'no linker' env PATH="$T/bin" "$cc" -o out main.o f.o h.o
runs 1 'no linker: status' recorded env PATH="$T/bin" "$cc" -o out main.o f.o h.o
like 'no linker: message' "$T/err" "collect2: fatal error: cannot find 'ld'"

# Libraries that the build has its programs find first are not pawl's.
mkdir "$T/broken"
for library in $(ldd "$PAWL" | sed -n 's/^[^/]*=> .*\/\(lib[^/]*\.so[.0-9]*\) .*/\1/p' | grep -v '^lib[cm]\.so'); do
	echo garbage >"$T/broken/$library"
done
runs 127 'pawl itself does not start with those' env LD_LIBRARY_PATH="$T/broken" "$PAWL" --version
# the linker's own libraries are not among them
rm -f "$T"/broken/libz*
same_link 'libraries of the build' 1 env LD_LIBRARY_PATH="$T/broken" $CC -o out main.o f.o h.o
like 'and the linker finds them' "$KEY/links/$(ls "$KEY/links")" "LD_LIBRARY_PATH=$T/broken"
mv "$T/linkers/pawl" "$T/linkers/gone"
same_link 'a pawl that is gone' 0 $CC -o out main.o f.o h.o
mv "$T/linkers/gone" "$T/linkers/pawl"

# Nothing can be written down.
rm -rf out "$KEY/links"
: >"$KEY/links"
runs 0 'a build goes on where no record can be written' recorded $CC -o out main.o f.o h.o
is 'and says nothing' "$(cat "$T/out" "$T/err")" ''
is 'and what it built runs' "$(./out)" "$($CC -o plain main.o f.o h.o && ./plain)"
rm -f "$KEY/links"

# Sixteen at a time, and each record is whole.
cat >Makefile <<'END'
programs := $(foreach i,1 2 3 4 5 6 7 8,p$i q$i r$i s$i)
all: $(programs)
$(programs): main.o f.o h.o
	$(CC) -o $@ $^
END
runs 0 'links at the same time' recorded make -j16
is 'a record of each' "$(records)" 32
is 'none is unfinished' "$(ls "$KEY/links" | grep -c new)" 0

# A build that runs what it has built.
rm -rf "$KEY/links" p1
printf 'all: p1\n\t./p1 >said\np1: main.o f.o h.o\n\t$(CC) -o $@ $^\n' >Makefile
runs 0 'a build runs its own program' recorded make
is 'which said what it says' "$(cat said)" "$(./plain)"
