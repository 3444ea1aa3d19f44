/*
 * trees_outside - the files outside of a tree that its build read: headers of the system, mostly.
 *
 * Which packages are installed says little of a build; that zlib.h is another one since, much. What
 * was read is known from the compilers: gcc and clang append it to the file that the variable
 * SUNPRO_DEPENDENCIES names, which their wrappers set, where the build asks for no dependencies
 * itself; where it asks, they are in its own files for make (.d, .Po) or ninja.  What a compiler
 * cache answers, or another compiler reads, is not known: then no change is noticed.  Files that
 * the build's own command names, such as a driver that it copies in or a script that it is, count
 * too, and so do static libraries that were linked (trees_linked.c).
 */
#include <ftw.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/trees_local.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define OPEN_FOLDERS 32
#define FILE_MAX ((size_t)64 << 20)
#define LIST_MAX ((size_t)64 << 20)

/* nftw() and twalk() hand nothing through; one walk at a time. */
static struct {
	const char *dir; /* KEY */
	void *names;	 /* a tree of strings */
	struct buf *list;
	bool failed;
} walk;

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A name once, when it is an absolute path that does not lead into KEY. */
static void add_name(const char *text, size_t n)
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
	at = tsearch(name, &walk.names, by_text);
	walk.failed = walk.failed || !at;
	if (!at || *(char **)at != name)
		free(name);
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

/* A word of the command, with the home folder put in as a shell does it. */
static void add_word(const char *word, size_t n, const struct timespec *began)
{
	static const char *const homes[] = { "~/", "$HOME/", "${HOME}/" };
	const char *home = getenv("HOME");
	struct buf name = BUF_INIT;
	size_t i, skip = 0;

	for (i = 0; home && i < sizeof(homes) / sizeof(homes[0]); i++)
		if (str_starts(word, homes[i]))
			skip = strlen(homes[i]) - 1;
	if (skip && skip < n)
		buf_adds(&name, home);
	buf_add(&name, word + skip, n - skip);
	if (name.failed)
		walk.failed = true;
	else if (*buf_str(&name) == '/' && was_there(buf_str(&name), began))
		add_name(buf_str(&name), name.len);
	buf_release(&name);
}

static void add_words(const char *command, const struct timespec *began)
{
	while (command && *command) {
		size_t n = strcspn(command, " \t\r\n\"'`;&|<>()=,:@");

		if (n)
			add_word(command, n, began);
		command += n + (command[n] != '\0');
	}
}

static int read_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	const char *name = path + where->base;
	bool rules = str_ends(name, ".d") || str_ends(name, ".Po") || str_ends(name, ".Plo") ||
		     !strcmp(name, TREES_SEEN);
	struct buf text = BUF_INIT;

	if (kind != FTW_F || (!rules && strcmp(name, ".ninja_deps") != 0) ||
	    (size_t)st->st_size > FILE_MAX)
		return 0;
	if (!file_read_whole(path, FILE_MAX, &text, NULL)) {
		if (rules)
			add_rules(buf_str(&text));
		else
			add_ninja_log(&text);
	}
	buf_release(&text);
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

static int add_linked(const char *dir, const struct timespec *began, struct err *err)
{
	struct strv files = STRV_INIT;
	int result = trees_linked(dir, &files, err);
	size_t i;

	for (i = 0; !result && i < files.n; i++)
		if (was_there(files.v[i], began))
			add_name(files.v[i], strlen(files.v[i]));
	strv_release(&files);
	return result;
}

static int list_outside(const char *dir, const char *command, const struct timespec *began,
			struct buf *out, struct err *err)
{
	int result, linked;

	memset(&walk, 0, sizeof(walk));
	walk.dir = dir;
	walk.list = out;
	add_words(command, began);
	linked = add_linked(dir, began, err);
	result = nftw(dir, read_one, OPEN_FOLDERS, FTW_PHYS);
	if (!result)
		twalk(walk.names, list_one);
	tdestroy(walk.names, free);
	if (linked)
		return -1;
	if (walk.failed)
		return err_nomem(err);
	return result ? err_sys(err, ERR_IO, "cannot look through '%s'", dir) : buf_check(out, err);
}

static int list_path(const char *dir, struct buf *out, struct err *err)
{
	buf_addf(out, "%s/" TREES_OUTSIDE, dir);
	return buf_check(out, err);
}

int trees_outside_keep(const char *dir, const char *command, const struct timespec *began,
		       struct err *err)
{
	struct buf list = BUF_INIT, path = BUF_INIT;
	int result =
		list_path(dir, &path, err) || list_outside(dir, command, began, &list, err) ||
				file_write_whole(buf_str(&path), list.data, list.len, 0600, err)
			? -1
			: 0;

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
