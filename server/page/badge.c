/* The newest verdict as a picture, for the first page of a project elsewhere. */
#include <math.h>
#include <string.h>

#include "lib/base/strv.h"
#include "reporter/figures/scale.h"
#include "reporter/text/badge.h"
#include "reporter/text/text.h"
#include "server/page/frame.h"
#include "server/page/page.h"
#include "server/page/series.h"

#include "lib/base/banned.h"

#define LONGEST 40 /* columns of a name */
#define MOST_CHANGES 1000

static const char *colour_of(const char *verdict)
{
	if (!verdict)
		return BADGE_NEUTRAL;
	if (!strcmp(verdict, "regressed") || !strcmp(verdict, "failed"))
		return BADGE_BAD;
	if (!strcmp(verdict, "improved") || !strcmp(verdict, "unchanged") ||
	    !strcmp(verdict, "identical"))
		return BADGE_GOOD;
	return !strcmp(verdict, "inconclusive") ? BADGE_UNSURE : BADGE_NEUTRAL;
}

/* "regressed +3.40 %", "unchanged"; where nobody judged it, the level alone. */
static void say(const struct series *s, struct buf *words)
{
	const struct series_point *newest = s->n ? &s->points[s->n - 1] : NULL;

	if (!newest) {
		buf_adds(words, "no result");
	} else if (!newest->verdict) {
		scale_value(newest->value, s->unit, words);
	} else {
		buf_adds(words, newest->verdict);
		if (series_moved(newest) && isfinite(newest->ratio)) {
			buf_addc(words, ' ');
			series_change(newest->ratio, s->unit, words);
		}
	}
}

static int of_benchmark(struct request *r, const struct history_query *q, struct err *err)
{
	struct buf words = BUF_INIT, name = BUF_INIT;
	struct series s = SERIES_INIT;

	if (series_read(r->reader, q, &s, err))
		return -1;
	text_cut(q->benchmark, LONGEST, true, &name);
	say(&s, &words);
	badge_svg(buf_str(&name), buf_str(&words),
		  colour_of(s.n ? s.points[s.n - 1].verdict : NULL), &r->reply.body);
	r->reply.body.failed |= words.failed || name.failed;
	buf_release(&words);
	buf_release(&name);
	series_release(&s);
	return 0;
}

/*
 * How many benchmarks have that verdict at the newest commit: several results of one, from several
 * machines or against several bases, are one.
 */
static size_t count(const struct jtree *changes, const char *commit, const char *verdict)
{
	struct strv names = STRV_INIT;
	const struct jtree *at;
	size_t n;

	for (at = jtree_first(changes); at; at = jtree_after(changes, at)) {
		const char *name = jtree_text(jtree_get(at, "benchmark"));
		const char *its = jtree_text(jtree_get(at, "commit"));
		const char *word = jtree_text(jtree_get(at, "verdict"));

		if (name && its && word && !strcmp(its, commit) && !strcmp(word, verdict) &&
		    !strv_has(&names, name) && strv_add(&names, name, NULL))
			break;
	}
	n = names.n;
	strv_release(&names);
	return n;
}

static void write_project(const struct jtree *project, const struct jtree *moved, struct buf *out)
{
	const char *commit = jtree_text(jtree_get(jtree_get(project, "latest"), "commit"));
	const struct jtree *changes = jtree_get(moved, "regressions");
	size_t n_worse = commit ? count(changes, commit, "regressed") : 0;
	size_t n_better = commit ? count(changes, commit, "improved") : 0;
	struct buf words = BUF_INIT;

	if (n_worse)
		buf_addf(&words, "%zu regressed", n_worse);
	else if (n_better)
		buf_addf(&words, "%zu improved", n_better);
	else
		buf_adds(&words, commit ? "no change recorded" : "no result");
	badge_svg("performance", buf_str(&words),
		  n_worse    ? BADGE_BAD
		  : n_better ? BADGE_GOOD
			     : BADGE_NEUTRAL,
		  out);
	out->failed |= words.failed;
	buf_release(&words);
}

static int of_project(struct request *r, const char *project, struct err *err)
{
	struct buf about = BUF_INIT, list = BUF_INIT;
	struct jtree *root = NULL, *moved = NULL;
	int result = -1;

	if (ledger_project(r->reader, project, &about, err) ||
	    ledger_regressions(r->reader, project, MOST_CHANGES, &list, err))
		goto out;
	root = frame_tree(&about, err);
	moved = root ? frame_tree(&list, err) : NULL;
	if (!moved)
		goto out;
	write_project(root, moved, &r->reply.body);
	result = 0;
out:
	jtree_free(root);
	jtree_free(moved);
	buf_release(&about);
	buf_release(&list);
	return result;
}

int page_badge(struct request *r, struct err *err)
{
	static const char *const known[] = { "benchmark", "metric", "machine", "branch", NULL };
	struct history_query q = { .project = r->arguments[0],
				   .benchmark = target_given(&r->url, "benchmark"),
				   .metric = target_given(&r->url, "metric"),
				   .machine = target_given(&r->url, "machine"),
				   .branch = target_given(&r->url, "branch"),
				   .limit = 1,
				   .newest = true };

	if (target_only(&r->url, known, err))
		return -1;
	if (!q.benchmark && (q.metric || q.machine || q.branch))
		return err_set(err, ERR_SYNTAX, "parameter 'benchmark' is missing");
	if (q.benchmark ? of_benchmark(r, &q, err) : of_project(r, q.project, err))
		return -1;
	r->reply.type = "image/svg+xml";
	return buf_check(&r->reply.body, err);
}
