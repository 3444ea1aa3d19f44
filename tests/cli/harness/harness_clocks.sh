# The harness's clocks: what --clocks says of them, and each fall-back where the better ones are
# compiled away.
. "$(dirname "$0")/../../lib.sh"

bench=$T/bench
build_work "$bench" 100

# ---- what this machine has -------------------------------------------------------------
runs 0 "--clocks" "$bench" --clocks
cp "$T/out" "$T/table"
for clock in monotonic_raw monotonic monotonic_precise highres monotonic_call realtime gettimeofday \
	thread_cpu process_cpu rusage rusage_user rusage_system gethrtime tsc tsc_lfence tsc_mfence \
	tsc_mfence_lfence tsc_rdtscp tsc_cpuid cntvct pmccntr rdtime rdcycle rdinstret; do
	like "--clocks has $clock" "$T/table" "^$clock "
done
like "--clocks says which one is taken" "$T/table" '^taken without --clock: [a-z_]+$'
is "a clock of the date comes with a warning" \
	"$(grep -A1 '^realtime ' "$T/table" | tail -n 1 | sed 's/^ *//')" \
	"warning: jumps when the date is set"
like "user time says its steps" "$T/table" \
	'warning: moves in (coarse steps|steps of [0-9.]+ .?s, the kernel.s tick) \(stood still for'

runs 0 "--clocks --json" "$bench" --clocks --json
cp "$T/out" "$T/doc"
is "the document names every clock of the table" \
	"$(json "$T/doc" 'len(d["clocks"])')" "$(sed '1d; /^$/,$d' "$T/table" | grep -c '^[a-z]')"
is "a clock has figures or says why not" \
	"$(json "$T/doc" 'all((c["hz"] is None) == (c["why_not"] is not None) and
		all((c[k] is None) == (c["hz"] is None) for k in
		("step_ns", "overhead_ns", "cost_ns", "fence")) for c in d["clocks"])')" True
is "the one that is taken works" \
	"$(json "$T/doc" '[c["why_not"] for c in d["clocks"] if c["name"] == d["default"]]')" \
	"[None]"
is "only what is measured has a spread" \
	"$(json "$T/doc" 'all((c["calibration_ppm"] is not None) == (c["kind"] in
		("ticks", "cycles")) for c in d["clocks"] if not c["why_not"])')" True
is "the clocks are of six kinds" \
	"$(json "$T/doc" 'sorted({c["kind"] for c in d["clocks"]})')" \
	"['cycles', 'process', 'share', 'thread', 'ticks', 'wall']"
is "a hypervisor that traps CPUID is warned of" \
	"$(json "$T/doc" 'all(any("hypervisor" in w for w in c["warnings"]) for c in d["clocks"]
		if c["name"] == "tsc_cpuid" and not c["why_not"])')" \
	"$(grep -qw hypervisor /proc/cpuinfo && echo True ||
		json "$T/doc" 'all(c["why_not"] for c in d["clocks"] if c["name"] == "tsc_cpuid")')"

runs 2 "instructions are no wall clock" "$bench" --clock rdinstret
like "... and the list is named" "$T/err" "'rdinstret' is no wall clock: see --clocks"
for clock in $(json "$T/doc" '" ".join(c["name"] for c in d["clocks"]
	if c["kind"] in ("wall", "ticks") and not c["why_not"])'); do
	runs 0 "--clock $clock" "$bench" --clock "$clock" --json --no-counters --min-time 2ms
	is "... is the clock that is used" "$(json "$T/out" 'd["harness"]["clock"]')" "$clock"
	is "... and gives a time" "$(json "$T/out" 'd["benchmarks"][0]["mean_ns"] > 1')" True
done
for clock in $(json "$T/doc" '" ".join(c["name"] for c in d["clocks"]
	if c["kind"] in ("wall", "ticks") and c["why_not"])'); do
	runs 2 "--clock $clock, which is not here" "$bench" --clock "$clock"
	like "... says why not" "$T/err" '^bench: error: .* .* '
done
runs 0 "a clock with a warning" "$bench" --clock realtime --no-counters --min-time 1ms
like "... has it under the table" "$T/out" \
	'^warning: clock realtime: jumps when the date is set$'
runs 0 "... and as JSON" "$bench" --clock realtime --no-counters --min-time 1ms --json
is "... has it in the document" "$(json "$T/out" 'd["warnings"]')" \
	"['jumps when the date is set']"

runs 0 "as the collector starts it" sh -c 'PAWL_FD=3 PAWL_ASK=list "$1" --clock realtime 3>"$2"' \
	sh "$bench" "$T/lines"
is "... has it in the last record" "$(tail -n 1 "$T/lines")" \
	'{"type":"end","warnings":["jumps when the date is set"]}'
runs 0 "a clock without one" sh -c 'PAWL_FD=3 PAWL_ASK=list "$1" --clock monotonic 3>"$2"' \
	sh "$bench" "$T/lines"
is "... has nothing there" "$(tail -n 1 "$T/lines")" '{"type":"end"}'

# ---- the fall-backs --------------------------------------------------------------------
extra=$(libpawl_flags)

# without WANTED FILE SWITCH...: harness/clock/FILE.c compiled with the switches stands in front of the
# library's; then the clock WANTED is taken
without() {
	wanted=$1 file=$2
	shift 2
	check "compiles $*" ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$ROOT" \
		"$@" -c "$ROOT/harness/clock/$file.c" -o "$T/clock_$file.o"
	check "links $*" ${CC:-cc} -O2 -I"$ROOT" -o "$bench" "$ROOT/tests/helpers/work.c" \
		"$T"/clock_*.o "$BUILD/libpawl.a" $extra
	runs 0 "runs $*" "$bench" --json --no-counters --min-time 2ms
	is "... with $wanted" "$(json "$T/out" 'd["harness"]["clock"]')" "$wanted"
	is "... and gives a time" "$(json "$T/out" 'd["benchmarks"][0]["mean_ns"] > 1')" True
}

raw=-DPAWL_NO_MONOTONIC_RAW
without monotonic posix $raw
# As on FreeBSD and Solaris, whose names are given to a clock that is here.
without monotonic_precise posix $raw -DPAWL_NO_MONOTONIC -DCLOCK_MONOTONIC_PRECISE=1
without highres posix $raw -DPAWL_NO_MONOTONIC -DCLOCK_HIGHRES=1
without realtime posix $raw -DPAWL_NO_MONOTONIC
is "... with a warning" "$(json "$T/out" 'd["warnings"]')" "['jumps when the date is set']"
without gettimeofday posix -DPAWL_NO_CLOCK_GETTIME
is "... in steps of a microsecond" \
	"$(json "$T/out" 'd["harness"]["granularity_ns"] % 1000')" 0
is "... without CPU time of the thread, which is not 0 then" \
	"$(json "$T/out" 'd["benchmarks"][0]["cpu_ns"]')" None
is "... with that of the process" \
	"$(json "$T/out" 'd["benchmarks"][0]["process_cpu_ns"] is None')" False
without gethrtime hrtime -D__hpux -include "$ROOT/tests/helpers/fake_gethrtime.h"
rm -f "$T"/clock_*.o

# ---- the time stamp counter ------------------------------------------------------------
if [ "$(uname -m)" = x86_64 ]; then
	check "compiles the intrinsics" ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror \
		-DPAWL_X86_INTRINSICS -I"$ROOT" -c "$ROOT/harness/clock/x86.c" -o "$T/clock_x86.o"
	objdump -d "$T/clock_x86.o" | sed -n 's/.*\t\(lfence\|mfence\|rdtscp\?\|cpuid\) *$/\1/p; s/^[0-9a-f]* <\(.*\)>:$/\1/p' |
		tr '\n' ' ' >"$T/readings"
	like "the intrinsics are fenced: begin" "$T/readings" 'tsc_begin lfence rdtsc lfence '
	like "... and end" "$T/readings" 'tsc_end rdtscp lfence '
	like "... and the white paper's end" "$T/readings" 'cpuid_end rdtscp cpuid '
	objdump -d "$BUILD/obj/harness/clock/x86.o" | sed -n 's/.*\t\(lfence\|mfence\|rdtscp\?\|cpuid\) *$/\1/p; s/^[0-9a-f]* <\(.*\)>:$/\1/p' |
		tr '\n' ' ' >"$T/readings"
	like "and so is the assembler: begin" "$T/readings" 'tsc_begin lfence rdtsc lfence '
	like "... and end" "$T/readings" 'tsc_end rdtscp lfence '
	like "... and the white paper's begin" "$T/readings" 'cpuid_begin cpuid rdtsc '
	like "... and end" "$T/readings" 'cpuid_end rdtscp cpuid '
	check "links the intrinsics" ${CC:-cc} -O2 -I"$ROOT" -o "$bench" \
		"$ROOT/tests/helpers/work.c" "$T/clock_x86.o" "$BUILD/libpawl.a" $extra
	runs 0 "the intrinsics run" "$bench" --clocks
	is "... and as many rows work as by assembler" \
		"$(grep -c '^tsc.*GHz' "$T/out")" "$(grep -c '^tsc.*GHz' "$T/table")"
else
	skip "the time stamp counter by intrinsics" "needs x86-64"
fi

case $BUILD in
*asan*) skip "a process that may not read it" "the sanitizer reads it itself" ;;
*)
	"$BUILD/helpers/no_tsc" --json --no-counters --min-time 2ms >"$T/out" 2>"$T/err"
	status=$?
	if [ $status -eq 77 ]; then
		skip "a process that may not read it" "the system cannot forbid it"
	else
		is "a process that may not read it measures all the same" "$status" 0
		is "... by the call itself" "$(json "$T/out" 'd["harness"]["clock"]')" \
			monotonic_call
		runs 2 "... and not by tsc" "$BUILD/helpers/no_tsc" --clock tsc
		like "... which says why" "$T/err" 'time stamp counter is forbidden'
	fi
	;;
esac
