/*
 * trees_outside - the files outside of a tree that its build read: headers of the system, mostly.
 *
 * Which packages are installed says little of a build; that zlib.h is another one since, much. What
 * was read is known from the compilers, whose wrappers see to it (compilers.c); where the build
 * asks for dependencies itself, they may be in its own files for make (.d, .Po) or ninja.  What a
 * compiler cache answers is not known: then no change is noticed.  Files that the build's own
 * command names, such as a driver that it copies in or a script that it is, count too, and so do
 * programs (trees_tools.c) and static libraries that were linked (trees_linked.c).
 */
#include <dirent.h>
#include <ftw.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/compilers.h"
#include "collector/build/trees_local.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define OPEN_FOLDERS 32
#define ABSENT "- " /* begins the line of a path at which there is nothing */
#define FILE_MAX ((size_t)64 << 20)
#define LIST_MAX ((size_t)64 << 20)

/* nftw() and twalk() hand nothing through; one walk at a time. */
static struct {
	const char *dir;     /* KEY */
	void *names;	     /* a tree of strings */
	void *absent;	     /* another: where there is none, and one would be taken */
	struct strv folders; /* that are searched for headers */
	struct strv descriptions;
	struct buf *list;
	bool failed;
} walk;

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A name once, when it is an absolute path that does not lead into KEY. */
static void add_name_to(void **names, const char *text, size_t n)
{
	char *name;
	void *at;

	if (n < 2 || text[0] != '/')
		return;
	name = strndup(text, n);
	if (!name) {
		walk.failed = true;
		return;
	}
	if (str_below(name, walk.dir)) {
		free(name);
		return;
	}
	at = tsearch(name, names, by_text);
	walk.failed = walk.failed || !at;
	if (!at || *(char **)at != name)
		free(name);
}

static void add_name(const char *text, size_t n)
{
	add_name_to(&walk.names, text, n);
}

/*
 * Rules for make: what is a path stands between blanks; of "a.o:" the colon is none of it.  A
 * backslash before a blank or '#' makes it a part of the path, and "$$" is a '$'.
 */
static void add_rules(const char *text)
{
	struct buf name = BUF_INIT;

	while (*text) {
		text += strspn(text, " \t\r\n");
		buf_reset(&name);
		while (*text && !strchr(" \t\r\n", *text)) {
			if (*text == '\\' && strchr("\r\n", text[1])) {
				text++;
				break;
			}
			if ((*text == '\\' && strchr(" #", text[1])) ||
			    (*text == '$' && text[1] == '$'))
				text++;
			buf_addc(&name, *text++);
		}
		add_name(buf_str(&name),
			 name.len && name.data[name.len - 1] == ':' ? name.len - 1 : name.len);
	}
	walk.failed = walk.failed || name.failed;
	buf_release(&name);
}

/* A path a line; with a '/' at its end it is a folder that is searched for headers. */
static void add_lines(char *text)
{
	char *line;

	while (text && (line = strsep(&text, "\n"))) {
		size_t n = strlen(line);

		if (n < 2 || line[n - 1] != '/') {
			add_name(line, n);
		} else if (*line == '/' && !str_below(line, walk.dir)) {
			while (n > 1 && line[n - 1] == '/')
				line[--n] = '\0';
			if (!strv_has(&walk.folders, line) && strv_add(&walk.folders, line, NULL))
				walk.failed = true;
		}
	}
}

/* A path of ninja's log: its bytes, filled up with NULs, and a checksum of four. */
static void add_ninja_log(const struct buf *log)
{
	static const char head[] = "# ninjadeps\n";
	size_t at = strlen(head) + 4;
	uint32_t size;

	if (log->len < at || memcmp(log->data, head, strlen(head)) != 0)
		return;
	for (; at + 4 <= log->len; at += size) {
		memcpy(&size, log->data + at, 4);
		at += 4;
		if ((size & 0x7fffffff) > log->len - at)
			return;
		if (!(size >> 31) && size > 4)
			add_name(log->data + at, strnlen(log->data + at, size - 4));
		size &= 0x7fffffff;
	}
}

/* Whether it was like that before the build, which may as well have written it. */
static bool was_there(const char *name, const struct timespec *began)
{
	struct stat st;

	return !stat(name, &st) && when_is_before(&st.st_mtim, began);
}

/* What the wrappers wrote lies beside the tree. */
static bool is_of_wrappers(const char *name, int level)
{
	return level == 1 && (!strcmp(name, TREES_SEEN) || str_starts(name, TREES_SEEN "."));
}

static void read_text(const char *name, int level, struct buf *text)
{
	if (!strcmp(name, ".ninja_deps"))
		add_ninja_log(text);
	else if (is_of_wrappers(name, level) &&
		 (str_ends(name, COMPILERS_HEADERS) || str_ends(name, COMPILERS_USED)))
		add_lines(text->data);
	else
		add_rules(buf_str(text));
}

static int read_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	const char *name = path + where->base;
	bool tells = str_ends(name, ".d") || str_ends(name, ".Po") || str_ends(name, ".Plo") ||
		     !strcmp(name, ".ninja_deps") || is_of_wrappers(name, where->level);
	struct buf text = BUF_INIT;

	if (kind != FTW_F || (size_t)st->st_size > FILE_MAX)
		return 0;
	if (tells && !file_read_whole(path, FILE_MAX, &text, NULL))
		read_text(name, where->level, &text);
	buf_release(&text);
	if (where->level > 1 && trees_tools_is_description(name) &&
	    strv_add(&walk.descriptions, path, NULL))
		walk.failed = true;
	return walk.failed ? -1 : 0;
}

static void describe(const char *name, struct buf *out)
{
	struct stat st;

	if (stat(name, &st) || !S_ISREG(st.st_mode))
		return;
	buf_addf(out, "%lld %lld.%09ld %s", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
		 st.st_mtim.tv_nsec, name);
	buf_addc(out, '\0');
}

static void list_one(const void *node, VISIT which, int depth)
{
	(void)depth;
	if (which == postorder || which == leaf)
		describe(*(char *const *)node, walk.list);
}

/* But what it may have written itself. */
static void add_those_before(const struct strv *files, const struct timespec *began)
{
	size_t i;

	for (i = 0; i < files->n; i++)
		if (was_there(files->v[i], began))
			add_name(files->v[i], strlen(files->v[i]));
}

static int add_linked(const char *dir, const struct timespec *began, struct err *err)
{
	struct strv files = STRV_INIT;
	int result = trees_linked(dir, &files, err);

	if (!result)
		add_those_before(&files, began);
	strv_release(&files);
	return result;
}

static int add_tools(const struct trees_job *j, const char *command, const struct timespec *began,
		     struct err *err)
{
	const struct trees_tools_request rq = { j->root, j->place.tree, command, &walk.descriptions,
						&j->env };
	struct trees_tools tools = { STRV_INIT, STRV_INIT };
	int result = trees_tools(&rq, &tools, err);
	size_t i;

	add_those_before(&tools.files, began);
	for (i = 0; i < tools.absent.n; i++)
		add_name_to(&walk.absent, tools.absent.v[i], strlen(tools.absent.v[i]));
	trees_tools_release(&tools);
	return result;
}

/* Of a header in one folder: where it would lie in another that is searched, too. */
static void add_before(const void *node, VISIT which, int depth)
{
	const char *name = *(char *const *)node, *rest;
	struct buf path = BUF_INIT;
	size_t i, k;

	(void)depth;
	if (which != postorder && which != leaf)
		return;
	for (i = 0; i < walk.folders.n; i++) {
		rest = str_below(name, walk.folders.v[i]);
		for (k = 0; rest && k < walk.folders.n; k++) {
			buf_reset(&path);
			buf_addf(&path, "%s/%s", walk.folders.v[k], rest);
			walk.failed = walk.failed || path.failed;
			if (!path.failed && !file_exists(buf_str(&path)))
				add_name_to(&walk.absent, buf_str(&path), path.len);
		}
	}
	buf_release(&path);
}

static void list_absent(const void *node, VISIT which, int depth)
{
	(void)depth;
	if (which == postorder || which == leaf) {
		buf_addf(walk.list, ABSENT "%s", *(char *const *)node);
		buf_addc(walk.list, '\0');
	}
}

static int list_outside(const struct trees_job *j, const char *command,
			const struct timespec *began, struct buf *out, struct err *err)
{
	const char *dir = j->place.dir;
	char always[] = "/usr/local/include/\n/usr/include/\n";
	int result, more;

	memset(&walk, 0, sizeof(walk));
	walk.dir = dir;
	walk.list = out;
	more = add_linked(dir, began, err);
	add_lines(always);
	result = nftw(dir, read_one, OPEN_FOLDERS, FTW_PHYS);
	if (!result && !more)
		more = add_tools(j, command, began, err);
	if (!result && !more) {
		twalk(walk.names, add_before);
		twalk(walk.names, list_one);
		twalk(walk.absent, list_absent);
	}
	tdestroy(walk.names, free);
	tdestroy(walk.absent, free);
	strv_release(&walk.folders);
	strv_release(&walk.descriptions);
	if (more)
		return -1;
	if (walk.failed)
		return err_nomem(err);
	return result ? err_sys(err, ERR_IO, "cannot look through '%s'", dir) : buf_check(out, err);
}

/* It is in the list now. */
static void drop_told(const char *dir)
{
	struct buf path = BUF_INIT;
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", dir, e->d_name);
		if (is_of_wrappers(e->d_name, 1) && !path.failed)
			unlink(buf_str(&path));
	}
	if (d)
		closedir(d);
	buf_release(&path);
}

static int list_path(const char *dir, struct buf *out, struct err *err)
{
	buf_addf(out, "%s/" TREES_OUTSIDE, dir);
	return buf_check(out, err);
}

int trees_outside_keep(const struct trees_job *j, const char *command, const struct timespec *began,
		       struct err *err)
{
	struct buf list = BUF_INIT, path = BUF_INIT;
	int result =
		list_path(j->place.dir, &path, err) ||
				list_outside(j, command, began, &list, err) ||
				file_write_whole(buf_str(&path), list.data, list.len, 0600, err)
			? -1
			: 0;

	if (!result)
		drop_told(j->place.dir);
	buf_release(&list);
	buf_release(&path);
	return result;
}

int trees_outside_changed(const char *dir, char **out, struct err *err)
{
	struct buf list = BUF_INIT, now = BUF_INIT, path = BUF_INIT;
	int result = 0;
	size_t at;

	*out = NULL;
	if (list_path(dir, &path, err) || file_read_whole(buf_str(&path), LIST_MAX, &list, NULL))
		goto out; /* built by a pawl that kept none */
	for (at = 0; at < list.len && !result && !*out; at += strlen(list.data + at) + 1) {
		const char *line = list.data + at, *name = strchr(line, '/');

		if (!name)
			break;
		buf_reset(&now);
		if (str_starts(line, ABSENT "/")) {
			if (file_exists(name))
				result = str_set(out, name, err);
			continue;
		}
		describe(name, &now);
		if (buf_check(&now, err))
			result = -1;
		else if (!now.len || strcmp(now.data, line) != 0)
			result = str_set(out, name, err);
	}
out:
	buf_release(&list);
	buf_release(&now);
	buf_release(&path);
	return result;
}
