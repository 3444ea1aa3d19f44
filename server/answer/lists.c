#include "server/answer/lists.h"

#include <string.h>

#include "lib/store/lists/lists.h"
#include "server/answer/alerts.h"
#include "server/answer/get.h"
#include "server/http/link.h"

#include "lib/base/banned.h"

#define USUAL 1000
#define USUAL_CHANGES 100

typedef int list_fn(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err);

/* The parameters are checked first: what is wrong is told whether the answer is known or not. */
static int give(struct request *r, list_fn *list, const char *const *known, size_t usual,
		struct list_query q, struct err *err)
{
	char next[LEDGER_CURSOR] = "";

	if (get_only(r, known, err) || get_limit(r, usual, LISTS_MOST, &q.limit, err) ||
	    get_bool(r, "untrusted", &q.untrusted, err) || get_commit(r, "commit", &q.commit, err))
		return -1;
	q.branch = get_given(r, "branch");
	q.machine = get_given(r, "machine");
	q.cursor = get_given(r, "cursor");
	q.next = next;
	if (r->is_known)
		return 0;
	if (list(r->reader, &q, &r->reply.body, err))
		return -1;
	if (*next)
		link_next(r->target, next, &r->reply.link);
	return buf_check(&r->reply.link, err);
}

static const char *const pages[] = { "limit", "cursor", NULL };

int get_projects(struct request *r, struct err *err)
{
	struct list_query q = { .project = r->has_token ? r->token.project : NULL };

	return give(r, lists_projects, pages, LISTS_MOST, q, err);
}

int get_benchmarks(struct request *r, struct err *err)
{
	struct list_query q = { .project = r->arguments[0] };

	return give(r, lists_benchmarks, pages, LISTS_MOST, q, err);
}

int get_machines(struct request *r, struct err *err)
{
	struct list_query q = { .project = r->arguments[0] };

	return give(r, lists_machines, pages, USUAL, q, err);
}

int get_commits(struct request *r, struct err *err)
{
	static const char *const known[] = { "branch", "limit", "cursor", NULL };
	struct list_query q = { .project = r->arguments[0] };

	return give(r, lists_commits, known, USUAL, q, err);
}

int get_summaries(struct request *r, struct err *err)
{
	static const char *const known[] = { "commit", "branch",    "machine", "limit",
					     "cursor", "untrusted", NULL };
	struct list_query q = { .project = r->arguments[0] };

	return give(r, lists_summaries, known, USUAL, q, err);
}

int get_regressions(struct request *r, struct err *err)
{
	struct list_query q = { .project = r->arguments[0] };

	return give(r, lists_regressions, pages, USUAL_CHANGES, q, err);
}

int get_retractions(struct request *r, struct err *err)
{
	struct list_query q = { .project = r->arguments[0] };

	return give(r, lists_retractions, pages, USUAL, q, err);
}

int get_alerts(struct request *r, struct err *err)
{
	static const char *const known[] = { "state", "benchmark", "limit", "cursor", NULL };
	struct list_query q = { .project = r->arguments[0],
				.benchmark = get_given(r, "benchmark") };

	if (get_only(r, known, err) || alert_state_read(get_given(r, "state"), &q.state, err))
		return -1;
	return give(r, lists_alerts, known, USUAL_CHANGES, q, err);
}

int get_messages(struct request *r, struct err *err)
{
	struct list_query q = { .project = r->arguments[0] };

	return give(r, lists_messages, pages, USUAL_CHANGES, q, err);
}
