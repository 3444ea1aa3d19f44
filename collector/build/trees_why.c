/*
 * trees_why - what a build depended on, kept beside it, and what is different since.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/build/trees_local.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define FACTS_MAX ((size_t)1 << 20)
#define SHOWN 60 /* bytes of a value */

static int facts_path(const char *dir, struct buf *out, struct err *err)
{
	buf_addf(out, "%s/" TREES_FACTS, dir);
	return buf_check(out, err);
}

int trees_facts_write(const char *dir, const struct strv *facts, struct err *err)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	int result = -1;
	size_t i;

	for (i = 0; i < facts->n; i++)
		buf_add(&text, facts->v[i], strlen(facts->v[i]) + 1);
	if (!buf_check(&text, err) && !facts_path(dir, &path, err))
		result = file_write_whole(buf_str(&path), text.data, text.len, 0600, err);
	buf_release(&path);
	buf_release(&text);
	return result;
}

/* The facts of a kept tree; false when there are none. */
static bool read_facts(const char *dir, struct strv *out)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	bool good;
	size_t at;

	strv_release(out);
	good = !facts_path(dir, &path, NULL) &&
	       !file_read_whole(buf_str(&path), FACTS_MAX, &text, NULL) && text.len &&
	       !text.data[text.len - 1];
	for (at = 0; good && at < text.len; at += strlen(text.data + at) + 1)
		good = !strv_add(out, text.data + at, NULL);
	buf_release(&path);
	buf_release(&text);
	return good;
}

/* What stands behind the name of this fact in another list; NULL: it is not there. */
static const char *same_fact(const struct strv *facts, const char *fact)
{
	size_t i, n = strcspn(fact, "=") + 1;

	for (i = 0; i < facts->n; i++)
		if (!strncmp(facts->v[i], fact, n))
			return facts->v[i] + n;
	return NULL;
}

/* A digest says nothing to people: that it is another one is all. */
static void add_difference(const char *fact, const char *then, struct buf *out)
{
	const char *value = fact + strcspn(fact, "=") + 1;

	buf_addf(out, "%s%.*s ", out->len ? ", " : "", (int)strcspn(fact, "="), fact);
	if (*fact == '/' || *fact == '(')
		buf_adds(out, then ? "changed" : "is new");
	else if (then && str_starts(fact, "build=") && !*then)
		buf_addf(out, "is '%.*s', and was found before", SHOWN, value);
	else if (then)
		buf_addf(out, "was '%.*s', is '%.*s'", SHOWN, then, SHOWN, value);
	else
		buf_addf(out, "is '%.*s', was not set", SHOWN, value);
}

static void compare(const struct strv *then, const struct strv *now, struct buf *out)
{
	size_t i;

	for (i = 0; i < now->n; i++) {
		const char *other = same_fact(then, now->v[i]);

		if (!other || strcmp(other, now->v[i] + strcspn(now->v[i], "=") + 1) != 0)
			add_difference(now->v[i], other, out);
	}
	for (i = 0; i < then->n; i++)
		if (!same_fact(now, then->v[i]))
			buf_addf(out, "%s%.*s is not there any more", out->len ? ", " : "",
				 (int)strcspn(then->v[i], "="), then->v[i]);
}

void trees_why(const char *root, const struct strv *facts, struct buf *out)
{
	struct strv best = STRV_INIT, one = STRV_INIT;
	struct timespec newest = { 0, 0 };
	struct buf dir = BUF_INIT;
	DIR *d = opendir(root);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d))) {
		buf_reset(&dir);
		buf_addf(&dir, "%s/%s", root, e->d_name);
		if (e->d_name[0] == '.' || dir.failed || !read_facts(buf_str(&dir), &one) ||
		    !facts->n || !one.n || strcmp(one.v[0], facts->v[0]) != 0 ||
		    stat(buf_str(&dir), &st) ||
		    (best.n &&
		     (st.st_mtim.tv_sec < newest.tv_sec ||
		      (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec < newest.tv_nsec))))
			continue;
		newest = st.st_mtim;
		strv_release(&best);
		best = one;
		one = (struct strv)STRV_INIT;
	}
	if (d)
		closedir(d);
	if (best.n)
		compare(&best, facts, out);
	strv_release(&best);
	strv_release(&one);
	buf_release(&dir);
}
