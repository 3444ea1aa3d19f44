/* What went wrong, and where; the array of values. */
#include <stdlib.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

int parser_fault(struct parser *s, const char *what)
{
	const char *p, *line = s->json, *end = s->p;
	size_t n_lines = 1, column = 0;

	for (p = line; p < end; p++)
		if (*p == '\n') {
			line = p + 1;
			n_lines++;
		}
	/* Bytes that go on with a character are none of their own. */
	for (p = line; p < end; p++)
		column += ((unsigned char)*p & 0xc0) != 0x80;
	err_set(s->err, ERR_SYNTAX, "not JSON: line %zu, column %zu: %s", n_lines, column, what);
	return s->within ? err_in(s->err, "%s[%zu]", s->within, s->element) : -1;
}

int parser_unexpected(struct parser *s, const char *wanted)
{
	if (s->p == s->end)
		return parser_fault(s, "the document ends too early");
	return parser_fault(s, wanted);
}

static int too_many(struct parser *s)
{
	static const char what[] = "holds more values than are accepted in one piece";

	if (s->within)
		return err_set(s->err, ERR_LIMIT, "%s[%zu]: %s", s->within, s->element, what);
	return err_set(s->err, ERR_LIMIT, "document: %s", what);
}

int parser_grow(struct parser *s)
{
	size_t cap = 2 * s->cap < s->max ? 2 * s->cap : s->max;
	struct jtree *v;

	if (s->n == s->max)
		return too_many(s);
	v = realloc(s->v, cap * sizeof(*v));
	if (!v)
		return err_nomem(s->err);
	s->v = v;
	s->cap = cap;
	return 0;
}
