# dependency('pawl') in an outside project, against the installed tree: built, run, compared, gated.
# meson.build and the commands are those of docs/howto/meson.md.
. "$(dirname "$0")/../../lib.sh"
if ! command -v meson >/dev/null || ! command -v ninja >/dev/null; then
	skip "dependency('pawl')" 'there is no meson, or no ninja'
	exit 0
fi
. "$ROOT/tests/outside/outside.sh"
page=$ROOT/docs/howto/meson.md
script=$INSTALLED/share/pawl/meson-bench.py

new_outside "$T/a project" "$page" meson meson.build
cd "$T/a project" || exit 1
echo '/build*/' >.gitignore
commit_all . 'ignore what is built'
later=3
run_page "$page" 1 5 5

# ---- a slowdown ---------------------------------------------------------------------------------

# In the short run make's gate alone is asked of one.
if slow_only 'a slowdown, and a commit that does not build'; then
	slow_down
	runs 0 'comparing a slowdown is no failure' ninja -C build bench-compare
	runs 1 'the gate fails' ninja -C build bench-gate
	like 'at the slowdown' "$T/out" 'checksum/chain .*regressed'
	like 'what did not change is identical' "$T/out" 'multiply.* identical'
	# By hand the environment is another one: both commits are built again.
	runs 1 'by hand with the status' python3 "$script" gate build
	runs 0 'A/A passes' env PAWL_BASE=HEAD 'PAWL_FLAGS=--measure-identical --threshold 90%' \
		meson compile -C build bench-gate
	like 'and was measured' "$T/out" 'checksum/chain .* unchanged'
	runs 0 'the other way round too' env PAWL_BASE=HEAD..HEAD~1 meson compile -C build bench-gate
	like 'as an improvement' "$T/out" 'checksum/chain .*improved'
	echo '/* a remark */' >>src/checksum.h
	runs 0 'uncommitted work' env PAWL_FLAGS=--working-tree meson compile -C build bench-gate
	like 'is compared with HEAD' "$T/out" 'checksum.* identical'
	git checkout -q .
	commit_all . nothing
	sed -i "1ierror('no')" meson.build # which ends sooner than a compiler would
	commit_all . 'does not build'
	runs 4 'a commit that does not build' python3 "$script" gate build
	like 'is no regression' "$T/err" 'nothing was judged \(status 4\)'
	runs 4 'nor does the comparison pass' python3 "$script" compare build
	git reset -q --hard HEAD~2
fi
PAWL_BASE=--rebuild runs 5 'a base that is an option' python3 "$script" compare build
like 'is refused' "$T/err" "PAWL_BASE is '--rebuild'"
PAWL_BASE=";\$(touch $T/hit)" runs 5 'a base for a shell' python3 "$script" compare build
is 'is run by none' "$(ls "$T/hit" 2>/dev/null)" ''

# ---- what is printed ------------------------------------------------------------------------------

told 1
env TOLD="$T/log" PAWL_TOOL="$T/told" meson compile -C build bench-gate >"$T/log" 2>&1
is 'what is gated fails' "$?" 1
like 'and writes into the log itself, so that no line is cut' "$T/log" '^both are the log$'
check 'what is built' meson compile -C build
env TOLD="$T/log" PAWL_TOOL="$T/told" meson compile -C build bench-baseline >"$T/log" 2>&1
like 'and then kept was built by meson' "$T/log" '^told collect --built$'
touch src/checksum.h
env TOLD="$T/log" PAWL_TOOL="$T/told" meson compile -C build bench-baseline >"$T/log" 2>&1
like 'or was not, as its target builds nothing' "$T/log" '^told collect --no-build$'

# ---- what other programs can read ----------------------------------------------------------------

meson introspect --benchmarks build >"$T/benchmarks.json"
is 'meson tells names and programs' \
	"$(json "$T/benchmarks.json" "[(b['name'], [w.split('/')[-1] for w in b['cmd']]) for b in d]")" \
	"[('checksum', ['bench-checksum']), ('multiply', ['bench-multiply'])]"
is 'the script tells commands from the top of a tree' \
	"$(python3 "$script" list build | tr '\t' ' ')" 'checksum pawl-build/bench-checksum
multiply pawl-build/bench-multiply'

# ---- what can be wrong ---------------------------------------------------------------------------

runs 5 'no build folder' python3 "$script" compare "$T"
like 'is told' "$T/err" 'is no build folder of meson'
runs 2 'no verb' python3 "$script"
like 'shows the use' "$T/err" 'compare\|gate\|baseline\|list'
cd "$T/a project" || exit 1
PAWL_TOOL=pawl-that-is-not runs 5 'without pawl' python3 "$script" compare build
like 'it says so' "$T/err" "'pawl' is not installed"

slow_only 'options, files and folders; pawl as a subproject' || exit 0

# ---- options, files, folders ----------------------------------------------------------------------

cat >meson.build <<'END'
project('demo', 'c')
add_project_arguments('-DLEVEL=@0@'.format(get_option('level')), language: 'c')
pawl = dependency('pawl', static: true)
tool = executable('tool', 'bench/checksum.c', 'src/checksum.c', build_by_default: false,
                  include_directories: include_directories('src'), dependencies: pawl)
subdir('bench')
END
echo "benchmark('tool it''s', tool, args: [files('data file'), 'a b', '\"\$x'], env: ['A=b'])" |
	sed "s/tool it''s/tool it\\\\'s/" >bench/meson.build
echo "option('level', type: 'string', value: 'none')" >meson_options.txt
echo data >'bench/data file'
cat >bench/checksum.c <<'END'
#include <pawl.h>
#include <stdio.h>
#include <string.h>
#include "checksum.h"
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	for (uint64_t i = 0; i < n; i++)
		pawl_keep(checksum(i));
}
int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { { .name = TEXT_OF(LEVEL), .run = run } };
	FILE *f = argc == 4 ? fopen(argv[1], "r") : NULL;
	if (!f || strcmp(argv[2], "a b") || strcmp(argv[3], "\"$x"))
		return 9;
	return pawl_main(1, argv, list, 1);
}
END
git checkout -q -b options
commit_all . options
echo text >README
commit_all . 'a document'
printf "[binaries]\nstrip = 'true'\n" >machine.txt
commit_all . 'a machine file'
runs 0 'options and a machine file' meson setup build-options -Dlevel='seven' --native-file "$PWD/machine.txt"
runs 4 'a machine file that the base has not' python3 "$script" compare build-options
commit_all . nothing
runs 0 'both given' env PAWL_BASE=HEAD 'PAWL_FLAGS=--measure-identical --threshold 90%' \
	python3 "$script" gate build-options
like 'to both sides, with the arguments' "$T/out" "tool it's/seven .* unchanged"
cat .git/pawl/trees/*/tree/pawl-build/meson-private/cmd_line.txt >"$T/lines"
like 'which are optimized' "$T/lines" 'buildtype = release'
like 'an environment that is left out is told' "$T/err" "'tool it's' runs without its workdir and env"
git checkout -q main

# ---- without an installed libpawl -------------------------------------------------------------------

mkdir -p "$T/bundled/subprojects/pawl"
cp -R src bench "$T/bundled"
cp -R "$ROOT/include" "$ROOT/harness" "$ROOT/Makefile" "$ROOT/integrations/meson/meson.build" \
	"$T/bundled/subprojects/pawl"
git show main:meson.build | sed '/^meson_bench/,$d' >"$T/bundled/meson.build"
block "$page" meson 2 >"$T/line"
sed "/^pawl = /{r $T/line
d}" "$T/bundled/meson.build" >"$T/b" && mv "$T/b" "$T/bundled/meson.build"
cd "$T/bundled" || exit 1
bare='env PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH='
runs 0 'pawl as a subproject' $bare meson setup build
runs 0 'is built' $bare meson compile -C build
is 'with its version' "$(build/bench-checksum --version)" "bench-checksum, $(pawl --version)"
runs 5 'without git' python3 "$script" compare build
like 'there are no commits' "$T/err" 'is in no git work tree'
