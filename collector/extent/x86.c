#include "collector/extent/x86.h"

#include <string.h>

#include "lib/base/banned.h"

#define LONGEST 15 /* bytes; the processor refuses more */

/* What stands behind an opcode; I_: an immediate of so many bytes, M: registers and memory. */
enum {
	M = 1,
	I_BYTE = 2,
	I_TWO = 4,
	I_OPERAND = 8, /* two bytes where the operands have two, else four */
	I_WHOLE = 16,  /* as those, and eight where the operands have eight */
	JUMP = 32,     /* the immediate is a distance; I_OPERAND: four bytes */
	GROUP = 64,    /* an immediate, where the register's field is 0 or 1 */
	NO = 128
};

struct reader {
	const unsigned char *p;
	size_t n, at;
	bool two, wide, failed; /* operands of two bytes, of eight */
	bool is_vector;		/* VEX or EVEX */
	unsigned map;		/* 0: opcodes of one byte */
};

static unsigned char take(struct reader *r)
{
	if (r->at < r->n)
		return r->p[r->at++];
	r->failed = true;
	return 0;
}

static unsigned char peek(const struct reader *r)
{
	return r->at < r->n ? r->p[r->at] : 0;
}

static bool is_in(unsigned char c, const char *list, size_t n)
{
	return memchr(list, c, n) != NULL;
}

#define IS_IN(c, list) is_in(c, list, sizeof(list) - 1)

/* Opcodes of one byte, from 0x80 on. */
static int shape_high(unsigned char op)
{
	if (IS_IN(op, "\x82\x9a\xce\xd4\xd5\xd6\xea"))
		return NO;
	if (IS_IN(op, "\x80\x83\xc0\xc1\xc6"))
		return M | I_BYTE;
	if (op == 0x81 || op == 0xc7)
		return M | I_OPERAND;
	if (op <= 0x8f || (op >= 0xd0 && op <= 0xd3) || (op >= 0xd8 && op <= 0xdf) || op >= 0xfe)
		return M;
	if (op >= 0xa0 && op <= 0xa3) /* an address of eight bytes */
		return NO;
	if (op == 0xa8 || (op >= 0xb0 && op <= 0xb7) || op == 0xcd || (op >= 0xe4 && op <= 0xe7))
		return I_BYTE;
	if (op == 0xa9)
		return I_OPERAND;
	if (op >= 0xb8 && op <= 0xbf)
		return I_WHOLE;
	if (op == 0xc2 || op == 0xca)
		return I_TWO;
	if (op == 0xc8)
		return I_TWO | I_BYTE;
	if (op == 0xe8 || op == 0xe9)
		return JUMP | I_OPERAND;
	if (op == 0xeb || (op >= 0xe0 && op <= 0xe3))
		return JUMP | I_BYTE;
	if (op == 0xf6 || op == 0xf7)
		return M | GROUP;
	return 0;
}

static int shape_one(unsigned char op)
{
	if (op >= 0x80)
		return shape_high(op);
	if (op < 0x40)
		return (op & 7) < 4 ? M : (op & 7) == 4 ? I_BYTE : (op & 7) == 5 ? I_OPERAND : NO;
	if (op < 0x60)
		return op < 0x50 ? NO : 0;
	if (op >= 0x70)
		return JUMP | I_BYTE;
	switch (op) {
	case 0x63:
		return M;
	case 0x68:
		return I_OPERAND;
	case 0x69:
		return M | I_OPERAND;
	case 0x6a:
		return I_BYTE;
	case 0x6b:
		return M | I_BYTE;
	default:
		return op >= 0x6c ? 0 : NO;
	}
}

/* Opcodes behind 0f. */
static int shape_two(unsigned char op, bool is_vector)
{
	if (IS_IN(op, "\x70\x71\x72\x73\xc2\xc4\xc5\xc6"))
		return M | I_BYTE;
	if (op == 0x77)
		return 0;
	if (is_vector)
		return M;
	if (IS_IN(op, "\xa4\xac\xba"))
		return M | I_BYTE;
	if (op >= 0x80 && op <= 0x8f)
		return JUMP | I_OPERAND;
	if (IS_IN(op, "\x05\x06\x08\x09\x0b\x0e\xa0\xa1\xa2\xa8\xa9\xaa") ||
	    (op >= 0x30 && op <= 0x35) || (op >= 0xc8 && op <= 0xcf))
		return 0;
	if (IS_IN(op, "\x04\x07\x0a\x0c\x0f\x36\x37\x78\x79\x7a\x7b\xa6\xa7") ||
	    (op >= 0x24 && op <= 0x27) || (op >= 0x38 && op <= 0x3f))
		return NO;
	return M;
}

static int shape_of(const struct reader *r, unsigned char op)
{
	switch (r->map) {
	case 0:
		return shape_one(op);
	case 1:
		return op == 0 && !r->is_vector ? M : shape_two(op, r->is_vector);
	case 2:
	case 5:
	case 6:
		return M;
	case 3:
		return M | I_BYTE;
	default:
		return NO;
	}
}

/* Prefixes, and those that carry the map of the opcode. */
static void read_prefixes(struct reader *r)
{
	unsigned char c;

	while (IS_IN(peek(r), "\x66\x67\xf2\xf3\xf0\x2e\x36\x3e\x26\x64\x65") && r->at < r->n)
		r->two = take(r) == 0x66 || r->two;
	if ((peek(r) & 0xf0) == 0x40)
		r->wide = take(r) & 8;
	c = peek(r);
	if (c == 0xc5 || c == 0xc4 || c == 0x62) {
		r->is_vector = true;
		take(r);
		r->map = c == 0xc5 ? 1 : take(r) & (c == 0xc4 ? 31 : 7);
		take(r);
		if (c == 0x62)
			take(r);
		r->failed = r->failed || !r->map;
		r->two = false;
	} else if (c == 0x0f) {
		take(r);
		r->map = 1;
		if (peek(r) == 0x38 || peek(r) == 0x3a)
			r->map = take(r) == 0x38 ? 2 : 3;
	}
}

/* Registers and memory; the register's field. */
static unsigned read_operands(struct reader *r, struct x86 *out)
{
	unsigned char modrm = take(r), sib = 0;
	unsigned mode = modrm >> 6, where = modrm & 7;

	if (mode < 3 && where == 4)
		sib = take(r);
	out->is_near = mode == 0 && where == 5;
	if (mode == 1)
		out->shift_n = 1;
	else if (mode == 2 || out->is_near || (mode == 0 && where == 4 && (sib & 7) == 5))
		out->shift_n = 4;
	out->shift_at = r->at;
	r->at += out->shift_n;
	return (modrm >> 3) & 7;
}

static size_t value_bytes(const struct reader *r, int shape, unsigned field, unsigned char op)
{
	size_t operand = r->two && !r->wide ? 2 : 4;

	if (shape & GROUP)
		return field > 1 ? 0 : op == 0xf6 ? 1 : operand;
	if (shape & JUMP)
		return shape & I_BYTE ? 1 : 4;
	return ((shape & I_BYTE) ? 1u : 0u) + ((shape & I_TWO) ? 2u : 0u) +
	       ((shape & I_OPERAND) ? operand : 0u) +
	       ((shape & I_WHOLE) ? (r->wide ? 8u : operand) : 0u);
}

bool x86_read(const unsigned char *bytes, size_t n, struct x86 *out)
{
	struct reader r = { .p = bytes, .n = n < LONGEST ? n : LONGEST };
	unsigned field = 0;
	unsigned char op;
	int shape;

	memset(out, 0, sizeof(*out));
	read_prefixes(&r);
	op = take(&r);
	shape = shape_of(&r, op);
	/* A jump of two bytes, on some processors. */
	if (r.failed || (shape & NO) || ((shape & JUMP) && r.two && !r.wide))
		return false;
	if (shape & M)
		field = read_operands(&r, out);
	if (!r.map && op == 0x8f && field) /* AMD's XOP */
		return false;
	out->value_at = r.at;
	out->value_n = value_bytes(&r, shape, field, op);
	out->is_jump = shape & JUMP;
	out->is_nothing = (!r.map && (op == 0x90 || op == 0xcc)) ||
			  (r.map == 1 && !r.is_vector && op == 0x1f);
	out->length = r.at + out->value_n;
	return !r.failed && out->length <= r.n;
}
