#include "hooks/chain.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* A link that leads nowhere is there, too. */
static bool is_there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
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
	if (is_there(buf_str(&now)))
		found = buf_str(&now);
	else if (is_there(buf_str(&older)))
		found = buf_str(&older);
	result = found ? str_set(out, found, err) : 0;
out:
	buf_release(&now);
	buf_release(&older);
	return result;
}

static bool is_in_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash + 1 - path) : 0;

	return n >= strlen(FOLDER) && str_starts(slash + 1 - strlen(FOLDER), FOLDER);
}

/* The target of a link that is not absolute, as it is to be at the new place; else *out is empty.
 */
static int new_target(const char *from, const char *to, struct buf *out, struct err *err)
{
	char target[PATH_MAX];
	ssize_t n = readlink(from, target, sizeof(target) - 1);
	bool was_in = is_in_folder(from), will_be_in = is_in_folder(to);

	if (n <= 0 || *target == '/')
		return 0;
	target[n] = '\0';
	if (was_in == will_be_in)
		buf_adds(out, target);
	else if (will_be_in)
		buf_addf(out, "../%s", target);
	else if (str_starts(target, "../"))
		buf_adds(out, target + strlen("../"));
	else
		buf_addf(out, "%s%s", &FOLDER[1], target);
	return buf_check(out, err);
}

/* A link leads where it led. */
static int move(const char *from, const char *to, struct err *err)
{
	struct buf target = BUF_INIT;
	int result = -1;

	if (new_target(from, to, &target, err))
		goto out;
	if (target.len) {
		/* What is at its place goes, as with a rename. */
		unlink(to);
		result = symlink(buf_str(&target), to) || unlink(from) ? -1 : 0;
	} else {
		result = rename(from, to);
	}
	if (result)
		err_sys(err, ERR_IO, "cannot rename '%s'", from);
out:
	buf_release(&target);
	return result;
}

/* ---- what lies beside it --------------------------------------------------------------- */

/* Not what git or pawl look for by its name. */
static bool may_be_asked_for(const char *name)
{
	static const char *const ends[] = { ".sample", OLDER, ".edited" };
	size_t n = strlen(name), i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (n >= strlen(ends[i]) && !strcmp(name + n - strlen(ends[i]), ends[i]))
			return false;
	return *name != '.' && strcmp(name, "chained") && strcmp(name, "pre-push") &&
	       strcmp(name, "post-commit");
}

/* Goes through the folder; each gets the folder and the name, and ends it with false. */
static bool for_each(const char *folder, bool (*each)(const char *folder, const char *name))
{
	DIR *d = opendir(folder);
	const struct dirent *entry;
	bool go_on = d;

	while (go_on && (entry = readdir(d)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			go_on = each(folder, entry->d_name);
	if (d)
		closedir(d);
	return go_on;
}

/* A hook may read what lies beside it, as husky 4 and overcommit do. */
static bool add_link(const char *hooks, const char *name)
{
	struct buf to = BUF_INIT, link = BUF_INIT;

	buf_addf(&to, "../%s", name);
	buf_addf(&link, "%s" FOLDER "%s", hooks, name);
	if (may_be_asked_for(name) && !buf_check(&to, NULL) && !buf_check(&link, NULL) &&
	    symlink(buf_str(&to), buf_str(&link)) && errno != EEXIST)
		errno = 0; /* it may do without */
	buf_release(&to);
	buf_release(&link);
	return true;
}

/* Whether it is one of those links. */
static bool is_link(const char *folder, const char *name)
{
	struct buf path = BUF_INIT;
	char target[PATH_MAX];
	ssize_t n = -1;

	buf_addf(&path, "%s/%s", folder, name);
	if (!buf_check(&path, NULL))
		n = readlink(buf_str(&path), target, sizeof(target));
	buf_release(&path);
	return n == (ssize_t)strlen(name) + 3 && !memcmp(target, "../", 3) &&
	       !memcmp(target + 3, name, strlen(name));
}

static bool remove_link(const char *folder, const char *name)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/%s", folder, name);
	if (!buf_check(&path, NULL))
		unlink(buf_str(&path));
	buf_release(&path);
	return true;
}

/* The folder goes when no hook is in it any more. */
static void remove_folder(const char *folder)
{
	if (for_each(folder, is_link))
		for_each(folder, remove_link);
	rmdir(folder);
}

static int move_in(const char *from, const char *path, struct buf *out, struct err *err)
{
	struct buf to = BUF_INIT, folder = BUF_INIT, hooks = BUF_INIT;
	size_t n_folder;
	int result = -1;

	if (place_of(path, &to, &n_folder, err))
		goto out;
	buf_add(&folder, buf_str(&to), n_folder);
	buf_add(&hooks, buf_str(&to), n_folder + 1 - strlen(FOLDER));
	if (buf_check(&folder, err) || buf_check(&hooks, err) ||
	    file_make_dirs(buf_str(&folder), 0777, err))
		goto out;
	if (move(from, buf_str(&to), err)) {
		rmdir(buf_str(&folder));
		goto out;
	}
	for_each(*buf_str(&hooks) ? buf_str(&hooks) : "/", add_link);
	if (out)
		buf_adds(out, buf_str(&to));
	result = 0;
out:
	buf_release(&to);
	buf_release(&folder);
	buf_release(&hooks);
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
	} else if (!move(kept, path, err)) {
		place.data[n_folder] = '\0';
		remove_folder(place.data);
		result = 0;
	}
out:
	free(kept);
	buf_release(&place);
	return result;
}
