#include "collector/build/submodules.h"

#include <string.h>

#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

int submodules_moved(const struct submodules_request *rq, const char *base_tree,
		     const char *head_tree, bool *fill, struct strv *out, struct err *err)
{
	int needed = rq->config->submodules;

	*fill = *fill || needed == CONFIG_SUBMODULES_ALWAYS;
	if ((!*fill && needed == CONFIG_SUBMODULES_NEVER) || !strcmp(base_tree, head_tree))
		return 0;
	if (tree_submodules_moved(rq->repo, base_tree, head_tree, out, err))
		return -1;
	if (out->n && !*fill)
		talk_note(rq->talk, "submodule '%s' moved%s: both sides are built with submodules",
			  out->v[0], out->n > 1 ? ", and others" : "");
	*fill = *fill || out->n;
	return 0;
}
