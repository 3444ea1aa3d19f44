# Links that build systems make are recorded, and can be made again: CMake, Meson, libtool, cargo, ccache.
. "$(dirname "$0")/../../../lib.sh"
unset PAWL_LAYOUTS
. "$ROOT/tests/helpers/layout_lib.sh"
CC=${CC:-cc}
export CC LDFLAGS=-fuse-ld=bfd

# both NAME PROGRAM LIBRARY: three layouts of each, which print together what was built
both() {
	said=$("$2" x)
	for file in "$2" "$3"; do
		"$LAYOUTS" "$KEY/tree" "$file" 1 2 3 >"$T/made" 2>&1
		is "$1: layouts of ${file##*/}" "$(grep -c "^$KEY/layouts/" "$T/made")" 3
		[ "$(grep -c "^$KEY" "$T/made")" -eq 3 ] || cat "$T/made"
		cp "$file" "$T/original"
		while read -r path rest; do
			cp "$path" "$file" && "$2" x
		done <"$T/made" | sort -u >"$T/said"
		cp "$T/original" "$file"
		is "$1: ${file##*/} prints the same" "$(cat "$T/said")" "$said"
	done
}

new_tree
if has cmake; then
	cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(parts C)
add_library(parts SHARED f.c h.c)
add_executable(prog main.c)
target_link_libraries(prog parts)
set_target_properties(prog PROPERTIES ENABLE_EXPORTS ON)
END
	check 'CMake builds' recorded sh -c 'cmake -S . -B build && cmake --build build -j4'
	both CMake build/prog build/libparts.so
else
	skip 'CMake' 'there is no cmake'
fi

new_tree
if ! slow_only 'Meson, cargo'; then
	:
elif has meson && has ninja; then
	cat >meson.build <<'END'
project('parts', 'c', default_options: ['b_lundef=false'])
parts = shared_library('parts', 'f.c', 'h.c')
executable('prog', 'main.c', link_with: parts, export_dynamic: true)
END
	check 'Meson builds' recorded sh -c 'meson setup build && ninja -C build'
	both Meson build/prog build/libparts.so
else
	skip 'Meson' 'there is no meson or ninja'
fi

new_tree
if has libtool; then
	cat >Makefile <<'END'
prog: main.c f.c h.c
	libtool --tag=CC --mode=compile $(CC) -O1 -c f.c
	libtool --tag=CC --mode=compile $(CC) -O1 -c h.c
	libtool --tag=CC --mode=link $(CC) $(LDFLAGS) -o libparts.la f.lo h.lo -rpath /usr/local/lib
	libtool --tag=CC --mode=link $(CC) $(LDFLAGS) -O1 -export-dynamic -o prog main.c libparts.la
END
	check 'libtool builds' recorded make
	LD_LIBRARY_PATH=$PWD/.libs
	export LD_LIBRARY_PATH
	both libtool .libs/prog "$(ls .libs/libparts.so.*.*)"
	unset LD_LIBRARY_PATH
else
	skip 'libtool' 'there is no libtool'
fi

new_tree
if [ -z "${PAWL_TEST_SLOW:-}" ]; then
	:
elif has cargo; then
	mkdir src
	printf '[package]\nname = "prog"\nversion = "0.1.0"\n' >Cargo.toml
	cat >src/main.rs <<'END'
fn twice(x: u64) -> u64 { x * 2 }
fn main() { println!("{}", std::env::args().map(|a| twice(a.len() as u64)).sum::<u64>() > 1); }
END
	# new ones link with a linker of their own, by -B, which a commit's build sees to: linkers.sh
	if RUSTFLAGS='-Clinker-features=-lld' recorded cargo build -q --offline >"$T/cargo" 2>&1 ||
		recorded cargo build -q --offline >"$T/cargo" 2>&1; then
		both cargo target/debug/prog target/debug/prog
	elif cargo --version >/dev/null 2>&1; then
		skip 'cargo' "it says: $(grep -m 1 -i error "$T/cargo")"
	else
		skip 'cargo' 'it does not start with an empty home folder'
	fi
else
	skip 'cargo' 'there is no cargo'
fi

# A compiler cache finds what it made for another tree.
new_tree
if has ccache; then
	CCACHE_DIR=$T/ccache
	export CCACHE_DIR
	recorded ccache $CC -c f.c
	rm f.o
	KEY=$T/second
	mkdir -p "$KEY/tree"
	cp f.c "$KEY/tree"
	recorded ccache $CC -c f.c
	like 'ccache finds what another build made' - 'Hits: *1 */' <<END
$(ccache -s)
END
else
	skip 'ccache' 'there is no ccache'
fi
