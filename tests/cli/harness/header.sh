# pawl.h alone: every language it promises, by every compiler that is here; the barriers of every
# type; and the one-statement macros, run.
. "$(dirname "$0")/../../lib.sh"

cat >"$T/use.c" <<'END'
#include "pawl.h"
struct pair { int a; char b[9]; };
enum colour { RED, BLUE };
static int set_up(void *ctx)
{
	return ctx == NULL;
}
static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	int i = 1, *p = &i;
	const char *text = "x";
	double d = 2, array[4] = { 1, 2, 3, 4 };
	float f = 3;
	long double ld = 4;
	long long ll = 5;
	unsigned char c = 6;
	struct pair pair = { 1, { 0 } };
	void (*stop)(struct pawl_run *) = pawl_stop;
	(void)ctx;
	while (n--) {
		pawl_start(r);
		i = pawl_hide(i);
		for (int k = 0; k < 100000; k++) /* on a busy machine reading the clock is dear */
			d = pawl_hide(d);
		f = pawl_hide(f);
		ll = pawl_hide(ll);
		p = (int *)pawl_hide(p);
		text = (const char *)pawl_hide(text);
		pawl_keep(i + *p);
		pawl_keep(d * 2);
		pawl_keep(f);
		pawl_keep(ld);
		pawl_keep(ll);
		pawl_keep(c);
		pawl_keep(3UL);
		pawl_keep(n);
		pawl_keep(text);
		pawl_keep((int)BLUE);
		pawl_keep_obj(pair);
		pawl_keep_obj(array);
		pawl_clobber();
		pawl_stop(r);
		(pawl_start)(r); /* the call, where the header has it inlined */
		stop(r);
		if (i == 7)
			pawl_fail(r);
	}
	pawl_add(r, "sum", (double)pawl_arg(r));
	pawl_set(r, "last", pawl_thread(r));
}
int main(int argc, char **argv)
{
	static int64_t arg;
	const int64_t args[] = { 1, 2 };
	const struct pawl_bench list[] = { PAWL_BENCH("use", run),
					   PAWL_BENCH_FIXTURE("more", set_up, run, NULL, &arg),
					   { "all", 0, run, 0, 0, 1, 0, { args, 2, 0, 0, 0, 0 },
					     &arg, 2 } };
	double wall, cpu, ticks;
	if (argc == 99) {
		PAWL_TIME_WALL(wall, int k = 3, m = 4; pawl_keep(k + m));
		PAWL_TIME_CPU(cpu, pawl_clobber());
		PAWL_TIME_TICKS(ticks, pawl_clobber());
		return wall + cpu + ticks < 0;
	}
	/* The first alone: another stretch of nothing may take no time at all. */
	return pawl_main(argc, argv, list, argc > 50 ? sizeof(list) / sizeof(list[0]) : 1);
}
END
cat >"$T/keep.c" <<'END'
#include "pawl_keep.h"
int main(void)
{
	int six[2] = { 2, 3 };
	pawl_keep_obj(six);
	pawl_clobber();
#ifndef PAWL_C89
	return pawl_hide(six[0]) * pawl_hide(six[1]) != 6;
#else
	return six[0] * six[1] != 6;
#endif
}
END
# What a strict C89 compiler takes; a large statement is a thousand small ones.
cat >"$T/statements.c" <<'END'
#include "pawl.h"
#include <stdio.h>
static void work(int n)
{
	volatile int sum = 0;
	int i;
	for (i = 0; i < n; i++)
		sum = sum + i;
}
static int bad(const char *what, double a, double b)
{
	printf("%s: %g, %g\n", what, a, b);
	return 1;
}
static int measure(void)
{
	double small, large, cpu, ticks;
	int wrong = 0;
	PAWL_TIME_WALL(small, work(10));
	PAWL_TIME_WALL(large, work(10000));
	/* "continue" ends one execution, not the counting. */
	PAWL_TIME_CPU(cpu, work(10000); if (small > 0) continue);
	PAWL_TIME_TICKS(ticks, work(10000));
	if (!(small > 0 && large > 10 * small))
		wrong = bad("wall of small and large", small, large);
	if (!(cpu > 10 * small))
		wrong = bad("wall of small and CPU of large", small, cpu);
	if (!(ticks > 0 ? ticks > 10 : ticks == (int)ticks))
		wrong = bad("ticks, or an error number", ticks, 0);
	return wrong;
}
/* Who is not let run for long enough, once, takes a small statement for a large one. */
int main(void)
{
	int wrong = 1, tries;
	for (tries = 0; wrong && tries < 20; tries++)
		wrong = measure();
	return wrong;
}
END
for file in use keep statements; do cp "$T/$file.c" "$T/$file.cc"; done

strict='-Wall -Wextra -Wpedantic -Werror'
extra=$(libpawl_flags)

# compiles WHAT FILE COMPILER OPTION...: compiles and links it, to $T/program
compiles() {
	what=$1 file=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		skip "$what" "$1 is not installed"
		return 1
	fi
	check "$what" "$@" $strict -I"$ROOT/include" -o "$T/program" "$T/$file" "$BUILD/libpawl.a" \
		$extra
}

# every COMPILER LANGUAGE FILE OPTION...: at no optimisation (the newest alone, in the short run) and at some,
# with assembler statements and without; what is built last is run
every() {
	compiler=$1 language=$2 file=$3
	shift 3
	case $language$without_asm in
	*long | c89* | c17* | c++20*)
		compiles "$file $language, $compiler -O0" "$file" "$compiler" "$@" -O0 || return
		;;
	esac
	case $language$without_asm in
	*long | c89* | c17* | c++20*)
		compiles "$file $language, $compiler -DPAWL_NO_ASM" "$file" "$compiler" "$@" -O2 \
			-DPAWL_NO_ASM
		;;
	esac
	compiles "$file $language, $compiler -O2" "$file" "$compiler" "$@" -O2 || return
	case $file in
	use.*)
		runs 0 "... and what it builds runs" "$T/program" --min-time 1us --no-counters
		like "... and measures" "$T/out" '^use .*/s '
		;;
	keep.*) runs 0 "... and what it builds runs" "$T/program" ;;
	esac
}

# The newest by gcc, without assembler statements, too, and the oldest by clang; in the long tests all by both.
without_asm=
[ -z "${PAWL_TEST_SLOW:-}" ] || without_asm=long
# standards OLDEST BETWEEN NEWEST: those to look at with $compiler
standards() {
	case $without_asm$compiler in
	long*) echo "$*" ;;
	clang*) echo "$1" ;;
	*) echo "$3" ;;
	esac
}
for compiler in gcc clang; do
	every $compiler c89 keep.c -std=c89 -pedantic -DPAWL_C89
	for standard in $(standards c99 c11 c17); do
		every $compiler $standard keep.c -std=$standard
		every $compiler $standard use.c -std=$standard
	done
done
for compiler in g++ clang++; do
	for standard in $(standards c++11 c++17 c++20); do
		every $compiler $standard keep.cc -std=$standard
		every $compiler $standard use.cc -std=$standard
	done
done

# measures COMPILER FILE OPTION...: the macros' results are positive and in order; each takes half a second, so
# the short run looks at one compiler's
measured=
measures() {
	compiler=$1 file=$2
	shift 2
	compiles "the PAWL_TIME_ macros, $compiler $1" "$file" "$compiler" "$@" -O2 || return
	[ -z "$measured" ] || slow_only "... give times in order, $compiler $1" || return
	measured=yes
	check "... give times in order, $compiler $1" timeout 600 "$T/program"
}
measures gcc statements.c -std=c89 -pedantic -DPAWL_C89
measures gcc statements.c -std=c11 -DPAWL_NO_ASM
measures g++ statements.cc -std=c++11
measures clang++ statements.cc -std=c++20

# C89 has neither, so the header's own text must not either; a pedantic compiler takes system
# headers' words as they are.
sed '/#ifndef PAWL_C89/,/#endif \/\* PAWL_C89/d' "$ROOT/include/pawl_keep.h" >"$T/words"
cat "$ROOT/include/pawl.h" >>"$T/words"
sed '/!defined(PAWL_C89)/,$d' "$ROOT/include/pawl_region.h" >>"$T/words"
unlike "C89 sees no word that it does not know" "$T/words" '//|\binline\b|\blong long\b'
check "a C89 compiler refuses what is not C89" sh -c \
	'! "$@" 2>/dev/null' sh gcc -std=c89 -pedantic $strict -I"$ROOT/include" -c "$T/use.c" \
	-o "$T/use.o"
