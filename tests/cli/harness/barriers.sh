# pawl_keep, pawl_hide and pawl_clobber by what the compilers make of them: disassembled, with the
# same code without the barriers as control, in which the work must be gone.
. "$(dirname "$0")/../../lib.sh"

cat >"$T/work.c" <<'END'
#include "pawl.h"
#ifdef CONTROL /* the same without barriers */
#define KEEP(v) ((void)(v))
#define KEEP_OBJ(o) ((void)(o))
#define HIDE(v) (v)
#define CLOBBER() ((void)0)
#else
#define KEEP(v) pawl_keep(v)
#define KEEP_OBJ(o) pawl_keep_obj(o)
#define HIDE(v) pawl_hide(v)
#define CLOBBER() pawl_clobber()
#endif
#ifdef __cplusplus
template <typename T> static void of_template(const T *x, int n)
{
	for (int i = 0; i < n; i++)
		KEEP(x[i] * x[i]);
}
extern "C" {
void template_long(const long *x, int n) { of_template(x, n); }
void template_double(const double *x, int n) { of_template(x, n); }
#else
#include <stdbool.h>
#endif

#define WORK(name, type, value) \
	void keep_##name(const type *x, int n); \
	void keep_##name(const type *x, int n) \
	{ \
		for (int i = 0; i < n; i++) \
			KEEP(value); \
	}
#define SQUARE(name, type) WORK(name, type, (type)(x[i] * x[i]))
SQUARE(int, int)
SQUARE(unsigned, unsigned)
SQUARE(long, long)
SQUARE(unsigned_long, unsigned long)
SQUARE(long_long, long long)
SQUARE(unsigned_long_long, unsigned long long)
SQUARE(char, char)
SQUARE(signed_char, signed char)
SQUARE(unsigned_char, unsigned char)
SQUARE(short, short)
SQUARE(unsigned_short, unsigned short)
SQUARE(float, float)
SQUARE(double, double)
SQUARE(long_double, long double)
WORK(bool, int, (bool)(x[i] * x[i] == 49))

/* What a pointer points to is used, be it somebody else's or nobody's. */
void keep_pointer(int *p, int n);
void keep_pointer(int *p, int n)
{
	for (int i = 0; i < n; i++) {
		p[1] = i * i;
		KEEP(p);
	}
}
void keep_local(int n);
void keep_local(int n)
{
	for (int i = 0; i < n; i++) {
		int local[2];
		local[1] = i * i;
		KEEP((const int *)local);
	}
}
struct pair {
	int a;
	char b[24];
};
void keep_object(const struct pair *p, int n);
void keep_object(const struct pair *p, int n)
{
	for (int i = 0; i < n; i++) {
		struct pair pair = *p;
		pair.a *= i;
		KEEP_OBJ(pair);
	}
}
void keep_array(int n);
void keep_array(int n)
{
	for (int i = 0; i < n; i++) {
		int array[4] = { i * i, 1, 2, 3 };
		KEEP_OBJ(array);
	}
}

/* What a barrier for general registers, or for memory, makes of a double. */
void move_general(const double *x, int n);
void move_general(const double *x, int n)
{
	for (int i = 0; i < n; i++)
		__asm__ __volatile__("" : : "r"(x[i] * x[i]));
}
void move_memory(const double *x, int n);
void move_memory(const double *x, int n)
{
	for (int i = 0; i < n; i++) {
		double square = x[i] * x[i];
		__asm__ __volatile__("" : : "m"(square));
	}
}

int hide_constant(void);
int hide_constant(void)
{
	int six = HIDE(6);
	return six * 7;
}
double hide_invariant(double x, int n);
double hide_invariant(double x, int n)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += HIDE(x) / 3;
	return sum;
}
long hide_long(long x, int n);
long hide_long(long x, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		long y = HIDE(x);
		sum ^= y * y;
	}
	return sum;
}
long hide_pointer(const long *p, int n);
long hide_pointer(const long *p, int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		const long *q = HIDE(p);
		sum ^= *q * *q;
	}
	return sum;
}

extern int everybodys;
void clobber_store(int n);
void clobber_store(int n)
{
	for (int i = 0; i < n; i++) {
		everybodys = i * i;
		CLOBBER();
	}
}
#ifdef __cplusplus
}
#endif
END

# in_loop PATTERN FUNCTION...: those of which it holds
in_loop() {
	pattern=$1
	shift
	answered "$T/$way.dump" "loops.py:in_loop(d, r'$pattern', '$*')" 2>&1
}

# all_in_loop NAME PATTERN FUNCTION..., and none_in_loop
all_in_loop() {
	name=$1 pattern=$2
	shift 2
	is "$name, $what" "$(in_loop "$pattern" "$@")" "$*"
}
none_in_loop() {
	name=$1 pattern=$2
	shift 2
	is "$name, $what" "$(in_loop "$pattern" "$@")" ""
}

# build WAY OPTION...: compiles and disassembles to WAY.dump
build() {
	way=$1
	shift
	check "the barriers compile, $what, $way" sh -c \
		'"$@" && objdump -d --no-show-raw-insn "$0.o" >"$0.dump"' "$T/$way" \
		$compiler "$standard" "$level" -Wall -Wextra -Werror "$@" -I"$ROOT/include" \
		-o "$T/$way.o" -c "$source"
}

numbers='keep_int keep_unsigned keep_long keep_unsigned_long keep_long_long
	keep_unsigned_long_long keep_char keep_signed_char keep_unsigned_char keep_short
	keep_unsigned_short keep_bool keep_float keep_double'
others='keep_long_double keep_pointer keep_local keep_object keep_array'

# knows_42 NAME COUNT: how often the constant 6 * 7 is in hide_constant
knows_42() {
	is "$1, $what" "$(sed -n '/<hide_constant>:/,/ret/p' "$T/$way.dump" | grep -c '\$0x2a')" "$2"
}

mul='mul' div='divsd' stack='\(%[er]sp' store='^mov +%e[a-z]+,.*\(%r(?!sp)'
# out of an xmm register into a general one or into memory
leaves='^v?mov(d|q|mskp.) +%xmm[0-9]+,%[er]|^v?mov(ss|sd|aps|ups|d|q) +%xmm[0-9]+,.*\('

examine() {
	hidden='hide_long hide_pointer'
	build barriers
	all_in_loop "what is kept is worked out in the loop" $mul $numbers $others $templates
	none_in_loop "no number that is kept goes through memory" "$stack" $numbers $templates
	none_in_loop "a float and a double stay in their registers" "$leaves" keep_float keep_double
	all_in_loop "... where another barrier moves them" "$leaves" move_general move_memory
	knows_42 "a hidden constant is not computed with beforehand" 0
	all_in_loop "a hidden number's division stays in the loop" $div hide_invariant
	all_in_loop "what depends on a hidden value stays in the loop" $mul $hidden
	all_in_loop "pawl_clobber has every store done" "$store" clobber_store

	build control -DCONTROL -Wno-unused
	none_in_loop "without a barrier the work is gone" $mul $numbers $others $templates $hidden
	knows_42 "... and the constant is known" 1
	none_in_loop "... and the division is done once" $div hide_invariant
	none_in_loop "... and the last store alone" "$store" clobber_store

	build plain -DPAWL_NO_ASM
	all_in_loop "without an assembler statement the work is there too" $mul $numbers $others \
		$templates $hidden
	all_in_loop "... and goes through memory" "$stack" $numbers $templates
	all_in_loop "... and so is every store" "$store" clobber_store
}

# The long tests look at both levels.
levels=-O2
[ -z "${PAWL_TEST_SLOW:-}" ] || levels='-O2 -O3'
for compiler in gcc clang g++ clang++; do
	if [ "$(uname -m)" != x86_64 ] || ! command -v objdump >/dev/null; then
		skip "what $compiler makes of the barriers" "needs objdump on x86-64"
		continue
	fi
	if ! command -v $compiler >/dev/null; then
		skip "what $compiler makes of the barriers" "$compiler is not installed"
		continue
	fi
	case $compiler in
	*++) source=$T/work.cc standard=-std=c++11 templates='template_long template_double' ;;
	*) source=$T/work.c standard=-std=c11 templates= ;;
	esac
	[ "$source" = "$T/work.c" ] || cp "$T/work.c" "$source"
	for level in $levels; do
		what="$compiler $level"
		examine
	done
done
