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
