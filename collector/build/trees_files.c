/*
 * trees_files - the files of built trees: their times, what they are like, and their end.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/trees_local.h"
#include "collector/layout/layout.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define OPEN_FOLDERS 32

/* nftw() hands nothing through; one walk at a time. */
static struct {
	struct buf *list;
	uint64_t bytes;
	size_t top_length;
} walk;

static int level_time(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	const struct timespec times[2] = { { TREES_EPOCH, 0 }, { TREES_EPOCH, 0 } };

	(void)st;
	(void)where;
	if (kind == FTW_F || kind == FTW_SL)
		return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
	return 0;
}

int trees_level_times(const char *top, struct err *err)
{
	if (nftw(top, level_time, OPEN_FOLDERS, FTW_PHYS))
		return err_sys(err, ERR_IO, "cannot set the times of the files in '%s'", top);
	return 0;
}

/* Files that are put into a folder change its size and time, but not what it is. */
static void describe(const struct stat *st, struct buf *out)
{
	bool folder = S_ISDIR(st->st_mode);

	buf_addf(out, "%lld %lld.%09ld %o ", folder ? 0 : (long long)st->st_size,
		 folder ? 0 : (long long)st->st_mtim.tv_sec, folder ? 0 : st->st_mtim.tv_nsec,
		 (unsigned)st->st_mode);
}

/* What is written beside the tree, by trees.c and for layouts: it is no part of what was built. */
static bool is_ours(const char *name)
{
	if (str_below(name, LAYOUT_FOLDER) || str_below(name, LAYOUT_LINKS) ||
	    !strcmp(name, LAYOUT_FOLDER) || !strcmp(name, LAYOUT_LINKS) ||
	    str_below(name, TREES_OPENED) || !strcmp(name, TREES_OPENED))
		return true;
	return !strcmp(name, "built") || !strcmp(name, "files") || !strcmp(name, TREES_FACTS) ||
	       !strcmp(name, TREES_OUTSIDE);
}

static int list_file(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	const char *name = path + walk.top_length;

	if (kind == FTW_DNR || kind == FTW_NS)
		return -1;
	walk.bytes += (uint64_t)st->st_blocks * 512;
	if (!where->level || is_ours(name))
		return 0;
	describe(st, walk.list);
	buf_add(walk.list, name, strlen(name) + 1);
	return walk.list->failed ? -1 : 0;
}

int trees_list_files(const char *top, struct buf *out, uint64_t *out_bytes, struct err *err)
{
	walk.list = out;
	walk.bytes = 0;
	walk.top_length = strlen(top) + 1;
	if (nftw(top, list_file, OPEN_FOLDERS, FTW_PHYS)) {
		if (buf_check(out, err))
			return -1;
		return err_sys(err, ERR_IO, "cannot look through '%s'", top);
	}
	*out_bytes = walk.bytes;
	return buf_check(out, err);
}

static int make_writable(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)where;
	if ((kind == FTW_D || kind == FTW_DNR) && (st->st_mode & S_IRWXU) != S_IRWXU)
		chmod(path, (st->st_mode & 07777) | S_IRWXU);
	return 0;
}

int trees_remove(const char *path, struct err *err)
{
	if (!file_remove_tree(path, NULL))
		return 0;
	nftw(path, make_writable, OPEN_FOLDERS, FTW_PHYS);
	return file_remove_tree(path, err);
}
