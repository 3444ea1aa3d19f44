/*
 * accepted_range - which of the accepted changes lie between two commits.
 */
#include "lib/config/accepted.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/config/reverted.h"
#include "lib/git/history/patch.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

#define RANGE_MAX 10000 /* commits of a comparison that are looked at, the newest */

/* The commits that head has and base has not. */
static int list_range(struct repo *repo, const char *base, const char *head, struct strv *out,
		      struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT, start = GIT_COMMIT_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	if (repo_commit(repo, head, &c, err))
		goto out;
	if (!repo_commit(repo, base, &start, &fault)) {
		result = walk_between(repo, base, c.id, false, RANGE_MAX, out, err);
	} else if (fault.code == ERR_ABSENT) {
		result = strv_add(out, c.id, err);
	} else if (err) {
		*err = fault;
	}
out:
	git_commit_release(&c);
	git_commit_release(&start);
	return result;
}

/* What a commit is known by, under whatever id; its texts are another's. */
struct name {
	const char *subject; /* err_clean() */
	int64_t authored_us;
	const char *ids[2]; /* of which it does what one does; NULL: any */
};

/* Of what nobody can read nothing else is said: what is accepted for less than it was is seen. */
static int does_the_same(struct repo *repo, const struct name *name, const char *id, bool *out,
			 struct err *err)
{
	struct err fault = ERR_INIT;
	size_t i;

	*out = !name->ids[0];
	for (i = 0; i < 2 && name->ids[i] && !*out; i++) {
		*out = !strcmp(name->ids[i], id);
		if (*out || !patch_is_same(repo, name->ids[i], id, ACCEPTED_FILE, out, &fault))
			continue;
		if (err_is_fatal(&fault)) {
			if (err)
				*err = fault;
			return -1;
		}
		*out = true;
	}
	return 0;
}

/* The place of a commit that was not taken back (gone NULL: or was); list->n: nowhere. */
static int find_twin(struct repo *repo, const struct strv *list, const bool *gone,
		     const struct name *name, size_t *out, struct err *err)
{
	bool found = false;
	size_t i;

	for (i = 0; i < list->n && !found; i++) {
		struct git_commit at = GIT_COMMIT_INIT;

		if (gone && gone[i])
			continue;
		if (repo_commit(repo, list->v[i], &at, err))
			return -1;
		err_clean(at.subject);
		found = at.author_time_us == name->authored_us &&
			!strcmp(at.subject, name->subject);
		git_commit_release(&at);
		if (found && does_the_same(repo, name, list->v[i], &found, err))
			return -1;
	}
	*out = found ? i - 1 : list->n;
	return 0;
}

/* gone: free() it. */
static int mark_gone(struct repo *repo, const struct strv *list, bool **out, struct err *err)
{
	*out = calloc(list->n + 1, sizeof(**out));
	if (!*out)
		return err_nomem(err);
	return reverted_mark(repo, list, *out, err);
}

/*
 * Whether base has what a commit of the range did, which is accepted, to stay: it picked it, or was
 * itself picked from, or has it from before it was amended and what is accepted is of then.  What
 * has the same name alone is what an amended commit was before, without the cost.
 */
static int is_in_base(struct repo *repo, const char *base, const char *id, const char *accepted,
		      bool *out, struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT, start = GIT_COMMIT_INIT;
	struct name any = { .ids = { NULL, NULL } }, name = { .ids = { id, accepted } };
	struct strv list = STRV_INIT;
	struct err fault = ERR_INIT;
	bool *gone = NULL;
	size_t at = 0;
	int result = -1;

	*out = false;
	if (repo_commit(repo, base, &start, &fault)) {
		result = fault.code == ERR_ABSENT ? 0 : -1;
		if (result && err)
			*err = fault;
		goto out;
	}
	if (repo_commit(repo, id, &c, err) ||
	    walk_between(repo, id, base, false, RANGE_MAX, &list, err))
		goto out;
	err_clean(c.subject);
	any.subject = name.subject = c.subject;
	any.authored_us = name.authored_us = c.author_time_us;
	if (find_twin(repo, &list, NULL, &any, &at, err) ||
	    (at < list.n &&
	     (mark_gone(repo, &list, &gone, err) || find_twin(repo, &list, gone, &name, &at, err))))
		goto out;
	*out = at < list.n;
	result = 0;
out:
	free(gone);
	strv_release(&list);
	git_commit_release(&c);
	git_commit_release(&start);
	return result;
}

/* One that was taken back may be there again, under another id. */
static int find_again(struct repo *repo, const struct strv *range, const bool *gone, const char *id,
		      size_t *out, struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT;
	int result = -1;

	if (!repo_commit(repo, id, &c, err)) {
		const struct name name = { c.subject, c.author_time_us, { id, NULL } };

		err_clean(c.subject);
		result = find_twin(repo, range, gone, &name, out, err);
	}
	git_commit_release(&c);
	return result;
}

/* The place in the range of the commit that a change is of; range->n: nowhere. */
static int find_place(struct repo *repo, const struct strv *range, const bool *gone,
		      const char *head, const struct accepted_change *c, size_t *out,
		      struct err *err)
{
	const struct name name = { c->subject, c->authored_us, { NULL, NULL } };
	struct err fault = ERR_INIT;
	bool is_old = false;

	for (*out = 0; *out < range->n; ++*out)
		if (!strcmp(range->v[*out], c->commit))
			return gone[*out] ? find_again(repo, range, gone, c->commit, out, err) : 0;
	if (!c->subject || !*c->subject || c->authored_us == INT64_MIN)
		return 0;
	if (walk_is_ancestor(repo, c->commit, head, &is_old, &fault) && fault.code != ERR_ABSENT) {
		if (err)
			*err = fault;
		return -1;
	}
	return is_old ? 0 : find_twin(repo, range, gone, &name, out, err);
}

/* The newest entry comes first: an older one for the same commit says nothing any more. */
static void add_change(const struct accepted_change *c, bool *is_known, struct allowance *sum)
{
	if (*is_known)
		return;
	*is_known = true;
	if (!sum->last)
		sum->last = c;
	sum->ratio *= 1 + c->change;
	sum->n++;
}

static bool is_of_metric(const struct accepted_change *c, const char *metric)
{
	return str_same(metric, ACCEPTED_ANY_METRIC) || str_same(metric, c->metric);
}

int accepted_sum(const struct accepted *a, struct repo *repo, const char *base, const char *head,
		 const char *benchmark, const char *metric, struct allowance *out, struct err *err)
{
	struct allowance sum = { NULL, 1, 0 };
	struct strv range = STRV_INIT;
	bool *gone = NULL, *known = NULL; /* by place in the range; known: and one for nowhere */
	size_t i, place;
	int result = -1;

	for (i = a->n; base && i-- > 0 && isfinite(sum.ratio);) {
		if (!str_is_named(benchmark, a->v[i].benchmark) || !is_of_metric(&a->v[i], metric))
			continue;
		if (!known) {
			if (list_range(repo, base, head, &range, err) ||
			    mark_gone(repo, &range, &gone, err))
				goto out;
			known = calloc(range.n + 1, sizeof(*known));
			if (!known) {
				err_nomem(err);
				goto out;
			}
			known[range.n] = true;
		}
		if (find_place(repo, &range, gone, head, &a->v[i], &place, err))
			goto out;
		if (!known[place] &&
		    is_in_base(repo, base, range.v[place], a->v[i].commit, &known[place], err))
			goto out;
		add_change(&a->v[i], &known[place], &sum);
	}
	*out = sum;
	result = 0;
out:
	free(gone);
	free(known);
	strv_release(&range);
	return result;
}

int accepted_find(const struct accepted *a, struct repo *repo, const char *base, const char *head,
		  const char *benchmark, const struct accepted_change **out, struct err *err)
{
	struct allowance sum;

	*out = NULL;
	if (accepted_sum(a, repo, base, head, benchmark, ACCEPTED_ANY_METRIC, &sum, err))
		return -1;
	*out = sum.last;
	return 0;
}
