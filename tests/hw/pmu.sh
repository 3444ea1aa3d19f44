# Counters on a real kernel and an emulated PMU, through the harness's own code.  With -icount an
# instruction takes a fixed time (8 ns at shift=3), so that every number here is exact; that
# PMU has cycles and instructions and nothing else.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"

paranoid=/proc/sys/kernel/perf_event_paranoid
access=/proc/sys/kernel/perf_user_access

# part N COMMAND: what the Nth run of that command printed, to $T/part; N = 0: what all of them did
part() {
	awk -v n="$1" -v all="$((!$1))" -v command="=== $2" '
		/^=== / { inside = $0 == command && (all || --n == 0); next }
		inside' "$T/console" >"$T/part"
}

# says NAME LINE...: the lines are among those of the part
says() {
	name=$1
	shift
	for line; do
		grep -qxF -- "$line" "$T/part" || {
			result 1 "$name" "no line: $line" "$(cat "$T/part")"
			return
		}
	done
	result 0 "$name"
}

# counted_more DEPTH N FILE: how many runs counted N instructions more of twice the loop.  Once
# in a while one run, of either length, has two more than the others, always the same run of the
# same image: where an interrupt falls.  Such a pair is near enough; one at least must be exact.
counted_more() {
	awk -v depth="$1" -v n="$2" '
		$1 == "program" && $3 == depth { more = $(NF - 1) - n; exact += more == 0 }
		$1 == "program" && $3 == depth && more >= -8 && more <= 8 { good++ }
		END { print exact ? good : "none exact" }' "$3"
}

absent='absent (this processor or VM does not offer the event)'

# ---- arm64 --------------------------------------------------------------------------------
hw_or_skip 'counters of an emulated arm64 processor' arm64
check 'the harness is built for arm64' hw_pawl arm64 "$T/pmu" "$ROOT/tests/hw/pmu.c"
hw_run arm64 "$T/pmu" slope threads programs table pages siblings crowd starved self \
	"write: $access 1" self \
	"write: $paranoid 0" 'nobody: kernel' "write: $paranoid 1" 'nobody: kernel' \
	"write: $paranoid 2" 'nobody: kernel' 'nobody: programs' \
	"write: $paranoid 3" 'nobody: kernel' table 'wrap 6000000' >"$T/console"
like 'the arm64 machine ran to its end' "$T/console" '^=== end'

part 1 '/program slope'
says 'a loop of two instructions has two, and each takes 8 cycles' \
	'loop instructions: 2.000000' 'loop cycles: 16.000000'
says 'by hand only what lies between is counted' \
	'by hand instructions: 2.000000' 'by hand cycles: 16.000000'
part 1 '/program threads'
says 'of a program with threads the first one is counted' 'alone instructions: 2.00'
says 'and all of them when asked for' 'with threads instructions: 8.00'
part 1 '/program programs'
is 'a program that is started is counted exactly, again and again' \
	"$(counted_more 0 200000 "$T/part")" 3
is 'with what it starts itself' "$(counted_more 1 400000 "$T/part")" 3
part 1 '/program table'
says 'what this PMU lacks is absent and says why' "branches: $absent" "branch-misses: $absent" \
	"l1d-reads: $absent" "cache-misses: $absent" "llc-loads: $absent"
part 1 '/program pages'
says '64 fresh pages are 64 page faults' 'page-faults: ok 64.000000'
part 1 '/program siblings'
says 'a group has an end, and what is beyond it opens alone' \
	'a group holds 7, the next gives Invalid argument' 'alone: opens'
part 1 '/program crowd'
like 'on counters that others want too a count is scaled' "$T/part" '^instructions: scaled (1\.9|2\.0)'
like 'page faults need no counter' "$T/part" '^page-faults: ok'
part 1 '/program starved'
says 'with none left it has no value' \
	'instructions: starved (never scheduled: others use the counters)'
like 'page faults still need none' "$T/part" '^page-faults: ok'

part 1 '/program self'
says 'without access from user space the system call reads, and that is said' \
	'from user space instructions: 2.000000, read by a system call: not to be had from user space'
part 2 '/program self'
says 'with it no call is made, and the count is exact' \
	'from user space instructions: 2.000000' 'from user space cycles: 16.000000' \
	'from user space, by hand instructions: 2.000000'

for n in 1 2; do
	part $n 'nobody /program kernel'
	like "paranoid $((n - 1)): nobody counts user" "$T/part" '^instructions: ok [1-9]'
	like "paranoid $((n - 1)): and kernel" "$T/part" '^kernel-instructions: ok [1-9]'
done
part 3 'nobody /program kernel'
like 'paranoid 2: nobody counts user' "$T/part" '^instructions: ok [1-9]'
like 'paranoid 2: and not the kernel' "$T/part" \
	'^kernel-instructions: forbidden \(kernel.perf_event_paranoid is 2:'
part 1 'nobody /program programs'
like 'paranoid 2: a program is counted' "$T/part" '^instructions: ok [1-9]'
part 4 'nobody /program kernel'
is 'paranoid 3: nobody counts nothing, not even page faults' \
	"$(grep -c ': forbidden (kernel.perf_event_paranoid is 3:' "$T/part")" 12
part 2 '/program table'
like 'paranoid 3: root counts' "$T/part" '^instructions: ok 2\.'

part 1 '/program wrap 6000000'
says 'a counter of 32 bits may run over between two readings from user space' \
	'wrap: read, width 32, more than 2^32 cycles, within 100000 of read(2)'

HW_ICOUNT=none hw_run arm64 "$T/pmu" table >"$T/console"
part 1 '/program table'
like 'a PMU with a part of the events counts that part' "$T/part" '^cycles: (ok|scaled) [1-9]'
says 'and says what it lacks' "instructions: $absent" "kernel-instructions: $absent"

# ---- riscv64 ------------------------------------------------------------------------------
hw_or_skip 'counters of an emulated riscv64 processor' riscv64
check 'the harness is built for riscv64' hw_pawl riscv64 "$T/pmu" "$ROOT/tests/hw/pmu.c"
# QEMU 7 tells the virtual time for both counters: 1 ns an instruction at shift=0.  It counts the
# kernel too, so that of some runs the one is looked for that no interrupt fell into.
export HW_ICOUNT=shift=0,sleep=off
hw_run riscv64 "$T/pmu" slope slope slope programs self self self \
	'replace cycles' 'replace instructions' apart >"$T/console"
part 0 '/program slope'
says 'riscv64: a loop of two instructions has two' \
	'loop instructions: 2.000000' 'loop cycles: 2.000000'
part 1 '/program programs'
like 'riscv64: a program is counted' "$T/part" '^instructions: ok [1-9]'
part 0 '/program self'
says 'riscv64: and is read from user space' \
	'from user space instructions: 2.000000' 'from user space cycles: 2.000000'
# Both columns show the same there: with page faults in the place of one, of which the loop has
# none, it shows which column is whose, by read(2) as by the page.
for way in loop 'from user space'; do
	part 1 '/program replace cycles'
	like "riscv64: cycles are cycles ($way)" "$T/part" "^$way cycles: 0\.0000"
	like "riscv64: ... and no others ($way)" "$T/part" "^$way instructions: [123]\."
	part 1 '/program replace instructions'
	like "riscv64: instructions are instructions ($way)" "$T/part" \
		"^$way instructions: 0\.0000"
	like "riscv64: ... and no others ($way)" "$T/part" "^$way cycles: [123]\."
done
part 1 '/program apart'
says "riscv64: each page leads to its event's own counter" \
	'apart, cycles: read, about 2 loops, within a tenth of read(2): 1' \
	'apart, instructions: read, about 1 loops, within a tenth of read(2): 1'

HW_QEMU='-cpu rv64' hw_run riscv64 "$T/pmu" table >"$T/console"
part 1 '/program table'
like 'counters that cannot tell user from kernel count both and say so' "$T/part" \
	'^instructions: ok [2-9].* \(counts user and kernel\)'
like 'and the kernel alone is not to be had' "$T/part" '^kernel-instructions: absent'
