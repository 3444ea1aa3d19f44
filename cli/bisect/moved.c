/* The answer to pawl bisect --steps: every commit that moved the benchmark. */
#include <math.h>

#include "cli/bisect/show.h"
#include "lib/base/jsonw.h"
#include "reporter/text/text.h"

#include "lib/base/banned.h"

/* The subject of a commit; nothing where it cannot be read. */
static void add_subject(const struct shown *s, const char *id, struct buf *out)
{
	struct git_commit c = GIT_COMMIT_INIT;

	if (!repo_commit(s->repo, id, &c, NULL))
		text_visible(c.subject, s->utf8, out);
	git_commit_release(&c);
}

static void add_moved(const struct shown *s, const struct bisect_moved *m, struct buf *out)
{
	buf_addf(out, "    %.12s  ", m->commit);
	show_change(s, m->evidence, m->by_difference, m->low, m->high, out);
	buf_adds(out, "  ");
	add_subject(s, m->commit, out);
	if (m->n_between)
		buf_addf(out, " (or one of the %zu before it, which cannot be measured)",
			 m->n_between);
	buf_addc(out, '\n');
}

/* Of ratios where all have one, else of differences where all have one. */
static void add_sum(const struct shown *s, const struct bisect_steps *steps, struct buf *out)
{
	struct bisect_evidence sum = { .state = BISECT_MEASURED };
	size_t i;

	for (i = 0; i < steps->n; i++) {
		const struct bisect_evidence *e = steps->v[i].evidence;

		sum.theta += e->theta;
		sum.difference += e->difference;
		sum.unit = e->unit;
	}
	if (!isfinite(sum.theta) && !isfinite(sum.difference))
		return;
	buf_adds(out, "together they make ");
	show_sum(s, &sum, !isfinite(sum.theta), out);
	buf_addc(out, '\n');
}

int show_moved(const struct shown *s, const struct bisect_steps *steps, struct buf *out,
	       struct err *err)
{
	size_t i;

	buf_addf(out, "\n%zu of %zu commits moved ", steps->n, steps->n_commits);
	text_visible(s->benchmark, s->utf8, out);
	buf_adds(out, steps->n ? ":\n" : "\n");
	for (i = 0; i < steps->n; i++)
		add_moved(s, &steps->v[i], out);
	if (steps->n > 1)
		add_sum(s, steps, out);
	if (steps->n_unclear)
		buf_addf(out, "%zu %s undecided\n", steps->n_unclear,
			 steps->n_unclear > 1 ? "are" : "is");
	if (steps->n_skipped)
		buf_addf(out, "%zu cannot be measured\n", steps->n_skipped);
	if (steps->timed) {
		buf_addf(out, "the time is over: the same command goes on\ngo on: %s\n", s->again);
		show_too_short(steps->n_comparisons, steps->n_before, out);
	}
	buf_addf(out, "%zu comparison%s", steps->n_comparisons,
		 steps->n_comparisons == 1 ? "" : "s");
	if (steps->n_before)
		buf_addf(out, " (%zu from before; --reset measures anew)", steps->n_before);
	buf_addc(out, '\n');
	return buf_check(out, err);
}

int show_moved_json(const struct shown *s, const struct bisect_steps *steps, struct buf *out,
		    struct err *err)
{
	struct jsonw w;
	size_t i;

	jsonw_init(&w, out, 2);
	show_json_head(s, steps->n_commits, steps->timed ? "unfinished" : "steps", &w);
	jsonw_key(&w, "moved");
	jsonw_array(&w);
	for (i = 0; i < steps->n; i++) {
		const struct bisect_moved *m = &steps->v[i];

		jsonw_object(&w);
		jsonw_kstring(&w, "base", m->base);
		jsonw_kstring(&w, "commit", m->commit);
		show_json_change(m->evidence, m->by_difference, m->low, m->high, &w);
		jsonw_knumber(&w, "confidence", m->confidence);
		jsonw_kinteger(&w, "pairs", (int64_t)m->evidence->pairs);
		jsonw_kinteger(&w, "not_measured", (int64_t)m->n_between);
		jsonw_object_end(&w);
	}
	jsonw_array_end(&w);
	jsonw_kinteger(&w, "unclear", (int64_t)steps->n_unclear);
	jsonw_kinteger(&w, "skipped", (int64_t)steps->n_skipped);
	jsonw_kinteger(&w, "comparisons", (int64_t)steps->n_comparisons);
	jsonw_kinteger(&w, "from_before", (int64_t)steps->n_before);
	jsonw_object_end(&w);
	buf_addc(out, '\n');
	return buf_check(out, err);
}
