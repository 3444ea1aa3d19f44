#include "collector/code/stage_copy.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/code/cache.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

void stage_copy_release(struct stage_copy *c)
{
	side_release(&c->from);
	side_release(&c->side);
	strv_release(&c->files);
	stage_sources_release(&c->sources);
}

static int add_folder(const char *dir, const char *exe, struct strv *out, struct err *err)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	int result = -1;

	if (!d)
		return err_sys(err, ERR_IO, "cannot look into '%s'", dir);
	while ((entry = readdir(d))) {
		struct buf path = BUF_INIT;
		struct stat st;
		int fault = 0;

		buf_addf(&path, "%s/%s", dir, entry->d_name);
		/* What may be executed: an entry's own lists are not. */
		if (strcmp(buf_str(&path), exe) && !stat(buf_str(&path), &st) &&
		    S_ISREG(st.st_mode) && (st.st_mode & S_IXUSR))
			fault = buf_check(&path, err) || strv_add(out, buf_str(&path), err);
		buf_release(&path);
		if (fault)
			goto out;
	}
	result = 0;
out:
	closedir(d);
	return result;
}

/* The executable and its shared objects, from its cache entry or from where the loader looks. */
int stage_copy_find(struct stage_copy *c, struct err *err)
{
	struct bundle b;
	int result = -1;

	if (strv_add(&c->files, c->from.exe, err))
		return -1;
	if (c->from.library_path)
		return add_folder(c->from.library_path, c->from.exe, &c->files, err);
	memset(&b, 0, sizeof(b));
	if (!bundle_of(c->from.exe, NULL, &b, err))
		result = b.objects.n ? strv_add_all(&c->files, b.objects.v, err) : 0;
	/* An old-style RPATH goes before LD_LIBRARY_PATH: the copies have to be preloaded. */
	if (!result && b.rpath && b.objects.n)
		result = str_set(&c->from.preload, "", err);
	bundle_release(&b);
	return result;
}

bool stage_copy_is_large(const struct stage_copy *c)
{
	uint64_t bytes = 0;
	struct stat st;
	size_t i;

	for (i = 0; i < c->files.n; i++)
		bytes += stat(c->files.v[i], &st) ? 0 : (uint64_t)st.st_size;
	return bytes >= STAGE_LARGE;
}

static void add_path(const struct stage_copy *c, const char *dir, size_t i, struct buf *out)
{
	buf_reset(out);
	buf_addf(out, "%s/%s", dir, i ? path_base(c->files.v[i]) : "exe");
}

static const char *instead_of(const struct stage_copy *c, const char *file)
{
	size_t i;

	for (i = 0; c->instead && i + 1 < c->instead->n; i += 2)
		if (!strcmp(c->instead->v[i], file))
			return c->instead->v[i + 1];
	return file;
}

/* Copies a side's files into dir and fills the side that runs from there. */
static int fill_copy(struct stage_copy *c, const char *dir, struct err *err)
{
	struct buf path = BUF_INIT, preload = BUF_INIT;
	size_t i;
	int result = -1;

	/* All that it is, but where its files lie. */
	if (side_copy(&c->from, &c->side, err))
		goto out;
	for (i = 0; i < c->files.n; i++) {
		const char *from = instead_of(c, c->files.v[i]);

		add_path(c, dir, i, &path);
		if (buf_check(&path, err) ||
		    stage_source_copy(&c->sources, from, buf_str(&path), err) ||
		    (!i && str_set(&c->side.exe, buf_str(&path), err)))
			goto out;
		if (i)
			buf_addf(&preload, "%s%s", preload.len ? ":" : "", buf_str(&path));
	}
	if (buf_check(&preload, err) ||
	    str_set(&c->side.library_path, c->files.n > 1 ? dir : NULL, err) ||
	    str_set(&c->side.preload, c->from.preload && preload.len ? buf_str(&preload) : NULL,
		    err))
		goto out;
	result = 0;
out:
	buf_release(&path);
	buf_release(&preload);
	return result;
}

/* Removes the copy in dir; what else a program has left there goes with the stage. */
static void remove_copy(const struct stage_copy *c, const char *dir)
{
	struct buf path = BUF_INIT;
	size_t i;

	for (i = 0; i < c->files.n; i++) {
		add_path(c, dir, i, &path);
		if (!buf_check(&path, NULL))
			unlink(buf_str(&path));
	}
	buf_release(&path);
}

int stage_copy_make(const char *folder, unsigned number, char which, struct stage_copy *c,
		    struct err *err)
{
	char *place;
	struct buf dir = BUF_INIT;
	int result = -1;

	buf_addf(&dir, "%s/%06u%c%u", folder, number, which, c->n % STAGE_COPY_PLACES);
	if (buf_check(&dir, err))
		goto out;
	if (c->n < STAGE_COPY_PLACES && mkdir(buf_str(&dir), 0700)) {
		err_sys(err, ERR_IO, "cannot create '%s'", buf_str(&dir));
		goto out;
	}
	if (fill_copy(c, buf_str(&dir), err))
		goto out;
	c->n++;
	if (c->n >= STAGE_COPY_PLACES) {
		place = dir.data + dir.len - 1;
		*place = (char)('0' + c->n % STAGE_COPY_PLACES);
		remove_copy(c, buf_str(&dir));
	}
	result = 0;
out:
	buf_release(&dir);
	return result;
}
