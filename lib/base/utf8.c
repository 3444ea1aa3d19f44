#include "lib/base/utf8.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/banned.h"

size_t utf8_length(const unsigned char *p, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code;
	size_t len, i;

	if (!n)
		return 0;
	len = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
	if (len <= 1)
		return len;
	if (len > n)
		return 0;
	code = p[0] & (0x7fu >> len);
	for (i = 1; i < len; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		code = code << 6 | (p[i] & 63u);
	}
	if (code < least[len] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return len;
}

bool utf8_is_control(const unsigned char *p)
{
	return p[0] < 0x20 || p[0] == 0x7f || (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0);
}

size_t utf8_fitting(const char *text, size_t most)
{
	size_t n = strlen(text);

	if (n <= most)
		return n;
	for (n = most; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
		;
	return n;
}
