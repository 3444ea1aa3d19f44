#include "collector/why.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/build/submodules.h"
#include "collector/machine/runlock.h"
#include "collector/run/profile_run.h"
#include "lib/base/file.h"
#include "lib/config/nearest.h"

#include "lib/base/banned.h"

/* Of the timed stretch without valgrind; callgrind makes half a second to a second of it. */
#define TARGET_NS 25000000u
#define NEAREST_SHOWN 5

/* One benchmark found in one built tree. */
struct found {
	struct plan plan;
	struct unit *unit; /* in plan */
};

/* Plans what bears that name or lies in a section of it, or all for NULL. */
static int plan_some(const struct why_request *why, const struct process_runner *runner,
		     const char *name, struct found *out, struct err *err)
{
	struct strv only = STRV_INIT;
	const struct plan_request rq = { .config = why->config,
					 .runner = runner,
					 .top = runner->top,
					 .only = &only,
					 .talk = why->talk,
					 .foreign = repo_top(why->repo) };
	int result = -1;

	out->unit = NULL;
	if (!name || !strv_add(&only, name, err))
		result = plan_make(&rq, &out->plan, err);
	strv_release(&only);
	return result;
}

/* Takes the next best name out of the list: one that holds the wanted one, else the nearest. */
static const char *take_nearest(const char **known, size_t *n, const char *wanted)
{
	const char *best = NULL;
	size_t i;

	for (i = 0; i < *n && !best; i++)
		if (strstr(known[i], wanted))
			best = known[i];
	if (!best)
		best = nearest(wanted, known, SUMMARY_MAX_NAME);
	if (!best)
		best = known[0];
	for (i = 0; known[i] != best; i++)
		;
	for (; i < *n; i++)
		known[i] = known[i + 1];
	(*n)--;
	return best;
}

/* ERR_CONFIG with the nearest names there are. */
static int tell_nearest(const struct plan *plan, const char *name, bool is_several, struct err *err)
{
	const char **known = calloc(plan->n + 1, sizeof(*known));
	struct buf list = BUF_INIT;
	size_t i, n = plan->n;

	if (!known)
		return err_nomem(err);
	for (i = 0; i < plan->n; i++)
		known[i] = plan->units[i].name;
	for (i = 0; n && i < NEAREST_SHOWN; i++)
		buf_addf(&list, "%s'%s'", i ? ", " : "", take_nearest(known, &n, name));
	if (is_several) {
		err_set(err, ERR_CONFIG, "'%s' holds %zu benchmarks, and it is not said which",
			name, plan->n);
		err_hint(err, "say --benchmark NAME; there is %s%s", buf_str(&list),
			 n ? ", ..." : "");
	} else {
		err_set(err, ERR_CONFIG, "there is no benchmark '%s'", name);
	}
	if (list.len && !is_several)
		err_hint(err, "there is %s%s", buf_str(&list), n ? ", ..." : "");
	buf_release(&list);
	free(known);
	return -1;
}

/*
 * Finds the benchmark that is asked for in the tree that the runner's top is.  out->plan is
 * released by the caller, also after a failure.
 */
static int find(const struct why_request *rq, const struct process_runner *runner,
		struct found *out, struct err *err)
{
	const char *name = rq->benchmark;

	if (plan_some(rq, runner, name, out, err))
		return -1;
	out->unit = plan_find(&out->plan, name);
	/* All that a section holds, or why it cannot list that. */
	if (!out->unit && out->plan.n == 1 &&
	    (out->plan.units[0].failure || !strcmp(out->plan.units[0].config->name, name)))
		out->unit = &out->plan.units[0];
	if (out->unit && out->unit->failure)
		return err_set(err, ERR_CHILD, "benchmark '%s': %s", name, out->unit->failure);
	if (out->unit)
		return 0;
	if (out->plan.n > 1)
		return tell_nearest(&out->plan, name, true, err);
	plan_release(&out->plan);
	if (plan_some(rq, runner, NULL, out, err))
		return -1;
	return tell_nearest(&out->plan, name, false, err);
}

static void why_side_release(struct why_side *s)
{
	git_commit_release(&s->commit);
	tree_close(&s->tree);
	profile_release(&s->profile);
}

void why_profiles_release(struct why_profiles *p)
{
	why_side_release(&p->base);
	why_side_release(&p->head);
	free(p->name);
	memset(p, 0, sizeof(*p));
	p->base.tree = p->head.tree = (struct tree)TREE_INIT;
}

static int count(struct profile_run *rq, struct profile *out, struct err *err)
{
	char *failure = NULL;

	if (profile_run(rq, out, &failure, err))
		return -1;
	if (!failure)
		return 0;
	if (strstr(failure, PROFILE_RUN_CURE)) {
		err_set(err, ERR_ABSENT, "valgrind is not installed");
		err_hint(err, PROFILE_RUN_CURE);
	} else {
		err_set(err, ERR_CHILD, "%s", failure);
	}
	free(failure);
	return -1;
}

static bool is_file(const void *top, const char *name)
{
	struct buf path = BUF_INIT;
	struct stat st;
	bool is;

	buf_addf(&path, "%s/%s", (const char *)top, name);
	is = !path.failed && !stat(buf_str(&path), &st) && S_ISREG(st.st_mode);
	buf_release(&path);
	return is;
}

/* Of a libpawl program 2 N iterations less N, for each; of a command all that it does. */
static int profile_side(const struct process_runner *r, const struct unit *u, uint64_t n,
			const char *tmp_dir, struct why_side *out, struct err *err)
{
	struct profile_run rq = { .runner = r,
				  .unit = u,
				  .side = &u->head,
				  .tmp_dir = tmp_dir,
				  .tool = PROFILE_CALLGRIND };
	struct profile once = PROFILE_INIT, twice = PROFILE_INIT;
	int result = -1;

	if (unit_is_whole(u)) {
		result = count(&rq, &out->profile, err);
	} else {
		rq.iterations = n;
		if (count(&rq, &once, err))
			goto out;
		rq.iterations = 2 * n;
		if (count(&rq, &twice, err))
			goto out;
		result = profile_subtract(&twice, &once, 1 / (double)n, &out->profile, err);
	}
	if (!result)
		profile_strip(&out->profile, r->top, is_file, r->top);
out:
	profile_release(&once);
	profile_release(&twice);
	return result;
}

/* Builds a side, or, with hold, opens what was built. */
static int open_side(const struct why_request *rq, const char *rev, bool hold, struct why_side *out,
		     struct err *err)
{
	const struct trees_request trees = { .repo = rq->repo,
					     .config = rq->config,
					     .state_dir = rq->state_dir,
					     .submodules = rq->submodules,
					     .talk = rq->talk };

	git_commit_release(&out->commit);
	if (repo_commit(rq->repo, rev, &out->commit, err))
		return -1;
	if (hold ? tree_open(&trees, out->commit.id, NULL, &out->tree, err)
		 : tree_build(&trees, out->commit.id, NULL, err))
		return err_in(err, "%.12s", out->commit.id);
	return 0;
}

static bool is_same_code(const struct unit *a, const struct unit *b)
{
	return a->head.binary_id && b->head.binary_id &&
	       !strcmp(a->head.binary_id, b->head.binary_id);
}

/* In both trees, by the name that the head has for it. */
static int find_both(const struct why_request *rq, const struct process_runner r[2],
		     struct found *base, struct found *head, struct why_profiles *out,
		     struct err *err)
{
	struct why_request named = *rq;

	if (find(rq, &r[1], head, err))
		return err_in(err, "%.12s", out->head.commit.id);
	named.benchmark = head->unit->name;
	if (find(&named, &r[0], base, err))
		return err_in(err, "%.12s", out->base.commit.id);
	return str_set(&out->name, head->unit->name, err);
}

/* base and head are found; both sides get the same number of iterations. */
static int profile_both(const struct why_request *rq, const struct process_runner r[2],
			struct unit *base, struct unit *head, struct why_profiles *out,
			struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	struct buf dir = BUF_INIT;
	bool made = false;
	uint64_t n;
	int result = -1;

	out->per_iteration = !unit_is_whole(head);
	if (base->format != head->format) {
		err_set(err, ERR_CHILD, "the two are of different formats");
		goto out;
	}
	buf_addf(&dir, "%s/pawl-why.XXXXXX", tmp && tmp[0] == '/' ? tmp : "/tmp");
	if (buf_check(&dir, err))
		goto out;
	made = mkdtemp(dir.data);
	if (!made) {
		err_sys(err, ERR_IO, "cannot make '%s'", dir.data);
		goto out;
	}
	talk_progress(rq->talk, 0, 4, "looking how long %s takes", out->name);
	if (profile_iterations(&r[0], base, &base->head, TARGET_NS, &n, err))
		goto out;
	if (base->failure) {
		err_set(err, ERR_CHILD, "%.12s: %s", out->base.commit.id, base->failure);
		goto out;
	}
	talk_progress(rq->talk, 1, 4, "counting %s at %.12s", out->name, out->base.commit.id);
	if (profile_side(&r[0], base, n, dir.data, &out->base, err)) {
		err_in(err, "%.12s", out->base.commit.id);
		goto out;
	}
	talk_progress(rq->talk, 2, 4, "counting %s at %.12s", out->name, out->head.commit.id);
	head->run_ns = base->run_ns; /* for its timeout */
	result = profile_side(&r[1], head, n, dir.data, &out->head, err);
	if (result)
		err_in(err, "%.12s", out->head.commit.id);
out:
	if (made)
		file_remove_tree(dir.data, NULL);
	buf_release(&dir);
	return result;
}

/* As compare does, with those that moved. */
static int find_submodules(const struct why_request *rq, struct why_request *own, struct err *err)
{
	const struct submodules_request how = { rq->repo, rq->config, rq->talk };
	struct git_commit base = GIT_COMMIT_INIT, head = GIT_COMMIT_INIT;
	struct strv moved = STRV_INIT;
	bool configured;
	int result = -1;

	*own = *rq;
	if (!repo_commit(rq->repo, rq->base, &base, err) &&
	    !repo_commit(rq->repo, rq->head, &head, err))
		result = submodules_moved(&how, base.tree, head.tree, &own->submodules, &moved,
					  &configured, err);
	git_commit_release(&base);
	git_commit_release(&head);
	strv_release(&moved);
	return result;
}

int why_collect(const struct why_request *asked, struct why_profiles *out, struct err *err)
{
	struct why_request own;
	const struct why_request *rq = &own;
	struct process_runner r[2] = { { .cpu = -1 }, { .cpu = -1 } };
	struct found base = { .plan = PLAN_INIT }, head = { .plan = PLAN_INIT };
	int lock_fd = -1, result = -1;

	memset(out, 0, sizeof(*out));
	out->base.tree = out->head.tree = (struct tree)TREE_INIT;
	/* Who measures is not disturbed, and does not find what these runs write in his trees. */
	if (find_submodules(asked, &own, err) || open_side(rq, rq->base, false, &out->base, err) ||
	    open_side(rq, rq->head, false, &out->head, err) ||
	    runlock_take(rq->talk, 0, &lock_fd, err) ||
	    open_side(rq, rq->base, true, &out->base, err) ||
	    open_side(rq, rq->head, true, &out->head, err))
		goto out;
	r[0].top = out->base.tree.path;
	r[1].top = out->head.tree.path;
	r[0].min_time_ns = r[1].min_time_ns = rq->config->min_time_ns;
	if (find_both(rq, r, &base, &head, out, err))
		goto out;
	out->identical = is_same_code(base.unit, head.unit);
	result = out->identical ? 0 : profile_both(rq, r, base.unit, head.unit, out, err);
out:
	plan_release(&base.plan);
	plan_release(&head.plan);
	if (result)
		why_profiles_release(out);
	file_close(&lock_fd);
	return result;
}
