#include <string.h>

#include "cli/command.h"
#include "cli/show/joined.h"
#include "cli/known.h"
#include "cli/show/lines.h"
#include "cli/passed_over.h"
#include "cli/past.h"
#include "collector/accept.h"
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "reporter/trend/render.h"
#include "reporter/trend/site.h"

#include "lib/base/banned.h"

#define LIMIT 200	/* commits with results on each page */
#define MOST_RESULTS 20 /* of a commit, to find one among that was measured */

/* What every page is made of. */
struct site {
	const struct options *o;
	const struct context *c;
	const char *dir;
	struct trend_set set;
	struct render_options how;
	size_t n_pages;
};

/* Empties text. */
static int write_page(struct site *site, const char *name, struct buf *text, struct err *err)
{
	char *path = path_join(site->dir, name, err);
	int result = -1;

	if (path && !buf_check(text, err))
		result = file_write_whole(path, text->data, text->len, 0644, err);
	site->n_pages += !result;
	str_set(&path, NULL, NULL);
	buf_reset(text);
	return result;
}

static int write_benchmarks(struct site *site, struct err *err)
{
	struct buf name = BUF_INIT, text = BUF_INIT;
	int result = 0;
	size_t i;

	for (i = 0; i < site->set.n && !result; i++) {
		const struct trend *t = &site->set.v[i];

		if (t->n == t->first)
			continue;
		buf_reset(&name);
		result = site_page(t->benchmark, &name, err) ||
					 trend_render("html", t, &site->how, &text, err) ||
					 write_page(site, buf_str(&name), &text, err)
				 ? -1
				 : 0;
	}
	buf_release(&name);
	buf_release(&text);
	return result;
}

/* What was imported hides nothing that was measured: as `pawl report` has it. */
static struct summary *newest_of(const struct history *found)
{
	size_t i;

	for (i = 0; i < found->n; i++)
		if (!found->v[i].imported.n)
			return &found->v[i];
	return &found->v[0];
}

/*
 * The report of the newest commit of the line that has a result of this machine, be it that all of
 * it failed.
 */
static int write_newest(struct site *site, struct store *store, const struct lines *l,
			const struct accepted *accepted, bool *out_is_there, struct err *err)
{
	struct history found = HISTORY_INIT;
	struct buf text = BUF_INIT;
	struct summary *s;
	size_t i = l->ids.n;
	int result = 0;

	while (i > l->first && !found.n && !result)
		result = store_results(store, site->c->project, l->ids.v[--i], l->machine,
				       MOST_RESULTS, &found, err);
	*out_is_there = !result && found.n;
	s = *out_is_there ? newest_of(&found) : NULL;
	if (s)
		result = join_parts(site->c, store, s, err) ||
					 apply_accepted(site->c->repo, accepted, s, err) ||
					 render("html", s, &site->how, &text, err) ||
					 write_page(site, SITE_NEWEST, &text, err)
				 ? -1
				 : 0;
	buf_release(&text);
	history_release(&found);
	return result;
}

static int write_all(struct site *site, struct store *store, const struct lines *l,
		     const struct accepted *accepted, struct err *err)
{
	struct buf text = BUF_INIT, answer = BUF_INIT;
	bool has_newest;
	int result = -1;

	if (file_make_dirs(site->dir, 0755, err) || write_benchmarks(site, err) ||
	    write_newest(site, store, l, accepted, &has_newest, err) ||
	    site_index(&site->set, site->c->project, has_newest, &text, err) ||
	    write_page(site, SITE_INDEX, &text, err)) /* last: all it links to is there */
		goto out;
	buf_addf(&answer, "%zu pages: %s/" SITE_INDEX "\n", site->n_pages, site->dir);
	result = buf_check(&answer, err) || print_answer(site->o, &answer, err) ? -1 : 0;
out:
	buf_release(&text);
	buf_release(&answer);
	return result;
}

static int limit_of(const struct options *o, size_t *out, struct err *err)
{
	uint64_t n = LIMIT;

	if (o->limit && (!number_u64(o->limit, &n) || n < 1 || n > LINES_LONGEST))
		return err_set(err, ERR_USAGE, "--limit takes 1 to %d, not '%s'", LINES_LONGEST,
			       o->limit);
	*out = (size_t)n;
	return 0;
}

static int complain_absent(const struct site *site, const struct lines *l, struct err *err)
{
	err_set(err, ERR_ABSENT, "no stored result of machine '%s' among these commits",
		l->machine);
	if (site->set.machines.n)
		return err_hint(err, "machine '%s' has results: --machine",
				site->set.machines.v[0]);
	return hint_project(site->c, err, "run 'pawl collect' or 'pawl backfill' first");
}

static int make(const struct options *o, const struct context *c, struct store *store,
		struct err *err)
{
	struct site site = { .o = o,
			     .c = c,
			     .dir = o->args.v[0],
			     .set = TREND_SET_INIT,
			     .how = RENDER_OPTIONS_INIT };
	struct lines l = LINES_INIT;
	struct acceptances accepted = { c->repo, ACCEPTED_INIT };
	struct trend_query query = { .project = c->project,
				     .metric = o->metric,
				     .line = &l.ids,
				     .tag_place = TREND_NOWHERE,
				     .accepted = past_accepted,
				     .ctx = &accepted };
	int status = -1;

	site.how.home = SITE_INDEX;
	if (accepted_load(c->repo, &accepted.all, err) ||
	    lines_find(c, o->args.n > 1 ? o->args.v[1] : NULL, false, &l, err) ||
	    lines_find_machine(o, &l, err) || limit_of(o, &query.limit, err))
		goto out;
	query.machine = l.machine;
	query.first = l.first;
	if (trend_load(store, &query, &site.set, err))
		goto out;
	if (!site.set.n)
		complain_absent(&site, &l, err);
	else if (!write_all(&site, store, &l, &accepted.all, err))
		status = EXIT_OK;
out:
	trend_set_release(&site.set);
	lines_release(&l);
	accepted_release(&accepted.all);
	return status;
}

int cmd_site(const struct options *o)
{
	struct err err = ERR_INIT;

	if (o->args.n < 1 || o->args.n > 2) {
		err_set(&err, ERR_USAGE, "'pawl site' takes a folder and one COMMIT or A..B");
		err_hint(&err, "for example: pawl site public");
		return complain(&err);
	}
	return run_with_store(o, STORE_READ, make);
}
