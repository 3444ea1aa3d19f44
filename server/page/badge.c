/* The newest verdict as a picture, for the first page of a project elsewhere. */
#include <math.h>
#include <string.h>

#include "reporter/figures/scale.h"
#include "reporter/text/badge.h"
#include "reporter/text/text.h"
#include "server/page/alerts.h"
#include "server/page/frame.h"
#include "server/page/page.h"
#include "server/page/series.h"

#include "lib/base/banned.h"

#define LONGEST 40 /* columns of a name */

static const char *colour_of(const char *verdict)
{
	if (!verdict)
		return BADGE_NEUTRAL;
	if (!strcmp(verdict, "regressed") || !strcmp(verdict, "failed") ||
	    !strcmp(verdict, "timeout"))
		return BADGE_BAD;
	if (!strcmp(verdict, "improved") || !strcmp(verdict, "unchanged") ||
	    !strcmp(verdict, "identical"))
		return BADGE_GOOD;
	if (!strcmp(verdict, "inconclusive") || !strcmp(verdict, "suspect") ||
	    !strcmp(verdict, "accepted"))
		return BADGE_UNSURE;
	return BADGE_NEUTRAL;
}

static bool is_word(const struct jtree *alert, const char *key, const char *wanted)
{
	const char *word = jtree_text(jtree_get(alert, key));

	return word && wanted && !strcmp(word, wanted);
}

/* Whether that is how the newest result's change is settled: accepted, and not open elsewhere. */
static bool is_settled(const struct jtree *alerts, const struct history_query *q,
		       const struct series *s, const struct series_point *newest)
{
	const struct jtree *at;
	bool accepted = false;

	for (at = jtree_first(alerts); at; at = jtree_after(alerts, at)) {
		if (!is_word(at, "metric", s->metric) || !is_word(at, "unit", s->unit) ||
		    !is_word(at, "machine", newest->machine) ||
		    (q->branch && !is_word(at, "branch", q->branch)) ||
		    (!is_word(at, "commit", newest->commit) && !is_word(at, "base", newest->base)))
			continue;
		if (is_word(at, "state", "open"))
			return false;
		accepted = accepted || is_word(at, "state", "accepted");
	}
	return accepted;
}

/* What the newest result says; of a regression that is accepted that. */
static int read_verdict(struct request *r, const struct history_query *q, const struct series *s,
			const char **out, struct err *err)
{
	const struct series_point *newest = s->n ? &s->points[s->n - 1] : NULL;
	struct buf json = BUF_INIT;
	struct jtree *root = NULL;
	int result;

	*out = series_newest(s);
	if (s->outcome || !newest || series_moved(newest) <= 0)
		return 0;
	result = alerts_read(r, q->benchmark, 0, &json, &root, err);
	if (!result && is_settled(jtree_get(root, "alerts"), q, s, newest))
		*out = "accepted";
	jtree_free(root);
	buf_release(&json);
	return result;
}

/* "regressed +3.40 %", "unchanged", "failed"; where nobody judged it, the level alone. */
static void say(const struct series *s, const char *verdict, struct buf *words)
{
	const struct series_point *newest = s->n ? &s->points[s->n - 1] : NULL;

	if (verdict) {
		buf_adds(words, verdict);
		if (!s->outcome && series_moved(newest) && isfinite(newest->ratio)) {
			buf_addc(words, ' ');
			series_change(newest->ratio, s->unit, words);
		}
	} else if (newest) {
		scale_value(newest->value, s->unit, words);
	} else {
		buf_adds(words, "no result");
	}
}

static int of_benchmark(struct request *r, const struct history_query *q, struct err *err)
{
	struct buf words = BUF_INIT, name = BUF_INIT;
	struct series s = SERIES_INIT;
	const char *verdict;
	int result = -1;

	if (series_read(r->reader, q, &s, err))
		return -1;
	if (!read_verdict(r, q, &s, &verdict, err)) {
		text_cut(q->benchmark, LONGEST, true, &name);
		say(&s, verdict, &words);
		badge_svg(buf_str(&name), buf_str(&words), colour_of(verdict), &r->reply.body);
		r->reply.body.failed |= words.failed || name.failed;
		result = 0;
	}
	buf_release(&words);
	buf_release(&name);
	series_release(&s);
	return result;
}

static int of_project(struct request *r, const char *project, struct err *err)
{
	struct buf words = BUF_INIT;
	struct newest_moves n;
	const char *colour;

	if (ledger_newest_moves(r->reader, project, &n, err))
		return -1;
	if (n.n_regressed)
		buf_addf(&words, "%zu regressed", n.n_regressed);
	if (n.n_failed)
		buf_addf(&words, "%s%zu failed", words.len ? ", " : "", n.n_failed);
	colour = words.len	? BADGE_BAD
		 : n.n_improved ? BADGE_GOOD
		 : n.n_accepted ? BADGE_UNSURE
				: BADGE_NEUTRAL;
	if (!words.len && n.n_improved)
		buf_addf(&words, "%zu improved", n.n_improved);
	else if (!words.len && n.n_accepted)
		buf_addf(&words, "%zu accepted", n.n_accepted);
	else if (!words.len)
		buf_adds(&words, n.is_there ? "no change recorded" : "no result");
	badge_svg("performance", buf_str(&words), colour, &r->reply.body);
	r->reply.body.failed |= words.failed;
	buf_release(&words);
	return 0;
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
