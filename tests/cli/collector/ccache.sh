# A compiler of PATH that is ccache under its name, as Fedora has it and Debian's /usr/lib/ccache.
. "$(dirname "$0")/../../lib.sh"

if ! command -v ccache >/dev/null; then
	skip 'a compiler that is ccache' 'ccache is not installed'
	exit 0
fi
mkdir "$T/masked" "$T/include"
ln -s "$(command -v ccache)" "$T/masked/cc"
PATH=$T/masked:/usr/bin:/bin
CCACHE_DIR=$T/cache
CPATH=$T/include
export PATH CCACHE_DIR CPATH
echo '#define TIMES 1' >"$T/include/outside.h"
new_repo "$T/repo"
cd "$T/repo" || exit 1
printf 'tool: x.o\n\tcc -o $@ x.o\nx.o: x.c\n\tcc -c -o $@ x.c\n' >Makefile
printf '#include <outside.h>\nint main(void)\n{\n\treturn TIMES - 1;\n}\n' >x.c
commit_all . one
echo '/* 2 */' >>x.c
commit_all . two
runs 0 'objects are made and linked' "$BUILD/pawl" compare -- ./tool
like 'and compared' "$T/out" 'tool +identical'
runs 0 'the trees are used again' "$BUILD/pawl" compare -- ./tool
unlike 'without being built' "$T/err" 'building'
runs 0 'what the cache has' "$BUILD/pawl" compare --rebuild -- ./tool
echo '#define TIMES (1 + 0)' >"$T/include/outside.h"
runs 0 'is known by the headers of the machine all the same' "$BUILD/pawl" compare -- ./tool
like 'one of which changed' "$T/err" "outside.h"

# ---- ccache in front of the compiler -------------------------------------------------------------

PATH=/usr/bin:/bin
echo '#define TIMES 1' >"$T/include/outside.h"
new_repo "$T/front"
cd "$T/front" || exit 1
printf 'tool: x.o\n\tgcc -o $@ x.o\nx.o: x.c\n\tccache gcc -c -o $@ x.c\n' >Makefile
printf '#include <outside.h>\nint main(void)\n{\n\treturn TIMES - 1;\n}\n' >x.c
commit_all . one
echo '/* 2 */' >>x.c
commit_all . two
runs 0 'a cache in front of the compiler' "$BUILD/pawl" compare -- ./tool
runs 0 'has all of it then' "$BUILD/pawl" compare --rebuild -- ./tool
echo '#define TIMES (1 + 0)' >"$T/include/outside.h"
runs 0 'and the headers are known all the same' "$BUILD/pawl" compare -- ./tool
like 'of which one changed' "$T/err" "outside.h"

# ---- a build that puts a folder of its own in front of PATH, as rustc does for its linker -----------

# ccache looked for the compiler of its name, found pawl's wrapper, and that ccache again, without end.
PATH=$T/masked:/usr/bin:/bin
new_repo "$T/behind"
cd "$T/behind" || exit 1
printf 'export PATH := $(CURDIR)/own:$(PATH)\ntool: x.c\n\tcc -o $@ x.c\n' >Makefile
printf 'int main(void)\n{\n\treturn 0;\n}\n' >x.c
commit_all . one
echo '/* 2 */' >>x.c
commit_all . two
runs 0 'the compiler behind the cache is found' timeout 100 "$BUILD/pawl" compare -- ./tool
