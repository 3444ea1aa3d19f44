/* A bisection as one JSON document. */
#include <math.h>
#include <stdlib.h>

#include "cli/bisect/show.h"
#include "collector/bisect/ask.h"
#include "lib/base/jsonw.h"
#include "lib/base/when.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

void show_json_change(const struct bisect_evidence *e, bool by_difference, double low, double high,
		      struct jsonw *w)
{
	double ci[2] = { by_difference ? low : exp(low), by_difference ? high : exp(high) };

	jsonw_knumber(w, "ratio", by_difference ? (double)NAN : exp(e->theta));
	if (by_difference) {
		jsonw_knumber(w, "difference", e->difference);
		jsonw_kstring(w, "unit", e->unit);
	}
	jsonw_knumbers(w, "ci", ci, 2);
}

static void add_evidence(struct jsonw *w, const struct bisect_evidence *e, bool by_difference,
			 double low, double high, double confidence)
{
	static const char *const states[] = { "measured", "identical", "skipped", "none" };

	jsonw_kstring(w, "state", states[e->state]);
	show_json_change(e, by_difference, low, high, w);
	jsonw_knumber(w, "confidence", confidence > 0 ? confidence : (double)NAN);
	jsonw_kinteger(w, "pairs", (int64_t)e->pairs);
	jsonw_kstring(w, "verdict", verdict_name(e->verdict));
	jsonw_kstring(w, "why", e->why);
}

static void add_step(struct jsonw *w, const struct shown_step *step)
{
	static const char *const kinds[] = { "whole", "cut", "confirm", "step" };
	static const char *const marks[] = { "good", "bad", "skip", "unclear" };

	jsonw_object(w);
	jsonw_kstring(w, "kind", kinds[step->kind]);
	jsonw_kstring(w, "base", step->base);
	jsonw_kstring(w, "commit", step->commit);
	jsonw_kstring(w, "mark", marks[step->mark]);
	add_evidence(w, step->evidence, step->by_difference, step->low, step->high,
		     step->confidence);
	jsonw_kbool(w, "from_before", step->before);
	jsonw_kbool(w, "same_code", step->same_code);
	jsonw_kinteger(w, "left", (int64_t)step->n_left);
	jsonw_object_end(w);
}

static int add_commit(struct jsonw *w, const struct shown *s, const struct bisect_answer *a,
		      struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT;
	char *author = NULL, when[WHEN_ISO];
	int result = -1;

	jsonw_key(w, "commit");
	if (!a->commit[0]) {
		jsonw_null(w);
		return 0;
	}
	if (repo_commit(s->repo, a->commit, &c, err) ||
	    walk_author(s->repo, a->commit, &author, err))
		goto out;
	jsonw_object(w);
	jsonw_kstring(w, "id", a->commit);
	jsonw_kstring(w, "parent", a->parent);
	jsonw_kstring(w, "author", author);
	jsonw_kstring(w, "author_time", when_iso(c.author_time_us, false, when));
	jsonw_kstring(w, "subject", c.subject);
	jsonw_object_end(w);
	result = 0;
out:
	git_commit_release(&c);
	free(author);
	return result;
}

static void add_delta(struct jsonw *w, const char *key, const struct bisect_evidence *e,
		      bool by_difference, double low, double high, double confidence)
{
	jsonw_key(w, key);
	if (!e) {
		jsonw_null(w);
		return;
	}
	jsonw_object(w);
	add_evidence(w, e, by_difference, low, high, confidence);
	jsonw_object_end(w);
}

void show_json_head(const struct shown *s, size_t n_commits, const char *outcome, struct jsonw *w)
{
	jsonw_object(w);
	jsonw_kstring(w, "schema", "pawl.bisect/1");
	jsonw_kstring(w, "benchmark", s->benchmark);
	jsonw_kstring(w, "good", s->good);
	jsonw_kstring(w, "bad", s->bad);
	jsonw_kinteger(w, "commits", (int64_t)n_commits);
	jsonw_kstring(w, "outcome", outcome);
}

int show_json(const struct shown *s, const struct bisect_answer *a, struct buf *out,
	      struct err *err)
{
	static const char *const outcomes[] = { "found",	"range",   "no-change",
						"inconclusive", "nothing", "unfinished" };
	struct bisect_change whole = { (double)NAN, (double)NAN, (double)NAN };
	struct jsonw w;
	size_t i;

	jsonw_init(&w, out, 2);
	show_json_head(s, a->n_commits, outcomes[a->outcome], &w);
	jsonw_kstring(&w, "why", a->why);
	if (add_commit(&w, s, a, err))
		return -1;
	add_delta(&w, "delta", a->delta, a->by_difference, a->low, a->high, a->confidence);
	if (a->whole)
		whole = bisect_change_of(a->whole, a->by_difference);
	add_delta(&w, "whole", a->whole, a->by_difference, whole.low, whole.high,
		  a->whole ? a->whole->confidence : 0);
	jsonw_key(&w, "suspects");
	jsonw_array(&w);
	for (i = 0; i < a->suspects.n; i++)
		jsonw_string(&w, a->suspects.v[i]);
	jsonw_array_end(&w);
	jsonw_key(&w, "steps");
	jsonw_array(&w);
	for (i = 0; i < s->n_steps; i++)
		add_step(&w, &s->steps[i]);
	jsonw_array_end(&w);
	jsonw_kinteger(&w, "comparisons", (int64_t)a->n_comparisons);
	jsonw_kinteger(&w, "from_before", (int64_t)a->n_before);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}
