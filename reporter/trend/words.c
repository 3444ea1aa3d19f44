/*
 * trend_words - what a trend says, in sentences: the same in every format.
 */
#include <math.h>

#include "reporter/figures/cells.h"
#include "reporter/trend/scene.h"

#include "lib/base/banned.h"

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void add_percent(double ratio, struct buf *out)
{
	const struct delta d = { .ratio = ratio };

	cell_delta(&d, NULL, out);
}

/* "more" and "less" is all that is known of a change in the direction "worse". */
static double ratio_of(const struct trend *t, double worse)
{
	return exp(t->better == BETTER_HIGHER ? -worse : worse);
}

const char *trend_word(const struct trend_point *p)
{
	if (p->verdict == VERDICT_REGRESSED && p->accepted)
		return "accepted";
	return verdict_name(p->verdict);
}

static void separate(struct buf *out, size_t start)
{
	if (out->len > start)
		buf_adds(out, "; ");
}

void trend_note(const struct trend *t, const struct trend_point *p, struct buf *out)
{
	bool moved = p->verdict == VERDICT_REGRESSED || p->verdict == VERDICT_IMPROVED;
	size_t span = trend_span(p), start = out->len;

	if (moved && span > 1) {
		buf_addf(out, "one of %zu commits, %s: ", span,
			 trend_has_between(t, p) ? "measured in one step"
						 : "those between without results");
		cell_commit(p->base, out);
		buf_adds(out, "..");
		cell_commit(p->commit, out);
	}
	if (p->accepted) {
		separate(out, start);
		buf_addf(out, "accepted%s%s", *p->accepted ? ": " : "", p->accepted);
	}
	if (!moved && p->how == TREND_PAIRED &&
	    (p->reported == VERDICT_REGRESSED || p->reported == VERDICT_IMPROVED)) {
		separate(out, start);
		buf_addf(out, "reported %s then; with this threshold it is not",
			 verdict_name(p->reported));
	}
	if (p->many_void) {
		separate(out, start);
		buf_adds(out, "too many of its pairs failed to judge it");
	}
	if (p->suspect) {
		separate(out, start);
		buf_adds(out, "suspect against stored samples: compare it with its parent");
	}
	if (p->begins) {
		separate(out, start);
		buf_addf(out, "a new series: other %s, so no level before it is comparable",
			 p->begins);
	}
}

void trend_about(const struct trend *t, struct buf *out)
{
	size_t n = t->n - t->first;

	buf_addf(out, "%zu result%s on %zu commit%s", n, plural(n), t->n_line, plural(t->n_line));
	if (t->machine)
		buf_addf(out, ", machine %s", t->machine);
}

void trend_sentence(const struct trend *t, struct buf *out)
{
	if (t->n - t->first == 1 && !t->n_tests) {
		buf_adds(out, "a single result is no history: collect other commits, or show more");
		return;
	}
	if (!t->n_tests) {
		buf_adds(out, "no step here was measured side by side: no commit can be named");
		return;
	}
	buf_addf(out, "%zu step%s measured side by side: ", t->n_tests, plural(t->n_tests));
	if (!t->n_moved)
		buf_adds(out, "none moved it by ");
	else
		buf_addf(out, "%zu moved it by ", t->n_moved);
	cell_percent(t->threshold, out);
	buf_adds(out, " or more");
}

void trend_advice_text(const struct trend *t, const struct trend_advice *a, struct buf *out)
{
	const struct trend_point *p = &t->points[a->at];

	buf_adds(out, "the stored level changed by ");
	add_percent(a->ratio, out);
	buf_adds(out, " around ");
	cell_commit(p->commit, out);
	if (a->step != SIZE_MAX) {
		buf_adds(out, ", which the step at ");
		cell_commit(t->points[a->step].commit, out);
		buf_adds(out, " explains");
	} else if (a->at > 0) {
		buf_adds(out,
			 ": machines drift, so this is no verdict; confirm with: pawl compare ");
		cell_commit(t->points[a->at - 1].commit, out);
		buf_adds(out, "..");
		cell_commit(p->commit, out);
	}
}

void trend_creep_text(const struct trend *t, struct buf *out)
{
	const struct trend_creep *c = &t->creep;

	if (!c->tag)
		return;
	if (c->broken) {
		buf_addf(out, "since %s: the steps cannot be summed, that of ", c->tag);
		cell_commit(c->broken, out);
		buf_adds(out, c->has_no_ratio ? " has no ratio: it starts or ends at 0"
					      : " was not measured side by side");
		return;
	}
	buf_adds(out, "since ");
	if (c->is_before) {
		cell_commit(c->from, out);
		buf_adds(out, ", before ");
	}
	buf_addf(out, "%s: ", c->tag);
	add_percent(ratio_of(t, c->sum.change), out);
	if (c->sum.se > 0)
		buf_addf(out, " +- %.2f %%", 100 * c->sum.se);
	buf_addf(out, " over %zu step%s", c->sum.n, plural(c->sum.n));
	if (c->n_accepted) {
		buf_addf(out, ", not counting %zu accepted (", c->n_accepted);
		add_percent(ratio_of(t, c->accepted), out);
		buf_addc(out, ')');
	}
	if (!c->sum.flagged)
		return;
	buf_addf(out, ": it crept%s; confirm with: pawl compare ",
		 c->n_named ? "" : ", though no single step moved it");
	cell_commit(c->from, out);
	buf_adds(out, "..");
	cell_commit(t->points[t->n - 1].commit, out);
}

#define MOST_OUTSIDE 3 /* named */

void trend_outside(const struct trend *t, const struct trend_scene *scene, struct buf *out)
{
	size_t i, n = 0;

	if (!scene->n_outside)
		return;
	buf_addf(out, "outside the axis: ");
	for (i = 0; i < scene->n && n < MOST_OUTSIDE; i++) {
		if (!scene->outside[i])
			continue;
		buf_adds(out, n++ ? ", " : "");
		scale_value(scene->level[i], t->unit, out);
		buf_adds(out, " at ");
		cell_commit(t->points[t->first + i].commit, out);
	}
	if (scene->n_outside > n)
		buf_addf(out, " and %zu more", scene->n_outside - n);
}

void trend_left_out(const struct trend *t, struct buf *out)
{
	if (t->n_dirty)
		buf_addf(out, "%zu result%s of uncommitted changes left out", t->n_dirty,
			 plural(t->n_dirty));
	if (t->n_dirty && t->n_damaged)
		buf_adds(out, "; ");
	if (t->n_damaged)
		buf_addf(out, "%zu damaged result%s left out: run 'pawl fsck'", t->n_damaged,
			 plural(t->n_damaged));
}
