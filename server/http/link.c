#include "server/http/link.h"

#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define CURSOR "cursor="

static void add_escaped(const char *text, size_t n, struct buf *out)
{
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c <= ' ' || c >= 0x7f || strchr("<>\"\\^`{|}", c))
			buf_addf(out, "%%%02X", (unsigned)c);
		else
			buf_addc(out, (char)c);
	}
}

void link_next(const char *target, const char *cursor, struct buf *out)
{
	const char *query = target + strcspn(target, "?"), *p;
	char between = '?';
	size_t n;

	buf_addc(out, '<');
	add_escaped(target, (size_t)(query - target), out);
	for (p = query; *p; p += n) {
		p += strspn(p, "?&");
		n = strcspn(p, "&");
		if (!n || str_starts(p, CURSOR))
			continue;
		buf_addc(out, between);
		add_escaped(p, n, out);
		between = '&';
	}
	buf_addf(out, "%c" CURSOR "%s>; rel=\"next\"", between, cursor);
}
