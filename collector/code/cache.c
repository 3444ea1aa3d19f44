#include "collector/code/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

#define SUMS "sums"   /* in an entry: the digests of its files */
#define WAYS ".built" /* ... and how it was built, a way a line; no file of the entry's own */

#define MOST_WAYS 4096 /* bytes */

/* Fills the side from what lies in the entry's folder. */
static int fill_side(const char *dir, struct side *side, struct err *err)
{
	struct buf path = BUF_INIT, preload = BUF_INIT;
	struct dirent **names = NULL;
	bool objects = false;
	int n, i, result = -1;

	buf_addf(&path, "%s/exe", dir);
	if (buf_check(&path, err) || str_set(&side->exe, buf_str(&path), err))
		goto out;
	buf_reset(&path);
	buf_addf(&path, "%s/preload", dir);
	n = scandir(dir, &names, NULL, alphasort);
	for (i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		if (name[0] != '.' && strcmp(name, "exe") && strcmp(name, "preload") &&
		    strcmp(name, SUMS)) {
			objects = true;
			buf_addf(&preload, "%s%s/%s", preload.len ? ":" : "", dir, name);
		}
		free(names[i]);
	}
	free(names);
	if (objects && str_set(&side->library_path, dir, err))
		goto out;
	if (objects && file_exists(buf_str(&path)) &&
	    (buf_check(&preload, err) || str_set(&side->preload, buf_str(&preload), err)))
		goto out;
	result = 0;
out:
	buf_release(&path);
	buf_release(&preload);
	return result;
}

/* Appends "DIGEST NAME" for one file of an entry. */
static int add_sum(const char *dir, const char *name, struct buf *sums, struct err *err)
{
	struct buf path = BUF_INIT;
	char digest[DIGEST_HEX];
	int result = -1;

	buf_addf(&path, "%s/%s", dir, name);
	if (!buf_check(&path, err) && !digest_of_file(buf_str(&path), digest, err)) {
		buf_addf(sums, "%s %s\n", digest, name);
		result = buf_check(sums, err);
	}
	buf_release(&path);
	return result;
}

/* Every file of an entry but the list itself, in name order. */
static int sums_of(const char *dir, struct buf *out, struct err *err)
{
	struct dirent **names = NULL;
	int n = scandir(dir, &names, NULL, alphasort), i, result = n < 0 ? -1 : 0;

	if (n < 0)
		err_sys(err, ERR_IO, "cannot look into '%s'", dir);
	for (i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		if (!result && name[0] != '.' && strcmp(name, SUMS))
			result = add_sum(dir, name, out, err);
		free(names[i]);
	}
	free(names);
	return result;
}

/*
 * Whether an entry is what was put there: a benchmark that writes beside its own executable,
 * or a bad disk, would otherwise be taken for the old commit.
 */
static bool is_intact(const char *dir)
{
	struct buf path = BUF_INIT, kept = BUF_INIT, now = BUF_INIT;
	bool intact;

	buf_addf(&path, "%s/" SUMS, dir);
	intact = !file_read_whole(buf_str(&path), 1 << 20, &kept, NULL) &&
		 !sums_of(dir, &now, NULL) && !strcmp(buf_str(&kept), buf_str(&now));
	buf_release(&path);
	buf_release(&kept);
	buf_release(&now);
	return intact;
}

int cache_get(const char *cache_dir, const char *id, struct side *side, struct err *err)
{
	struct buf dir = BUF_INIT, exe = BUF_INIT;
	int result = -1;

	if (strspn(id, "0123456789abcdef") < DIGEST_HEX - 1)
		return err_set(err, ERR_ABSENT, "'%s' is no id of code", id);
	buf_addf(&dir, "%s/%.64s", cache_dir, id);
	buf_addf(&exe, "%s/exe", buf_str(&dir));
	if (buf_check(&exe, err))
		goto out;
	if (access(buf_str(&exe), X_OK)) {
		err_set(err, ERR_ABSENT, "the cache has no executable %.12s", id);
		goto out;
	}
	if (!is_intact(buf_str(&dir))) {
		file_remove_tree(buf_str(&dir), NULL);
		err_set(err, ERR_ABSENT, "the cached executable %.12s was damaged", id);
		goto out;
	}
	utimensat(AT_FDCWD, buf_str(&dir), NULL, 0); /* used now: trimmed last */
	result = fill_side(buf_str(&dir), side, err);
out:
	buf_release(&dir);
	buf_release(&exe);
	return result;
}

/* The copy must be of the file that was identified. */
static int check_copy(const struct bundle *b, const char *copy, struct err *err)
{
	char sum[DIGEST_HEX];

	if (digest_of_file(copy, sum, err))
		return -1;
	if (b->exe_sum[0] && strcmp(sum, b->exe_sum))
		return err_set(err, ERR_BUSY, "'%s' changed while it was copied", b->exe);
	return 0;
}

/* Copies the bundle's files into a fresh folder. */
static int fill_folder(const char *dir, const struct bundle *b, struct err *err)
{
	struct buf to = BUF_INIT, sums = BUF_INIT;
	size_t i;
	int result = -1;

	buf_addf(&to, "%s/exe", dir);
	if (buf_check(&to, err) || file_copy(b->exe, buf_str(&to), 0555, err) ||
	    check_copy(b, buf_str(&to), err))
		goto out;
	for (i = 0; i < b->objects.n; i++) {
		buf_reset(&to);
		buf_addf(&to, "%s/%s", dir, path_base(b->objects.v[i]));
		if (buf_check(&to, err) || file_copy(b->objects.v[i], buf_str(&to), 0555, err))
			goto out;
	}
	buf_reset(&to);
	buf_addf(&to, "%s/preload", dir);
	if (b->rpath && (buf_check(&to, err) || file_write_whole(buf_str(&to), "", 0, 0644, err)))
		goto out;
	buf_reset(&to);
	buf_addf(&to, "%s/" SUMS, dir);
	if (sums_of(dir, &sums, err) || buf_check(&to, err))
		goto out;
	result = file_write_whole(buf_str(&to), sums.data, sums.len, 0644, err);
out:
	buf_release(&sums);
	buf_release(&to);
	return result;
}

/* Makes the finished folder the entry of that id; it is gone afterwards, whatever happened. */
static int move_in(const char *folder, const char *cache_dir, const char *id, struct err *err)
{
	struct buf dir = BUF_INIT, exe = BUF_INIT;
	int result = -1;

	buf_addf(&dir, "%s/%s", cache_dir, id);
	buf_addf(&exe, "%s/exe", buf_str(&dir));
	if (buf_check(&dir, err) || buf_check(&exe, err))
		goto out;
	file_clear_place(buf_str(&dir));
	result = rename(folder, buf_str(&dir));
	if (result && (errno == EEXIST || errno == ENOTEMPTY)) {
		/* Another pawl put the same code there meanwhile, or it is no whole entry. */
		if (!access(buf_str(&exe), X_OK))
			result = 0;
		else if (!file_remove_tree(buf_str(&dir), NULL))
			result = rename(folder, buf_str(&dir));
	}
	if (result)
		err_sys(err, ERR_IO, "cannot rename into '%s'", buf_str(&dir));
out:
	file_remove_tree(folder, NULL);
	buf_release(&dir);
	buf_release(&exe);
	return result;
}

int cache_put(const char *cache_dir, const struct bundle *b, struct side *side, struct err *err)
{
	struct buf tmp = BUF_INIT;
	int result = -1;

	if (!cache_get(cache_dir, b->id, side, NULL))
		return 0;
	if (file_make_dirs(cache_dir, 0700, err))
		return -1;
	buf_addf(&tmp, "%s/" CACHE_TEMPORARY "XXXXXX", cache_dir);
	if (buf_check(&tmp, err))
		goto out;
	if (!mkdtemp(tmp.data)) {
		err_sys(err, ERR_IO, "cannot create a folder in '%s'", cache_dir);
		goto out;
	}
	if (fill_folder(tmp.data, b, err)) {
		file_remove_tree(tmp.data, NULL);
		goto out;
	}
	if (!move_in(tmp.data, cache_dir, b->id, err))
		result = cache_get(cache_dir, b->id, side, err);
out:
	buf_release(&tmp);
	return result;
}

/* The ways of an entry, a line each, all of one length; nothing where that is not known. */
static void read_ways(const char *cache_dir, const char *id, struct buf *out_path, struct buf *out)
{
	buf_addf(out_path, "%s/%.64s/" WAYS, cache_dir, id);
	if (buf_check(out_path, NULL) || file_read_whole(buf_str(out_path), MOST_WAYS, out, NULL) ||
	    buf_check(out, NULL))
		buf_reset(out);
}

void cache_built_by(const char *cache_dir, const char *id, const char *way)
{
	struct buf path = BUF_INIT, ways = BUF_INIT;

	read_ways(cache_dir, id, &path, &ways);
	if (!strstr(buf_str(&ways), way)) {
		if (ways.len > MOST_WAYS / 2)
			buf_reset(&ways);
		buf_addf(&ways, "%s\n", way);
		if (!buf_check(&path, NULL) && !buf_check(&ways, NULL))
			file_write_whole(buf_str(&path), ways.data, ways.len, 0644, NULL);
	}
	buf_release(&ways);
	buf_release(&path);
}

bool cache_was_built_by(const char *cache_dir, const char *id, const char *way)
{
	struct buf path = BUF_INIT, ways = BUF_INIT;
	bool was;

	read_ways(cache_dir, id, &path, &ways);
	was = strstr(buf_str(&ways), way) != NULL;
	buf_release(&ways);
	buf_release(&path);
	return was;
}
