#include "collector/run/touch.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "collector/run/aside.h"
#include "collector/run/launch.h"
#include "lib/base/buf.h"
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
		    const struct side *side, bool *out_ended_well, struct err *err)
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
	l.spec.timeout_ns =
		r->most_ns && r->most_ns < TOUCH_TIMEOUT_NS ? r->most_ns : TOUCH_TIMEOUT_NS;
	result = aside_prepare(r, config, side, TOUCH_TIMEOUT_NS, &failure, err);
	if (!result && !failure) {
		if (child_run(&l.spec, &child, &res, &fault))
			result = launch_fault(&failure, &fault, err);
		else
			ended_well = !res.timed_out && !res.signal && !res.exit_status;
	}
	result = aside_clean_up(r, config, side, TOUCH_TIMEOUT_NS, result, &failure, err);
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
	result = run_once(r, config, side, &ended_well, err);
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
