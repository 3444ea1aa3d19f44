#include "cli/past.h"

#include "cli/passed_over.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

#define LONGEST_LINE 2000 /* commits walked */
#define SHOWN 60	  /* with results */

const char *past_accepted(void *ctx, const char *commit, const char *benchmark)
{
	const struct acceptances *a = ctx;
	const struct accepted_change *change = NULL;
	char parent[OID_TEXT];

	if (!a->all.n || repo_first_parent(a->repo, commit, parent, NULL) ||
	    accepted_find(&a->all, a->repo, parent, commit, benchmark, &change, NULL))
		return NULL;
	return change ? change->because : NULL;
}

static int load(const struct context *c, const struct summary *s, struct store *store,
		struct trend_set *out, struct err *err)
{
	struct acceptances accepted = { c->repo, ACCEPTED_INIT };
	struct strv line = STRV_INIT;
	struct trend_query query = { .project = c->project,
				     .machine = s->machine.id,
				     .line = &line,
				     .limit = SHOWN,
				     .tag_place = TREND_NOWHERE,
				     .accepted = past_accepted,
				     .ctx = &accepted };
	int result = -1;

	if (!walk_between(c->repo, NULL, s->commit.id, true, LONGEST_LINE, &line, err) &&
	    !accepted_load(c->repo, &accepted.all, err))
		result = trend_load(store, &query, out, err);
	strv_release(&line);
	accepted_release(&accepted.all);
	return result;
}

void past_of(const struct context *c, const struct summary *s, struct trend_set *out)
{
	struct store *store = NULL;
	struct err err = ERR_INIT;

	*out = (struct trend_set)TREND_SET_INIT;
	if (!c->store_path || !s->commit.id || !s->machine.id)
		return;
	if ((store_open(c->store_path, STORE_READ, &store, &err) && err.code != ERR_ABSENT) ||
	    (store && load(c, s, store, out, &err)))
		talk_warn(c->talk, err.hint[0] ? err.hint : NULL, "the page is without history: %s",
			  err.text);
	passed_over_tell(c->talk, store);
	store_close(store);
}
