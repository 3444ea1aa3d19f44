#include "collector/build/submodules.h"

#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

/* What git cannot read cannot be checked out either, which says why. */
static int pass_over(const struct err *fault, struct err *err)
{
	if (fault->code == ERR_GIT || fault->code == ERR_ABSENT)
		return 0;
	*err = *fault;
	return -1;
}

int submodules_moved(const struct submodules_request *rq, const char *base_tree,
		     const char *head_tree, bool *fill, struct strv *out, bool *out_config,
		     struct err *err)
{
	int needed = rq->config->submodules;
	struct err fault = ERR_INIT;
	bool is_meant;

	*out_config = false;
	*fill = *fill || needed == CONFIG_SUBMODULES_ALWAYS;
	is_meant = *fill || needed != CONFIG_SUBMODULES_NEVER;
	if (!strcmp(base_tree, head_tree))
		return 0;
	if (tree_moved(rq->repo, base_tree, head_tree, ".pawlconfig", out_config, out, &fault))
		return pass_over(&fault, err);
	if (!is_meant)
		strv_cut(out, 0);
	if (out->n && !*fill)
		talk_note(rq->talk, "submodule '%s' moved%s: both sides are built with submodules",
			  out->v[0], out->n > 1 ? ", and others" : "");
	*fill = *fill || out->n;
	return 0;
}

int submodules_of_range(const struct submodules_request *rq, const char *from, const char *to,
			bool *fill, struct err *err)
{
	struct err fault = ERR_INIT;
	bool moves = false;

	if (*fill || rq->config->submodules != CONFIG_SUBMODULES_MOVED)
		return 0;
	if (tree_moves_between(rq->repo, from, to, &moves, &fault))
		return pass_over(&fault, err);
	if (moves)
		talk_note(rq->talk, "a submodule moves in these commits: all are built with "
				    "submodules");
	*fill = moves;
	return 0;
}

/* Where it is not checked out, the repository found there is another one. */
static bool is_dirty(const char *top, const char *path)
{
	struct buf place = BUF_INIT;
	struct repo *repo = NULL;
	bool dirty = false;

	buf_addf(&place, "%s/%s", top, path);
	if (!buf_check(&place, NULL) && !repo_open(buf_str(&place), &repo, NULL)) {
		if (!repo_top(repo) || strcmp(repo_top(repo), top) == 0 ||
		    repo_is_dirty(repo, &dirty, NULL))
			dirty = false;
		repo_close(repo);
	}
	buf_release(&place);
	return dirty;
}

bool submodules_are_here(const struct repo *repo)
{
	const char *top = repo_top(repo);
	bool are;

	return top && !file_is_in(top, ".gitmodules", &are, NULL) && are;
}

int submodules_work_is_dirty(struct repo *repo, bool *out, struct err *err)
{
	struct strv paths = STRV_INIT;
	size_t i;
	int result = 0;

	if (repo_is_dirty(repo, out, err))
		return -1;
	if (!*out && submodules_are_here(repo))
		result = tree_submodules(repo, "HEAD", &paths, err);
	for (i = 0; i < paths.n && !*out; i++)
		*out = is_dirty(repo_top(repo), paths.v[i]);
	strv_release(&paths);
	return result;
}
