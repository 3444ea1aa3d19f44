#include "lib/git/history/merge.h"

#include <string.h>

#include "lib/git/history/walk.h"
#include "lib/git/ids.h"

#include "lib/base/banned.h"

/* Nothing is left of what the side did: a merge takes nothing of it. */
static int is_as_it_began(struct repo *repo, const char *base, const char *tip, bool *out,
			  struct err *err)
{
	struct git_commit a = GIT_COMMIT_INIT, b = GIT_COMMIT_INIT;
	int result = -1;

	if (!repo_commit(repo, base, &a, err) && !repo_commit(repo, tip, &b, err)) {
		*out = !strcmp(a.tree, b.tree);
		result = 0;
	}
	git_commit_release(&a);
	git_commit_release(&b);
	return result;
}

static int add_side(struct repo *repo, const char *parent, const char *tip, struct strv *out,
		    struct err *err)
{
	const char *const args[] = { "merge-base", "--all", parent, tip, NULL };
	struct strv bases = STRV_INIT;
	bool is_empty = false;
	int result = -1;

	if (!ids_merge_bases(repo, args, &bases, err) &&
	    (bases.n != 1 || !is_as_it_began(repo, bases.v[0], tip, &is_empty, err)) &&
	    (is_empty ||
	     (!strv_add(out, bases.n == 1 ? bases.v[0] : "", err) && !strv_add(out, tip, err))))
		result = 0;
	strv_release(&bases);
	return result;
}

int merge_sides(struct repo *repo, const char *from, const char *commit, char out_parent[OID_TEXT],
		struct strv *out_sides, struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct strv apart = STRV_INIT;
	char parent[OID_TEXT] = "";
	size_t i;
	bool is_on;
	int result = -1;

	if (repo_commit(repo, commit, &c, err))
		goto out;
	for (i = 0; i < c.parents.n; i++) {
		const char *id = c.parents.v[i];

		if (walk_is_ancestor(repo, from, id, &is_on, err) ||
		    (!is_on && strv_add(&apart, id, err)))
			goto out;
		if (is_on && !*parent)
			memcpy(parent, id, strlen(id) + 1);
	}
	if (!*parent) {
		err_set(err, ERR_ABSENT, "commit %.12s does not go on from %.12s", c.id, from);
		goto out;
	}
	for (i = 0; i < apart.n; i++)
		if (add_side(repo, parent, apart.v[i], out_sides, err))
			goto out;
	memcpy(out_parent, parent, strlen(parent) + 1);
	result = 0;
out:
	strv_release(&apart);
	git_commit_release(&c);
	return result;
}
