/*
 * trees_trim - keeps the built trees within their size, and clears what was left behind.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/build/trees_local.h"
#include "collector/layout/layout.h"
#include "lib/base/file.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define OLD_S (7 * 86400) /* logs of failed builds, and wrappers of compilers, go then */

struct entry {
	char key[TREES_KEY];
	uint64_t bytes;
	struct timespec used;
};

struct entries {
	struct entry *v;
	size_t n;
};

static bool is_key(const char *name)
{
	return strspn(name, "0123456789abcdef") == TREES_KEY - 1 && !name[TREES_KEY - 1];
}

static int by_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

static bool is_kept(const struct trees_place *p)
{
	struct trees_marker m = { .id = NULL };
	bool kept = !trees_marker_read(p->built, &m, NULL);

	trees_marker_release(&m);
	return kept;
}

/*
 * Removes one unless it is in use; *out_gone says whether.  The marker goes first: what is half
 * removed must not be taken for whole.
 */
static int drop(const char *state_dir, const char *key, bool leftovers_only, bool *out_gone,
		struct err *err)
{
	struct trees_place p;
	int fd = -1, result = -1;

	*out_gone = false;
	if (trees_place(state_dir, key, &p, err))
		return -1;
	if (trees_lock(p.lock, LOCK_EX, 0, NULL, &fd, NULL) || (leftovers_only && is_kept(&p))) {
		result = 0;
		goto out;
	}
	unlink(p.built);
	if (trees_remove(p.dir, err))
		goto out;
	if (!leftovers_only)
		unlink(p.log);
	unlink(p.lock); /* who waits for it looks whether it is still the one of that name */
	*out_gone = true;
	result = 0;
out:
	file_close(&fd);
	trees_place_release(&p);
	return result;
}

static int add_entry(const char *state_dir, const char *key, struct entries *all, struct err *err)
{
	struct trees_marker m = { .id = NULL };
	struct trees_place p;
	struct entry *grown;
	struct stat st;
	bool gone;
	int result = -1;

	if (trees_place(state_dir, key, &p, err))
		return -1;
	if (stat(p.built, &st) || trees_marker_read(p.built, &m, NULL)) {
		result = drop(state_dir, key, true, &gone, err);
		goto out;
	}
	grown = realloc(all->v, (all->n + 1) * sizeof(*grown));
	if (!grown) {
		err_nomem(err);
		goto out;
	}
	all->v = grown;
	memcpy(grown[all->n].key, key, TREES_KEY);
	grown[all->n].bytes = m.bytes + layouts_bytes(p.dir);
	grown[all->n++].used = st.st_mtim;
	result = 0;
out:
	trees_marker_release(&m);
	trees_place_release(&p);
	return result;
}

/* Removes what in a folder begins so and was not touched for long, unless it is of a kept tree. */
static void drop_old(const char *folder, const char *start, const struct entries *kept)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	struct stat st;
	size_t i;

	while (d && (e = readdir(d))) {
		struct buf path = BUF_INIT;

		for (i = 0; i < kept->n && !strstr(e->d_name, kept->v[i].key); i++)
			;
		buf_addf(&path, "%s/%s", folder, e->d_name);
		if (i == kept->n && str_starts(e->d_name, start) && !buf_check(&path, NULL) &&
		    !lstat(buf_str(&path), &st) && st.st_mtim.tv_sec < time(NULL) - OLD_S)
			file_remove_tree(buf_str(&path), NULL);
		buf_release(&path);
	}
	if (d)
		closedir(d);
}

static int list(const char *state_dir, const char *root, struct entries *out, struct err *err)
{
	DIR *d = opendir(root);
	struct dirent *e;
	int result = 0;

	while (!result && d && (e = readdir(d)))
		if (is_key(e->d_name))
			result = add_entry(state_dir, e->d_name, out, err);
	if (d)
		closedir(d);
	return result;
}

int trees_trim(const char *state_dir, struct repo *repo, uint64_t max_bytes, struct err *err)
{
	struct entries all = { NULL, 0 };
	struct buf logs = BUF_INIT;
	char *root = trees_root(state_dir, err);
	uint64_t total = 0;
	size_t i;
	bool gone;
	int result = -1;

	if (!root || worktree_prune(repo, root, err) || list(state_dir, root, &all, err))
		goto out;
	for (i = 0; i < all.n; i++)
		total += all.v[i].bytes;
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_use);
	for (i = 0; i < all.n && total > max_bytes; i++) {
		if (drop(state_dir, all.v[i].key, false, &gone, err))
			goto out;
		total -= gone ? all.v[i].bytes : 0;
	}
	drop_old(root, "cc-", &all);
	buf_addf(&logs, "%s/log", state_dir);
	if (!buf_check(&logs, err)) {
		drop_old(buf_str(&logs), "build-", &all);
		result = 0;
	}
out:
	buf_release(&logs);
	free(all.v);
	free(root);
	return result;
}
