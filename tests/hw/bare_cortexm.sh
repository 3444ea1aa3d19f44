# pawl_bare.h on a Cortex-M3 board without an operating system: SysTick counts down, the board's
# counter up, and the cycle counter, which the emulator does not have, is reported dead.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"

hw_need arm-none-eabi-gcc qemu-system-arm ||
	{ skip 'Cortex-M without an operating system' "$HW_WHY"; exit 0; }
board=$ROOT/tests/hw/bare

# bare NAME OPTIONS...: builds and runs
bare() {
	board_name=$1
	shift
	check "$board_name builds" hw_bare "$T/bare.elf" arm-none-eabi-gcc -std=c99 "$@" \
		-mcpu=cortex-m3 -mthumb -T "$board/cortexm.ld" "$board/cortexm_start.c"
	timeout -k 5 30 qemu-system-arm -machine mps2-an385 -nographic -monitor none -serial none \
		-semihosting-config enable=on,target=native -icount shift=0,sleep=off \
		-kernel "$T/bare.elf" </dev/null >"$T/console" 2>&1
	is "$board_name ends by itself" $? 0
}

for level in -Os -O3 -O2; do
	bare "cortex-m3 $level" "$level"
	# 25 MHz and 1 ns an instruction: 40 instructions a tick, 200000 are 5000 ticks
	for counter in systick fpgaio; do
		is "cortex-m3 $level: 200000 instructions are 5000 ticks of $counter" \
			"$(hw_member $counter/fixed '[round(d["ticks"][k] * 100000, 3)
				for k in ("min", "mean", "max")]')" '[5000.0, 5000.0, 5000.0]'
	done
done
is 'without variance' "$(hw_member systick/fixed 'd["ticks"]["variance"], d["clean"]["sd_ns"]')" \
	'(0.0, 0.0)'
is 'a loop of two instructions takes two nanoseconds' \
	"$(hw_member systick/fixed 'd["mean_ns"], d["clean"]["p99_ns"]')" '(2.0, 2.0)'
# the least time is 1000 steps: one step more or less is a thousandth
is 'doubled to the least time, nearly' \
	"$(hw_member systick/doubled 'abs(d["mean_ns"] - 2) < 0.004')" True
hz=$(sed -n 's/^systick by fpgaio=//p' "$T/console")
is "a frequency is measured to within a step of 20000 ($hz)" \
	"$((hz >= 24997500 && hz <= 25002500))" 1
is 'the cycle counter stands still, and says so' "$(hw_member dwt 'd["message"]')" \
	'the counter does not advance'
is 'a counter said to count down counts up' "$(hw_member misfit 'd["message"]')" \
	'the counter goes the other way, or beyond its largest value'
is 'an operation that fails has no time' "$(hw_member systick/failing 'd["message"]')" \
	'the operation failed in every sample'

cp "$T/console" "$T/first"
bare 'the same again' -O2
check 'is the same to the last character' cmp "$T/first" "$T/console"
