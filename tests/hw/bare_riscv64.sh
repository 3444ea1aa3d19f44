# pawl_bare.h on a RISC-V machine without firmware, 64 and 32 bits: every counter, and what the
# emulator, which counts one cycle an instruction, must give exactly.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"

hw_need riscv64-unknown-elf-gcc qemu-system-riscv64 qemu-system-riscv32 ||
	{ skip 'RISC-V without an operating system' "$HW_WHY"; exit 0; }
board=$ROOT/tests/hw/bare

# bare NAME OPTIONS...: builds and runs
bare() {
	board_name=$1
	shift
	check "$board_name builds" hw_bare "$T/bare.elf" riscv64-unknown-elf-gcc -std=c99 "$@" \
		-mcmodel=medany -T "$board/riscv.ld" "$board/riscv_start.S"
	timeout -k 5 30 qemu-system-riscv$bits -machine virt -bios none -nographic -nic none \
		-icount shift=0,sleep=off -kernel "$T/bare.elf" </dev/null >"$T/console" 2>&1
	is "$board_name ends by itself" $? 0
}

for bits in 64 32; do
	case $bits in
	64) machine='-march=rv64imac -mabi=lp64' ;;
	32) machine='-march=rv32imac -mabi=ilp32' ;;
	esac
	for level in -Os -O3 -O2; do
		# shellcheck disable=SC2086  # several words on purpose
		bare "riscv$bits $level" $level $machine
		is "riscv$bits $level: a loop of two instructions takes two cycles" \
			"$(hw_member mcycle/slope 'd["ticks"]["mean"], d["ticks"]["variance"]')" \
			'(2.0, 0.0)'
	done
	is "riscv$bits: each of them" \
		"$(hw_member mcycle/slope 'd["ticks"]["min"], d["ticks"]["max"], d["clean"]["n"]')" \
		'(2.0, 2.0, 50)'
	is "riscv$bits: and retires two instructions" \
		"$(hw_member minstret/slope 'd["ticks"]["mean"], d["ticks"]["variance"]')" '(2.0, 0.0)'
	is "riscv$bits: doubled to the least time, the call is below a thousandth" \
		"$(hw_member mcycle/doubled '2 <= d["ticks"]["mean"] < 2.002')" True
	# 10 MHz: a step is 100 instructions, and a sample at least 1000 steps
	is "riscv$bits: mtime, 64 bits behind a bus, gives the same time" \
		"$(hw_member mtime/doubled 'abs(d["mean_ns"] - 2) < 0.004')" True
	hz=$(sed -n 's/^mcycle by mtime=//p' "$T/console")
	is "riscv$bits: a frequency is measured to within a step of 20000 ($hz)" \
		"$((hz >= 999950000 && hz <= 1000050000))" 1
	is "riscv$bits: memory is a dead counter" "$(hw_member dead 'd["message"]')" \
		'the counter does not advance'
	is "riscv$bits: a counter said to count down counts up" \
		"$(hw_member misfit 'd["message"]')" \
		'the counter goes the other way, or beyond its largest value'
	is "riscv$bits: an operation that fails has no time" \
		"$(hw_member mcycle/failing 'd["message"]')" 'the operation failed in every sample'
done

cp "$T/console" "$T/first"
bare 'the same again' -O2 -march=rv32imac -mabi=ilp32
check 'is the same to the last character' cmp "$T/first" "$T/console"

# The example, by the commands that its README gives.
cp -r "$ROOT/examples" "$ROOT/include" "$T/"
mkdir -p "$T/build" "$T/tests" && cp -r "$ROOT/tests/hw" "$T/tests/"
sed -n 's/^    //p' "$ROOT/examples/bare/README.md" >"$T/commands"
runs 0 "the example's commands work" sh -ec "cd '$T' && . ./commands"
is 'without a word from the linker' "$(cat "$T/err")" ''
cp "$T/out" "$T/console"
is 'the example measures' "$(hw_member crc32/64 'd["errors"], d["clean"]["n"], d["mean_ns"] > 512')" \
	'(0, 100, True)'
is 'the example tells the worst case' \
	"$(hw_member crc32/64/single 'd["clean"]["max_ns"] >= d["clean"]["mean_ns"] > 0')" True
