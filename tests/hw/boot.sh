# The emulated machines themselves: each boots, runs a program of the harness as root and as
# nobody, tells its exit statuses, and powers off; what is missing is named with its cure.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"

check 'a program that is there is found' hw_need sh
check 'a program that is not there is missed' not hw_need sh no-such-emulator
is 'and named with the cure' "$HW_WHY" 'not installed: no-such-emulator; cure: make check-hw'
(HW_CACHE=$T/nothing; hw_kernel arm64 >/dev/null || echo "$HW_WHY") >"$T/out"
is 'so is a kernel' "$(cat "$T/out")" "no arm64 kernel in $T/nothing; cure: make check-hw"

for arch in arm64 riscv64; do
	hw_ready "$arch" || { skip "an emulated $arch machine" "$HW_WHY"; continue; }
	check "the harness builds for $arch" \
		hw_pawl "$arch" "$T/empty" "$ROOT/examples/empty.c"
	hw_run "$arch" "$T/empty" --list 'nobody: --list' --wrong \
		'write: /proc/sys/kernel/hostname pawl' 'write: /no/such/file 1' >"$T/console"
	is "$arch powers itself off" $? 0
	is "$arch runs a program as root and as nobody" "$(grep -c '^empty/loop$' "$T/console")" 2
	is "$arch tells how each ended" \
		"$(sed -n 's/^=== exit //p' "$T/console" | tr '\n' ' ')" '0 0 2 '
	is "$arch says which file it could not write" \
		"$(sed -n 's/^=== cannot write //p' "$T/console")" \
		'/no/such/file: No such file or directory'
	like "$arch ran everything" "$T/console" '^=== end$'
done
