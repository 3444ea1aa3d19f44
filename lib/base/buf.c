#include "lib/base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf)BUF_INIT;
}

void buf_reset(struct buf *buf)
{
	buf->len = 0;
	buf->failed = false;
	if (buf->data)
		buf->data[0] = '\0';
}

/* And for the closing NUL. */
bool buf_grow(struct buf *buf, size_t n)
{
	size_t cap;
	char *data;

	if (buf->failed)
		return false;
	if (n < SIZE_MAX / 2 - buf->len - 1 && buf->len + n + 1 <= buf->cap)
		return true;
	if (n >= SIZE_MAX / 2 - buf->len - 1)
		goto out;
	cap = buf->cap ? buf->cap : 64;
	while (cap < buf->len + n + 1)
		cap *= 2;
	data = realloc(buf->data, cap);
	if (!data)
		goto out;
	buf->data = data;
	buf->cap = cap;
	return true;
out:
	buf->failed = true;
	return false;
}

void buf_add(struct buf *buf, const void *bytes, size_t n)
{
	char *at = buf_room(buf, n);

	if (!at)
		return;
	if (n)
		memcpy(at, bytes, n);
	buf_wrote(buf, at + n);
}

void buf_adds(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void buf_addc(struct buf *buf, char c)
{
	char *at = buf_room(buf, 1);

	if (!at)
		return;
	*at = c;
	buf_wrote(buf, at + 1);
}

void buf_addn(struct buf *buf, char c, size_t n)
{
	char *at = buf_room(buf, n);

	if (!at)
		return;
	memset(at, c, n);
	buf_wrote(buf, at + n);
}

void buf_addv(struct buf *buf, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || !buf_grow(buf, (size_t)n)) {
		buf->failed = true;
		return;
	}
	vsnprintf(buf->data + buf->len, (size_t)n + 1, fmt, ap);
	buf->len += (size_t)n;
}

void buf_addf(struct buf *buf, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_addv(buf, fmt, ap);
	va_end(ap);
}

void buf_fit(struct buf *buf)
{
	char *data = buf->data ? realloc(buf->data, buf->len + 1) : NULL;

	if (!data)
		return;
	buf->data = data;
	buf->cap = buf->len + 1;
}

void buf_truncate(struct buf *buf, size_t len)
{
	if (len >= buf->len)
		return;
	buf->len = len;
	buf->data[len] = '\0';
}

const char *buf_str(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}

int buf_check(const struct buf *buf, struct err *err)
{
	return buf->failed ? err_nomem(err) : 0;
}

char *buf_detach(struct buf *buf)
{
	char *data = NULL;

	if (!buf->failed && buf_grow(buf, 0)) {
		data = buf->data;
		data[buf->len] = '\0';
		*buf = (struct buf)BUF_INIT;
	}
	buf_release(buf);
	return data;
}
