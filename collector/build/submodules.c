#include "collector/build/submodules.h"

#include <stdlib.h>
#include <string.h>

#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

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
	/* What git cannot read cannot be checked out either, which says why. */
	if (tree_moved(rq->repo, base_tree, head_tree, ".pawlconfig", out_config, out, &fault)) {
		if (fault.code == ERR_GIT || fault.code == ERR_ABSENT)
			return 0;
		*err = fault;
		return -1;
	}
	while (!is_meant && out->n)
		free(out->v[--out->n]);
	if (out->n && !*fill)
		talk_note(rq->talk, "submodule '%s' moved%s: both sides are built with submodules",
			  out->v[0], out->n > 1 ? ", and others" : "");
	*fill = *fill || out->n;
	return 0;
}
