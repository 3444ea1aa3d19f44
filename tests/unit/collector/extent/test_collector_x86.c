/* Lengths and fields of instructions: objdump 2.40 gave them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/extent/x86.h"

#include "lib/base/banned.h"

struct known {
	const char *bytes; /* with what follows */
	size_t n, length;
	size_t shift_at, shift_n, value_at, value_n;
	enum { PLAIN, JUMP, NEAR, NOTHING } kind;
};

#define BYTES(text) text, sizeof(text) - 1

static const struct known known[] = {
	{ BYTES("\xc3"), 1, 0, 0, 1, 0, PLAIN },	     /* ret */
	{ BYTES("\x90"), 1, 0, 0, 1, 0, NOTHING },	     /* nop */
	{ BYTES("\xcc"), 1, 0, 0, 1, 0, NOTHING },	     /* int3 */
	{ BYTES("\xf3\x0f\x1e\xfa"), 4, 4, 0, 4, 0, PLAIN }, /* endbr64 */
	{ BYTES("\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"), 10, 6, 4, 10, 0, NOTHING },
	{ BYTES("\xe8\x10\x00\x00\x00"), 5, 0, 0, 1, 4, JUMP },	    /* call */
	{ BYTES("\xeb\xfe"), 2, 0, 0, 1, 1, JUMP },		    /* jmp */
	{ BYTES("\x74\x05"), 2, 0, 0, 1, 1, JUMP },		    /* je */
	{ BYTES("\x0f\x85\x10\x00\x00\x00"), 6, 0, 0, 2, 4, JUMP }, /* jne */
	{ BYTES("\x66\x66\x48\xe8\x00\x00\x00\x00"), 8, 0, 0, 4, 4, JUMP },
	{ BYTES("\x48\x8d\x3d\x10\x00\x00\x00"), 7, 3, 4, 7, 0, NEAR }, /* lea */
	{ BYTES("\x83\x3d\x10\x00\x00\x00\x05"), 7, 2, 4, 6, 1, NEAR }, /* cmpl $5 */
	{ BYTES("\xc7\x05\x10\x00\x00\x00\x01\x00\x00\x00"), 10, 2, 4, 6, 4, NEAR },
	{ BYTES("\x66\xc7\x05\x10\x00\x00\x00\x01\x00"), 9, 3, 4, 7, 2, NEAR },
	{ BYTES("\x8b\x84\x24\x10\x01\x00\x00"), 7, 3, 4, 7, 0, PLAIN }, /* mov 0x110(%rsp),%eax */
	{ BYTES("\x8b\x44\x24\x08"), 4, 3, 1, 4, 0, PLAIN },
	{ BYTES("\x8b\x04\x85\x00\x00\x00\x00"), 7, 3, 4, 7, 0, PLAIN }, /* no base: an address */
	{ BYTES("\x48\xb8\x01\x02\x03\x04\x05\x06\x07\x08"), 10, 0, 0, 2, 8, PLAIN }, /* movabs */
	{ BYTES("\xb8\x01\x00\x00\x00"), 5, 0, 0, 1, 4, PLAIN },
	{ BYTES("\xf7\xc7\x01\x00\x00\x00"), 6, 2, 0, 2, 4, PLAIN }, /* test $1,%edi */
	{ BYTES("\xf7\xd8"), 2, 2, 0, 2, 0, PLAIN },		     /* neg */
	{ BYTES("\x66\x0f\x3a\x0f\xc1\x08"), 6, 5, 0, 5, 1, PLAIN }, /* palignr */
	{ BYTES("\xc5\xf8\x77"), 3, 0, 0, 3, 0, PLAIN },	     /* vzeroupper */
	{ BYTES("\xc4\xe3\x79\x0f\xc1\x08"), 6, 5, 0, 5, 1, PLAIN }, /* vpalignr */
	{ BYTES("\x62\xf1\x7c\x48\x10\x05\x10\x00\x00\x00"), 10, 6, 4, 10, 0, NEAR },
	{ BYTES("\xc8\x10\x00\x01"), 4, 0, 0, 1, 3, PLAIN }, /* enter */
};

static void lengths_and_fields_are_those_of_objdump(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct known *k = &known[i];
		struct x86 x;

		if (!x86_read((const unsigned char *)k->bytes, k->n, &x))
			fail_msg("%zu cannot be read", i);
		if (x.length != k->length || x.shift_n != k->shift_n || x.value_n != k->value_n ||
		    (x.shift_n && x.shift_at != k->shift_at) ||
		    (x.value_n && x.value_at != k->value_at) || x.is_jump != (k->kind == JUMP) ||
		    x.is_near != (k->kind == NEAR) || x.is_nothing != (k->kind == NOTHING))
			fail_msg("%zu: %zu bytes, %zu+%zu, %zu+%zu, %d%d%d", i, x.length,
				 x.shift_at, x.shift_n, x.value_at, x.value_n, x.is_jump, x.is_near,
				 x.is_nothing);
	}
}

static void what_is_cut_off_is_refused(void **state)
{
	size_t i, n;
	struct x86 x;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (n = 0; n < known[i].n; n++)
			assert_false(x86_read((const unsigned char *)known[i].bytes, n, &x));
}

static void what_is_not_known_is_refused(void **state)
{
	static const char *const bytes[] = {
		"\x06",			    /* push %es, not in this mode */
		"\x0f\x0f\xc1\x9e",	    /* 3DNow! */
		"\x66\xe8\x01\x02\x03\x04", /* a call of two bytes, or of four */
		"\x8f\xe8\x78\xa2\xc1\x10", /* XOP */
		"\xc4\xe0\x79\x0f\xc1\x08", /* a map that is none */
		"\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90",
	};
	unsigned char one[32];
	struct x86 x;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		memset(one, 0x90, sizeof(one));
		memcpy(one, bytes[i], strlen(bytes[i]));
		if (x86_read(one, sizeof(one), &x))
			fail_msg("%zu is read as %zu bytes", i, x.length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_and_fields_are_those_of_objdump),
		cmocka_unit_test(what_is_cut_off_is_refused),
		cmocka_unit_test(what_is_not_known_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
