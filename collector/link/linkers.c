#include "collector/link/linkers.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "lib/process/proc.h"

#include "lib/base/banned.h"

#define COMMAND_MAX ((size_t)8 << 20)
#define ANSWER_MAX ((size_t)1 << 16)
#define ASK_NS (UINT64_C(10) * 1000000000)

const char *const linkers_names[LINKERS_NAMES] = { "ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold" };

static bool is_one(const struct stat *st, const struct linkers_ours *ours)
{
	size_t i;

	for (i = 0; i < ours->n; i++)
		if (st->st_dev == ours->v[i].st_dev && st->st_ino == ours->v[i].st_ino)
			return true;
	return false;
}

/* Whether it is a script that starts one of ours: there are several folders of these. */
static bool starts_one(const char *path, const struct linkers_ours *ours)
{
	const char *name = path_base(path);
	struct buf beside = BUF_INIT;
	struct stat st;
	bool result;

	buf_addf(&beside, "%.*spawl/%s", (int)(name - path), path, name);
	result = !buf_check(&beside, NULL) && !stat(buf_str(&beside), &st) && is_one(&st, ours);
	buf_release(&beside);
	return result;
}

static bool is_program(const char *path, const struct linkers_ours *ours)
{
	struct stat st;

	return !access(path, X_OK) && !stat(path, &st) && S_ISREG(st.st_mode) &&
	       !is_one(&st, ours) && !starts_one(path, ours);
}

bool linkers_search(const char *folders, const char *name, const struct linkers_ours *ours,
		    struct buf *out)
{
	while (folders && *folders) {
		size_t n = strcspn(folders, ":");

		buf_reset(out);
		buf_add(out, folders, n);
		buf_addf(out, "%s%s", n && folders[n - 1] == '/' ? "" : "/", name);
		if (n && !buf_check(out, NULL) && is_program(buf_str(out), ours))
			return true;
		folders += n;
		folders += *folders == ':';
	}
	return false;
}

/*
 * ---- asking the clang that started us -----------------------------------------------------------
 *
 * What gcc would look through it hands on in COMPILER_PATH.  clang does not: it knows folders of
 * its own, and linkers that are named after a target, which is a matter of its command line.
 */

/* The file that our parent runs: false, it is not to be told. */
static bool parent_is(char path[PATH_MAX])
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%ld/exe", (long)getppid());
	n = readlink(link, path, PATH_MAX - 1);
	if (n <= 0)
		return false;
	path[n] = '\0';
	return true;
}

/* The folder that the compiler's wrapper put in front of others. */
static bool is_our_folder(const char *word)
{
	return str_starts(word, "-B") && strstr(word, "/linkers/") &&
	       !strcmp(path_base(word), LINKERS_NAMED);
}

/* Its command line, without what is ours of it, and the question behind it. */
static int make_question(const char *name, struct strv *out)
{
	struct buf command = BUF_INIT;
	char path[64];
	size_t at;
	int result = -1;

	snprintf(path, sizeof(path), "/proc/%ld/cmdline", (long)getppid());
	if (file_read_whole(path, COMMAND_MAX, &command, NULL))
		goto out;
	for (at = 0; at < command.len; at += strlen(buf_str(&command) + at) + 1)
		if (!is_our_folder(buf_str(&command) + at) &&
		    strv_add(out, buf_str(&command) + at, NULL))
			goto out;
	if (out->n)
		result = strv_addf(out, NULL, "-print-prog-name=%s", name);
out:
	buf_release(&command);
	return result;
}

/* A pipe of ours must not become one of the three. */
static bool has_descriptors(void)
{
	int fd;

	for (fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			return false;
	return true;
}

/* Its first line, which is a path where it knows of one. */
static bool ask(const struct strv *question, struct buf *out)
{
	char nowhere[] = LINKERS_SEARCH "=", *const environment[] = { nowhere, NULL };
	const struct proc_options options = { .environment = environment,
					      .max = ANSWER_MAX,
					      .timeout_ns = ASK_NS };
	int status;

	if (proc_run(&options, question->v, out, NULL, &status, NULL) || status)
		return false;
	buf_truncate(out, strcspn(buf_str(out), "\n"));
	return strchr(buf_str(out), '/') != NULL;
}

/* Searches the answer's folder: what stands for us is not taken. */
static bool take(struct buf *answer, const struct linkers_ours *ours, struct buf *out)
{
	char *slash = strrchr(answer->data, '/');

	*slash = '\0';
	return linkers_search(slash == answer->data ? "/" : answer->data, slash + 1, ours, out);
}

bool linkers_of_clang(const char *name, const struct linkers_ours *ours, struct buf *out)
{
	struct strv question = STRV_INIT;
	struct buf answer = BUF_INIT;
	char path[PATH_MAX];
	bool found = false;

	if (!parent_is(path) || !str_starts(path_base(path), "clang"))
		return false;
	if (has_descriptors() && !make_question(name, &question) && ask(&question, &answer))
		found = take(&answer, ours, out);
	if (!found) {
		*strrchr(path, '/') = '\0';
		found = linkers_search(path, name, ours, out);
	}
	strv_release(&question);
	buf_release(&answer);
	return found;
}
