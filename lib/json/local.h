/*
 * local - how a tree lies in memory, and what the parts of the parser share.
 */
#ifndef PAWL_JSON_LOCAL_H
#define PAWL_JSON_LOCAL_H

#include "lib/json/jtree.h"

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
			uint32_t keys; /* the bits of an object's keys: jtree_key_bit() */
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

/* Of a key that ends with NUL: an object whose keys lack the bit lacks the key. */
static inline uint32_t jtree_key_bit(const char *key, size_t n)
{
	return UINT32_C(1) << ((n + (unsigned char)key[0] + 3u * (unsigned char)key[n / 2]) & 31);
}

/* A document while it is parsed. */
struct parser {
	const char *json, *end, *p;
	char *text; /* of as many bytes: a string takes at most what it took in the document */
	char *to;   /* behind the last string */
	struct jtree *v;
	size_t n, cap, max; /* values */
	int depth, max_depth;
	const struct jtree_apart *apart; /* NULL: nothing is, or that is done */
	const char *within;		 /* the key whose elements are apart, while they are read */
	size_t element;			 /* number of it */
	struct err *err;
};

/* Records what is wrong at s->p, with its place.  Returns -1. */
int parser_fault(struct parser *s, const char *what);
/* The same, but at the end of the document that it ends too early. */
int parser_unexpected(struct parser *s, const char *wanted);

/* Makes room for one more value; -1 with the fault recorded.  It moves all that were there. */
int parser_grow(struct parser *s);

/* One more value; NULL with the fault recorded. */
static inline struct jtree *parser_add(struct parser *s, enum jtree_kind kind)
{
	struct jtree *v;

	if (s->n == s->cap && parser_grow(s))
		return NULL;
	v = &s->v[s->n++];
	v->n = 0;
	v->kind = (uint8_t)kind;
	v->is_whole = false;
	return v;
}

/* What is next; at the end NUL, which nothing begins with. */
static inline char parser_peek(const struct parser *s)
{
	return s->p < s->end ? *s->p : '\0';
}

static inline bool parser_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What begins at s->p becomes a value: 0, or -1 with the fault recorded. */
int parser_number(struct parser *s);
int parser_string(struct parser *s);

#endif
