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

/* The place of a commit under another id, from a place on; range->n: nowhere. */
static int find_twin(struct repo *repo, const struct strv *range, size_t from, const char *subject,
		     int64_t authored_us, size_t *out, struct err *err)
{
	bool found = false;
	size_t i;

	for (i = from; i < range->n && !found; i++) {
		struct git_commit at = GIT_COMMIT_INIT;

		if (repo_commit(repo, range->v[i], &at, err))
			return -1;
		err_clean(at.subject);
		found = at.author_time_us == authored_us && !strcmp(at.subject, subject);
		git_commit_release(&at);
	}
	*out = found ? i - 1 : range->n;
	return 0;
}

/* Of what base has and a commit has not, whether that commit is there under another id, to stay. */
static int find_lasting(struct repo *repo, const struct strv *list, const struct git_commit *c,
			bool *out, struct err *err)
{
	bool *gone = NULL;
	size_t at = 0;
	int result = -1;

	for (;; at++) {
		if (find_twin(repo, list, at, c->subject, c->author_time_us, &at, err))
			goto out;
		if (at < list->n && !gone) {
			gone = calloc(list->n, sizeof(*gone));
			if (!gone) {
				err_nomem(err);
				goto out;
			}
			if (reverted_mark(repo, list, gone, err))
				goto out;
		}
		if (at == list->n || !gone[at])
			break;
	}
	*out = at < list->n;
	result = 0;
out:
	free(gone);
	return result;
}

/* Whether base has what a commit of the range did: it picked it, or was itself picked from. */
static int is_in_base(struct repo *repo, const char *base, const char *id, bool *out,
		      struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT, start = GIT_COMMIT_INIT;
	struct strv list = STRV_INIT;
	struct err fault = ERR_INIT;
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
	result = find_lasting(repo, &list, &c, out, err);
out:
	strv_release(&list);
	git_commit_release(&c);
	git_commit_release(&start);
	return result;
}

/* The place in the range of the commit that a change is of; range->n: nowhere. */
static int find_place(struct repo *repo, const struct strv *range, const char *head,
		      const struct accepted_change *c, size_t *out, struct err *err)
{
	struct err fault = ERR_INIT;
	bool is_old = false;

	for (*out = 0; *out < range->n; ++*out)
		if (!strcmp(range->v[*out], c->commit))
			return 0;
	if (!c->subject || !*c->subject || c->authored_us == INT64_MIN)
		return 0;
	if (walk_is_ancestor(repo, c->commit, head, &is_old, &fault) && fault.code != ERR_ABSENT) {
		if (err)
			*err = fault;
		return -1;
	}
	return is_old ? 0 : find_twin(repo, range, 0, c->subject, c->authored_us, out, err);
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
	bool *known = NULL; /* by place in the range, and one for nowhere */
	size_t i, place;
	int result = -1;

	for (i = a->n; base && i-- > 0 && isfinite(sum.ratio);) {
		if (!str_is_named(benchmark, a->v[i].benchmark) || !is_of_metric(&a->v[i], metric))
			continue;
		if (!known) {
			if (list_range(repo, base, head, &range, err))
				goto out;
			known = calloc(range.n + 1, sizeof(*known));
			if (!known) {
				err_nomem(err);
				goto out;
			}
			known[range.n] = true;
			if (reverted_mark(repo, &range, known, err))
				goto out;
		}
		if (find_place(repo, &range, head, &a->v[i], &place, err))
			goto out;
		if (!known[place] && is_in_base(repo, base, range.v[place], &known[place], err))
			goto out;
		add_change(&a->v[i], &known[place], &sum);
	}
	*out = sum;
	result = 0;
out:
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
