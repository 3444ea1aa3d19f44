#include "server/http/gzip.h"

#include <limits.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

#include "lib/squeeze/squeeze.h"

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

/* ---- the way back ------------------------------------------------------------------------ */

/* *out_n: how many bytes it gave. */
static int inflate_all(const void *bytes, size_t n, char *large, size_t room, size_t *out_n)
{
	z_stream z = { .next_in = bytes,
		       .avail_in = (uInt)n,
		       .next_out = (unsigned char *)large,
		       .avail_out = (uInt)room };
	int code = inflateInit2(&z, MAX_WBITS + GZIP_FORMAT);

	if (code != Z_OK)
		return code;
	code = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	*out_n = room - z.avail_out;
	return code == Z_STREAM_END && z.avail_in ? Z_DATA_ERROR : code;
}

static int fault_of(int code, bool is_full, bool is_most, size_t most, struct err *err)
{
	if (code == Z_MEM_ERROR)
		return err_nomem(err);
	if (code != Z_BUF_ERROR || !is_full)
		return err_set(err, ERR_SYNTAX, "not gzip: broken, or more than one member");
	return squeeze_too_large(is_most, most, err);
}

int gunzip_document(const void *bytes, size_t n, size_t most, struct buf *out, struct err *err)
{
	size_t room = squeeze_room(n, most), made = 0;
	char *large = malloc(room + 1); /* what nothing is written to takes no memory */
	int code = large ? inflate_all(bytes, n, large, room, &made) : Z_MEM_ERROR;

	if (code != Z_STREAM_END) {
		free(large);
		return fault_of(code, n && made == room, room == most, most, err);
	}
	squeeze_keep(large, made, out);
	return 0;
}
