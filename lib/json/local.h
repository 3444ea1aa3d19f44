/*
 * local - how a tree lies in memory, and what the parts of the parser share.
 */
#ifndef PAWL_JSON_LOCAL_H
#define PAWL_JSON_LOCAL_H

#include <string.h>

#include "lib/json/jtree.h"
#include "lib/json/pull.h"

/*
 * One value; those within it follow it at once, the key of a member as a string before its value.
 * The first one of all holds the text that the strings lie in, and is in front of the root.
 */
struct jtree {
	union {
		double number;
		int64_t whole;
		char *text;
		struct {
			uint32_t span; /* values that an array or object takes, itself included */
			uint32_t keys; /* the bits of an object's keys: pull_key_bit() */
		} in;
		bool truth;
	} is;
	uint32_t n;   /* bytes of a string, items or members of the others */
	uint8_t kind; /* enum jtree_kind */
	bool is_whole;
};

static inline bool jtree_holds(const struct jtree *v)
{
	return v->kind == JTREE_ARRAY || v->kind == JTREE_OBJECT;
}

/* Behind a value and all within it. */
static inline const struct jtree *jtree_behind(const struct jtree *v)
{
	return v + (jtree_holds(v) ? v->is.in.span : 1);
}

/* Of a key of n bytes: an object whose keys lack the bit lacks the key.  By how it begins: nobody
 * has to look for its end. */
static inline uint32_t pull_key_bit(const char *key, size_t n)
{
	unsigned sum = n ? (unsigned char)key[0] : 0;

	if (n > 1)
		sum += 3u * (unsigned char)key[1];
	if (n > 2)
		sum += 5u * (unsigned char)key[2];
	return UINT32_C(1) << (sum & 31);
}

/* Records what is wrong at s->p, with its place.  Returns false. */
bool pull_fault(struct pull *s, const char *what);
/* The same, but at the end of the document that it ends too early. */
bool pull_unexpected(struct pull *s, const char *wanted);

bool pull_no_memory(struct pull *s);
/* More values than are accepted.  Returns false. */
bool pull_too_many(struct pull *s);

/* Members that are compared each with each; more are sorted.  All that a benchmark may have. */
#define PULL_FEW_KEYS 40

/* The key that begins at s->p, kept among those of the innermost object: false with the fault
 * recorded, where one of them is the same, too. */
bool pull_take_key(struct pull *s, struct pull_text *out);

/* Of an object of more, all of which was read: whether no key is there twice. */
bool pull_check_keys(struct pull *s, const struct pull_frame *f);

/* What is next; at the end NUL, which nothing begins with. */
static inline char pull_peek(const struct pull *s)
{
	return s->p < s->end ? *s->p : '\0';
}

static inline bool pull_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Eight characters at once, the first one the lowest byte: where that is so, the loops that go
 * through one after the other are for what is left at the end.
 */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PULL_EIGHT true
#else
#define PULL_EIGHT false
#endif
#define PULL_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t pull_eight(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* Of eight characters, how many are in front of the first one whose high bit is set. */
static inline int pull_before(uint64_t marks)
{
	return marks ? __builtin_ctzll(marks) / 8 : 8;
}

/*
 * Which of eight characters end what is copied as it stands, as their high bits: '"', '\\', what is
 * no printable ASCII.  Behind the first of them others may be marked that do not.
 */
static inline uint64_t pull_mark_special(uint64_t x)
{
	uint64_t quote = x ^ PULL_EACH('"'), escape = x ^ PULL_EACH('\\');

	return ((quote - PULL_EACH(1)) | (escape - PULL_EACH(1)) | (x - PULL_EACH(' ')) | x |
		(x + PULL_EACH(1))) &
	       PULL_EACH(0x80);
}

/* What begins at s->p, read whole: false with the fault recorded. */
bool pull_read_number(struct pull *s, struct pull_number *out);
/* At s->to, which goes behind it. */
bool pull_read_string(struct pull *s, struct pull_text *out);

#endif
