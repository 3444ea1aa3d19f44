#include "reporter/deliver/base64.h"

#include <stdint.h>

#include "lib/base/banned.h"

void base64_add(const char *bytes, size_t n, bool is_url, struct buf *out)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	static const char url[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	const char *letters = is_url ? url : plain;
	const unsigned char *p = (const unsigned char *)bytes;
	size_t i, k;

	for (i = 0; i < n; i += 3) {
		uint32_t group = 0;

		for (k = 0; k < 3; k++)
			group = group << 8 | (i + k < n ? p[i + k] : 0u);
		for (k = 0; k < 4; k++)
			buf_addc(out, i + k <= n ? letters[group >> (18 - 6 * k) & 63] : '=');
	}
}
