# The clocks of other processors in programs that qemu-user runs: real registers of ARM64 and
# RISC-V, their frequencies as the processor tells them, an x86 that promises no steady counter.
# What qemu-user says about time is the host's; nothing here depends on how long anything takes.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"

# built ARCH: $T/ARCH, static, or a skip
built() {
	if ! hw_cc "$1" >/dev/null; then
		skip "the clocks of $1" "there is no compiler of static programs for it"
		return 1
	fi
	check "the harness is built for $1" \
		hw_pawl "$1" "$T/$1" -DWORK=100 "$ROOT/tests/helpers/work.c"
	[ -x "$T/$1" ]
}

# emulator QEMU NAME
emulator() {
	command -v "$1" >/dev/null && return
	skip "the clocks of $2" "$1 is not installed"
	return 1
}

# clock NAME EXPRESSION: c is the clock of that name in $T/doc
clock() {
	json "$T/doc" "[$2 for c in d['clocks'] if c['name'] == '$1'][0]"
}

# listed QEMU NAME: what --clocks says, in $T/doc
listed() {
	runs 0 "--clocks under $1" timeout 100 "$@" --clocks --json
	cp "$T/out" "$T/doc"
	is "... and what it takes works" \
		"$(json "$T/doc" '[c["why_not"] for c in d["clocks"] if c["name"] == d["default"]]')" \
		"[None]"
}

# timed_by QEMU NAME CLOCK: a benchmark by that clock
timed_by() {
	runs 0 "a benchmark by $3" timeout 100 "$1" "$2" --clock "$3" --json --min-time 50ms
	is "... is timed by it" "$(json "$T/out" 'd["harness"]["clock"]')" "$3"
	is "... and has a time" "$(json "$T/out" 'd["benchmarks"][0]["mean_ns"] > 0')" True
	is "... and every counter says why it is not there" \
		"$(json "$T/out" 'all(len(c["reason"]) > 10 for c in d["benchmarks"][0]["counters"]
			if c["value"] is None)')" True
}

if emulator qemu-aarch64 arm64 && built arm64; then
	listed qemu-aarch64 "$T/arm64"
	# qemu's generic timer: 62.5 MHz, as its cntfrq_el0 tells
	is "cntvct tells its frequency" "$(clock cntvct 'c["told_hz"]')" 62500000
	is "... which is the one measured" \
		"$(clock cntvct 'abs(c["hz"] / c["told_hz"] - 1) < 0.01')" True
	is "... and is read between barriers" "$(clock cntvct 'c["fence"]')" "isb mrs isb"
	# qemu-user does not let a program read the cycles: SIGILL, and the harness lives on
	is "pmccntr is forbidden, which ends nothing" "$(clock pmccntr 'c["why_not"]')" \
		"the system forbids programs to read this register"
	is "tsc is of another processor" "$(clock tsc 'c["why_not"]')" \
		"this processor is not an x86"
	timed_by qemu-aarch64 "$T/arm64" cntvct
fi

if emulator qemu-riscv64 riscv64 && built riscv64; then
	listed qemu-riscv64 "$T/riscv64"
	is "rdtime has a frequency" "$(clock rdtime 'c["hz"] > 1e6')" True
	is "... that nobody tells" "$(clock rdtime 'c["told_hz"]')" None
	is "... and is read between fences" "$(clock rdtime 'c["fence"]')" "fence rdtime fence"
	for counter in rdcycle rdinstret; do
		is "$counter can be read, or says why not" \
			"$(clock $counter '(c["hz"] is None) == (c["why_not"] is not None)')" True
		is "... and is no time" "$(clock $counter 'c["kind"]')" cycles
	done
	timed_by qemu-riscv64 "$T/riscv64" rdtime
fi

if built i386; then
	printf 'int main(void) { return 0; }\n' >"$T/empty.c"
	if [ "$(uname -m)" = x86_64 ] && hw_build i386 "$T/empty" "$T/empty.c" && "$T/empty"; then
		runs 0 "--clocks of 32 bits" "$T/i386" --clocks --json
		cp "$T/out" "$T/doc32"
		"$BUILD/helpers/work" --clocks --json >"$T/doc"
		is "... has as many ways to read the time stamp counter as 64 bits have" \
			"$(json "$T/doc32" '[c["why_not"] for c in d["clocks"] if c["name"][:3] == "tsc"]')" \
			"$(json "$T/doc" '[c["why_not"] for c in d["clocks"] if c["name"][:3] == "tsc"]')"
	else
		skip "the clocks of 32 bits without qemu" "the system runs no such programs"
	fi
	if emulator qemu-i386 "an x86 that promises nothing"; then
		listed qemu-i386 "$T/i386"
		is "a time stamp counter that is not invariant is not used" \
			"$(clock tsc_lfence 'c["why_not"]')" \
			"the time stamp counter is not invariant: its rate may change"
		runs 2 "--clock tsc there" qemu-i386 "$T/i386" --clock tsc
		like "... says why not" "$T/err" 'i386: error: the (time stamp|processor has no)'
		runs 2 "--clock tsc without rdtscp" qemu-i386 -cpu n270 "$T/i386" --clock tsc
		like "... says that" "$T/err" 'the processor has no rdtscp'
		runs 2 "--clock tsc_lfence without lfence" \
			qemu-i386 -cpu pentium3 "$T/i386" --clock tsc_lfence
		like "... says that, too" "$T/err" 'the processor has no rdtsc or no lfence'
		runs 0 "... and there are clocks enough" \
			timeout 100 qemu-i386 -cpu pentium3 "$T/i386" --min-time 20ms
	fi
fi
