#include "cli/backfill/branches.h"

#include <stdlib.h>
#include <string.h>

#include "collector/tag.h"
#include "lib/base/buf.h"
#include "lib/git/default_branch.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

#define ORIGIN "origin/"
#define LINES(b) (sizeof((b)->line) / sizeof((b)->line[0]))

void backfill_branches_release(struct backfill_branches *b)
{
	size_t i;

	for (i = 0; i < LINES(b); i++) {
		free(b->line[i].name);
		strv_release(&b->line[i].ids);
	}
	*b = (struct backfill_branches){ 0 };
}

/* The line of a reference, by its folder ("" where rev is whole).  What is no line here is none. */
static int add(struct repo *repo, const char *from, const char *folder, const char *rev,
	       const char *name, struct backfill_branch *out, struct err *err)
{
	struct buf ref = BUF_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	buf_addf(&ref, "%s%s", folder, rev);
	if (buf_check(&ref, err))
		goto out;
	if (!walk_between(repo, from, buf_str(&ref), true, 0, &out->ids, &fault))
		result = str_set(&out->name, name, err);
	else if (fault.code == ERR_ABSENT || fault.code == ERR_LIMIT)
		result = 0;
	else if (err)
		*err = fault;
out:
	buf_release(&ref);
	return result;
}

static int add_trunk(struct repo *repo, const char *from, struct backfill_branches *out,
		     struct err *err)
{
	char *trunk = NULL;
	const char *name;
	int result = default_branch(repo, &trunk, err);

	if (!result && trunk) {
		name = str_starts(trunk, ORIGIN) ? trunk + strlen(ORIGIN) : trunk;
		if (name != trunk)
			result = add(repo, from, "refs/remotes/", trunk, name, &out->line[0], err);
		if (!result)
			result = add(repo, from, "refs/heads/", name, name, &out->line[1], err);
	}
	free(trunk);
	return result;
}

/* The job of a CI names a commit's branch, and not that of those before it. */
static int add_here(struct repo *repo, const char *from, struct backfill_branch *out,
		    struct err *err)
{
	char *here = NULL;
	int result = repo_branch(repo, &here, err);

	if (!result && here)
		result = add(repo, from, "", "HEAD", here, out, err);
	free(here);
	return result;
}

int backfill_branches_load(struct repo *repo, const char *from, const char *to,
			   struct backfill_branches *out, struct err *err)
{
	*out = (struct backfill_branches){ 0 };
	if (add_trunk(repo, from, out, err) ||
	    (to && tag_is_branch(repo, to) &&
	     add(repo, from, "refs/heads/", to, to, &out->line[2], err)))
		return -1;
	return add_here(repo, from, &out->line[3], err);
}

const char *backfill_branch_of(const struct backfill_branches *b, const char *id)
{
	size_t i;

	for (i = 0; i < LINES(b); i++)
		if (b->line[i].name && strv_has(&b->line[i].ids, id))
			return b->line[i].name;
	return NULL;
}
