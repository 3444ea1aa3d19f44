#include "collector/build/trees.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/trees_local.h"
#include "lib/base/file.h"
#include "lib/process/stop.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define WAIT_NS (UINT64_C(3600) * 1000000000)
#define LIST_MAX ((size_t)1 << 30)
#define RENEWED_MOST 3

/* Whether this process may take what a marker describes as its own. */
static bool is_fitting(const struct trees_job *j, const struct trees_marker *m)
{
	bool ours = !strcmp(m->maker, trees_self());

	return !strcmp(m->id, j->tree) && (ours || !(j->rq->rebuild || m->lacks_parts));
}

/* What there is of a key. */
struct found {
	struct trees_marker marker;
	bool fits; /* the marker is there, and for this process */
	enum trees_change change;
	struct strv added;
	char *outside; /* a file of the system that is another one since, or NULL */
};

static void found_release(struct found *f)
{
	trees_marker_release(&f->marker);
	strv_release(&f->added);
	free(f->outside);
	f->outside = NULL;
}

static void look(const struct trees_job *j, struct found *out)
{
	struct buf list = BUF_INIT;
	char lists[DIGEST_HEX];

	found_release(out);
	out->change = TREES_CHANGED;
	out->fits = !trees_marker_read(j->place.built, &out->marker, NULL) &&
		    is_fitting(j, &out->marker);
	if (out->fits && !trees_lists_digest(&j->place, lists, NULL) &&
	    !strcmp(lists, out->marker.lists) &&
	    !file_read_whole(j->place.files, LIST_MAX, &list, NULL))
		out->change = trees_change_of(&list, j->place.dir, &out->added);
	if (out->change != TREES_CHANGED &&
	    (trees_outside_changed(j->place.dir, &out->outside, NULL) || out->outside))
		out->change = TREES_CHANGED;
	buf_release(&list);
}

/* Removes what came after the build: a benchmark would find what it wrote the last time. */
static int clear(const struct trees_job *j, const struct strv *added)
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

static int lock(struct trees_job *j, int operation, struct err *err)
{
	file_close(&j->lock_fd);
	return trees_lock(j->place.lock, operation, WAIT_NS, j->rq->talk, &j->lock_fd, err);
}

/* Why it is built: always when it was built before, else when asked. */
static void explain(const struct trees_job *j, const struct found *f)
{
	struct buf why = BUF_INIT;
	char name[64];

	if (f->outside)
		buf_addf(&why, "'%s' is another one since", f->outside);
	else if (f->marker.id)
		buf_adds(&why, f->fits		? "files of the built tree were changed"
			       : j->rq->rebuild ? "--rebuild"
						: "it was built without all of its parts");
	else if (!j->rq->is_variant)
		trees_why(j->root, &j->facts, &why);
	if (why.len || j->rq->explain)
		talk_note(j->rq->talk, "%s is built%s: %s", trees_job_name(j, name),
			  why.len ? " again" : "",
			  why.len ? buf_str(&why) : "no build of it is kept");
	buf_release(&why);
}

/* Hands the tree over to the caller; takes the marker's strings. */
static int hand_over(struct trees_job *j, struct trees_marker *m, bool kept, struct tree *out,
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
static int renew(struct trees_job *j, const struct found *f, bool *kept, struct err *err)
{
	if (f->change == TREES_ADDED && !clear(j, &f->added))
		return 0;
	explain(j, f);
	*kept = false;
	return trees_make(j, err);
}

/*
 * A lock cannot be made a shared one in one step, and the other way round waits for all users: so
 * look under the shared one, build under the exclusive one, and look again.
 */
static int open_place(struct trees_job *j, struct tree *out, struct err *err)
{
	struct found f;
	bool kept = true;
	int n_renewed = 0, result = -1;
	char told[64];

	memset(&f, 0, sizeof(f));
	for (;;) {
		if (lock(j, LOCK_SH, err))
			goto out;
		look(j, &f);
		if (f.change == TREES_SAME) {
			if (j->rq->explain && strcmp(f.marker.maker, trees_self()) != 0)
				talk_note(j->rq->talk, "%s is not built: a kept build fits",
					  trees_job_name(j, told));
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

/* Of a build as this request has it. */
static int place_by(const struct trees_request *rq, struct trees_job *j, struct err *err)
{
	char key[TREES_KEY];

	return trees_environment(rq, j->tree, &j->env, &j->facts, key, err) ||
			       trees_place(rq->state_dir, key, &j->place, err) ||
			       trees_environment_of(&j->place, &j->env, err)
		       ? -1
		       : 0;
}

static void place_release(struct trees_job *j)
{
	trees_place_release(&j->place);
	strv_release(&j->env);
	strv_release(&j->facts);
}

/*
 * A build that was found, and is configured now, is the same build: the tree that was made before
 * is taken, and not made again under another key.
 */
static void take_found(struct trees_job *j)
{
	struct config plain = *j->rq->config;
	struct trees_request rq = *j->rq;
	struct trees_job found = *j;
	struct trees_marker m = { .id = NULL };

	if (!plain.build || file_exists(j->place.built))
		return;
	plain.build = NULL;
	rq.config = &plain;
	found.env = found.facts = (struct strv)STRV_INIT;
	memset(&found.place, 0, sizeof(found.place));
	if (!place_by(&rq, &found, NULL) && !trees_marker_read(found.place.built, &m, NULL) &&
	    m.build && !strcmp(m.build, j->rq->config->build)) {
		place_release(j);
		*j = found;
	} else {
		place_release(&found);
	}
	trees_marker_release(&m);
}

/* Where it is or comes to be.  Errors: ERR_GIT, ERR_IO, ERR_NOMEM. */
static int find_place(struct trees_job *j, struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT;
	const char *id = j->given;

	if (!id && repo_commit(j->rq->repo, j->commit, &c, err))
		return -1;
	id = id ? id : c.tree;
	memcpy(j->tree, id, strnlen(id, OID_TEXT - 1) + 1);
	j->tree[OID_TEXT - 1] = '\0';
	git_commit_release(&c);
	if (place_by(j->rq, j, err))
		return -1;
	take_found(j);
	return 0;
}

static void job_release(struct trees_job *j)
{
	file_close(&j->lock_fd);
	place_release(j);
}

int tree_open(const struct trees_request *rq, const char *commit, const char *tree,
	      struct tree *out, struct err *err)
{
	struct trees_job j = TREES_JOB_OF(rq, commit, tree);
	char *root = NULL;
	int result = -1;

	if (find_place(&j, err))
		goto out;
	root = trees_root(rq->state_dir, err);
	if (!root)
		goto out;
	j.root = root;
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
	struct trees_job j = TREES_JOB_OF(rq, commit, tree);
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
