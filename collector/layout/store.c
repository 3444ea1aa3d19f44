#include "collector/layout/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/layout/layout.h"
#include "lib/base/file.h"
#include "lib/digest/crc.h"
#include "lib/process/lock.h"

#include "lib/base/banned.h"

#define OPEN_FOLDERS 8
#define REFUSED ".not"
#define SEAL ".sum"
#define SEAL_ROOM 48 /* two numbers, a blank, the end of the line */
#define REASON_MAX 4096

static bool is_unfinished(const char *name)
{
	return strstr(name, STORE_UNFINISHED) != NULL;
}

static void clear(const char *folder)
{
	DIR *d = opendir(folder);
	const struct dirent *e;

	while (d && (e = readdir(d)))
		if (is_unfinished(e->d_name))
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
}

int store_lock(const char *folder, int *out_fd, struct err *err)
{
	struct buf path = BUF_INIT;
	int fd = -1, result = -1;

	buf_addf(&path, "%s/lock", folder);
	file_clear_place(folder);
	if (buf_check(&path, err) || file_make_dirs(folder, 0700, err))
		goto out;
	file_clear_place(buf_str(&path));
	fd = open(buf_str(&path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		err_sys(err, ERR_IO, "cannot open '%s'", buf_str(&path));
		goto out;
	}
	if (lock_wait(fd, buf_str(&path), err))
		goto out;
	clear(folder);
	*out_fd = fd;
	fd = -1;
	result = 0;
out:
	file_close(&fd);
	buf_release(&path);
	return result;
}

/* nftw() hands nothing through; one walk at a time. */
static uint64_t walked;

static int add_size(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)path;
	(void)where;
	walked += kind == FTW_F ? (uint64_t)st->st_blocks * 512 : 0;
	return 0;
}

uint64_t layouts_bytes(const char *top)
{
	struct buf path = BUF_INIT;

	walked = 0;
	buf_addf(&path, "%s/" LAYOUT_FOLDER, top);
	if (!buf_check(&path, NULL))
		nftw(buf_str(&path), add_size, OPEN_FOLDERS, FTW_PHYS);
	buf_release(&path);
	return walked;
}

int store_has_room(const char *top, struct err *err)
{
	if (layouts_bytes(top) < LAYOUT_BYTES)
		return 0;
	return err_set(err, ERR_LIMIT,
		       "the layouts of this commit take %u MB, and no more are made",
		       (unsigned)(LAYOUT_BYTES >> 20));
}

struct sum {
	uint64_t crc, bytes;
};

static int add_piece(void *ctx, const char *bytes, size_t n, struct err *err)
{
	struct sum *sum = ctx;

	(void)err;
	sum->crc = crc64(sum->crc, bytes, n);
	sum->bytes += n;
	return 0;
}

/* "CRC BYTES\n" of a file. */
static int sum_file(const char *path, char out[SEAL_ROOM], struct err *err)
{
	struct sum sum = { 0, 0 };
	int fd = file_open(path, err), result;

	if (fd < 0)
		return -1;
	result = file_each_piece(fd, path, add_piece, &sum, err);
	snprintf(out, SEAL_ROOM, "%016" PRIx64 " %" PRIu64 "\n", sum.crc, sum.bytes);
	file_close(&fd);
	return result;
}

int store_seal(const char *made, const char *path, struct err *err)
{
	char sum[SEAL_ROOM];
	struct buf file = BUF_INIT;
	int result = -1;

	buf_addf(&file, "%s" SEAL, path);
	if (!buf_check(&file, err) && !sum_file(made, sum, err))
		result = file_write_whole(buf_str(&file), sum, strlen(sum), 0600, err);
	buf_release(&file);
	return result;
}

bool store_is_sealed(const char *path)
{
	char sum[SEAL_ROOM];
	struct buf file = BUF_INIT, sealed = BUF_INIT;
	bool is_whole;

	buf_addf(&file, "%s" SEAL, path);
	is_whole = !buf_check(&file, NULL) && file_exists(path) &&
		   !file_read_whole(buf_str(&file), SEAL_ROOM, &sealed, NULL) &&
		   !sum_file(path, sum, NULL) && !strcmp(buf_str(&sealed), sum);
	buf_release(&file);
	buf_release(&sealed);
	return is_whole;
}

void store_refuse(const char *path, const char *why)
{
	struct buf file = BUF_INIT;

	buf_addf(&file, "%s" REFUSED, path);
	if (!buf_check(&file, NULL))
		file_write_whole(buf_str(&file), why, strlen(why), 0600, NULL);
	buf_release(&file);
}

int store_reason(const char *path, struct buf *out, struct err *err)
{
	struct buf file = BUF_INIT;
	int result;

	buf_addf(&file, "%s" REFUSED, path);
	result = buf_check(&file, err);
	if (!result)
		file_read_whole(buf_str(&file), REASON_MAX, out, NULL);
	buf_release(&file);
	return result;
}
