#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/known.h"
#include "cli/show/lines.h"
#include "cli/past.h"
#include "lib/base/number.h"
#include "lib/process/output.h"
#include "reporter/trend/list.h"
#include "reporter/trend/render.h"

#include "lib/base/banned.h"

#define LIMIT 100
#define LIMIT_LIST 50
#define FEW 2 /* results */

static int limit_of(const struct options *o, size_t *out, struct err *err)
{
	uint64_t n = o->args.n ? LIMIT : LIMIT_LIST;

	if (o->limit && (!number_u64(o->limit, &n) || n < 1 || n > LINES_LONGEST))
		return err_set(err, ERR_USAGE, "--limit takes 1 to %d, not '%s'", LINES_LONGEST,
			       o->limit);
	*out = (size_t)n;
	return 0;
}

/* Nothing to show: says what there is instead. */
static int complain_absent(const struct context *c, const char *name, const struct lines *l,
			   const struct trend_set *set, struct err *err)
{
	if (set->n_results && name) {
		err_set(err, ERR_ABSENT, "no stored result of benchmark '%s' among these commits",
			name);
		return hint_benchmark(c, err, name,
				      "'pawl history' lists those that have results; --limit and "
				      "A..B widen the search");
	}
	err_set(err, ERR_ABSENT, "no stored result of machine '%s' among these commits",
		l->machine);
	if (set->machines.n)
		return err_hint(err, "machine '%s' has results: --machine", set->machines.v[0]);
	return hint_project(c, err,
			    "run 'pawl collect', or 'pawl backfill A..B' for older commits");
}

static bool has_runs(const struct trend *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->points[i].n_runs)
			return true;
	return false;
}

/* What one or two results show is no history, where there are more commits. */
static void point_to_backfill(const struct context *c, const struct lines *l,
			      const struct trend_set *set)
{
	size_t n = 0, n_line = l->ids.n - l->first, i;

	for (i = 0; i < set->n; i++)
		if (set->v[i].n - set->v[i].first > n)
			n = set->v[i].n - set->v[i].first;
	if (n <= FEW && n_line > n + 1)
		talk_note(c->talk,
			  "%zu of these %zu commits %s measured; to measure others too: "
			  "pawl backfill %.12s..%.12s",
			  n, n_line, n == 1 ? "is" : "are", l->ids.v[l->first],
			  l->ids.v[l->ids.n - 1]);
}

static int show(const struct options *o, const struct trend_set *set, const char *name,
		struct err *err)
{
	struct render_options how = terminal_render_options(o);
	const char *format = o->json ? "json" : o->format ? o->format : "text";
	struct buf text = BUF_INIT, page = BUF_INIT;
	int status = -1;

	if (!name && o->html) {
		err_set(err, ERR_USAGE, "--html needs the name of a benchmark");
		goto out;
	}
	if (name ? trend_render(format, &set->v[0], &how, &text, err)
		 : trend_list(format, set, &how, &text, err))
		goto out;
	if (print_answer(o, &text, err))
		goto out;
	if (o->html && (trend_render("html", &set->v[0], &how, &page, err) ||
			output_write_named(o->html, page.data, page.len, 0644, err)))
		goto out;
	status = name ? trend_exit(&set->v[0], o->strict) : EXIT_OK;
out:
	buf_release(&text);
	buf_release(&page);
	return status;
}

static int history(const struct options *o, const struct context *c, struct store *store,
		   struct err *err)
{
	const char *name = o->args.n ? o->args.v[0] : NULL;
	struct trend_set set = TREND_SET_INIT;
	struct lines l = LINES_INIT;
	struct acceptances accepted = { c->repo, ACCEPTED_INIT };
	struct trend_query query;
	int status = -1;

	if (accepted_load(c->repo, &accepted.all, err) ||
	    lines_find(c, o->args.n > 1 ? o->args.v[1] : NULL, name != NULL, &l, err) ||
	    lines_find_machine(o, &l, err))
		goto out;
	query = (struct trend_query){ .project = c->project,
				      .machine = l.machine,
				      .benchmark = name,
				      .metric = o->metric,
				      .line = &l.ids,
				      .first = l.first,
				      .tag = name ? l.tag : NULL,
				      .tag_place = l.tag_place,
				      .accepted = past_accepted,
				      .ctx = &accepted };
	if (limit_of(o, &query.limit, err) || trend_load(store, &query, &set, err))
		goto out;
	if (!set.n || (name && set.v[0].n == set.v[0].first)) {
		complain_absent(c, name, &l, &set, err);
	} else if (name && o->metric && !has_runs(&set.v[0])) {
		err_set(err, ERR_ABSENT, "benchmark '%s' has no metric '%s'", name, o->metric);
		err_hint(err, "'pawl report -v' shows those that were measured");
	} else {
		status = show(o, &set, name, err);
		point_to_backfill(c, &l, &set);
	}
out:
	trend_set_release(&set);
	lines_release(&l);
	accepted_release(&accepted.all);
	return status;
}

int cmd_history(const struct options *o)
{
	struct err err = ERR_INIT;

	if (o->args.n > 2) {
		err_set(&err, ERR_USAGE, "'pawl history' takes a benchmark and one COMMIT or A..B");
		return complain(&err);
	}
	return run_with_store(o, STORE_READ, history);
}
