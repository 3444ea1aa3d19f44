#include "collector/build/trees.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/build.h"
#include "collector/build/detect.h"
#include "collector/build/trees_local.h"
#include "lib/base/file.h"
#include "lib/base/stop.h"
#include "lib/git/worktree/worktree.h"
#include "lib/record/ulid.h"

#include "lib/base/banned.h"

#define WAIT_NS (UINT64_C(3600) * 1000000000)
#define ORPHANS_NS (UINT64_C(60) * 1000000000) /* processes of a killed build end by then */
#define LIST_MAX ((size_t)1 << 30)
#define RENEWED_MOST 3

/* One tree_open() at work. */
struct job {
	const struct trees_request *rq;
	const char *commit;
	const char *given; /* the tree that was asked for, or NULL: the commit's */
	char tree[OID_TEXT];
	struct strv env;
	struct trees_place place;
	int lock_fd, log_fd;
	bool whole;   /* nothing was missing when it was checked out */
	bool is_work; /* what is not committed */
};

#define JOB_OF(rq, commit, tree) \
	{ \
		.rq = (rq), .commit = (commit), .given = (tree), .lock_fd = -1, .log_fd = -1, \
		.is_work = (tree) != NULL \
	}

/* This process in markers: what it built itself need not be rebuilt for it. */
static const char *self(void)
{
	static char id[ULID_TEXT];

	if (!*id && ulid_new(id, NULL))
		memcpy(id, "?", 2);
	return id;
}

/* Whether this process may take what a marker describes as its own. */
static bool is_fitting(const struct job *j, const struct trees_marker *m)
{
	bool ours = !strcmp(m->maker, self());

	return !strcmp(m->id, j->tree) && (ours || !(j->rq->rebuild || m->lacks_parts));
}

/* What there is of a key. */
struct found {
	struct trees_marker marker;
	bool fits; /* the marker is there, and for this process */
	enum trees_change change;
	struct strv added;
};

static void found_release(struct found *f)
{
	trees_marker_release(&f->marker);
	strv_release(&f->added);
}

static void look(const struct job *j, struct found *out)
{
	struct buf list = BUF_INIT;

	found_release(out);
	out->change = TREES_CHANGED;
	out->fits = !trees_marker_read(j->place.built, &out->marker, NULL) &&
		    is_fitting(j, &out->marker);
	if (out->fits && !file_read_whole(j->place.files, LIST_MAX, &list, NULL))
		out->change = trees_change_of(&list, j->place.dir, &out->added);
	buf_release(&list);
}

/* Removes what came after the build: a benchmark would find what it wrote the last time. */
static int clear(const struct job *j, const struct strv *added)
{
	struct buf path = BUF_INIT;
	size_t i;
	int result = 0;

	for (i = 0; !result && i < added->n; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", j->place.dir, added->v[i]);
		result = buf_check(&path, NULL) || trees_remove(buf_str(&path), NULL) ? -1 : 0;
	}
	buf_release(&path);
	return result;
}

static int lock(struct job *j, int operation, struct err *err)
{
	file_close(&j->lock_fd);
	return trees_lock(j->place.lock, operation, WAIT_NS, j->rq->talk, &j->lock_fd, err);
}

/*
 * Opens the log, which what a killed pawl started holds as its output: while such processes
 * live they may write into the tree.
 */
static int open_log(struct job *j, struct err *err)
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

/* "3f2a1b0c4d5e", or "the work on 3f2a1b0c4d5e" where that is not what was committed. */
static const char *name_of(const struct job *j, char out[64])
{
	snprintf(out, 64, "%s%.12s", j->is_work ? "the work on " : "", j->commit);
	return out;
}

static int check_out(struct job *j, struct err *err)
{
	const char *path = j->place.tree;
	char *note = NULL, name[64];
	int result = -1;

	if (trees_remove(j->place.dir, err) || file_make_dirs(j->place.dir, 0700, err))
		return -1;
	talk_progress(j->rq->talk, 0, 0, "checking out %s", name_of(j, name));
	if (worktree_make(j->rq->repo, j->commit, j->tree, path, j->rq->submodules, &note,
			  &j->whole, err))
		goto out;
	if (note)
		talk_note(j->rq->talk, "%s: %s", name_of(j, name), note);
	if (worktree_detach(j->rq->repo, path, err) || trees_level_times(path, err))
		goto out;
	result = 0;
out:
	free(note);
	return result;
}

/* The command: the configured one, or what is found; *out NULL: nothing is built. */
static int find_command(const struct job *j, char **out, struct err *err)
{
	struct err fault = ERR_INIT;
	char *what = NULL, name[64];

	*out = NULL;
	if (j->rq->config->build) {
		*out = str_dup(j->rq->config->build, err);
		talk_note(j->rq->talk, "building %s", name_of(j, name));
		return *out ? 0 : -1;
	}
	if (build_detect(j->place.tree, out, &what, &fault)) {
		if (fault.code != ERR_ABSENT) {
			if (err)
				*err = fault;
			return -1;
		}
		talk_warn(j->rq->talk, fault.hint, "%s is not built: nothing says how",
			  name_of(j, name));
		return 0;
	}
	talk_note(j->rq->talk, "building %s by its '%s': %s", name_of(j, name), what, *out);
	free(what);
	return 0;
}

static int run_build(struct job *j, const char *command, struct err *err)
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
		return -1;
	if (stat(j->place.tree, &st) || !S_ISDIR(st.st_mode)) {
		err_set(err, ERR_CHILD, "the build removed the folder it ran in");
		return err_hint(err, "the whole output is in '%s'", j->place.log);
	}
	return 0;
}

/* Says that it is built to the end, the list of files first. */
static int seal(const struct job *j, const char *command, struct err *err)
{
	struct trees_marker m = { NULL, NULL, NULL, 0, !j->whole };
	struct buf list = BUF_INIT;
	int result = -1;

	if (trees_list_files(j->place.dir, &list, &m.bytes, err) ||
	    file_write_whole(j->place.files, list.data, list.len, 0600, err))
		goto out;
	if (str_set(&m.id, j->tree, err) || str_set(&m.maker, self(), err) ||
	    str_set(&m.build, command, err))
		goto out;
	result = trees_marker_write(j->place.built, &m, err);
out:
	trees_marker_release(&m);
	buf_release(&list);
	return result;
}

/* Everything from an empty folder to the marker; nothing but the log stays on failure. */
static int make(struct job *j, struct err *err)
{
	struct err fault = ERR_INIT;
	char *command = NULL;
	int result = -1;

	if (open_log(j, err))
		return -1;
	if (check_out(j, &fault) || find_command(j, &command, &fault) ||
	    (command && run_build(j, command, &fault)) || seal(j, command, &fault)) {
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

/* Hands the tree over to the caller; takes the marker's strings. */
static int hand_over(struct job *j, struct trees_marker *m, bool kept, struct tree *out,
		     struct err *err)
{
	struct tree t = TREE_INIT;

	if (str_set(&t.path, j->place.tree, err) ||
	    (m->build && str_set(&t.log_path, j->place.log, err))) {
		tree_close(&t);
		return -1;
	}
	t.id = m->id;
	t.build = m->build;
	m->id = m->build = NULL;
	t.kept = kept;
	t.lacks_parts = m->lacks_parts;
	t.lock_fd = j->lock_fd;
	j->lock_fd = -1;
	utimensat(AT_FDCWD, j->place.built, NULL, 0); /* used now: trimmed last */
	*out = t;
	return 0;
}

/* Under the exclusive lock: clears what is there, or builds. */
static int renew(struct job *j, const struct found *f, bool *kept, struct err *err)
{
	if (f->change == TREES_ADDED && !clear(j, &f->added))
		return 0;
	if (f->fits)
		talk_note(j->rq->talk,
			  "files of built commit %.12s were changed: building it again", j->commit);
	*kept = false;
	return make(j, err);
}

/*
 * A lock cannot be made a shared one in one step, and the other way round waits for all users: so
 * look under the shared one, build under the exclusive one, and look again.
 */
static int open_place(struct job *j, struct tree *out, struct err *err)
{
	struct found f;
	bool kept = true;
	int n_renewed = 0, result = -1;

	memset(&f, 0, sizeof(f));
	for (;;) {
		if (lock(j, LOCK_SH, err))
			goto out;
		look(j, &f);
		if (f.change == TREES_SAME) {
			result = hand_over(j, &f.marker, kept, out, err);
			goto out;
		}
		if (n_renewed == RENEWED_MOST) {
			err_set(err, ERR_CHILD, "files in '%s' change after the build",
				j->place.tree);
			err_hint(err, "see what the build or a benchmark leaves running");
			goto out;
		}
		if (lock(j, LOCK_EX, err))
			goto out;
		look(j, &f);
		if (f.change == TREES_SAME)
			continue;
		n_renewed++;
		if (renew(j, &f, &kept, err))
			goto out;
	}
out:
	found_release(&f);
	return result;
}

/* Where it is or comes to be.  Errors: ERR_GIT, ERR_IO, ERR_NOMEM. */
static int find_place(struct job *j, struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT;
	const char *id = j->given;
	char key[TREES_KEY];

	if (!id && repo_commit(j->rq->repo, j->commit, &c, err))
		return -1;
	id = id ? id : c.tree;
	memcpy(j->tree, id, strnlen(id, OID_TEXT - 1) + 1);
	j->tree[OID_TEXT - 1] = '\0';
	git_commit_release(&c);
	return trees_environment(j->rq, j->tree, &j->env, key, err) ||
			       trees_place(j->rq->state_dir, key, &j->place, err) ||
			       trees_environment_of(&j->place, &j->env, err)
		       ? -1
		       : 0;
}

static void job_release(struct job *j)
{
	file_close(&j->lock_fd);
	trees_place_release(&j->place);
	strv_release(&j->env);
}

int tree_open(const struct trees_request *rq, const char *commit, const char *tree,
	      struct tree *out, struct err *err)
{
	struct job j = JOB_OF(rq, commit, tree);
	char *root = NULL;
	int result = -1;

	if (find_place(&j, err))
		goto out;
	root = trees_root(rq->state_dir, err);
	if (!root)
		goto out;
	worktree_prune(rq->repo, root, NULL); /* what is left is tried again later */
	result = open_place(&j, out, err);
out:
	job_release(&j);
	free(root);
	return result;
}

int tree_build(const struct trees_request *rq, const char *commit, const char *tree,
	       struct err *err)
{
	struct job j = JOB_OF(rq, commit, tree);
	struct trees_marker marker = { .id = NULL };
	struct tree t = TREE_INIT;
	bool is_there;
	int result = -1;

	if (!find_place(&j, err)) {
		is_there =
			!trees_marker_read(j.place.built, &marker, NULL) && is_fitting(&j, &marker);
		result = is_there ? 0 : tree_open(rq, commit, tree, &t, err);
	}
	trees_marker_release(&marker);
	job_release(&j);
	tree_close(&t);
	return result;
}

void tree_close(struct tree *t)
{
	free(t->path);
	free(t->id);
	free(t->build);
	free(t->log_path);
	file_close(&t->lock_fd);
	*t = (struct tree)TREE_INIT;
}
