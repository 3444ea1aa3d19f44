#include "collector/run/touch.h"

#include <fts.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "collector/run/aside.h"
#include "collector/run/launch.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define FOLDERS_MOST 20000

/* Every folder of the tree; its own way through them is not counted. */
static bool watch_all(int fd, const char *top)
{
	char *const roots[] = { (char *)(size_t)top, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	size_t n = 0;
	FTSENT *e;
	bool all = tree != NULL;

	while (all && (e = fts_read(tree))) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			all = false;
		if (e->fts_info != FTS_D)
			continue;
		all = ++n <= FOLDERS_MOST && inotify_add_watch(fd, e->fts_path, IN_OPEN) >= 0;
	}
	if (tree)
		fts_close(tree);
	return all && n;
}

/* Whether something was opened since the last call. */
static bool was_opened(int fd)
{
	char events[4096];
	bool any = false;

	while (read(fd, events, sizeof(events)) > 0)
		any = true;
	return any;
}

static int run_once(const struct process_runner *r, const struct bench_config *config,
		    const struct side *side, bool *out_ended_well, struct err *err)
{
	struct err fault = ERR_INIT;
	struct child child = CHILD_INIT;
	struct child_result res;
	struct launch l;
	char *failure = NULL;
	int result = -1;

	*out_ended_well = false;
	if (launch_prepare(&l, r, config, side, err))
		goto out;
	l.spec.timeout_ns = TOUCH_TIMEOUT_NS;
	if (aside_run(r, config, side, true, TOUCH_TIMEOUT_NS, &failure, err))
		goto out;
	if (child_run(&l.spec, &child, &res, &fault)) {
		result = launch_fault(&failure, &fault, err);
		goto out;
	}
	result = aside_run(r, config, side, false, TOUCH_TIMEOUT_NS, &failure, err);
	*out_ended_well = !failure && !res.timed_out && !res.signal && !res.exit_status;
out:
	str_set(&failure, NULL, NULL);
	child_release(&child);
	launch_release(&l);
	return result;
}

int touch_tree(const struct process_runner *r, const struct bench_config *config,
	       const struct side *side, const char *top, enum touch *out, struct err *err)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	bool ended_well = false;
	int result = 0;

	*out = TOUCH_UNKNOWN;
	if (fd >= 0 && watch_all(fd, top)) {
		was_opened(fd);
		result = run_once(r, config, side, &ended_well, err);
		if (!result && was_opened(fd))
			*out = TOUCH_SOMETHING;
		else if (!result && ended_well)
			*out = TOUCH_NOTHING;
	}
	file_close(&fd);
	return result;
}
