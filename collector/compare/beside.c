#include "collector/compare/beside.h"

#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "collector/code/loader.h"
#include "collector/compare/extent_run.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define UNSEEN "it may look for files beside itself, and could not be watched"
#define STARTS \
	"it starts other programs, which would load the copies of its shared objects, so no copy " \
	"can replace it"

/* ---- what it asks for ------------------------------------------------------------------------ */

/* Anything around its copy but that itself, and what the loader asks for. */
static bool looks_beside(const struct loader *l, const char *exe, const char *root)
{
	size_t i;

	for (i = 0; i < l->asked->n; i++) {
		const char *path = l->asked->v[i];

		if (str_below(path, root) && strcmp(path, exe) != 0 && !str_below(exe, path) &&
		    !loader_asks(l, path))
			return true;
	}
	return false;
}

/* The folder around the folders of copies. */
static char *around(const char *exe, struct err *err)
{
	char *path = str_dup(exe, err), *slash;
	int i;

	for (i = 0; path && i < 2; i++) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	}
	return path;
}

/* Static: why no copy can replace it; NULL: it can. */
static const char *judge(const struct side *side, const struct side *copy, const char *root,
			 const struct named_files *asked)
{
	struct bundle at, built;
	const struct loader l = { &at, &built, &asked->paths, &asked->late };
	const char *why = UNSEEN;

	memset(&at, 0, sizeof(at));
	memset(&built, 0, sizeof(built));
	if (asked->n_told && !asked->is_full &&
	    !bundle_of(copy->exe, copy->library_path, &at, NULL) &&
	    !bundle_of(side->built, side->built_library_path, &built, NULL))
		why = looks_beside(&l, copy->exe, root)	    ? BESIDE_SEEN
		      : copy->library_path && asked->starts ? STARTS
							    : NULL;
	bundle_release(&at);
	bundle_release(&built);
	return why;
}

/* *out_why: as of judge(). */
static int watch(const struct beside_request *rq, const struct unit *u, const struct side *side,
		 const struct side *copy, const char **out_why, struct err *err)
{
	struct named_files asked = NAMED_FILES_INIT;
	struct extent_run run = {
		.runner = rq->runner, .unit = u, .side = copy, .until_ns = rq->until_ns
	};
	bool ended_well = false;
	char *root = around(copy->exe, err);
	int result;

	if (!root)
		return -1;
	asked.only = root;
	talk_progress(rq->talk, 0, 0, "looking at where %s finds its files", u->name);
	result = extent_run_look(&run, &asked, &ended_well, err);
	if (!result)
		*out_why = ended_well ? judge(side, copy, root, &asked) : UNSEEN;
	extent_run_release(&run);
	named_files_release(&asked);
	free(root);
	return result;
}

/* Whether its copy may do something else: it has what it would ask with, or objects of its own. */
static bool is_doubtful(const struct side *side)
{
	return side->binary_id && !side->stays &&
	       (side->may_ask || (side->built && side->library_path));
}

/* By the path that the system calls it. */
static int look(const struct beside_request *rq, const struct unit *u, const struct side *side,
		const char **out_why, struct err *err)
{
	struct side copy;
	char *real, *objects;
	int result = -1;

	if (*out_why || !is_doubtful(side))
		return 0;
	if (!side->built || !strcmp(side->built, side->exe)) { /* there is no copy yet */
		*out_why = UNSEEN;
		return 0;
	}
	memset(&copy, 0, sizeof(copy));
	real = realpath(side->exe, NULL);
	objects = side->library_path ? realpath(side->library_path, NULL) : NULL;
	if (!side_copy(side, &copy, err) && (!real || !str_set(&copy.exe, real, err)) &&
	    (!objects || !str_set(&copy.library_path, objects, err)))
		result = watch(rq, u, side, &copy, out_why, err);
	free(real);
	free(objects);
	side_release(&copy);
	return result;
}

/* ---- where it runs --------------------------------------------------------------------------- */

static int put_back(struct side *side, const char *why, struct err *err)
{
	side->stays = true;
	side->beside = why;
	return side_put_back(side, err);
}

int compare_beside_settle(struct unit *u, const char *why, struct err *err)
{
	if (u->has_base && u->base.binary_id && !u->base.built) {
		u->has_base = false;
		return str_set(&u->base_failure, why, err) || put_back(&u->head, why, err) ? -1 : 0;
	}
	return put_back(&u->head, why, err) || (u->has_base && put_back(&u->base, why, err)) ? -1
											     : 0;
}

static bool is_run(const struct unit *u)
{
	return !u->failure && !u->unreached && !u->only_base && !u->only_head &&
	       (u->has_base || !u->identical);
}

int compare_beside(const struct beside_request *rq, struct plan *plan, struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++) {
		struct unit *u = &plan->units[i];
		const char *why = NULL;

		if (!is_run(u))
			continue;
		if ((u->has_base && look(rq, u, &u->base, &why, err)) ||
		    look(rq, u, &u->head, &why, err) || (why && compare_beside_settle(u, why, err)))
			return -1;
	}
	return 0;
}
