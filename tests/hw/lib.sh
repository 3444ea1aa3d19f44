# Shared by the scripts of tests/hw: emulated processors and boards.
#
#   . "$(dirname "$0")/../lib.sh"
#   . "$(dirname "$0")/lib.sh"
#   hw_or_skip 'the counters of an arm64 processor' arm64     # skips, and ends the script
#   hw_pawl arm64 "$T/bench" "$ROOT/tests/hw/bench.c"         # static, with the harness linked
#   hw_run arm64 "$T/bench" '--clocks' '--json' >"$T/console"
#   like 'the counter tells its frequency' "$T/console" 'cntvct.*62500000'
#
# ARCH is arm64, riscv64 or amd64, as Debian calls them.  A script may call everything in any
# order; each call says below what it needs, returns 1 when that is missing, and says why in
# HW_WHY.  Nothing is downloaded here: `make check-hw` (tests/hw/setup) does that.
#
# Every machine runs with -icount: its clock counts instructions, so that frequencies are exact,
# and so are the instructions that a program counts of itself.  The kernel's share is not: on a
# busy host the emulated devices answer elsewhere in it.
#
# Set in front of a call: HW_ICOUNT='shift=0,sleep=off' changes that, HW_ICOUNT=none turns it
# off.  HW_QEMU: more options for qemu; HW_APPEND: more words for the kernel's command line;
# HW_TIMEOUT: seconds (120).
HW_CACHE=${PAWL_HW_CACHE:-$HOME/.cache/pawl/hw}
HW_WHY=

# hw_need PROGRAM...: the programs are there
hw_need() {
	HW_WHY=
	for hw_program; do
		command -v "$hw_program" >/dev/null 2>&1 || HW_WHY="$HW_WHY $hw_program"
	done
	[ -n "$HW_WHY" ] || return 0
	HW_WHY="not installed:$HW_WHY; cure: make check-hw"
	return 1
}

# hw_kernel ARCH: prints the path of a Linux kernel
hw_kernel() {
	HW_WHY="no $1 kernel in $HW_CACHE; cure: make check-hw"
	[ -s "$HW_CACHE/$1/vmlinuz" ] && echo "$HW_CACHE/$1/vmlinuz"
}

# hw_cc ARCH: prints the compiler for static Linux programs of that processor, some words; ARCH
# may also be i386, for which the host's own compiler is asked first; clang with Debian's cross
# libraries where gcc-multilib keeps the cross gcc out
hw_cc() {
	if [ "$1" = i386 ] && printf '#include <errno.h>\nint main(void) { return errno; }\n' |
		${CC:-cc} -m32 -static -xc - -o "$T/hw.i386" 2>/dev/null; then
		echo "${CC:-cc} -m32"
		return
	fi
	case $1 in
	amd64) hw_triple=x86_64-linux-gnu ;;
	i386) hw_triple=i686-linux-gnu ;;
	arm64) hw_triple=aarch64-linux-gnu ;;
	*) hw_triple=$1-linux-gnu ;;
	esac
	hw_need "$hw_triple-gcc" && { echo "$hw_triple-gcc"; return; }
	hw_libraries=$(ls -d /usr/lib/gcc-cross/"$hw_triple"/[0-9]* 2>/dev/null | tail -n 1)
	[ -n "$hw_libraries" ] && [ -d "/usr/$hw_triple/include" ] &&
		command -v clang >/dev/null 2>&1 || return 1
	HW_WHY=
	echo "clang --target=$hw_triple -isystem /usr/$hw_triple/include -B$hw_libraries" \
		"-L$hw_libraries -B/usr/$hw_triple/lib -L/usr/$hw_triple/lib"
}

hw_qemu() {
	case $1 in
	amd64) echo qemu-system-x86_64 ;;
	arm64) echo qemu-system-aarch64 ;;
	*) echo "qemu-system-$1" ;;
	esac
}

# hw_ready ARCH: kernel, compiler and emulator are there
hw_ready() {
	hw_kernel "$1" >/dev/null && hw_cc "$1" >/dev/null && hw_need "$(hw_qemu "$1")" cpio gzip
}

# hw_or_skip NAME ARCH...: ends the script with a skip unless all of them are ready
hw_or_skip() {
	hw_name=$1
	shift
	for hw_arch; do
		hw_ready "$hw_arch" || { skip "$hw_name" "$HW_WHY"; exit 0; }
	done
}

# hw_build ARCH OUT SOURCE...: a static program
hw_build() {
	hw_compiler=$(hw_cc "$1") || { hw_cc "$1" || return 1; }
	hw_out=$2
	shift 2
	# shellcheck disable=SC2086  # several words on purpose
	$hw_compiler -std=gnu11 -O2 -static -I"$ROOT" -I"$ROOT/include" -o "$hw_out" "$@" -lm -lpthread
}

# hw_make NAME WORD...: make with those variables and targets; NAME is the mode, build/hw-NAME the
# folder.  It is kept for the next time, and one make at a time works in it: scripts share it.
hw_make() {
	hw_mode=hw-$1
	shift
	(unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS &&
		cd "$ROOT" && mkdir -p "build/$hw_mode" &&
		flock "build/$hw_mode/lock" make -s --no-print-directory MODE="$hw_mode" \
			CFLAGS=-O2 "$@" >&2)
}

# hw_pawl ARCH OUT SOURCE...: a static program with the harness of that processor linked in;
# the library is built by the Makefile in build/hw-ARCH
hw_pawl() {
	hw_compiler=$(hw_cc "$1") || { hw_cc "$1" || return 1; }
	hw_arch=$1 hw_out=$2
	shift 2
	hw_make "$hw_arch" CC="$hw_compiler" AR=ar "build/hw-$hw_arch/libpawl.a" &&
		hw_build "$hw_arch" "$hw_out" "$@" "$ROOT/build/hw-$hw_arch/libpawl.a"
}

# What a kernel does at its start that costs the emulator a third of the time and that no test
# needs: trials of its ciphers, certificates, tables of what could be traced.
hw_spared=cryptomgr.notests
hw_spared=$hw_spared\ initcall_blacklist=load_system_certificate_list,jent_mod_init
hw_spared=$hw_spared,crypto_kdf108_init,init_kprobe_trace,init_blk_tracer,cubictcp_register
hw_spared=$hw_spared,bpf_tcp_ca_kfunc_init,bpf_dummy_struct_ops_init

# hw_boot ARCH INITRD-FOLDER: boots the kernel with that folder, in which /init is the first
# process, and prints the console until the machine is powered off.  Status 124: it hung.
hw_boot() {
	hw_image=$(hw_kernel "$1") || { hw_kernel "$1" || return 1; } # again, to have HW_WHY
	mkdir -p "$2/proc" "$2/sys" "$2/dev" "$2/tmp"
	# The same image for the same files: the kernel's work, and so its time, depends on it.
	(cd "$2" && find . -exec touch -h -d @0 {} + && find . | LC_ALL=C sort |
		cpio -o -H newc --reproducible --quiet | gzip -1n) >"$T/hw.cpio.gz"
	hw_words="$(hw_qemu "$1") -m 256 -nographic -nic none -no-reboot -seed 1"
	hw_words="$hw_words -rtc base=2025-01-01T00:00:00,clock=vm"
	case $1 in
	arm64)
		hw_words="$hw_words -machine virt,dtb-randomness=off -cpu cortex-a57"
		hw_console=ttyAMA0
		;;
	riscv64)
		hw_words="$hw_words -machine virt -cpu rv64,sscofpmf=on"
		hw_console=ttyS0
		;;
	amd64)
		hw_words="$hw_words -machine pc"
		hw_console=ttyS0
		;;
	esac
	[ "${HW_ICOUNT:-}" = none ] ||
		hw_words="$hw_words -icount ${HW_ICOUNT:-shift=3,sleep=off}"
	# shellcheck disable=SC2086  # several words on purpose
	timeout -k 5 "${HW_TIMEOUT:-120}" $hw_words ${HW_QEMU:-} -kernel "$hw_image" \
		-initrd "$T/hw.cpio.gz" \
		-append "console=$hw_console quiet panic=-1 nokaslr $hw_spared ${HW_APPEND:-}" \
		</dev/null >"$T/hw.console" 2>&1
	hw_status=$?
	tr -d '\r' <"$T/hw.console"
	return $hw_status
}

# hw_init ARCH INIT: boots with that static program as /init; it mounts what it needs and
# powers off itself
hw_init() {
	rm -rf "$T/hw.root"
	mkdir -p "$T/hw.root"
	cp "$2" "$T/hw.root/init"
	hw_boot "$1" "$T/hw.root"
}

# hw_run ARCH PROGRAM ARGUMENTS...: boots, runs the static program once for each ARGUMENTS
# (one string, words separated by blanks) and prints the console; before each run stands
# "=== COMMAND", behind it "=== exit N", at the end "=== end".  'nobody: ARGUMENTS' runs it
# without privileges, 'write: FILE TEXT' writes a file (see tests/hw/init.c).
hw_run() {
	hw_arch=$1
	rm -rf "$T/hw.root"
	mkdir -p "$T/hw.root"
	cp "$2" "$T/hw.root/program"
	shift 2
	[ -x "$T/hw.init.$hw_arch" ] ||
		hw_build "$hw_arch" "$T/hw.init.$hw_arch" "$ROOT/tests/hw/init.c" || return 1
	cp "$T/hw.init.$hw_arch" "$T/hw.root/init"
	for hw_line; do
		case $hw_line in
		'nobody: '*) echo "nobody /program ${hw_line#nobody: }" ;;
		'write: '*) echo "write ${hw_line#write: }" ;;
		*) echo "/program $hw_line" ;;
		esac
	done >"$T/hw.root/commands"
	hw_boot "$hw_arch" "$T/hw.root"
}

# hw_bare OUT COMPILER OPTIONS...: the program of tests/hw/bare for a board without operating
# system; linked with nothing but the compiler's own library
hw_bare() {
	hw_out=$1
	shift
	"$@" -I"$ROOT" -I"$ROOT/include" -ffreestanding -nostdlib -Wall -Wextra -Wpedantic -Werror \
		"$ROOT/tests/hw/bare/bench.c" -o "$hw_out" -lgcc
}

# hw_member NAME EXPRESSION: of the record line of that name in $T/console, d = the object
hw_member() {
	grep -F "\"name\":\"$1\"" "$T/console" >"$T/hw.line" && json "$T/hw.line" "$2"
}
