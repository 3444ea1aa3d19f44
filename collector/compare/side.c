#include "collector/compare/side.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/sources.h"
#include "collector/build/submodules.h"
#include "lib/base/file.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

void compare_side_init(const char *role, const struct compare_way *way, struct compare_side *out)
{
	memset(out, 0, sizeof(*out));
	out->role = role;
	out->way = way;
	out->tree = (struct tree)TREE_INIT;
}

void compare_side_release(struct compare_side *s)
{
	git_commit_release(&s->commit);
	strv_release(&s->build_env);
	strv_release(&s->run_env);
	strv_release(&s->moved);
	tree_close(&s->tree);
	free(s->dir);
	plan_release(&s->plan);
	strv_release(&s->given.command);
}

/* A command runs where pawl was started. */
static int find_folder(struct compare_side *s, struct err *err)
{
	s->dir = getcwd(NULL, 0);
	return s->dir ? 0 : err_sys(err, ERR_IO, "cannot find the current folder");
}

static int find_commit(const struct compare_request *rq, const char *rev, struct compare_side *s,
		       struct err *err)
{
	if (repo_commit(rq->repo, rev, &s->commit, err))
		return -1;
	memcpy(s->tree_id, s->commit.tree, strlen(s->commit.tree) + 1);
	return 0;
}

int compare_side_find(const struct compare_request *rq, const char *rev, struct compare_side *s,
		      struct err *err)
{
	if (compare_way_env(s->way, true, &s->build_env, err) ||
	    compare_way_env(s->way, false, &s->run_env, err))
		return -1;
	return s->way->command ? find_folder(s, err) : find_commit(rq, rev, s, err);
}

/* Then it may say something else without having changed; without a work tree nobody can see it. */
static bool may_be_linked(struct repo *repo)
{
	char *path = repo && repo_top(repo) ? path_join(repo_top(repo), ".pawlconfig", NULL) : NULL;
	struct stat st;
	bool is = repo && (!path || (!lstat(path, &st) && S_ISLNK(st.st_mode)));

	free(path);
	return is;
}

void compare_side_tell_same(const struct compare_request *rq, const struct compare_side *base,
			    const struct compare_side *head)
{
	if (!rq->working_tree && !rq->measure_identical && base->commit.id && head->commit.id &&
	    !strcmp(base->commit.id, head->commit.id) &&
	    !compare_ways_are_given(&rq->base_way, &rq->head_way))
		talk_warn(rq->talk, "to compare uncommitted work with it, add --working-tree",
			  "both sides are commit %.12s", head->commit.id);
}

int compare_side_submodules(const struct compare_request *rq, struct compare_side *base,
			    struct compare_side *head, struct err *err)
{
	const struct submodules_request how = { rq->repo, rq->config, rq->talk };
	bool fill = rq->submodules;

	if (submodules_moved(&how, base->tree_id, head->tree_id, &fill, &head->moved,
			     &head->is_configured_anew, err))
		return -1;
	head->is_configured_anew = head->is_configured_anew || may_be_linked(rq->repo);
	base->submodules = head->submodules = fill;
	memcpy(base->moved_from, head->tree_id, sizeof(base->moved_from));
	memcpy(head->moved_from, base->tree_id, sizeof(head->moved_from));
	return head->moved.n ? strv_add_all(&base->moved, head->moved.v, err) : 0;
}

int compare_side_build(const struct compare_request *rq, struct compare_side *s, bool hold,
		       struct err *out_why, struct err *err)
{
	bool are_given = compare_ways_are_given(&rq->base_way, &rq->head_way);
	struct config config = *rq->config;
	const struct trees_request trees = { .repo = rq->repo,
					     .config = &config,
					     .state_dir = rq->state_dir,
					     .env = &s->build_env,
					     .submodules = s->submodules,
					     .rebuild = rq->rebuild,
					     .explain = rq->explain_build,
					     .is_variant = compare_way_is_given(s->way),
					     .role = are_given ? s->role : NULL,
					     .talk = rq->talk };
	const char *other;

	if (s->way->command)
		return 0;
	other = strcmp(s->tree_id, s->commit.tree) ? s->tree_id : NULL;
	if (s->way->build)
		config.build = (char *)(uintptr_t)s->way->build;
	if (!(hold ? tree_open(&trees, s->commit.id, other, &s->tree, out_why)
		   : tree_build(&trees, s->commit.id, other, out_why))) {
		if (!hold)
			return 0;
		/* As a commit that cannot be built. */
		if (tree_submodules_check(rq->repo, s->tree.path, s->moved_from, s->tree_id,
					  &s->moved, out_why))
			return 0;
		return str_set(&s->dir, s->tree.path, err);
	}
	if (out_why->code == ERR_CHILD || out_why->code == ERR_TIMEOUT) {
		err_in(out_why, "the %s (%.12s)", s->role, s->commit.id);
		return 0;
	}
	*err = *out_why;
	return err_in(err, "the %s (%.12s)", s->role, s->commit.id);
}

/* ---- what runs ------------------------------------------------------------------------ */

/* The one benchmark of a command, under the name that both sides share. */
static int set_given(const struct config *config, struct compare_side *s, struct err *err)
{
	const char *const *words = (const char *const *)s->way->command->v;
	bool is_below = s->way->is_program && **words != '/';

	s->given = config->benchmarks[0];
	s->given.command = (struct strv)STRV_INIT;
	/* A program's code is looked at in its own folder, so its path must not depend on ours. */
	if (strv_addf(&s->given.command, err, "%s%s%s", is_below ? s->dir : "", is_below ? "/" : "",
		      *words) ||
	    (words[1] && strv_add_all(&s->given.command, s->way->command->v + 1, err)))
		return -1;
	if (!s->way->is_program) {
		s->given.format = FORMAT_COMMAND;
		s->given.format_given = s->given.format_assumed = true;
	}
	s->config = *config;
	s->config.benchmarks = &s->given;
	s->config.n_benchmarks = 1;
	return 0;
}

static int set_up(const struct compare_side *s, struct plan *plan, struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++) {
		struct side *head = &plan->units[i].head;

		if (str_set(&head->dir, s->dir, err) ||
		    str_set(&head->prepare, s->way->prepare, err) ||
		    str_set(&head->cleanup, s->way->cleanup, err) ||
		    (s->way->command && strv_add_all(&head->words, s->given.command.v, err)))
			return -1;
	}
	return 0;
}

/* What is called, and what its copies in the cache stand for, lies below here. */
static char *top_of(const struct compare_side *s, struct err *err)
{
	const char *program = s->way->command ? s->way->command->v[0] : NULL;
	char *real = s->way->is_program && program ? realpath(program, NULL) : NULL;
	char *slash = real ? strrchr(real, '/') : NULL;

	if (!slash || slash == real) {
		free(real);
		return str_dup(s->dir, err);
	}
	*slash = '\0';
	return real;
}

static int warn_tracked(const struct compare_request *rq, const struct compare_side *s,
			struct err *err)
{
	struct strv programs = STRV_INIT;
	int result = -1;

	if (!plan_programs(&s->plan, &programs, err))
		result = sources_warn_tracked(rq->repo, s->tree_id, &programs, rq->talk, err);
	strv_release(&programs);
	return result;
}

int compare_side_plan(const struct compare_request *rq, const struct process_runner *r,
		      const struct config *config, const char *cache_dir, struct compare_side *s,
		      struct err *err)
{
	struct process_runner runner = *r;
	struct plan_request plan = { .config = &s->config,
				     .runner = &runner,
				     .cache_dir = cache_dir,
				     .only = rq->only,
				     .wholes = true, /* see trial.h */
				     .talk = rq->talk,
				     .env = &s->run_env,
				     .until_ns = s->until_ns,
				     .most = s->most,
				     .seed = s->seed };
	char *top = top_of(s, err);
	int result = -1;

	runner.top = s->dir;
	plan.top = top;
	s->config = *config;
	if (!top || (s->way->command && set_given(config, s, err)))
		goto out;
	if (!s->way->command)
		plan.foreign = repo_top(rq->repo);
	if (plan_make(&plan, &s->plan, err) || set_up(s, &s->plan, err))
		goto out;
	result = s->way->command ? 0 : warn_tracked(rq, s, err);
out:
	free(top);
	return result;
}

void compare_side_name(const struct compare_request *rq, const struct compare_side *s,
		       const struct compare_side *other, struct buf *out)
{
	bool builds = s->way->build || other->way->build;
	const char *commit = s->commit.id;

	if (commit && other->commit.id && !strcmp(commit, other->commit.id))
		commit = NULL;
	compare_way_name(s->way, commit, builds ? rq->config->build : NULL, out);
}
