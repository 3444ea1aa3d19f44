#include "lib/squeeze/squeeze.h"

#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "lib/process/library.h"

#include "lib/base/banned.h"

#define FEWEST 128	/* bytes that are worth a try */
#define LEVEL 3		/* zstd's own choice */
#define MOST_TIMES 4096 /* as small texts are made: nobody is to fill the memory with few bytes */

#define ZSTD_CALLS(CALL) \
	CALL(createCCtx) \
	CALL(freeCCtx) \
	CALL(compressCCtx) \
	CALL(compressBound) \
	CALL(decompress) \
	CALL(isError) CALL(getFrameContentSize) CALL(findFrameCompressedSize) CALL(getErrorCode)

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

/* Each thread's own, until it ends: its tables are a third of the work for a small document. */
static pthread_key_t context_key;
static pthread_once_t context_once = PTHREAD_ONCE_INIT;
static bool has_key;

static void free_context(void *context)
{
	zstd.freeCCtx(context);
}

static void make_key(void)
{
	has_key = !pthread_key_create(&context_key, free_context);
}

static ZSTD_CCtx *get_context(void)
{
	ZSTD_CCtx *context;

	pthread_once(&context_once, make_key);
	context = has_key ? pthread_getspecific(context_key) : NULL;
	if (context || !has_key)
		return context;
	context = zstd.createCCtx();
	if (context && pthread_setspecific(context_key, context)) {
		zstd.freeCCtx(context);
		context = NULL;
	}
	return context;
}

static bool compress(const void *bytes, size_t n, int level, size_t most_times, struct buf *out)
{
	ZSTD_CCtx *context;
	size_t room, made;
	char *small;

	if (n < FEWEST || zstd_open(NULL))
		return false;
	context = get_context();
	if (!context)
		return false;
	room = zstd.compressBound(n);
	small = malloc(room);
	if (!small)
		return false;
	made = zstd.compressCCtx(context, small, room, bytes, n, level);
	if (zstd.isError(made) || made >= n || n / made >= most_times)
		made = 0;
	buf_add(out, small, made);
	free(small);
	return made > 0;
}

bool squeeze(const void *bytes, size_t n, struct buf *out)
{
	return compress(bytes, n, LEVEL, MOST_TIMES, out);
}

int squeeze_check(struct err *err)
{
	return zstd_open(err);
}

bool squeeze_document(const void *bytes, size_t n, int level, struct buf *out)
{
	return compress(bytes, n, level, SQUEEZE_MOST_TIMES, out);
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

int squeeze_too_large(bool beyond_most, size_t most, struct err *err)
{
	if (beyond_most)
		return err_set(err, ERR_LIMIT, "more than %zu bytes once decompressed", most);
	return err_set(err, ERR_RANGE, "more than %d times its bytes once decompressed",
		       SQUEEZE_MOST_TIMES);
}

size_t squeeze_room(size_t n, size_t most)
{
	return n < most / SQUEEZE_MOST_TIMES ? n * SQUEEZE_MOST_TIMES : most;
}

static int no_document(struct err *err)
{
	return err_set(err, ERR_SYNTAX, "not zstd: broken, or more than one frame");
}

/* Two frames, one behind the other, would be taken for one document. */
static bool is_one_frame(const void *bytes, size_t n)
{
	return zstd.findFrameCompressedSize(bytes, n) == n;
}

/* The bytes that the frame may give: what it says itself, else all that are accepted. */
static int find_room(const void *frame, size_t n, size_t most, size_t *out_room, bool *out_told,
		     struct err *err)
{
	size_t room = squeeze_room(n, most);
	unsigned long long told = zstd.getFrameContentSize(frame, n);

	if (told == ZSTD_CONTENTSIZE_ERROR || !is_one_frame(frame, n))
		return no_document(err);
	*out_told = told != ZSTD_CONTENTSIZE_UNKNOWN;
	if (*out_told && told > room)
		return squeeze_too_large(told > most, most, err);
	*out_room = *out_told ? (size_t)told : room;
	return 0;
}

void squeeze_keep(char *large, size_t n, struct buf *out)
{
	char *exact = realloc(large, n + 1);

	buf_release(out);
	*out = (struct buf){ exact ? exact : large, n, n + 1, false };
	out->data[n] = '\0';
}

int unsqueeze_document(const void *frame, size_t n, size_t most, struct buf *out, struct err *err)
{
	size_t room = 0, made;
	bool told = false;
	char *large;

	if (zstd_open(err) || find_room(frame, n, most, &room, &told, err))
		return -1;
	large = malloc(room + 1); /* what nothing is written to takes no memory */
	if (!large)
		return err_nomem(err);
	made = zstd.decompress(large, room, frame, n);
	if (!zstd.isError(made)) {
		squeeze_keep(large, made, out);
		return 0;
	}
	free(large);
	if (!told && zstd.getErrorCode(made) == ZSTD_error_dstSize_tooSmall)
		return squeeze_too_large(room == most, most, err);
	return no_document(err);
}
