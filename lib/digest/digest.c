#include "lib/digest/digest.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

int digest_begin(struct digest *d, struct err *err)
{
	d->ctx = malloc(sizeof(*d->ctx));
	if (!d->ctx)
		return err_nomem(err);
	sha256_init(d->ctx);
	return 0;
}

void digest_add(struct digest *d, const void *bytes, size_t n)
{
	if (d->ctx && n)
		sha256_update(d->ctx, n, bytes);
}

void digest_adds(struct digest *d, const char *text)
{
	if (!text)
		text = "";
	digest_add(d, text, strlen(text) + 1);
}

void digest_add_list(struct digest *d, const struct strv *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		digest_adds(d, list->v[i]);
	digest_adds(d, NULL);
}

int digest_end(struct digest *d, char out[DIGEST_HEX], struct err *err)
{
	unsigned char raw[SHA256_DIGEST_SIZE];

	if (!d->ctx)
		return err_nomem(err);
	sha256_digest(d->ctx, sizeof(raw), raw);
	hex_encode(raw, sizeof(raw), out);
	digest_release(d);
	return 0;
}

void digest_release(struct digest *d)
{
	free(d->ctx);
	d->ctx = NULL;
}

int digest_of(const void *bytes, size_t n, char out[DIGEST_HEX], struct err *err)
{
	struct digest d = DIGEST_INIT;

	if (digest_begin(&d, err))
		return -1;
	digest_add(&d, bytes, n);
	return digest_end(&d, out, err);
}

void digest_bytes(const void *bytes, size_t n, unsigned char out[DIGEST_BYTES])
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, n, bytes);
	sha256_digest(&ctx, DIGEST_BYTES, out);
}

static int add_piece(void *ctx, const char *bytes, size_t n, struct err *err)
{
	(void)err;
	digest_add(ctx, bytes, n);
	return 0;
}

int digest_of_file(const char *path, char out[DIGEST_HEX], struct err *err)
{
	struct digest d = DIGEST_INIT;
	int fd = file_open(path, err), result = -1;

	if (fd < 0)
		return -1;
	if (!digest_begin(&d, err) && !file_each_piece(fd, path, add_piece, &d, err))
		result = digest_end(&d, out, err);
	digest_release(&d);
	file_close(&fd);
	return result;
}

void hex_encode(const void *bytes, size_t n, char *out)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = bytes;
	size_t i;

	for (i = 0; i < n; i++) {
		out[2 * i] = digits[p[i] >> 4];
		out[2 * i + 1] = digits[p[i] & 15];
	}
	out[2 * n] = '\0';
}
