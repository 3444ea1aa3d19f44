#include "server/others/form.h"

#include <string.h>

#include "lib/base/banned.h"

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void decode(const char *p, const char *end, struct buf *out)
{
	while (p < end) {
		int high = *p == '%' && end - p > 2 ? digit(p[1]) : -1;
		int low = high < 0 ? -1 : digit(p[2]);

		if (low >= 0) {
			buf_addc(out, (char)(high << 4 | low));
			p += 3;
		} else {
			buf_addc(out, *p == '+' ? ' ' : *p);
			p++;
		}
	}
}

bool form_field(const char *body, size_t n, const char *name, struct buf *out)
{
	const char *p = body, *end = body + n;
	size_t length = strlen(name);

	while (p < end) {
		const char *stop = memchr(p, '&', (size_t)(end - p));

		if (!stop)
			stop = end;
		if ((size_t)(stop - p) > length && p[length] == '=' && !memcmp(p, name, length)) {
			decode(p + length + 1, stop, out);
			return true;
		}
		p = stop < end ? stop + 1 : end;
	}
	return false;
}
