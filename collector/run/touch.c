#include "collector/run/touch.h"

#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/run/aside.h"
#include "collector/run/launch.h"
#include "lib/base/buf.h"
#include "lib/base/digest.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define FOLDERS_MOST 20000

/* The folders that are watched, by what inotify calls them. */
struct watched {
	int fd;
	char *folder[FOLDERS_MOST + 1]; /* by number; those that are not there are NULL */
};

static void watched_free(struct watched *w)
{
	size_t i;

	for (i = 0; i <= FOLDERS_MOST; i++)
		free(w->folder[i]);
	file_close(&w->fd);
	free(w);
}

static bool watch_one(struct watched *w, const char *path)
{
	int number = inotify_add_watch(w->fd, path, IN_OPEN);

	if (number < 0 || number > FOLDERS_MOST)
		return false;
	free(w->folder[number]);
	w->folder[number] = strdup(path);
	return w->folder[number] != NULL;
}

/* Every folder of the tree; its own way through them is not counted.  NULL: it cannot be watched.
 */
static struct watched *watch_all(const char *top)
{
	char *const roots[] = { (char *)(size_t)top, NULL };
	struct watched *w = calloc(1, sizeof(*w));
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	bool all = w && tree;
	FTSENT *e;

	if (w)
		w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	while (all && (e = fts_read(tree))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			all = false;
		else if (e->fts_info == FTS_D)
			all = watch_one(w, e->fts_path);
	}
	if (tree)
		fts_close(tree);
	if (all || !w)
		return w;
	watched_free(w);
	return NULL;
}

/* What is told of an opened file; false ends it, and is what opened_each() is then. */
typedef bool opened_fn(void *ctx, const char *folder, const struct inotify_event *e);

/* Each that was opened since the last call. */
static bool opened_each(const struct watched *w, opened_fn *each, void *ctx)
{
	_Alignas(struct inotify_event) char events[16384];
	bool going = true;
	ssize_t n, at;

	while (going && (n = read(w->fd, events, sizeof(events))) > 0)
		for (at = 0; going && at < n;) {
			const struct inotify_event *e = (const void *)(events + at);

			going = each(ctx,
				     e->wd > 0 && e->wd <= FOLDERS_MOST ? w->folder[e->wd] : NULL,
				     e);
			at += (ssize_t)(sizeof(*e) + e->len);
		}
	return going;
}

static bool none(void *ctx, const char *folder, const struct inotify_event *e)
{
	(void)ctx;
	(void)folder;
	(void)e;
	return false;
}

static bool all(void *ctx, const char *folder, const struct inotify_event *e)
{
	(void)ctx;
	(void)folder;
	(void)e;
	return true;
}

static int run_once(const struct process_runner *r, const struct bench_config *config,
		    const struct side *side, uint64_t timeout_ns, bool *out_ended_well,
		    struct err *err)
{
	struct err fault = ERR_INIT;
	struct child child = CHILD_INIT;
	struct child_result res;
	struct launch l;
	char *failure = NULL;
	bool ended_well = false;
	int result = -1;

	*out_ended_well = false;
	if (launch_prepare(&l, r, config, side, err))
		goto out;
	l.spec.timeout_ns = timeout_ns;
	result = aside_prepare(r, config, side, timeout_ns, &failure, err);
	if (!result && !failure) {
		if (child_run(&l.spec, &child, &res, &fault))
			result = launch_fault(&failure, &fault, err);
		else
			ended_well = !res.timed_out && !res.signal && !res.exit_status;
	}
	result = aside_clean_up(r, config, side, timeout_ns, result, &failure, err);
	*out_ended_well = ended_well && !failure;
out:
	str_set(&failure, NULL, NULL);
	child_release(&child);
	launch_release(&l);
	return result;
}

int touch_tree(const struct process_runner *r, const struct bench_config *config,
	       const struct side *side, const char *top, enum touch *out, struct err *err)
{
	struct watched *w = watch_all(top);
	bool ended_well = false;
	int result;

	*out = TOUCH_UNKNOWN;
	if (!w)
		return 0;
	opened_each(w, all, NULL);
	result = run_once(r, config, side, TOUCH_TIMEOUT_NS, &ended_well, err);
	if (!result && !opened_each(w, none, NULL))
		*out = TOUCH_SOMETHING;
	else if (!result && ended_well)
		*out = TOUCH_NOTHING;
	watched_free(w);
	return result;
}

/* ---- which files are opened ----------------------------------------------------------------- */

struct touched {
	struct watched *watched;
	size_t n_top; /* of what is in front of what is relative to it */
	struct strv *paths;
	bool is_unknown; /* there is more than these */
};

struct touched *touched_begin(const char *top)
{
	struct touched *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->n_top = strlen(top);
	t->watched = watch_all(top);
	if (!t->watched) {
		free(t);
		return NULL;
	}
	opened_each(t->watched, all, NULL);
	return t;
}

static bool keep_path(void *ctx, const char *folder, const struct inotify_event *e)
{
	struct touched *t = ctx;
	struct buf path = BUF_INIT;

	/* Of a folder that was read it is not known what was looked for. */
	t->is_unknown = !folder || (e->mask & (IN_ISDIR | IN_Q_OVERFLOW)) || !e->len;
	if (!t->is_unknown) {
		buf_addf(&path, "%s/%s", folder + t->n_top, e->name);
		t->is_unknown = path.failed || (!strv_has(t->paths, buf_str(&path) + 1) &&
						strv_add(t->paths, buf_str(&path) + 1, NULL));
	}
	buf_release(&path);
	return !t->is_unknown;
}

int touched_end(struct touched *t, struct strv *out, bool *out_all, struct err *err)
{
	struct strv paths = STRV_INIT;
	int result;

	t->paths = &paths;
	opened_each(t->watched, keep_path, t);
	*out_all = !t->is_unknown;
	watched_free(t->watched);
	free(t);
	result = paths.n ? strv_add_all(out, paths.v, err) : 0;
	strv_release(&paths);
	return result;
}

static bool is_same_file(const char *one, const char *two)
{
	char a[DIGEST_HEX], b[DIGEST_HEX];

	return !digest_of_file(one, a, NULL) && !digest_of_file(two, b, NULL) && !strcmp(a, b);
}

bool touched_are_same(const struct strv *files, const char *one, const char *other)
{
	bool same = true;
	size_t i;

	for (i = 0; same && i < files->n; i++) {
		char *a = path_join(one, files->v[i], NULL);
		char *b = path_join(other, files->v[i], NULL);

		same = a && b && is_same_file(a, b);
		free(a);
		free(b);
	}
	return same;
}

static bool is_same_target(const char *one, const char *two)
{
	char a[PATH_MAX], b[PATH_MAX];
	ssize_t n = readlink(one, a, sizeof(a)), m = readlink(two, b, sizeof(b));

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
		return is_same_target(one, two);
	return !S_ISREG(a.st_mode) || a.st_size == b.st_size;
}

bool touched_looks_same(const char *file, const char *one, const char *other)
{
	char *a = path_join(one, file, NULL), *b = path_join(other, file, NULL);
	bool same = a && b && is_same_look(a, b);

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
		else if (e->fts_info != FTS_D && e->fts_info != FTS_DP && !is_source(e->fts_name))
			good = add_name(e, strlen(top), out);
	}
	if (tree)
		fts_close(tree);
	return good;
}

bool touched_same_names(const char *one, const char *other)
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
