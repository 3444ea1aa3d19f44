#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/known.h"
#include "cli/past.h"
#include "cli/range.h"
#include "collector/machine/machine.h"
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/git/history/line.h"
#include "lib/git/history/walk.h"
#include "reporter/trend/list.h"
#include "reporter/trend/render.h"

#include "lib/base/banned.h"

#define LONGEST_LINE 20000 /* commits walked; with results in all of them: years */
#define LIMIT 100
#define LIMIT_LIST 50

/* What the command looks at; owned. */
struct line {
	struct strv ids; /* oldest first */
	size_t first;	 /* of those asked for */
	char *machine;
	char *tag;
	size_t tag_place;
};

static void line_release(struct line *l)
{
	strv_release(&l->ids);
	free(l->machine);
	free(l->tag);
}

static int find_tag(struct repo *repo, struct line *l, struct err *err)
{
	struct err fault = ERR_INIT;

	/* A tag of the newest commit is none that anything came after. */
	if (l->ids.n < 2 ||
	    !walk_tag_among(repo, &l->ids, l->ids.n - 1, &l->tag_place, &l->tag, &fault))
		return 0;
	l->tag_place = TREND_NOWHERE;
	if (fault.code == ERR_ABSENT)
		return 0;
	*err = fault;
	return -1;
}

/* The main line down from the end of what was asked for, and where that begins on it. */
static int find_line(const struct context *c, const char *range, bool with_tag, struct line *l,
		     struct err *err)
{
	struct repo *repo = c->repo;
	struct strv inside = STRV_INIT;
	struct range ends = RANGE_INIT;
	char *kept = c->state_dir ? path_join(c->state_dir, "line", NULL) : NULL;
	int result = -1;

	if (range_parse(repo, range ? range : "HEAD", &ends, err) ||
	    line_down(repo, kept, ends.to ? ends.to : ends.from, LONGEST_LINE, &l->ids, err))
		goto out;
	if (ends.to) {
		if (walk_between(repo, ends.from, ends.to, true, LONGEST_LINE, &inside, err))
			goto out;
		if (!inside.n) {
			err_set(err, ERR_USAGE, "there is no commit in '%s'", range);
			goto out;
		}
		l->first = l->ids.n - inside.n;
	}
	result = with_tag ? find_tag(repo, l, err) : 0;
out:
	free(kept);
	strv_release(&inside);
	range_release(&ends);
	return result;
}

static int find_machine(const struct options *o, struct line *l, struct err *err)
{
	struct summary here; /* only for its machine, which has no release of its own */
	int result;

	if (o->machine)
		return str_set(&l->machine, o->machine, err);
	summary_init(&here);
	result = machine_describe(&here.machine, err) || str_set(&l->machine, here.machine.id, err)
			 ? -1
			 : 0;
	summary_release(&here);
	return result;
}

static int limit_of(const struct options *o, size_t *out, struct err *err)
{
	uint64_t n = o->args.n ? LIMIT : LIMIT_LIST;

	if (o->limit && (!number_u64(o->limit, &n) || n < 1 || n > LONGEST_LINE))
		return err_set(err, ERR_USAGE, "--limit takes 1 to %d, not '%s'", LONGEST_LINE,
			       o->limit);
	*out = (size_t)n;
	return 0;
}

/* Nothing to show: says what there is instead. */
static int complain_absent(const struct context *c, const char *name, const struct line *l,
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
	return err_hint(err, "run 'pawl collect' first");
}

static bool has_runs(const struct trend *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->points[i].n_runs)
			return true;
	return false;
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
			file_write_whole(o->html, page.data, page.len, 0644, err)))
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
	struct line l = { .ids = STRV_INIT, .tag_place = TREND_NOWHERE };
	struct acceptances accepted = { c->repo, ACCEPTED_INIT };
	struct trend_query query;
	int status = -1;

	if (accepted_load(c->repo, &accepted.all, err) ||
	    find_line(c, o->args.n > 1 ? o->args.v[1] : NULL, name != NULL, &l, err) ||
	    find_machine(o, &l, err))
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
	}
out:
	trend_set_release(&set);
	line_release(&l);
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
