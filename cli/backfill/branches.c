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

/* What is no line here is none. */
static int add(struct repo *repo, const char *from, const char *ref, const char *name,
	       struct backfill_branch *out, struct err *err)
{
	struct err fault = ERR_INIT;

	if (!walk_between(repo, from, ref, true, 0, &out->ids, &fault))
		return str_set(&out->name, name, err);
	if (fault.code == ERR_ABSENT || fault.code == ERR_LIMIT)
		return 0;
	if (err)
		*err = fault;
	return -1;
}

static int add_trunk(struct repo *repo, const char *from, struct backfill_branches *out,
		     struct err *err)
{
	struct buf ref = BUF_INIT;
	char *trunk = NULL;
	const char *name;
	int result = -1;

	if (default_branch(repo, &trunk, err))
		goto out;
	result = 0;
	if (!trunk)
		goto out;
	name = str_starts(trunk, ORIGIN) ? trunk + strlen(ORIGIN) : trunk;
	if (name != trunk) {
		buf_addf(&ref, "refs/remotes/%s", trunk);
		result = buf_check(&ref, err) ||
					 add(repo, from, buf_str(&ref), name, &out->line[0], err)
				 ? -1
				 : 0;
		buf_reset(&ref);
	}
	buf_addf(&ref, "refs/heads/%s", name);
	if (result || buf_check(&ref, err) ||
	    add(repo, from, buf_str(&ref), name, &out->line[1], err))
		result = -1;
out:
	buf_release(&ref);
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
		result = add(repo, from, "HEAD", here, out, err);
	free(here);
	return result;
}

int backfill_branches_load(struct repo *repo, const char *from, const char *to,
			   struct backfill_branches *out, struct err *err)
{
	*out = (struct backfill_branches){ 0 };
	if (add_trunk(repo, from, out, err) ||
	    (to && tag_is_branch(repo, to) && add(repo, from, to, to, &out->line[2], err)))
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
