#include "lib/squeeze/squeeze.h"

#include <stdlib.h>
#include <zstd.h>

#include "lib/process/library.h"

#include "lib/base/banned.h"

#define FEWEST 128	/* bytes that are worth a try */
#define LEVEL 3		/* zstd's own choice */
#define MOST_TIMES 4096 /* as small texts are made: nobody is to fill the memory with few bytes */

#define ZSTD_CALLS(CALL) CALL(compress) CALL(compressBound) CALL(decompress) CALL(isError)

#define FIELD(name) __typeof__(&ZSTD_##name) name;
struct zstd {
	ZSTD_CALLS(FIELD)
};

#ifdef PAWL_STATIC
#define CALL(name) &ZSTD_##name,
static struct zstd zstd = { ZSTD_CALLS(CALL) };

static int zstd_open(struct err *err)
{
	(void)err;
	return 0;
}
#else
#define CALL(name) "ZSTD_" #name,
static const char *const names[] = { ZSTD_CALLS(CALL) };
static struct zstd zstd;

#ifndef LIBZSTD_FOLDER /* the Makefile asks pkg-config */
#define LIBZSTD_FOLDER NULL
#endif

static struct library library = {
	.name = "libzstd",
	.files = { LIBRARY_FILE("libzstd", "1") },
	.folder = LIBZSTD_FOLDER,
	.absence = ERR_IO,
	.names = names,
	.n = sizeof(names) / sizeof(names[0]),
	.table = &zstd,
};

static int zstd_open(struct err *err)
{
	return library_open(&library, err);
}
#endif

bool squeeze(const void *bytes, size_t n, struct buf *out)
{
	size_t room, made;
	char *small;

	if (n < FEWEST || zstd_open(NULL))
		return false;
	room = zstd.compressBound(n);
	small = malloc(room);
	if (!small)
		return false;
	made = zstd.compress(small, room, bytes, n, LEVEL);
	if (zstd.isError(made) || made >= n || n / made >= MOST_TIMES)
		made = 0;
	buf_add(out, small, made);
	free(small);
	return made > 0;
}

int unsqueeze(const void *bytes, size_t n, size_t full, struct buf *out, struct err *err)
{
	char *large;
	size_t made;
	int result = -1;

	if (!n || full / n >= MOST_TIMES)
		return err_set(err, ERR_CORRUPT, "a packed result is broken: its texts");
	if (zstd_open(err))
		return -1;
	large = malloc(full + 1);
	if (!large)
		return err_nomem(err);
	made = zstd.decompress(large, full, bytes, n);
	if (zstd.isError(made) || made != full) {
		err_set(err, ERR_CORRUPT, "a packed result is broken: its texts");
		goto out;
	}
	buf_add(out, large, full);
	result = buf_check(out, err);
out:
	free(large);
	return result;
}
