# pawl_bare.h in every language and compiler that is there: warning-free, freestanding and hosted,
# and in need of nothing but what the compiler brings along.
. "$(dirname "$0")/../../lib.sh"

cat >"$T/use.c" <<'END'
#include "pawl_bare.h"
extern int use(void);
static int run(void *ctx, uint32_t n)
{
	volatile int *p = (volatile int *)ctx;
	while (n--)
		*p = *p + 1;
	return 0;
}
static uint64_t read_own(const struct pawl_bare_counter *c)
{
	return *(volatile uint16_t *)c->address;
}
int use(void)
{
	static int v;
	static char text[700];
	struct pawl_bare_counter c, d;
	struct pawl_bare_result r;
	static const struct pawl_bare_plan plan = { 0, 0, 0, 1 };
	pawl_bare_by(&d, read_own, 16, 1, 0);
	pawl_bare_mtime(&d, 0x200bff8u, 1000);
	pawl_bare_systick(&c, 25000000);
	pawl_bare_dwt(&c, 25000000);
	pawl_bare_mapped(&c, 0x40001024u, 24, 1, 0);
	c.guard = &d;
	pawl_bare_open(&c);
	pawl_bare_calibrate(&c, &d, 1000);
	pawl_bare_run(&c, &plan, run, &v, &r);
	return (int)pawl_bare_text(text, sizeof(text), "x", &c, &r);
}
END
cp "$T/use.c" "$T/use.cc"

# compiles NAME SOURCE COMPILER OPTIONS...
compiles() {
	what=$1
	from=$2
	shift 2
	command -v "$1" >/dev/null || { skip "pawl_bare.h $what" "$1 is not installed"; return 1; }
	check "pawl_bare.h $what" "$@" -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wconversion \
		-Wno-sign-conversion -Wdouble-promotion -Werror -I"$ROOT/include" -c "$T/$from" \
		-o "$T/use.o"
}

# As c99 below.
compiles 'as c17 with gcc' use.c gcc -std=c17 -O2 -ffreestanding
[ -z "${PAWL_TEST_SLOW:-}" ] || compiles 'as c17 with clang' use.c clang -std=c17 -O2 -ffreestanding
# The newest by one compiler and the oldest by the other; in the long tests both by both.
compiles 'as c++20 with g++' use.cc g++ -std=c++20 -O2 -ffreestanding
compiles 'as c++11 with clang++' use.cc clang++ -std=c++11 -O2 -ffreestanding
levels=-O2
if [ -n "${PAWL_TEST_SLOW:-}" ]; then
	compiles 'as c++11 with g++' use.cc g++ -std=c++11 -O2 -ffreestanding
	compiles 'as c++20 with clang++' use.cc clang++ -std=c++20 -O2 -ffreestanding
	levels='-O0 -Os -O2 -O3'
fi
compiles 'hosted' use.c gcc -std=c11 -O2
for level in $levels; do
	for compiler in gcc clang; do
		compiles "with $compiler $level" use.c $compiler -std=c99 $level -ffreestanding \
			-fno-pic -fno-stack-protector || continue
		is "which then needs no library" "$(nm -u "$T/use.o")" ''
	done
done
if compiles 'for a Cortex-M0' use.c arm-none-eabi-gcc -std=c99 -Os -ffreestanding -mcpu=cortex-m0; then
	is 'which needs only the run-time functions of the ABI' \
		"$(arm-none-eabi-nm -u "$T/use.o" | grep -v ' __aeabi_\| __gnu_thumb1')" ''
fi
if compiles 'for RISC-V, 32 bits' use.c riscv64-unknown-elf-gcc -std=c99 -Os -ffreestanding \
	-march=rv32imac -mabi=ilp32; then
	is 'which needs only functions of libgcc' \
		"$(riscv64-unknown-elf-nm -u "$T/use.o" | grep -v ' __')" ''
fi
