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
		size_t span; /* values that an array or object takes, itself included */
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
	return v + (jtree_holds(v) ? v->is.span : 1);
}

/* A document while it is parsed. */
struct parser {
	const char *json;	 /* as it came: strings are undone in the copy */
	const char *start, *end; /* of the copy; a NUL stands at its end, and ends every loop */
	char *p;
	struct jtree *v;
	size_t n, cap, max; /* values */
	int depth, max_depth;
	struct err *err;
};

/* Records what is wrong at s->p, with its place.  Returns -1. */
int parser_fault(struct parser *s, const char *what);
/* The same, but at the end of the document that it ends too early. */
int parser_unexpected(struct parser *s, const char *wanted);

/* One more value; NULL with the fault recorded.  It may move all that were there. */
struct jtree *parser_add(struct parser *s, enum jtree_kind kind);

static inline bool parser_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* What begins at s->p becomes a value: 0, or -1 with the fault recorded. */
int parser_number(struct parser *s);
int parser_string(struct parser *s);

#endif
