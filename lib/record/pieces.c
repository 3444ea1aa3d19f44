#include "lib/record/pieces.h"

#include "lib/base/banned.h"

void pieces_release(struct pieces *p)
{
	buf_release(&p->rest);
	p->element.p = p->element.end = NULL;
}

bool pieces_next(struct pieces *p, const char **out, size_t *out_n)
{
	struct scan *s = &p->element;

	if (!s->p || scan_at(s, ']'))
		return false;
	*out = s->p;
	scan_skip_value(s);
	*out_n = s->p ? (size_t)(s->p - *out) : 0;
	if (scan_at(s, ']'))
		return true;
	scan_expect(s, ',');
	if (scan_at(s, ']')) /* a comma behind the last one */
		s->p = NULL;
	return s->p != NULL;
}

bool pieces_open(const char *json, size_t n, const char *key, struct pieces *out)
{
	struct pieces made = PIECES_INIT;
	struct scan s = { json, json + n }, first;
	const char *element;
	size_t len;

	if (!scan_enter_member(&s, key))
		return false;
	scan_expect(&s, '[');
	first = s;
	made.element = s;
	while (pieces_next(&made, &element, &len))
		;
	if (!made.element.p)
		return false;
	buf_add(&made.rest, json, (size_t)(first.p - json));
	buf_add(&made.rest, made.element.p, (size_t)(s.end - made.element.p));
	made.element = first;
	if (buf_check(&made.rest, NULL)) {
		pieces_release(&made);
		return false;
	}
	*out = made;
	return true;
}
