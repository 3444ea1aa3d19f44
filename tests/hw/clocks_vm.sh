# The harness's clocks on processors that this machine is not, under real kernels.  On ARM64 and
# RISC-V the emulator's time counts instructions, 8 ns each, so frequencies are exact; on x86-64
# it emulates processors whose time stamp counter must not be trusted.
#
# First, in the same boots, the emulated machines themselves: each runs a program of the harness
# as root and as nobody, tells its exit statuses, and powers off; what is missing is named with
# its cure.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"

check 'a program that is there is found' hw_need sh
check 'a program that is not there is missed' not hw_need sh no-such-emulator
is 'and named with the cure' "$HW_WHY" 'not installed: no-such-emulator; cure: make check-hw'
(HW_CACHE=$T/nothing; hw_kernel arm64 >/dev/null || echo "$HW_WHY") >"$T/out"
is 'so is a kernel' "$(cat "$T/out")" "no arm64 kernel in $T/nothing; cure: make check-hw"

# document N: $T/document.json becomes what the N-th run of $T/console printed
document() {
	awk -v wanted="$1" '/^=== exit/ { n++ } n == wanted - 1 && !/^===/' "$T/console" |
		sed -n '/^{"harness"/,$p' >"$T/document.json"
}

# clock NAME: its line of the table
clock() {
	sed -n "s/^$1  *//p" "$T/console" | head -n 1
}

# ---- frequencies that are exact ---------------------------------------------------------

# exact ARCH CLOCK HZ SHOWN OTHER: OTHER is a clock that the kernel keeps from programs
exact() {
	hw_ready "$1" || { skip "the clocks of $1" "$HW_WHY"; return; }
	check "the harness builds for $1" hw_pawl "$1" "$T/bench" "$ROOT/examples/empty.c"
	measure="--clock $2 --filter loop --no-counters --iterations 30000 --json"
	hw_run "$1" "$T/bench" --clocks "$measure" "$measure" "$measure" "$measure" "$measure" \
		--list 'nobody: --list' --wrong 'write: /proc/sys/kernel/hostname pawl' \
		'write: /no/such/file 1' >"$T/console"
	is "$1 powers itself off" $? 0
	is "$1 runs a program as root and as nobody" "$(grep -c '^empty/loop$' "$T/console")" 2
	is "$1 tells how each ended" \
		"$(sed -n 's/^=== exit //p' "$T/console" | tr '\n' ' ')" '0 0 0 0 0 0 0 0 2 '
	is "$1 says which file it could not write" \
		"$(sed -n 's/^=== cannot write //p' "$T/console")" \
		'/no/such/file: No such file or directory'
	like "$1 ran everything" "$T/console" '^=== end$'
	check "$1: $2 is told to tick at $4, and does" \
		sh -c 'echo "$1" | grep -q "^$2 .* told $2\$"' sh "$(clock "$2")" "$4"
	check "$1: twice the work takes twice the ticks" \
		sh -c 'echo "$1" | grep -q " ns  *\(1\.9\|2\.0\)[0-9]  "' sh "$(clock "$2")"
	is "$1: the kernel keeps $5 from programs, which say so" "$(clock "$5")" \
		'-          -         -         -     -  the system forbids programs to read this register'
	like "$1: another processor's clock says whose it is" "$T/console" \
		'^tsc  .*  this processor is not an x86$'
	# Of five runs of less than a millisecond one that no interrupt fell into; where one falls into
	# the measurement of the frequency is another matter, and leaves most of them exact.
	exact_runs=0 exact_hz=0
	for run in 2 3 4 5 6; do
		document "$run"
		[ "$(json "$T/document.json" 'd["harness"]["ticks_hz"]')" = "$3" ] &&
			exact_hz=$((exact_hz + 1))
		[ "$(json "$T/document.json" \
			'abs(d["benchmarks"][0]["mean_ns"] / 8 % 1 - 0.5) > 0.49')" = True ] &&
			exact_runs=$((exact_runs + 1))
	done
	check "$1: the frequency is exact" [ "$exact_hz" -ge 3 ]
	check "$1: so is the time, a whole number of instructions of 8 ns" [ "$exact_runs" -ge 1 ]
}

exact arm64 cntvct 62500000 '62.50 MHz' pmccntr
exact riscv64 rdtime 10000000 '10.00 MHz' rdcycle

# ---- time stamp counters that must not be trusted ------------------------------------------

# refused NAME CPU REASON: the counter is refused, and the kernel's clock serves instead
refused() {
	HW_ICOUNT=none HW_QEMU="-cpu $2" hw_run amd64 "$T/bench" --clocks \
		'--clock tsc --filter loop --min-time 1ms' '--filter loop --min-time 1ms --json' \
		>"$T/console"
	is "$1: the machine powers itself off" $? 0
	is "$1: the counter says why it is not used" "$(clock tsc | sed 's/^[- ]*//')" "$3"
	like "$1: so does a run that asks for it" "$T/console" "^program: error: $3\$"
	is "$1: that run fails, the others do not" \
		"$(sed -n 's/^=== exit //p' "$T/console" | tr '\n' ' ')" '0 2 0 '
	like "$1: the kernel's clock is taken" "$T/console" '^taken without --clock: monotonic'
	document 3
	is "$1: and measures" "$(json "$T/document.json" \
		'd["harness"]["clock"][:9], d["benchmarks"][0]["mean_ns"] > 0')" "('monotonic', True)"
}

if hw_ready amd64; then
	check 'the harness builds for amd64' hw_pawl amd64 "$T/bench" "$ROOT/examples/empty.c"
	refused 'an x86-64 without rdtscp' qemu64,-rdtscp 'the processor has no rdtscp'
	refused 'an x86-64 whose counter may change its rate' max \
		'the time stamp counter is not invariant: its rate may change'
else
	skip 'the clocks of an x86-64 that is not to be trusted' "$HW_WHY"
fi
