#include "lib/base/base64.h"

#include <string.h>

#include "lib/base/libcrypto.h"

#include "lib/base/banned.h"

#define PART 48 /* bytes, without a rest in 64 letters */

int base64_add(const char *bytes, size_t n, bool is_url, struct buf *out, struct err *err)
{
	unsigned char letters[PART / 3 * 4 + 1];
	size_t i;

	if (libcrypto_open(err))
		return -1;
	for (i = 0; i < n; i += PART) {
		size_t part = n - i < PART ? n - i : PART;
		int made =
			libcrypto.EncodeBlock(letters, (const unsigned char *)bytes + i, (int)part);

		for (int k = 0; is_url && k < made; k++)
			letters[k] = letters[k] == '+' ? '-' : letters[k] == '/' ? '_' : letters[k];
		buf_add(out, letters, (size_t)made);
	}
	explicit_bzero(letters, sizeof(letters));
	return buf_check(out, err);
}
