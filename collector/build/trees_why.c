/*
 * trees_why - what a build depended on, kept beside it, and what is different since.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/build/trees_local.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define FACTS_MAX ((size_t)1 << 20)
#define SHOWN 60 /* bytes of a value */
#define FILES 2	 /* named, of those that changed */

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

/* They are written when the build has ended, and never again. */
int trees_built_at(const char *tree, struct timespec *out)
{
	struct buf path = BUF_INIT;
	struct stat st;
	int result = -1;

	buf_addf(&path, "%s/../" TREES_FACTS, tree);
	if (!path.failed && !stat(buf_str(&path), &st)) {
		*out = st.st_mtim;
		result = 0;
	}
	buf_release(&path);
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

/* A file that the build used, or the compilers' own words; else a setting. */
static bool is_used(const char *fact)
{
	return *fact == '/' || *fact == '(';
}

static void add_value(const char *word, const char *value, struct buf *out)
{
	buf_addf(out, "%s '%.*s%s'", word, SHOWN, value, strlen(value) > SHOWN ? "..." : "");
}

/* Whether there is one more difference: then or now is NULL where it has no such fact. */
static bool add_setting(const char *name, const char *then, const char *now, struct buf *out)
{
	bool is_build = str_starts(name, "build=");

	if (then && now && !strcmp(then, now))
		return false;
	buf_addf(out, "%s%.*s ", out->len ? ", " : "", (int)strcspn(name, "="), name);
	if (!now || (then && *then))
		add_value("was", then, out);
	if (!now)
		buf_adds(out, ", is not set");
	else if (!*now)
		buf_adds(out, !then ? "is empty" : is_build ? ", and is found now" : ", is empty");
	else
		add_value(then && *then ? ", is" : "is", now, out);
	if (!then)
		buf_adds(out, ", was not set");
	else if (!*then)
		buf_adds(out, is_build ? ", and was found before" : ", was empty");
	return true;
}

/* A digest says nothing to people: that it is another one is all. */
static bool add_used(const char *name, const char *then, const char *now, struct buf *out)
{
	if (then && now && !strcmp(then, now))
		return false;
	buf_addf(out, "%s%.*s %s", out->len ? ", " : "", (int)strcspn(name, "="), name,
		 !then ? "is used now"
		 : now ? "changed"
		       : "is not used any more");
	return true;
}

/* The settings that differ, or the files: a setting changes which files are used. */
static size_t add_all(const struct strv *then, const struct strv *now, bool used, struct buf *out)
{
	bool (*add)(const char *, const char *, const char *, struct buf *) =
		used ? add_used : add_setting;
	struct buf rest = BUF_INIT;
	size_t i, n = 0;

	for (i = 0; i < now->n; i++)
		if (is_used(now->v[i]) == used)
			n += add(now->v[i], same_fact(then, now->v[i]),
				 now->v[i] + strcspn(now->v[i], "=") + 1,
				 used && n >= FILES ? &rest : out);
	for (i = 0; i < then->n; i++)
		if (is_used(then->v[i]) == used && !same_fact(now, then->v[i]))
			n += add(then->v[i], then->v[i] + strcspn(then->v[i], "=") + 1, NULL,
				 used && n >= FILES ? &rest : out);
	if (used && n > FILES)
		buf_addf(out, ", %zu more", n - FILES);
	buf_release(&rest);
	return n;
}

static void compare(const struct strv *then, const struct strv *now, struct buf *out)
{
	if (!add_all(then, now, false, out))
		add_all(then, now, true, out);
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
		    stat(buf_str(&dir), &st) || (best.n && when_is_before(&st.st_mtim, &newest)))
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
