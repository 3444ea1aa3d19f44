# libpawl as another project links it: what it exports and needs, its names and versions, and
# pkg-config against an installed tree.
. "$(dirname "$0")/../../lib.sh"

# Functions that the header declares; the library must export these and nothing else.
sed -n 's/^PAWL_API .*[ *]\(pawl_[a-z0-9_]*\)(.*/\1/p' "$ROOT/include/pawl.h" | sort >"$T/declared"
like "the header declares functions" "$T/declared" '^pawl_main$'
nm -D --defined-only "$BUILD/libpawl.so" | sed -n 's/.* [A-Z] \([a-zA-Z0-9_]*\)\(@.*\)*$/\1/p' |
	grep -v -e '^__' -e '^PAWL_0$' | sort >"$T/exported"
check "libpawl.so exports the header's functions and nothing else" \
	diff "$T/declared" "$T/exported"
sed -n 's/^\t\(pawl_[a-z0-9_]*\);$/\1/p' "$ROOT/harness/libpawl.map" | sort >"$T/mapped"
check "the symbol map has the header's functions and nothing else" \
	diff "$T/declared" "$T/mapped"
is "every symbol has a version" \
	"$(nm -D --defined-only "$BUILD/libpawl.so" | grep ' T pawl_' | grep -vc '@@PAWL_0$')" 0
is "libpawl.a defines no name outside pawl_" \
	"$(nm --defined-only "$BUILD/libpawl.a" 2>/dev/null |
		sed -n 's/^[0-9a-f]* [TDBRCGSV] //p' |
		grep -v -e '^pawl_' -e '^_*gcov' -e asan -e ubsan -e '^__' | tr '\n' ' ')" ""

dynamic() {
	readelf -d "$1" | sed -n "s/.*($2).*\[\(.*\)\]/\1/p" |
		grep -v -e asan -e ubsan -e gcov -e '^ld-' | tr '\n' ' '
}
is "libpawl.so needs libc alone" "$(dynamic "$BUILD/libpawl.so" NEEDED)" "libc.so.6 "
so=$(sed -n 's/^SOVERSION *= *//p' "$ROOT/Makefile")
is "its SONAME is libpawl.so and the SOVERSION" "$(dynamic "$BUILD/libpawl.so" SONAME)" \
	"libpawl.so.$so "
is "an executable stack is not asked for" \
	"$(readelf -lW "$BUILD/libpawl.so" | grep 'GNU_STACK' | grep -c 'RWE')" 0

# ---- installed -------------------------------------------------------------------------
cat >"$T/use.c" <<'END'
#include <pawl.h>
static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	int x = 1;
	(void)ctx;
	(void)r;
	while (n--)
		pawl_keep(x = pawl_hide(x) * 3);
}
int main(int argc, char **argv)
{
	struct pawl_bench bench = { 0 };
	bench.name = "use";
	bench.run = run;
	return pawl_main(argc, argv, &bench, 1);
}
END
# make says anew in which mode and how.
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS
if [ "$BUILD" != "$ROOT/build/release" ] || ! command -v pkg-config >/dev/null; then
	skip "pawl installed" "needs the release build and pkg-config"
	exit 0
fi
# The staging folder stands for the root of a machine, and pkg-config is told so.
check "make install DESTDIR=" make -s -C "$ROOT" install DESTDIR="$T/root" PREFIX=/opt/pawl
# where ldconfig is not found, nothing outside of the prefix changes
for path in /usr/bin:/bin "/usr/bin:/bin:$T/prefix/bin"; do
	runs 0 "make install, PATH=$path" env PATH="$path" make -s -C "$ROOT" install PREFIX="$T/prefix"
	case $path in
	*prefix*) unlike 'where the shell looks nothing is said' "$T/out" 'export PATH' ;;
	*) like 'elsewhere it says what to type' "$T/out" "^  export PATH=\"$T/prefix/bin:" ;;
	esac
done
lib=$T/root/opt/pawl/lib
PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$T/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
version=$(sed -n 's/^VERSION *= *//p' "$ROOT/Makefile")
is "pkg-config knows the version" "$(pkg-config --modversion pawl)" "$version"
is "... and how to compile" "$(pkg-config --cflags pawl)" "-I$T/root/opt/pawl/include "
is "... and how to link" "$(pkg-config --libs pawl)" "-L$lib -lpawl "
unlike "pawl.pc has no placeholder left" "$lib/pkgconfig/pawl.pc" '@'
unlike "pawl.pc does not name the staging folder" "$lib/pkgconfig/pawl.pc" "$T"
is "the library's names lead to one file" \
	"$(readlink "$lib/libpawl.so") $(readlink "$lib/libpawl.so.$so")" \
	"libpawl.so.$so libpawl.so.$version"

# shellcheck disable=SC2046  # flags are words
build_use() {
	cc -Wall -Wextra -Werror "$@" -o "$T/use" "$T/use.c" $(pkg-config --cflags --libs $static pawl)
}
static=
check "a program links the shared library" build_use
is "... and asks for its SONAME" "$(dynamic "$T/use" NEEDED)" "libpawl.so.$so libc.so.6 "
runs 0 "... and runs with it" env LD_LIBRARY_PATH="$lib" "$T/use" --min-time 50us --no-counters
like "... and measures" "$T/out" '^use .*/s '
is "... and the version it tells is the package's" \
	"$(LD_LIBRARY_PATH=$lib "$T/use" --version)" "use, pawl $version"

# ---- pawl_start() and pawl_stop(), inlined by the header or called -----------------------
# The same benchmark by this header, by one that had only the calls, and for a clock that is called.
cat >"$T/region.c" <<'END'
#ifdef OLD /* what an older header said of them */
#include <stddef.h>
#include <stdint.h>
struct pawl_run;
struct pawl_args { const int64_t *list; size_t n; int64_t from, to, factor, step; };
struct pawl_bench {
	const char *name;
	int (*setup)(void *);
	void (*run)(void *, uint64_t, struct pawl_run *);
	void (*teardown)(void *);
	void *ctx;
	double items, bytes;
	struct pawl_args args;
	int64_t *arg;
	unsigned threads;
};
int pawl_main(int, char **, const struct pawl_bench *, size_t);
void pawl_start(struct pawl_run *);
void pawl_stop(struct pawl_run *);
#else
#include <pawl.h>
#endif
static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	while (n--) {
		volatile int sum = 0;
		for (int i = 0; i < 1000; i++) /* not timed */
			sum = sum + i;
		pawl_start(r);
		for (int i = 0; i < 10000; i++)
			sum = sum + i;
		pawl_stop(r);
	}
}
int main(int argc, char **argv)
{
	struct pawl_bench bench = { 0 };
	bench.name = "region";
	bench.run = run;
	return pawl_main(argc, argv, &bench, 1);
}
END
readings() { objdump -d "$T/$1" | grep -c 'rdtscp'; }
has_tsc=$(LD_LIBRARY_PATH=$lib "$T/use" --clocks | grep -c '^tsc  *[0-9]')
for header in new old; do
	flag=
	[ $header = new ] || flag=-DOLD
	# shellcheck disable=SC2046,SC2086  # flags are words
	check "a program with stretches links, $header header" \
		cc -O2 -Wall -Wextra -Werror $flag -o "$T/$header" "$T/region.c" \
		$(pkg-config --cflags --libs pawl)
	for clock in monotonic tsc; do
		if [ $clock = tsc ] && [ "$has_tsc" = 0 ]; then
			skip "... and is timed by tsc" "the processor's counter cannot be used"
			continue
		fi
		runs 0 "... and is timed by $clock" env LD_LIBRARY_PATH="$lib" "$T/$header" \
			--no-counters --json --clock $clock --iterations 2000
		is "... of its stretches alone, $clock" "$(json "$T/out" 'all(b["iterations"] == 2000
			and b["cpu_ns"] is None and b["mean_ns"] > 1000 for b in d["benchmarks"])')" True
	done
done
case $(uname -m) in
x86_64 | i?86)
	is "the new header reads the counter in place, the old one calls" \
		"$(readings new) $(readings old)" "1 0"
	;;
*) is "no counter is read in place" "$(readings new) $(readings old)" "0 0" ;;
esac
is "... and the new one can call too" \
	"$(nm -D --undefined-only "$T/new" | sed -n 's/.* \(pawl_st[a-z]*\).*/\1/p' | tr '\n' ' ')" \
	"pawl_start pawl_stop "

static=--static
if echo 'int main(void) { return 0; }' | cc -static -x c - -o "$T/none" 2>/dev/null; then
	check "a program links statically with libc alone" build_use -static
	is "... and needs no library" "$(dynamic "$T/use" NEEDED)" ""
	runs 0 "... and runs" "$T/use" --min-time 50us --no-counters
else
	skip "a program links statically with libc alone" "there is no static libc"
fi

# ---- 32 bits ---------------------------------------------------------------------------
printf '%s\n' '#include <linux/perf_event.h>' '#include <pawl.h>' 'int main(void)' \
	'{ double ns, ticks; PAWL_TIME_WALL(ns, pawl_keep(1LL)); PAWL_TIME_TICKS(ticks, (void)0);' \
	'return !(ns > 0) || !(ticks > 0 || ticks < 0); }' >"$T/macros.c"
narrow=
for candidate in 'cc -m32' i686-linux-gnu-gcc; do
	# shellcheck disable=SC2086  # two words on purpose
	[ -n "$narrow" ] || ! echo '#include <linux/perf_event.h>
		int main(void) { return 0; }' | $candidate -static -x c - -o "$T/none" 2>/dev/null ||
		! "$T/none" || narrow=$candidate
done
if [ -n "$narrow" ]; then
	check "the harness builds for 32 bits" make -s -C "$ROOT" B="$T/m32" CC="$narrow" AR=ar \
		WERROR=1 LDFLAGS=-static "$T/m32/libpawl.a" "$T/m32/examples/arrays"
	runs 0 "... and runs" "$T/m32/examples/arrays" --min-time 1ms
	like "... and measures" "$T/out" '^arrays/two-loops .*/s '
	runs 0 "... and tells its clocks" "$T/m32/examples/arrays" --clocks
	like "... with the kernel's among them" "$T/out" '^monotonic_raw +1\.000 GHz'
	# shellcheck disable=SC2086
	check "the macros build for 32 bits" $narrow -static -Wall -Wextra -Wpedantic -Werror -O2 \
		-I"$ROOT/include" -o "$T/macros" "$T/macros.c" "$T/m32/libpawl.a"
	runs 0 "... and give times" timeout 600 "$T/macros"
else
	skip "the harness builds for 32 bits" "neither cc -m32 nor i686-linux-gnu-gcc links and runs"
fi
check "make uninstall" make -s -C "$ROOT" uninstall DESTDIR="$T/root" PREFIX=/opt/pawl
is "... leaves no file" "$(find "$T/root" -type f -o -type l)" ""
