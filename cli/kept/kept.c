#include "cli/kept/kept.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/kept/sealed.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define FOLDER "%s/comparisons"
#define SHORT 12	 /* digits of a commit in a name */
#define OF_SIDES "sides" /* in their place where the sides are something else */
#define NO_BASE "none"	 /* of what failed before it had one */

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
	struct buf dir = BUF_INIT, path = BUF_INIT;
	struct err fault = ERR_INIT;
	const char *base = s->sides.base ? OF_SIDES : s->baseline.commit;
	const char *head = s->sides.base ? OF_SIDES : s->commit.id;

	if (!c->state_dir || !head || !s->n_benchmarks)
		return;
	base = base ? base : NO_BASE;
	buf_addf(&dir, FOLDER, c->state_dir);
	buf_addf(&path, FOLDER "/%016lld-%.*s-%.*s.json", c->state_dir, (long long)when_now_us(),
		 SHORT, base, SHORT, head);
	if (buf_check(&dir, &fault) || buf_check(&path, &fault) ||
	    file_make_dirs(buf_str(&dir), 0700, &fault) || sealed_write(buf_str(&path), s, &fault))
		talk_warn(c->talk, "'pawl report --last' shows an older one, or none",
			  "this comparison is not kept: %s", fault.text);
	else
		trim(buf_str(&dir));
	buf_release(&dir);
	buf_release(&path);
}

/* Whether the name may be of such a comparison, which only its document tells for sure. */
static bool may_be(const char *name, const char *base, const char *head)
{
	const char *at = strchr(name, '-'), *end = at ? strchr(at + 1, '-') : NULL;

	return end && (!base || !strncmp(at + 1, base, SHORT)) &&
	       (!head || !strncmp(end + 1, head, SHORT));
}

/* 1: it is the one; 0: it is another one. */
static int read_one(const char *path, const char *base, const char *head, struct summary *out,
		    struct err *err)
{
	if (sealed_read(path, KEPT_MOST_BYTES, out, err))
		return -1;
	if ((!head || (out->commit.id && !strcmp(out->commit.id, head) && !out->commit.dirty)) &&
	    (!base || (out->baseline.commit && !strcmp(out->baseline.commit, base))))
		return 1;
	summary_release(out);
	return 0;
}

/* An older comparison, or none, is not to take its place without a word. */
static void tell_damaged(const struct context *c, size_t n, const char *first)
{
	if (n)
		talk_warn(c->talk, "remove them, and compare again",
			  "%zu kept comparison%s damaged and left out, such as '%s'", n,
			  n == 1 ? " is" : "s are", first);
}

int kept_find(const struct context *c, const char *base, const char *head, struct summary *out,
	      struct err *err)
{
	struct buf dir = BUF_INIT, path = BUF_INIT, damaged = BUF_INIT;
	struct dirent **names = NULL;
	struct err fault = ERR_INIT;
	size_t n = 0, n_damaged = 0, i;
	int found = 0;

	buf_addf(&dir, FOLDER, c->state_dir ? c->state_dir : "");
	if (c->state_dir && !buf_check(&dir, NULL))
		n = list(buf_str(&dir), &names);
	for (i = 0; i < n && !found; i++) {
		if (!may_be(names[i]->d_name, base, head))
			continue;
		buf_reset(&path);
		buf_addf(&path, "%s/%s", buf_str(&dir), names[i]->d_name);
		found = buf_check(&path, &fault)
				? -1
				: read_one(buf_str(&path), base, head, out, &fault);
		if (found < 0 && fault.code == ERR_CORRUPT) {
			if (!n_damaged++)
				buf_adds(&damaged, buf_str(&path));
			found = 0;
		}
	}
	tell_damaged(c, n_damaged, buf_str(&damaged));
	list_release(names, n);
	buf_release(&dir);
	buf_release(&path);
	buf_release(&damaged);
	if (found > 0)
		return 0;
	if (found < 0) {
		if (err)
			*err = fault;
		return -1;
	}
	err_set(err, ERR_ABSENT, "no comparison is kept");
	return err_hint(err, "run 'pawl compare' first");
}
