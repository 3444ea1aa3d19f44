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

/* Makes room for n more bytes and the closing NUL. */
static bool grow(struct buf *buf, size_t n)
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

/* Whether n more bytes and the NUL fit already: a buffer that failed has to say so. */
static inline bool fits(const struct buf *buf, size_t n)
{
	return n < buf->cap - buf->len && !buf->failed;
}

void buf_add(struct buf *buf, const void *bytes, size_t n)
{
	if (!fits(buf, n) && !grow(buf, n))
		return;
	if (n)
		memcpy(buf->data + buf->len, bytes, n);
	buf->len += n;
	buf->data[buf->len] = '\0';
}

void buf_adds(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void buf_addc(struct buf *buf, char c)
{
	if (!fits(buf, 1) && !grow(buf, 1))
		return;
	buf->data[buf->len++] = c;
	buf->data[buf->len] = '\0';
}

void buf_addn(struct buf *buf, char c, size_t n)
{
	if (!grow(buf, n))
		return;
	memset(buf->data + buf->len, c, n);
	buf->len += n;
	buf->data[buf->len] = '\0';
}

void buf_addv(struct buf *buf, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || !grow(buf, (size_t)n)) {
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

	if (!buf->failed && grow(buf, 0)) {
		data = buf->data;
		data[buf->len] = '\0';
		*buf = (struct buf)BUF_INIT;
	}
	buf_release(buf);
	return data;
}
