#include "collector/compare/beside.h"

#include <stdlib.h>
#include <string.h>

#include "collector/child/named.h"
#include "collector/compare/extent_run.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define UNSEEN "it may look for files beside itself, and could not be watched"

/* ---- what it asks for ------------------------------------------------------------------------ */

/* Where LD_LIBRARY_PATH leads to its copy, the loader looks there for all libraries. */
static bool is_of_loader(const struct side *side, const char *path)
{
	static const char *const folders[] = { "tls", "haswell", "xeon_phi", "avx512_1", "x86_64" };
	const char *name = path_base(path);

	return side->library_path && (strstr(name, ".so") || STR_IS_ONE_OF(name, folders) ||
				      strstr(path, "/glibc-hwcaps") || str_below(side->exe, path));
}

static bool is_other(const struct side *side, const char *path)
{
	return strcmp(path, side->exe) != 0 && !is_of_loader(side, path);
}

/* Anything around its copy but that itself. */
static bool looks_beside(const struct side *side, const struct strv *paths)
{
	size_t i;

	for (i = 0; i < paths->n; i++)
		if (is_other(side, paths->v[i]))
			return true;
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

static bool is_beside(const struct side *copy, const char *root, const char *path)
{
	return str_below(path, root) && strcmp(path, root) != 0 && is_other(copy, path);
}

bool compare_beside_asks(const struct side *side, const struct strv *states)
{
	char *real = realpath(side->exe, NULL), *root = real ? around(real, NULL) : NULL;
	struct side copy = *side;
	bool found = false;
	size_t i;

	copy.exe = real;
	for (i = 0; root && !str_below(real, side->dir) && !found && i < states->n; i++) {
		const char *path = strchr(states->v[i], ' ');

		found = path && is_beside(&copy, root, path + 1);
	}
	free(root);
	free(real);
	return found;
}

/* *out_why: static, or NULL where it does not. */
static int watch(const struct beside_request *rq, const struct unit *u, const struct side *side,
		 const char **out_why, struct err *err)
{
	struct named_files asked = NAMED_FILES_INIT;
	struct extent_run run = {
		.runner = rq->runner, .unit = u, .side = side, .until_ns = rq->until_ns
	};
	char *root = around(side->exe, err);
	int result;

	if (!root)
		return -1;
	asked.only = root;
	talk_progress(rq->talk, 0, 0, "looking at where %s finds its files", u->name);
	result = extent_run_look(&run, &asked, NULL, err);
	if (!result)
		*out_why = looks_beside(side, &asked.paths) ? BESIDE_SEEN
			   : asked.n_told		    ? NULL
							    : UNSEEN;
	extent_run_release(&run);
	named_files_release(&asked);
	free(root);
	return result;
}

/* By the path that the system calls it. */
static int look(const struct beside_request *rq, const struct unit *u, const struct side *side,
		const char **out_why, struct err *err)
{
	struct side copy;
	char *real;
	int result = -1;

	if (*out_why || side->stays || !side->may_ask || !side->binary_id)
		return 0;
	if (!side->built || !strcmp(side->built, side->exe)) { /* there is no copy yet */
		*out_why = UNSEEN;
		return 0;
	}
	memset(&copy, 0, sizeof(copy));
	real = realpath(side->exe, NULL);
	if (!side_copy(side, &copy, err) && (!real || !str_set(&copy.exe, real, err)))
		result = watch(rq, u, &copy, out_why, err);
	free(real);
	side_release(&copy);
	return result;
}

/* ---- where it runs --------------------------------------------------------------------------- */

static int put_back(struct side *side, const char *why, struct err *err)
{
	side->stays = true;
	side->beside = why;
	if (!side->built)
		return 0;
	return str_set(&side->preload, NULL, err) ||
			       str_set(&side->library_path, side->built_library_path, err) ||
			       str_set(&side->exe, side->built, err)
		       ? -1
		       : 0;
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
