#include "lib/digest/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int digest_of_file(const char *path, char out[DIGEST_HEX], struct err *err)
{
	struct digest d = DIGEST_INIT;
	char chunk[65536];
	ssize_t n;
	int fd, result = -1;

	fd = file_open(path, err);
	if (fd < 0)
		return -1;
	if (digest_begin(&d, err))
		goto out;
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_sys(err, ERR_IO, "cannot read '%s'", path);
			goto out;
		}
		digest_add(&d, chunk, (size_t)n);
	}
	result = digest_end(&d, out, err);
out:
	digest_release(&d);
	close(fd);
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
