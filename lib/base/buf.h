/*
 * buf - a growing byte string that is always NUL-terminated.
 *
 * Errors are sticky: when memory runs out `failed` is set, later additions do
 * nothing, and the owner checks once at the end with buf_check().
 */
#ifndef PAWL_BASE_BUF_H
#define PAWL_BASE_BUF_H

#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>

#include "lib/base/err.h"

struct buf {
	char *data;  /* never NULL once something was added; may hold NUL bytes */
	size_t len;  /* bytes, the closing NUL not counted */
	size_t cap;  /* bytes allocated */
	bool failed; /* memory ran out */
};

#define BUF_INIT \
	{ \
		NULL, 0, 0, false \
	}

/* Releases the memory and leaves an empty buf.  Accepts BUF_INIT. */
void buf_release(struct buf *buf);

/* Empties without releasing, and forgets a failure. */
void buf_reset(struct buf *buf);

void buf_add(struct buf *buf, const void *bytes, size_t n);
void buf_adds(struct buf *buf, const char *text);
void buf_addc(struct buf *buf, char c);
void buf_addn(struct buf *buf, char c, size_t n); /* n times c */
void buf_addf(struct buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_addv(struct buf *buf, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Makes room for n more bytes, without adding them; false when memory ran out. */
bool buf_grow(struct buf *buf, size_t n);

/*
 * Where up to n more bytes may be written, or NULL when memory ran out; buf_wrote() adds those that
 * were, up to end.
 */
static inline char *buf_room(struct buf *buf, size_t n)
{
	if ((buf->failed || n >= buf->cap - buf->len) && !buf_grow(buf, n))
		return NULL;
	return buf->data + buf->len;
}

static inline void buf_wrote(struct buf *buf, char *end)
{
	*end = '\0';
	buf->len = (size_t)(end - buf->data);
}

/* Gives back what is allocated beyond what is in it. */
void buf_fit(struct buf *buf);

/* Cuts to at most len bytes. */
void buf_truncate(struct buf *buf, size_t len);

/* The text, "" for an empty buf; valid until the next addition. */
const char *buf_str(const struct buf *buf);

/* 0, or ERR_NOMEM when an addition failed. */
int buf_check(const struct buf *buf, struct err *err);

/* Hands the string over to the caller (free() it) and leaves an empty buf; NULL when it failed. */
char *buf_detach(struct buf *buf);

#endif
