#include "hooks/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define FOLDER "/chained/"
#define OLDER ".chained"

/* HOOKS/chained/NAME for HOOKS/NAME; with n_folder the length of its folder. */
static int place_of(const char *path, struct buf *out, size_t *n_folder, struct err *err)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;

	buf_add(out, path, n);
	buf_adds(out, FOLDER);
	if (n_folder)
		*n_folder = out->len - 1;
	buf_adds(out, slash ? slash + 1 : path);
	return buf_check(out, err);
}

int chain_find(const char *path, char **out, struct err *err)
{
	struct buf now = BUF_INIT, older = BUF_INIT;
	const char *found = NULL;
	int result = -1;

	*out = NULL;
	buf_addf(&older, "%s" OLDER, path);
	if (place_of(path, &now, NULL, err) || buf_check(&older, err))
		goto out;
	if (file_exists(buf_str(&now)))
		found = buf_str(&now);
	else if (file_exists(buf_str(&older)))
		found = buf_str(&older);
	result = found ? str_set(out, found, err) : 0;
out:
	buf_release(&now);
	buf_release(&older);
	return result;
}

static int move_in(const char *from, const char *path, struct buf *out, struct err *err)
{
	struct buf to = BUF_INIT, folder = BUF_INIT;
	size_t n_folder;
	int result = -1;

	if (place_of(path, &to, &n_folder, err))
		goto out;
	buf_add(&folder, buf_str(&to), n_folder);
	if (buf_check(&folder, err) || file_make_dirs(buf_str(&folder), 0777, err))
		goto out;
	if (rename(from, buf_str(&to))) {
		rmdir(buf_str(&folder));
		err_sys(err, ERR_IO, "cannot rename '%s'", from);
		goto out;
	}
	if (out)
		buf_adds(out, buf_str(&to));
	result = 0;
out:
	buf_release(&to);
	buf_release(&folder);
	return result;
}

int chain_keep(const char *path, struct buf *out, struct err *err)
{
	char *kept;
	int result = -1;

	if (chain_find(path, &kept, err))
		return -1;
	if (kept) {
		err_set(err, ERR_CONFLICT, "'%s' is there already", kept);
		err_hint(err, "remove it, or put it back as '%s', and install again", path);
	} else {
		result = move_in(path, path, out, err);
	}
	free(kept);
	return result;
}

int chain_move_older(const char *path, struct err *err)
{
	char *kept;
	size_t n = strlen(path);
	int result = 0;

	if (chain_find(path, &kept, err))
		return -1;
	if (kept && !strncmp(kept, path, n) && !strcmp(kept + n, OLDER))
		result = move_in(kept, path, NULL, err);
	free(kept);
	return result;
}

int chain_put_back(const char *path, struct err *err)
{
	struct buf place = BUF_INIT;
	char *kept = NULL;
	size_t n_folder;
	int result = -1;

	if (chain_find(path, &kept, err) || place_of(path, &place, &n_folder, err))
		goto out;
	if (!kept) {
		err_set(err, ERR_ABSENT, "no hook is kept for '%s'", path);
	} else if (rename(kept, path)) {
		err_sys(err, ERR_IO, "cannot rename '%s'", kept);
	} else {
		/* The folder goes when it was the last one in it. */
		place.data[n_folder] = '\0';
		rmdir(place.data);
		result = 0;
	}
out:
	free(kept);
	buf_release(&place);
	return result;
}
