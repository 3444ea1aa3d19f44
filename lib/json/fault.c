/* What ends the reading, and where. */
#include "lib/json/local.h"

#include "lib/base/banned.h"

bool pull_fault(struct pull *s, const char *what)
{
	const char *p, *line = s->json, *end = s->p;
	size_t n_lines = 1, column = 0;

	s->failed = true;
	for (p = line; p < end; p++)
		if (*p == '\n') {
			line = p + 1;
			n_lines++;
		}
	/* Bytes that go on with a character are none of their own. */
	for (p = line; p < end; p++)
		column += ((unsigned char)*p & 0xc0) != 0x80;
	err_set(s->err, ERR_SYNTAX, "not JSON: line %zu, column %zu: %s", n_lines, column, what);
	return false;
}

bool pull_unexpected(struct pull *s, const char *wanted)
{
	return pull_fault(s, s->p == s->end ? "the document ends too early" : wanted);
}

bool pull_no_memory(struct pull *s)
{
	s->failed = true;
	err_nomem(s->err);
	return false;
}

bool pull_too_many(struct pull *s)
{
	static const char what[] = "holds more values than are accepted in one piece";

	s->failed = true;
	if (s->within)
		err_set(s->err, ERR_LIMIT, "%s[%zu]: %s", s->within, s->element, what);
	else
		err_set(s->err, ERR_LIMIT, "document: %s", what);
	return false;
}
