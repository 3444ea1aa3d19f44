#include "text.h"

static int is_letter(unsigned char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static int is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

void scan_next(const unsigned char **at, const unsigned char *end, struct token *out)
{
	const unsigned char *p = *at;

	out->at = p;
	if (p == end) {
		out->kind = KIND_END;
	} else if (is_letter(*p)) {
		while (p < end && is_letter(*p))
			p++;
		out->kind = KIND_WORD;
	} else if (is_digit(*p)) {
		while (p < end && is_digit(*p))
			p++;
		out->kind = KIND_NUMBER;
	} else {
		out->kind = *p == ' ' ? KIND_BLANK : KIND_MARK;
		p++;
	}
	out->n = (size_t)(p - out->at);
	*at = p;
}
