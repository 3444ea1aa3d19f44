#include "cli/range.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

void range_release(struct range *r)
{
	free(r->from);
	free(r->to);
	*r = (struct range)RANGE_INIT;
}

int range_parse(struct repo *repo, const char *text, struct range *out, struct err *err)
{
	const char *dots = strstr(text, ".."), *to;
	struct buf from = BUF_INIT;
	char base[OID_TEXT];
	int result = -1;

	if (!dots)
		return str_set(&out->from, text, err);
	to = dots + (dots[2] == '.' ? 3 : 2);
	to = *to ? to : "HEAD";
	buf_add(&from, text, (size_t)(dots - text));
	if (!from.len)
		buf_adds(&from, "HEAD");
	if (buf_check(&from, err))
		goto out;
	if (dots[2] == '.' && walk_merge_base(repo, buf_str(&from), to, base, err))
		goto out;
	result = str_set(&out->from, dots[2] == '.' ? base : buf_str(&from), err) ||
				 str_set(&out->to, to, err)
			 ? -1
			 : 0;
out:
	buf_release(&from);
	return result;
}

int range_commit(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err)
{
	if (!oid_is_whole(rev))
		return repo_resolve(repo, rev, out, err);
	memcpy(out, rev, strlen(rev) + 1);
	return 0;
}

int range_head(struct repo *repo, const struct strv *words, char out[OID_TEXT], struct err *err)
{
	struct range range = RANGE_INIT;
	const char *rev = "HEAD";
	int result = -1;

	if (words->n == 1 && range_parse(repo, words->v[0], &range, err))
		goto out;
	if (words->n > 1)
		rev = words->v[1];
	else if (range.to)
		rev = range.to;
	result = range_commit(repo, rev, out, err);
out:
	range_release(&range);
	return result;
}

bool range_tell_first(struct repo *repo, struct err *err)
{
	struct err why = ERR_INIT;
	char head[OID_TEXT], parent[OID_TEXT];

	/* The parent that a shallow clone lacks has a cure of its own. */
	if (err->code != ERR_ABSENT || repo_resolve(repo, "HEAD", head, NULL) ||
	    !repo_first_parent(repo, head, parent, &why) || why.code != ERR_ABSENT || why.hint[0])
		return false;
	*err = why;
	err_in(err, "there is nothing to compare with yet");
	return true;
}
