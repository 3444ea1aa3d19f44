#include "collector/compare/alike.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/config/accepted.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

bool alike_file(const char *one, const char *other)
{
	char a[DIGEST_HEX], b[DIGEST_HEX];

	return !digest_of_file(one, a, NULL) && !digest_of_file(other, b, NULL) && !strcmp(a, b);
}

bool alike_files(const struct strv *files, const char *one, const char *other)
{
	bool same = true;
	size_t i;

	for (i = 0; same && i < files->n; i++) {
		char *a = path_join(one, files->v[i], NULL);
		char *b = path_join(other, files->v[i], NULL);

		same = a && b && alike_file(a, b);
		free(a);
		free(b);
	}
	return same;
}

bool alike_link(const char *one, const char *other)
{
	char a[PATH_MAX], b[PATH_MAX];
	ssize_t n = readlink(one, a, sizeof(a)), m = readlink(other, b, sizeof(b));

	return n > 0 && n == m && !memcmp(a, b, (size_t)n);
}

static bool is_same_look(const char *one, const char *two)
{
	struct stat a, b;
	bool is_there = !lstat(one, &a);

	if (is_there != !lstat(two, &b))
		return false;
	if (!is_there || a.st_mode != b.st_mode)
		return !is_there;
	if (S_ISLNK(a.st_mode))
		return alike_link(one, two);
	return !S_ISREG(a.st_mode) || a.st_size == b.st_size;
}

/*
 * Where the links on the way lead: below its tree, or the folder around that, or elsewhere; NULL:
 * nowhere, and errno says why.
 */
static char *end_of_way(const char *path, const char *tree)
{
	char *top = realpath(tree, NULL), *end = top ? realpath(path, NULL) : NULL;
	size_t n = top && end ? strlen(top) : 0;
	int fault = errno;

	if (n && strncmp(end, top, n) != 0)
		n = (size_t)(path_base(top) - top) - 1;
	if (n && !strncmp(end, top, n) && (!end[n] || end[n] == '/'))
		memmove(end, end + n, strlen(end + n) + 1);
	free(top);
	errno = fault;
	return end;
}

static bool is_same_way(const char *a, const char *one, const char *b, const char *other)
{
	char *end_a, *end_b;
	int fault_a, fault_b;
	bool same;

	end_a = end_of_way(a, one);
	fault_a = end_a ? 0 : errno;
	end_b = end_of_way(b, other);
	fault_b = end_b ? 0 : errno;
	same = fault_a == fault_b && (!end_a || !strcmp(end_a, end_b));
	free(end_a);
	free(end_b);
	return same;
}

bool alike_look(const char *file, const char *one, const char *other)
{
	char *a = path_join(one, file, NULL), *b = path_join(other, file, NULL);
	bool same = a && b && is_same_look(a, b) && is_same_way(a, one, b, other);

	free(a);
	free(b);
	return same;
}

bool alike_way(const char *file, const char *one, const char *other)
{
	char *a = path_join(one, file, NULL), *b = path_join(other, file, NULL);
	bool same = a && b && is_same_way(a, one, b, other);

	free(a);
	free(b);
	return same;
}

/* ---- files that may be looked for ----------------------------------------------------------- */

static bool is_source(const char *name)
{
	static const char *const ends[] = { ".c",   ".cc",  ".cpp", ".cxx", ".h",     ".hh",
					    ".hpp", ".hxx", ".inl", ".S",   ".s",     ".asm",
					    ".o",   ".a",   ".lo",  ".la",  ".d",     ".gcno",
					    ".md",  ".rst", ".am",  ".mk",  ".cmake", ".log",
					    ".ac",  ".m4",  ".in",  ".pc" };
	const char *end = strrchr(name, '.');
	size_t i;

	for (i = 0; end && i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(end, ends[i]))
			return true;
	return false;
}

/* What is pawl's own is for no program. */
static bool is_pawls(const char *name)
{
	return !strcmp(name, ".pawlconfig") || !strcmp(name, ACCEPTED_FILE);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* What is seen of it without opening it; of what is built, and may be of any size, its kind. */
static bool add_name(const FTSENT *e, size_t n_top, struct strv *out)
{
	char target[PATH_MAX + 1];
	ssize_t n;

	if (e->fts_info == FTS_SL || e->fts_info == FTS_SLNONE) {
		n = readlink(e->fts_accpath, target, sizeof(target) - 1);
		return n >= 0 &&
		       !strv_addf(out, NULL, "%s -> %.*s", e->fts_path + n_top, (int)n, target);
	}
	if (e->fts_info == FTS_F && !(e->fts_statp->st_mode & 0111))
		return !strv_addf(out, NULL, "%s %llu", e->fts_path + n_top,
				  (unsigned long long)e->fts_statp->st_size);
	return !strv_addf(out, NULL, "%s %o", e->fts_path + n_top,
			  (unsigned)e->fts_statp->st_mode & (S_IFMT | 0777));
}

/* In one order for all trees; false: they cannot be read. */
static bool list_names(const char *top, struct strv *out)
{
	char *const roots[] = { (char *)(size_t)top, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	bool good = tree != NULL;
	FTSENT *e;

	while (good && (e = fts_read(tree))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			good = false;
		else if (e->fts_info != FTS_D && e->fts_info != FTS_DP && !is_source(e->fts_name) &&
			 !is_pawls(e->fts_name))
			good = add_name(e, strlen(top), out);
	}
	if (tree)
		fts_close(tree);
	return good;
}

bool alike_names(const char *one, const char *other)
{
	struct strv a = STRV_INIT, b = STRV_INIT;
	bool same = list_names(one, &a) && list_names(other, &b) && a.n == b.n;
	size_t i;

	for (i = 0; same && i < a.n; i++)
		same = !strcmp(a.v[i], b.v[i]);
	strv_release(&a);
	strv_release(&b);
	return same;
}
