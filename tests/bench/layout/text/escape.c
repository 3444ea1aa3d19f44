#include "text.h"

static const char *const names[] = { "lt", "gt", "amp", "quot" };
static const unsigned char marks[] = { '<', '>', '&', '"' };

void escape_mark(struct out *o, unsigned char c)
{
	const char *name;
	unsigned i;

	for (i = 0; i < sizeof(marks); i++) {
		if (c != marks[i])
			continue;
		out_byte(o, '&');
		for (name = names[i]; *name; name++)
			out_byte(o, (unsigned char)*name);
		out_byte(o, ';');
		return;
	}
	out_byte(o, c);
}

void escape_put(struct out *o, const unsigned char *at, size_t n)
{
	while (n--)
		out_byte(o, *at++);
}
