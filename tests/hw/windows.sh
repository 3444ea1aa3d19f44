# The harness for Windows: built by mingw-w64, run by wine.  Wine's kernel is not Windows's: what
# this tests is our code, and that it asks for what is there.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/windows_lib"
windows_build_or_skip "the harness for Windows"

# ---- builds ----------------------------------------------------------------------------
check "the harness and its examples build without a warning" windows_make windows "$win/libpawl.a" \
	"$win/examples/arrays" "$win/examples/empty" "$win/examples/list_walk" \
	"$win/examples/sort_lines"
cp "$ROOT/$win"/libpawl.a "$ROOT/$win"/examples/*.exe "$T/"
arrays=$T/arrays.exe
check "... as Windows programs" test -f "$arrays"

cat >"$T/macros.c" <<'END'
#include "pawl.h"
int main(void)
{
	double wall, cpu;
	PAWL_TIME_WALL(wall, pawl_clobber());
	PAWL_TIME_CPU(cpu, pawl_clobber());
	return !(wall > 0 && cpu > 0);
}
END
cp "$T/macros.c" "$T/macros.cc"
strict='-Wall -Wextra -Wpedantic -Werror -O2'
for standard in c99 c11 c17; do
	check "pawl.h as $standard with $gcc" $gcc -std=$standard $strict -I"$ROOT/include" \
		-o "$T/macros.exe" "$T/macros.c" "$T/libpawl.a"
done
if command -v x86_64-w64-mingw32-g++ >/dev/null; then
	for standard in c++11 c++17 c++20; do
		check "pawl.h as $standard with mingw's g++" x86_64-w64-mingw32-g++ -std=$standard \
			$strict -I"$ROOT/include" -o "$T/macros++.exe" "$T/macros.cc" \
			"$T/libpawl.a" -static
	done
else
	skip "pawl.h with mingw's g++" "x86_64-w64-mingw32-g++ is not installed"
fi
check "pawl.h as C89 with $gcc" $gcc -std=c89 -pedantic -DPAWL_C89 $strict -I"$ROOT/include" \
	-o "$T/macros.exe" "$T/macros.c" "$T/libpawl.a"

check "the harness builds without a warning for a DLL" \
	windows_make windows-dll CFLAGS=-O1 CPPFLAGS=-DPAWL_BUILD_DLL VERSION=dll \
	build/hw-windows-dll/libpawl.a
check "libpawl.dll links" $gcc -shared -o "$T/libpawl.dll" -Wl,--whole-archive \
	"$ROOT/build/hw-windows-dll/libpawl.a" -Wl,--no-whole-archive \
	-Wl,--out-implib,"$T/libpawl.dll.a"
x86_64-w64-mingw32-objdump -p "$T/libpawl.dll" |
	sed -n '/Ordinal\/Name Pointer/,$s/.*[] ]\(pawl_[a-z0-9_]*\)$/\1/p' | sort >"$T/exported"
sed -n 's/^PAWL_API .*[ *]\(pawl_[a-z0-9_]*\)(.*/\1/p' "$ROOT/include/pawl.h" | sort >"$T/declared"
check "... exports the header's functions and nothing else" diff "$T/declared" "$T/exported"
is "... wants no DLL of the compiler" "$(x86_64-w64-mingw32-objdump -p "$T/libpawl.dll" |
	grep -c 'DLL Name: lib')" 0
check "... and a program that defines PAWL_DLL links it" $gcc $strict -DPAWL_DLL -I"$ROOT" \
	-I"$ROOT/include" -o "$T/dynamic.exe" "$ROOT/examples/arrays.c" "$T/libpawl.dll.a"

# ---- runs ------------------------------------------------------------------------------
windows_run_or_skip "the harness on Windows"

runs 0 "--list" windows "$arrays" --list
is "--list prints the names" "$(tr '\n' ' ' <out)" "arrays/two-loops arrays/merged-loop "
runs 0 "--filter" windows "$arrays" --list --filter '*/m[a-f]rged*'
is "--filter takes a glob" "$(cat out)" "arrays/merged-loop"
runs 0 "--clocks" windows "$arrays" --clocks
like "the performance counter is there, with the frequency it tells" out '^qpc +10\.00 MHz '
like "the file time is there, in units of 100 ns" out '^file_time +10\.00 MHz '
like "CPU time of the thread is there" out '^thread_times +10\.00 MHz '
like "CPU time of the process is there" out '^process_times +10\.00 MHz '
like "a clock of another system says so" out '^mach_absolute .*this system is not macOS$'
like "... and so do those of POSIX" out '^monotonic .*this system has no such clock$'
like "the performance counter is what is taken" out '^taken without --clock: qpc$'

runs 0 "the table" windows "$arrays" --min-time 20ms
like "the table says which clock" out '^pawl .*: clock qpc, step 100'
like "the table has a line for each benchmark" out '^arrays/merged-loop .*/s '
sed -n '/^absent:/,$p' out | tr -s '\n ' ' ' >reasons
like "no counter can be had, and the table says why" reasons \
	'^absent: cycles, .* \(this system has no perf_event_open\) $'
runs 0 "--json" windows "$arrays" --json --min-time 20ms
cp out doc
is "the document has both benchmarks" "$(json doc '[b["name"] for b in d["benchmarks"]]')" \
	"['arrays/two-loops', 'arrays/merged-loop']"
is "a mean is the time by the iterations" \
	"$(json doc 'all(abs(b["mean_ns"] * b["iterations"] / b["wall_ns"] - 1) < 1e-6
		for b in d["benchmarks"])')" True
is "a coarse CPU clock drops no batch" \
	"$(json doc 'all(b["clean"]["n"] > 0 for b in d["benchmarks"])')" True
is "what Windows does not tell of a thread is unknown, not 0" \
	"$(json doc '{b[k] for b in d["benchmarks"] for k in ("voluntary_switches",
		"minor_faults", "run_delay_ns")}')" "{None}"
is "every counter is absent, for the same reason" \
	"$(json doc '{(c["state"], c["reason"], c["value"]) for b in d["benchmarks"]
		for c in b["counters"]}')" "{('absent', 'this system has no perf_event_open', None)}"
if [ -x "$BUILD/examples/arrays" ]; then
	"$BUILD/examples/arrays" --json --min-time 1us >doc.here
	counters='[c["name"] for c in d["benchmarks"][0]["counters"]]'
	is "the counters are those of the other systems" "$(json doc "$counters")" \
		"$(json doc.here "$counters")"
fi
for clock in file_time tsc; do
	runs 0 "--clock $clock" windows "$arrays" --min-time 5ms --clock $clock --no-counters
	like "... is what is used" out "clock $clock,"
done

# The fall-back of file_time, with a clock_windows.o in front of the library's.
check "compiles -DPAWL_NO_PRECISE_FILE_TIME" $gcc -std=c11 -D_GNU_SOURCE $strict -I"$ROOT" \
	-DPAWL_NO_PRECISE_FILE_TIME -c "$ROOT/harness/clock/windows.c" -o clock_windows.o
check "... and links" $gcc -O2 -I"$ROOT" -o imprecise.exe "$ROOT/examples/empty.c" clock_windows.o \
	libpawl.a
cat >file_time.c <<'END'
#include <string.h>
#include "harness/clock/rows.h"
int main(void)
{
	const struct clock_row *row = pawl_clock_windows;
	const char *why;
	while (strcmp(row->name, "file_time"))
		row++;
	return row->probe(&why) || row->begin() == 0 || row->end() == 0;
}
END
# asked_for [OBJECT]: which of the two calls the clock makes; wine's own trace tells
asked_for() {
	$gcc $strict -I"$ROOT" -o file_time.exe file_time.c "$@" libpawl.a &&
		WINEDEBUG=+relay timeout 120 wine file_time.exe 2>&1 </dev/null |
		sed -n 's/.*Call KERNEL32.*\(GetSystemTime[A-Za-z]*AsFileTime\).*/\1/p' | sort -u |
			tr '\n' ' '
}
is "... the fall-back is what is called then, and nothing else" "$(asked_for clock_windows.o)" \
	'GetSystemTimeAsFileTime '
is "... and without the switch the precise call" "$(asked_for)" 'GetSystemTimePreciseAsFileTime '
runs 0 "... and times a benchmark" windows imprecise.exe --clock file_time --filter loop \
	--iterations 1000 --no-counters --json
is "... which it is said to have done" "$(json out 'd["harness"]["clock"]')" file_time

runs 2 "--clock refuses a CPU clock" windows "$arrays" --clock thread_times
runs 2 "an unknown option is refused" windows "$arrays" --lost
like "... by the program's name without its folder" err "^arrays.exe: error: unknown option '--lost': see --help$"
runs 2 "PAWL_FD is refused" env PAWL_FD=3 sh -c '
	timeout 120 wine "$0" --list >out.crlf 2>err.crlf; s=$?; tr -d "\r" <err.crlf >&2; exit $s' \
	"$arrays"
like "... as not supported here" err '^arrays.exe: error: PAWL_FD is set, but .* on Windows$'
runs 0 "the other examples run" windows empty.exe --min-time 5ms
runs 0 "... also with their own main" windows sort_lines.exe 1000
runs 0 "a program with the DLL runs" windows dynamic.exe --version
is "... and the DLL answers" "$(cat out)" "dynamic.exe, pawl dll"
runs 0 "the one-statement macros give times" windows macros.exe
if [ -f macros++.exe ]; then
	runs 0 "... in C++ too" windows macros++.exe
fi
