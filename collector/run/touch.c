#include "collector/run/touch.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
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

/* ---- what is opened, in two trees -------------------------------------------------------------
 */

struct opened {
	struct strv paths;
	bool is_unknown; /* there is more than these */
};

static bool keep_path(void *ctx, const char *folder, const struct inotify_event *e)
{
	struct opened *o = ctx;
	struct buf path = BUF_INIT;

	/* Of a folder that was read it is not known what was looked for. */
	o->is_unknown = !folder || (e->mask & (IN_ISDIR | IN_Q_OVERFLOW)) || !e->len;
	if (!o->is_unknown) {
		buf_addf(&path, "%s/%s", folder, e->name);
		o->is_unknown = path.failed || (!strv_has(&o->paths, buf_str(&path)) &&
						strv_add(&o->paths, buf_str(&path), NULL));
	}
	buf_release(&path);
	return !o->is_unknown;
}

static bool is_same_file(const char *one, const char *two)
{
	char a[DIGEST_HEX], b[DIGEST_HEX];

	return !digest_of_file(one, a, NULL) && !digest_of_file(two, b, NULL) && !strcmp(a, b);
}

static int hold_against(const struct opened *o, const struct side *side, const char *other,
			char **out_why, struct err *err)
{
	struct buf there = BUF_INIT;
	bool same = true;
	size_t i;

	for (i = 0; same && i < o->paths.n; i++) {
		const char *path = o->paths.v[i];

		buf_reset(&there);
		buf_addf(&there, "%s%s", other, path + strlen(side->dir));
		same = !strcmp(path, side->exe) ||
		       (!there.failed && is_same_file(path, buf_str(&there)));
	}
	buf_release(&there);
	return same ? 0 : str_set(out_why, "a file differs that it opens", err);
}

int touch_same(const struct process_runner *r, const struct bench_config *config,
	       const struct side *side, const char *other, uint64_t timeout_ns, char **out_why,
	       struct err *err)
{
	struct opened opened = { STRV_INIT, false };
	struct watched *w = watch_all(side->dir);
	bool ended_well = false;
	int result;

	*out_why = NULL;
	if (!w)
		return str_set(out_why, "it cannot be seen which files it opens", err);
	opened_each(w, all, NULL);
	result = run_once(r, config, side, timeout_ns, &ended_well, err);
	if (!result)
		opened_each(w, keep_path, &opened);
	watched_free(w); /* before we open them ourselves */
	if (!result && !ended_well)
		result = str_set(out_why, "it failed when its files were looked at", err);
	else if (!result && opened.is_unknown)
		result = str_set(out_why, "it opens a folder, or more files than can be seen", err);
	else if (!result)
		result = hold_against(&opened, side, other, out_why, err);
	strv_release(&opened.paths);
	return result;
}
