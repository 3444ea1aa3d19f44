#include "lib/base/base64.h"

#include <nettle/base64.h>
#include <string.h>

#include "lib/base/banned.h"

#define PART 48 /* bytes */

int base64_add(const char *bytes, size_t n, bool is_url, struct buf *out, struct err *err)
{
	struct base64_encode_ctx ctx;
	char letters[BASE64_ENCODE_LENGTH(PART) + BASE64_ENCODE_FINAL_LENGTH];
	const uint8_t *p = (const uint8_t *)bytes;
	size_t i;

	if (is_url)
		base64url_encode_init(&ctx);
	else
		base64_encode_init(&ctx);
	for (i = 0; i < n; i += PART)
		buf_add(out, letters,
			base64_encode_update(&ctx, letters, n - i < PART ? n - i : PART, p + i));
	buf_add(out, letters, base64_encode_final(&ctx, letters));
	explicit_bzero(letters, sizeof(letters));
	explicit_bzero(&ctx, sizeof(ctx));
	return buf_check(out, err);
}

/* Not nettle's: that one skips blanks, and takes padding. */
static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '-' || c == '_')
		return c == '-' ? 62 : 63;
	return -1;
}

bool base64url_read(const char *text, size_t n, struct buf *out)
{
	unsigned bits = 0, n_bits = 0;
	size_t i;

	if (n % 4 == 1)
		return false;
	for (i = 0; i < n; i++) {
		int value = value_of(text[i]);

		if (value < 0)
			return false;
		bits = (bits << 6 | (unsigned)value) & 0xfff;
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			buf_addc(out, (char)(bits >> n_bits & 0xff));
		}
	}
	return !(bits & ((1u << n_bits) - 1));
}
