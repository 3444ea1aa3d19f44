/*
 * recorder_install - the folder in which a build finds the recorder as its linkers.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/link/linkers.h"
#include "collector/link/recorder.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

static const char *offered; /* a program whose main() calls recorder_main(), or NULL */

void recorder_offer(const char *program)
{
	offered = program;
}

/* A link to the program, in one step, unless it is there. */
static int make_link(const char *path)
{
	char there[PATH_MAX], beside[PATH_MAX];
	ssize_t n = readlink(path, there, sizeof(there) - 1);

	if (n > 0 && (size_t)n == strlen(offered) && !memcmp(there, offered, (size_t)n))
		return 0;
	/* As file_drop_left_overs() knows it.  Of two processes of one name, one steps aside. */
	if (snprintf(beside, sizeof(beside), "%s.tmp.%06ld", path, (long)getpid() % 1000000) >=
	    (int)sizeof(beside))
		return -1;
	if (symlink(offered, beside))
		return -1;
	if (!rename(beside, path))
		return 0;
	unlink(beside);
	return -1;
}

/*
 * What a build's compilers start.  The libraries that a build has its programs find first are not
 * those that pawl was linked with: they are set aside while it starts.
 */
static int make_script(const char *path)
{
	static const char text[] =
		"#!/bin/sh\n"
		"# Made by pawl: it writes down what the linker is asked, and becomes the linker.\n"
		"[ -x \"${0%/*}/pawl/${0##*/}\" ] || exec \"${0##*/}\" \"$@\"\n"
		"[ -z \"$LD_LIBRARY_PATH$LD_PRELOAD\" ] || {\n"
		"\texport " LINKERS_SET_ASIDE(
			"LD_LIBRARY_PATH") "=\"$LD_LIBRARY_PATH\"\n"
					   "\texport " LINKERS_SET_ASIDE(
						   "LD_PRELOAD") "=\"$LD_PRELOAD\"\n"
								 "\tunset LD_LIBRARY_PATH "
								 "LD_PRELOAD\n"
								 "}\n"
								 "exec \"${0%/*}/pawl/${0##*/}\" "
								 "\"$@\"\n";
	struct buf there = BUF_INIT;
	bool same = !file_read_whole(path, sizeof(text), &there, NULL) &&
		    !strcmp(buf_str(&there), text);

	buf_release(&there);
	return same ? 0 : file_write_whole(path, text, sizeof(text) - 1, 0755, NULL);
}

static int install(const char *folder, const char *name)
{
	struct buf link = BUF_INIT, script = BUF_INIT;
	int result;

	buf_addf(&link, "%s/pawl/%s", folder, name);
	buf_addf(&script, "%s/%s", folder, name);
	result = buf_check(&link, NULL) || buf_check(&script, NULL) || make_link(buf_str(&link)) ||
				 make_script(buf_str(&script))
			 ? -1
			 : 0;
	buf_release(&link);
	buf_release(&script);
	return result;
}

/* Those that search_path leads to; NULL: all. */
static int fill(const char *folder, const char *search_path)
{
	const struct linkers_ours none = { .n = 0 };
	struct buf path = BUF_INIT;
	size_t i;
	int result = 0;

	buf_addf(&path, "%s/pawl", folder);
	if (buf_check(&path, NULL) || access(offered, X_OK))
		result = -1;
	else
		result = file_make_dirs(buf_str(&path), 0700, NULL);
	for (i = 0; !result && i < LINKERS_NAMES; i++)
		if (!i || !search_path ||
		    linkers_search(search_path, linkers_names[i], &none, &path))
			result = install(folder, linkers_names[i]);
	file_drop_left_overs(folder);
	buf_reset(&path);
	buf_addf(&path, "%s/pawl", folder);
	if (!buf_check(&path, NULL))
		file_drop_left_overs(buf_str(&path));
	buf_release(&path);
	return result;
}

static int fill_named(const char *folder)
{
	struct buf named = BUF_INIT;
	int result;

	buf_addf(&named, "%s/" LINKERS_NAMED, folder);
	result = buf_check(&named, NULL) || fill(buf_str(&named), NULL) ? -1 : 0;
	buf_release(&named);
	return result;
}

int recorder_install(const char *folder, struct strv *env, struct err *err)
{
	const char *path = strv_value(env, "PATH");

	/* a list of folders has no way to name one with a ':' */
	if (!offered || strchr(folder, ':') ||
	    fill(folder, path ? path : "/usr/local/bin:/usr/bin:/bin") || fill_named(folder))
		return 0;
	return strv_addf(env, err, LINKERS_SEARCH "=%s", folder);
}
