#include "server/http/gzip.h"

#include <limits.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

#include "lib/base/banned.h"

#define GZIP_FORMAT 16 /* added to the bits of the window, zlib writes gzip */
#define MEMORY_LEVEL 8

/* How many bytes it came to, at most n of them; 0: more. */
static size_t deflate_all(z_stream *z, const void *bytes, size_t n, unsigned char *small)
{
	z->next_in = bytes;
	z->avail_in = (uInt)n;
	z->next_out = small;
	z->avail_out = (uInt)n;
	return deflate(z, Z_FINISH) == Z_STREAM_END ? n - z->avail_out : 0;
}

bool gzip(const void *bytes, size_t n, struct buf *out)
{
	z_stream z = { .zalloc = Z_NULL };
	unsigned char *small;
	size_t made;

	if (!n || n > UINT_MAX ||
	    deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	small = malloc(n);
	made = small ? deflate_all(&z, bytes, n, small) : 0;
	deflateEnd(&z);
	buf_add(out, small, made);
	free(small);
	return made > 0;
}
