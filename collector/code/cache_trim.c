/*
 * cache_trim - keeps the cache within its size.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "collector/code/cache.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define LEFT_OVER_S 3600 /* nobody fills or empties a temporary folder for that long */

struct entry {
	char *name;
	struct timespec used;
	uint64_t bytes;
};

static int by_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

/* Bytes of the files in a folder, one level: what cache_put() writes. */
static uint64_t bytes_in(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	uint64_t sum = 0;
	struct stat st;

	while (d && (e = readdir(d)))
		if (!fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			sum += (uint64_t)st.st_size;
	if (d)
		closedir(d);
	return sum;
}

static int list_entries(const char *cache_dir, struct entry **out, size_t *out_n, struct err *err)
{
	DIR *d = opendir(cache_dir);
	struct entry *all = NULL, *grown;
	struct dirent *e;
	struct stat st;
	size_t n = 0;

	*out = NULL;
	*out_n = 0;
	while (d && (e = readdir(d))) {
		struct buf path = BUF_INIT;

		if (strlen(e->d_name) != DIGEST_HEX - 1 ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		grown = realloc(all, (n + 1) * sizeof(*all));
		if (!grown)
			break;
		all = grown;
		buf_addf(&path, "%s/%s", cache_dir, e->d_name);
		all[n].bytes = bytes_in(buf_str(&path));
		all[n].used = st.st_mtim;
		all[n].name = buf_detach(&path);
		if (!all[n].name)
			break;
		n++;
	}
	if (d)
		closedir(d);
	*out = all;
	*out_n = n;
	return !d || !e ? 0 : err_nomem(err);
}

/*
 * Takes an entry away under another name first: half an entry would lack the shared objects
 * that make it the old code.
 */
static int drop_entry(const char *cache_dir, const char *path, struct err *err)
{
	struct buf away = BUF_INIT;
	int result = -1;

	buf_addf(&away, "%s/" CACHE_TEMPORARY "%s", cache_dir, strrchr(path, '/') + 1);
	if (buf_check(&away, err) || file_remove_tree(buf_str(&away), err))
		goto out;
	if (rename(path, buf_str(&away))) {
		err_sys(err, ERR_IO, "cannot remove '%s'", path);
		goto out;
	}
	result = file_remove_tree(buf_str(&away), err);
out:
	buf_release(&away);
	return result;
}

/* Removes what a pawl that was killed left half filled or half emptied. */
static void drop_left_overs(const char *cache_dir)
{
	DIR *d = opendir(cache_dir);
	time_t now = time(NULL);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d))) {
		struct buf path = BUF_INIT;

		if (!str_starts(e->d_name, CACHE_TEMPORARY) ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    st.st_mtim.tv_sec > now - LEFT_OVER_S)
			continue;
		buf_addf(&path, "%s/%s", cache_dir, e->d_name);
		if (!buf_check(&path, NULL))
			file_remove_tree(buf_str(&path), NULL);
		buf_release(&path);
	}
	if (d)
		closedir(d);
}

int cache_trim(const char *cache_dir, uint64_t max_bytes, const struct strv *keep, struct err *err)
{
	struct entry *all;
	size_t n, i;
	uint64_t total = 0;
	int result = list_entries(cache_dir, &all, &n, err);

	drop_left_overs(cache_dir);
	for (i = 0; i < n; i++)
		total += all[i].bytes;
	if (n)
		qsort(all, n, sizeof(*all), by_use);
	for (i = 0; !result && i < n && total > max_bytes; i++) {
		if (strv_has(keep, strrchr(all[i].name, '/') + 1))
			continue;
		result = drop_entry(cache_dir, all[i].name, err);
		total -= all[i].bytes;
	}
	for (i = 0; i < n; i++)
		free(all[i].name);
	free(all);
	return result;
}
