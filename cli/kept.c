#include "cli/kept.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define FOLDER "%s/comparisons"
#define SHORT 12	 /* digits of a commit in a name */
#define OF_SIDES "sides" /* in their place where the sides are something else */

static int is_kept(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return *e->d_name != '.' && n > 5 && !strcmp(e->d_name + n - 5, ".json");
}

static int newest_first(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

/* The names, newest first; each and the array is free()d by the caller.  0 where there is none. */
static size_t list(const char *dir, struct dirent ***out)
{
	int n = scandir(dir, out, is_kept, newest_first);

	if (n < 0)
		*out = NULL;
	return n < 0 ? 0 : (size_t)n;
}

static void list_release(struct dirent **names, size_t n)
{
	while (n)
		free(names[--n]);
	free(names);
}

static void trim(const char *dir)
{
	struct dirent **names;
	size_t n = list(dir, &names), i;
	struct buf path = BUF_INIT;
	uint64_t bytes = 0;
	struct stat st;

	for (i = 0; i < n; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", dir, names[i]->d_name);
		if (buf_check(&path, NULL) || lstat(buf_str(&path), &st))
			continue;
		bytes += (uint64_t)st.st_size;
		if (i >= KEPT_MOST || (i && bytes > KEPT_MOST_BYTES))
			unlink(buf_str(&path));
	}
	buf_release(&path);
	list_release(names, n);
}

void kept_add(const struct context *c, const struct summary *s)
{
	struct buf dir = BUF_INIT, path = BUF_INIT, text = BUF_INIT;

	const char *base = s->sides.base ? OF_SIDES : s->baseline.commit;
	const char *head = s->sides.base ? OF_SIDES : s->commit.id;

	if (!c->state_dir || !head || !base || !s->n_benchmarks)
		return;
	buf_addf(&dir, FOLDER, c->state_dir);
	buf_addf(&path, FOLDER "/%016lld-%.*s-%.*s.json", c->state_dir, (long long)when_now_us(),
		 SHORT, base, SHORT, head);
	if (!buf_check(&dir, NULL) && !buf_check(&path, NULL) &&
	    !summary_encode(s, 0, &text, NULL) && !file_make_dirs(buf_str(&dir), 0700, NULL)) {
		file_write_whole(buf_str(&path), text.data, text.len, 0600, NULL);
		trim(buf_str(&dir));
	}
	buf_release(&dir);
	buf_release(&path);
	buf_release(&text);
}

/* Whether the name may be of such a comparison, which only its document tells for sure. */
static bool may_be(const char *name, const char *base, const char *head)
{
	const char *at = strchr(name, '-'), *end = at ? strchr(at + 1, '-') : NULL;

	return end && (!base || !strncmp(at + 1, base, SHORT)) &&
	       (!head || !strncmp(end + 1, head, SHORT));
}

static bool read_one(const char *path, const char *base, const char *head, struct summary *out)
{
	struct buf text = BUF_INIT;
	bool found = false;

	if (!file_read_whole(path, KEPT_MOST_BYTES, &text, NULL) &&
	    !summary_decode(text.data, text.len, out, NULL)) {
		found = !head ||
			(out->commit.id && !strcmp(out->commit.id, head) && !out->commit.dirty);
		found = found &&
			(!base || (out->baseline.commit && !strcmp(out->baseline.commit, base)));
		if (!found)
			summary_release(out);
	}
	buf_release(&text);
	return found;
}

int kept_find(const struct context *c, const char *base, const char *head, struct summary *out,
	      struct err *err)
{
	struct buf dir = BUF_INIT, path = BUF_INIT;
	struct dirent **names = NULL;
	bool found = false;
	size_t n = 0, i;

	buf_addf(&dir, FOLDER, c->state_dir ? c->state_dir : "");
	if (c->state_dir && !buf_check(&dir, NULL))
		n = list(buf_str(&dir), &names);
	for (i = 0; i < n && !found; i++) {
		if (!may_be(names[i]->d_name, base, head))
			continue;
		buf_reset(&path);
		buf_addf(&path, "%s/%s", buf_str(&dir), names[i]->d_name);
		found = !buf_check(&path, NULL) && read_one(buf_str(&path), base, head, out);
	}
	list_release(names, n);
	buf_release(&dir);
	buf_release(&path);
	if (found)
		return 0;
	err_set(err, ERR_ABSENT, "no comparison is kept");
	return err_hint(err, "run 'pawl compare' first");
}
