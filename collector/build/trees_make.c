/*
 * trees_make - one tree from an empty folder to a whole build.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/build/build.h"
#include "collector/build/detect.h"
#include "collector/build/trees_local.h"
#include "lib/base/file.h"
#include "lib/git/worktree/worktree.h"
#include "lib/record/ulid.h"

#include "lib/base/banned.h"

#define ORPHANS_NS (UINT64_C(60) * 1000000000) /* processes of a killed build end by then */

const char *trees_self(void)
{
	static char id[ULID_TEXT];

	if (!*id && ulid_new(id, NULL))
		memcpy(id, "?", 2);
	return id;
}

/*
 * Opens the log, which what a killed pawl started holds as its output: while such processes
 * live they may write into the tree.
 */
static int open_log(struct trees_job *j, struct err *err)
{
	if (trees_lock(j->place.log, LOCK_EX, ORPHANS_NS, NULL, &j->log_fd, err)) {
		if (!err || err->code != ERR_BUSY)
			return -1;
		err_set(err, ERR_BUSY, "processes of an earlier build still work in '%s'",
			j->place.dir);
		return err_hint(err, "end them: see 'fuser %s'", j->place.log);
	}
	if (ftruncate(j->log_fd, 0))
		return err_sys(err, ERR_IO, "cannot write '%s'", j->place.log);
	return 0;
}

const char *trees_job_name(const struct trees_job *j, char out[64])
{
	if (j->rq->role)
		snprintf(out, 64, "the %s (%.12s)", j->rq->role, j->commit);
	else
		snprintf(out, 64, "%s%.12s", j->is_work ? "the work on " : "", j->commit);
	return out;
}

static int check_out(struct trees_job *j, struct err *err)
{
	const char *path = j->place.tree;
	char *note = NULL, name[64];
	int result = -1;

	if (trees_remove(j->place.dir, err) || file_make_dirs(j->place.dir, 0700, err))
		return -1;
	talk_progress(j->rq->talk, 0, 0, "checking out %s", trees_job_name(j, name));
	if (worktree_make(j->rq->repo, j->commit, j->tree, path, trees_fill_submodules(j->rq),
			  &note, &j->whole, err))
		goto out;
	if (note)
		talk_note(j->rq->talk, "%s: %s", trees_job_name(j, name), note);
	if (worktree_detach(j->rq->repo, path, err) || trees_level_times(path, err))
		goto out;
	result = 0;
out:
	free(note);
	return result;
}

/* The command: the configured one, or what is found; *out NULL: nothing is built. */
static int find_command(const struct trees_job *j, char **out, struct err *err)
{
	struct err fault = ERR_INIT;
	char *what = NULL, name[64];

	*out = NULL;
	if (j->rq->config->build) {
		*out = str_dup(j->rq->config->build, err);
		talk_note(j->rq->talk, "building %s", trees_job_name(j, name));
		return *out ? 0 : -1;
	}
	if (build_detect(j->place.tree, out, &what, &fault)) {
		if (fault.code != ERR_ABSENT) {
			if (err)
				*err = fault;
			return -1;
		}
		talk_warn(j->rq->talk, fault.hint, "%s is not built: nothing says how",
			  trees_job_name(j, name));
		return 0;
	}
	talk_note(j->rq->talk, "building %s by its '%s': %s", trees_job_name(j, name), what, *out);
	free(what);
	return 0;
}

static int run_build(struct trees_job *j, const char *command, struct err *err)
{
	const struct build_job job = { .command = command,
				       .dir = j->place.tree,
				       .env = j->env.v,
				       .log_fd = j->log_fd,
				       .log_path = j->place.log,
				       .timeout_ns = j->rq->config->build_timeout_ns,
				       .talk = j->rq->talk };
	struct stat st;

	if (build_run_job(&job, err))
		return j->whole ? -1
				: err_in(err,
					 "without submodules or files of LFS that are not here");
	if (stat(j->place.tree, &st) || !S_ISDIR(st.st_mode)) {
		err_set(err, ERR_CHILD, "the build removed the folder it ran in");
		return err_hint(err, "the whole output is in '%s'", j->place.log);
	}
	return 0;
}

/* Says that it is built to the end, the list of files first. */
static int seal(const struct trees_job *j, const char *command, const struct timespec *began,
		struct err *err)
{
	struct trees_marker m = { .lacks_parts = !j->whole };
	struct buf list = BUF_INIT;
	int result = -1;

	if (trees_outside_keep(j, command, began, err) ||
	    trees_facts_write(j->place.dir, &j->facts, err))
		goto out;
	if (trees_list_files(j->place.dir, &list, &m.bytes, err) ||
	    file_write_whole(j->place.files, list.data, list.len, 0600, err))
		goto out;
	if (trees_lists_digest(&j->place, m.lists, err) || str_set(&m.id, j->tree, err) ||
	    str_set(&m.maker, trees_self(), err) || str_set(&m.build, command, err))
		goto out;
	result = trees_marker_write(j->place.built, &m, err);
out:
	trees_marker_release(&m);
	buf_release(&list);
	return result;
}

int trees_make(struct trees_job *j, struct err *err)
{
	struct err fault = ERR_INIT;
	struct timespec began;
	char *command = NULL;
	int result = -1;

	if (open_log(j, err))
		return -1;
	clock_gettime(CLOCK_REALTIME, &began);
	if (check_out(j, &fault) || find_command(j, &command, &fault) ||
	    (command && run_build(j, command, &fault)) || seal(j, command, &began, &fault)) {
		trees_remove(j->place.dir, NULL);
		if (err)
			*err = fault;
	} else {
		result = 0;
	}
	file_close(&j->log_fd);
	free(command);
	return result;
}
