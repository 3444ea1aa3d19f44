#include "collector/link/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/link/arguments.h"
#include "collector/link/link.h"
#include "collector/link/linkers.h"
#include "lib/base/file.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define COPY_MAX ((size_t)256 << 20) /* bytes of one input that is kept */

bool recorder_is(const char *name)
{
	size_t i;

	for (i = 0; i < LINKERS_NAMES; i++)
		if (!strcmp(name, linkers_names[i]))
			return true;
	return false;
}

/* ---- the real linker --------------------------------------------------------------------- */

/* Of FOLDER/pawl/ld, as which we were started, the script is FOLDER/ld. */
static void find_ours(const char *started_as, struct linkers_ours *out)
{
	const char *name = path_base(started_as);
	struct buf script = BUF_INIT;

	out->n = !stat("/proc/self/exe", &out->v[0]);
	buf_addf(&script, "%.*s../%s", (int)(name - started_as), started_as, name);
	if (!buf_check(&script, NULL) && !stat(buf_str(&script), &out->v[out->n]))
		out->n++;
	buf_release(&script);
}

/* gcc hands its own folders on in COMPILER_PATH: a cross compiler's linker lies there. */
static bool find_linker(const char *started_as, struct buf *out)
{
	const char *name = path_base(started_as);
	struct linkers_ours ours;

	find_ours(started_as, &ours);
	return linkers_search(getenv(LINKERS_SEARCH), name, &ours, out) ||
	       linkers_of_clang(name, &ours, out) ||
	       linkers_search(getenv("PATH"), name, &ours, out);
}

/* ---- the record -------------------------------------------------------------------------- */

static int keep_env(struct strv *out)
{
	static const char *const kept[] = {
		"COLLECT_GCC",	"COLLECT_GCC_OPTIONS", "COLLECT_LTO_WRAPPER",
		LINKERS_SEARCH, "GCC_EXEC_PREFIX",     "GNUTARGET",
		"LC_ALL",	"LDEMULATION",	       "LD_LIBRARY_PATH",
		"LD_RUN_PATH",	"LIBRARY_PATH",	       "PATH",
		"TMPDIR",	"SOURCE_DATE_EPOCH",   "TZ"
	};
	const char *value;
	size_t i;

	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		value = getenv(kept[i]);
		if (value && strv_addf(out, NULL, "%s=%s", kept[i], value))
			return -1;
	}
	return 0;
}

/* What rustc makes, links and deletes beside its output: X.rcgu.o, rustcXXXXXX/X. */
static bool is_of_rust(const char *path)
{
	const char *end = strstr(path_base(path), ".rcgu.o"), *folder = strstr(path, "/rustc");

	return (end && !end[strlen(".rcgu.o")]) ||
	       (folder && strcspn(folder + 1, "/") == strlen("rustcXXXXXX") &&
		path_base(path) == folder + 1 + strlen("rustcXXXXXX/"));
}

/* Whether the driver deletes it: a file where temporary ones lie, and not of the tree. */
static bool is_passing(const char *path)
{
	const char *const folders[] = { getenv("TMPDIR"), "/tmp", "/var/tmp" };
	const char *links = getenv(RECORDER_LINKS);
	struct stat st;
	size_t i, n;

	/* KEY/links: all that lies in KEY stays */
	n = links ? (size_t)(strrchr(links, '/') - links) + 1 : 0;
	if (is_of_rust(path))
		return !stat(path, &st) && S_ISREG(st.st_mode);
	if (*path != '/' || (n && !strncmp(path, links, n)))
		return false;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (folders[i] && *folders[i] && str_below(path, folders[i]))
			return !stat(path, &st) && S_ISREG(st.st_mode);
	return false;
}

/* Copies what will be gone and lets the words name the copy. */
static int keep_inputs(struct link *l, const char *record)
{
	struct buf folder = BUF_INIT, to = BUF_INIT, bytes = BUF_INIT;
	size_t i, n = 0;
	int result = -1;

	buf_addf(&folder, "%s.d", record);
	for (i = 0; i < l->words.n; i++) {
		const char *word = l->words.v[i], *path = *word == '-' ? strchr(word, '=') : word;
		int head;

		path = path == word || !path ? word : path + 1;
		if (!is_passing(path) || !strcmp(path, l->output) || strstr(word, "-fresolution="))
			continue;
		if (!n && (buf_check(&folder, NULL) || mkdir(buf_str(&folder), 0700)))
			goto out;
		buf_reset(&bytes);
		buf_reset(&to);
		head = (int)(path - word);
		buf_addf(&to, "%.*s%s/%zu-%s", head, word, buf_str(&folder), n++, path_base(path));
		if (buf_check(&to, NULL) || file_read_whole(path, COPY_MAX, &bytes, NULL) ||
		    file_write_new(buf_str(&to) + head, bytes.data, bytes.len, 0600, NULL) ||
		    str_set(&l->words.v[i], buf_str(&to), NULL))
			goto out;
	}
	result = 0;
out:
	buf_release(&folder);
	buf_release(&to);
	buf_release(&bytes);
	return result;
}

/* Not synced: a build that is cut off is made anew. */
static int write_record(const struct link *l, const char *path)
{
	struct buf text = BUF_INIT, before = BUF_INIT;
	int result = -1;

	buf_addf(&before, "%s.new", path);
	if (!buf_check(&before, NULL) && !link_encode(l, &text, NULL) &&
	    !file_write_new(buf_str(&before), text.data, text.len, 0600, NULL)) {
		result = rename(buf_str(&before), path);
		if (result)
			unlink(buf_str(&before));
	}
	buf_release(&text);
	buf_release(&before);
	return result;
}

/* Programs that configure scripts make to see whether they can be made. */
static bool is_trial(const char *output)
{
	return str_starts(path_base(output), "conftest") || strstr(output, "cmTC_") ||
	       strstr(output, "meson-private");
}

static void record(const char *folder, const char *linker, char *const *argv)
{
	struct link l = LINK_INIT;
	struct buf path = BUF_INIT, copies = BUF_INIT;
	struct timespec now;

	l.folder = getcwd(NULL, 0);
	if (!l.folder || arguments_expand(argv + 1, &l.words, NULL) ||
	    !arguments_are_link(&l.words) || is_trial(arguments_output(&l.words)) ||
	    keep_env(&l.env) || str_set(&l.output, arguments_output(&l.words), NULL))
		goto out;
	/* -B may name a folder of the tree */
	l.linker = *linker == '/' ? strdup(linker) : path_join(l.folder, linker, NULL);
	if (!l.linker)
		goto out;
	clock_gettime(CLOCK_REALTIME, &now);
	buf_addf(&path, "%s/%012lld%09ld-%ld", folder, (long long)now.tv_sec, now.tv_nsec,
		 (long)getpid());
	buf_addf(&copies, "%s.d", buf_str(&path));
	if (buf_check(&path, NULL) || buf_check(&copies, NULL) ||
	    (mkdir(folder, 0700) && errno != EEXIST))
		goto out;
	if (keep_inputs(&l, buf_str(&path)) || write_record(&l, buf_str(&path)))
		file_remove_tree(buf_str(&copies), NULL);
out:
	link_release(&l);
	buf_release(&path);
	buf_release(&copies);
}

/* What the script set aside. */
static void take_back(const char *set_aside, const char *name)
{
	const char *value = getenv(set_aside);

	if (value && *value)
		setenv(name, value, 1);
	unsetenv(set_aside);
}

int recorder_main(int argc, char **argv)
{
	const char *folder = getenv(RECORDER_LINKS);
	struct buf linker = BUF_INIT;

	take_back(LINKERS_SET_ASIDE("LD_LIBRARY_PATH"), "LD_LIBRARY_PATH");
	take_back(LINKERS_SET_ASIDE("LD_PRELOAD"), "LD_PRELOAD");
	if (!find_linker(argv[0], &linker)) {
		fprintf(stderr, "collect2: fatal error: cannot find '%s'\n", path_base(argv[0]));
		buf_release(&linker);
		return 1;
	}
	if (folder && *folder == '/' && argc > 1)
		record(folder, buf_str(&linker), argv);
	argv[0] = linker.data; /* it names itself in its messages */
	execv(argv[0], argv);
	fprintf(stderr, "%s: cannot execute: %s\n", argv[0], strerror(errno));
	buf_release(&linker);
	return 127;
}
