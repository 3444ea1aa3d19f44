#include "lib/digest/hmac.h"

#include <nettle/hmac.h>
#include <string.h>

#include "lib/base/banned.h"

void hmac_sha256(const void *key, size_t n_key, const struct hmac_piece *pieces, size_t n,
		 unsigned char out[HMAC_BYTES])
{
	struct hmac_sha256_ctx ctx;
	size_t i;

	hmac_sha256_set_key(&ctx, n_key, key);
	for (i = 0; i < n; i++)
		hmac_sha256_update(&ctx, pieces[i].n, pieces[i].bytes);
	hmac_sha256_digest(&ctx, HMAC_BYTES, out);
	explicit_bzero(&ctx, sizeof(ctx));
}
