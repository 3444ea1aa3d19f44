/* What went wrong, and where; the array of values. */
#include <stdlib.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

int parser_fault(struct parser *s, const char *what)
{
	const char *p, *line = s->json, *end = s->json + (s->p - s->start);
	size_t n_lines = 1, column = 0;

	for (p = line; p < end; p++)
		if (*p == '\n') {
			line = p + 1;
			n_lines++;
		}
	/* Bytes that go on with a character are none of their own. */
	for (p = line; p < end; p++)
		column += ((unsigned char)*p & 0xc0) != 0x80;
	return err_set(s->err, ERR_SYNTAX, "not JSON: line %zu, column %zu: %s", n_lines, column,
		       what);
}

int parser_unexpected(struct parser *s, const char *wanted)
{
	if (s->p == s->end)
		return parser_fault(s, "the document ends too early");
	return parser_fault(s, wanted);
}

struct jtree *parser_add(struct parser *s, enum jtree_kind kind)
{
	struct jtree *v;

	if (s->n == s->cap) {
		size_t cap = 2 * s->cap < s->max ? 2 * s->cap : s->max;

		if (s->n == s->max) {
			err_set(s->err, ERR_LIMIT,
				"document: holds more values than are accepted in one piece");
			return NULL;
		}
		v = realloc(s->v, cap * sizeof(*v));
		if (!v) {
			err_nomem(s->err);
			return NULL;
		}
		s->v = v;
		s->cap = cap;
	}
	v = &s->v[s->n++];
	v->kind = (uint8_t)kind;
	v->is_whole = false;
	v->n = 0;
	return v;
}
