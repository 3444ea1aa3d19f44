/*
 * bisect_fixture - a straight history of numbered commits and comparisons with exact figures.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_BISECT_BISECT_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_BISECT_BISECT_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/bisect/bisect.h"

#define LINE_MAX_COMMITS 300

/* Commit 0 is GOOD, commit n is BAD. */
struct line {
	int n;
	double level[LINE_MAX_COMMITS + 1];	/* ln of the time of each commit */
	double arm[BISECT_EFFORTS];		/* half-width of an interval by effort */
	double threshold;			/* log scale: what the project calls a change */
	bool broken[LINE_MAX_COMMITS + 1];	/* does not build */
	const char *code[LINE_MAX_COMMITS + 1]; /* NULL: not known */
	bool found[LINE_MAX_COMMITS + 1];	/* it finds another file than others of its code */
	double off[LINE_MAX_COMMITS + 1];	/* by how much a measured level is wrong */
	int n_measured, stop_at, no_time_at;	/* comparisons; < 0: never */
	int n_of[LINE_MAX_COMMITS + 1];		/* comparisons of this commit with GOOD */
	int n_pairs;				/* of all comparisons */
	int n_steps;
	struct bisect_step last;
	char good[OID_TEXT], bad[OID_TEXT];
	/* Takes the place of the exact figures. */
	void (*draw)(struct line *line, double truth, int effort, struct bisect_evidence *out);
	void *more;
};

__attribute__((unused)) static const char *line_id(int i, char out[OID_TEXT])
{
	snprintf(out, OID_TEXT, "%040x", (unsigned)i + 1);
	return out;
}

__attribute__((unused)) static int line_at(const char *id)
{
	return (int)strtoul(id, NULL, 16) - 1;
}

/* n commits above GOOD; those from `first` on are `step` slower (log scale). */
__attribute__((unused)) static void line_init(struct line *line, int n, int first, double step)
{
	int i;

	memset(line, 0, sizeof(*line));
	line->n = n;
	line->threshold = log1p(0.01);
	line->stop_at = line->no_time_at = -1;
	for (i = first; i <= n; i++)
		line->level[i] = step;
	for (i = 0; i < BISECT_EFFORTS; i++)
		line->arm[i] = 0.001;
	line_id(0, line->good);
	line_id(n, line->bad);
}

/* The project's verdict by rule A, without statistics. */
__attribute__((unused)) static enum verdict line_verdict(const struct line *line,
							 const struct bisect_evidence *e)
{
	if (e->low > 0 && e->theta >= line->threshold)
		return VERDICT_REGRESSED;
	if (e->high < 0 && e->theta <= -line->threshold)
		return VERDICT_IMPROVED;
	if (e->low > -line->threshold && e->high < line->threshold)
		return VERDICT_UNCHANGED;
	return VERDICT_INCONCLUSIVE;
}

__attribute__((unused)) static int line_measure(void *ctx, const char *base, const char *head,
						int effort, struct bisect_evidence *out,
						struct err *err)
{
	struct line *line = ctx;
	int from = line_at(base), to = line_at(head);
	double truth = line->level[to] + line->off[to] - line->level[from];

	if (line->n_measured == line->stop_at)
		return err_set(err, ERR_STOPPED, "stopped");
	if (line->n_measured == line->no_time_at)
		return 0; /* as it was given: no time */
	line->n_measured++;
	line->n_of[to] += from == 0;
	if (line->broken[to] || line->broken[from]) {
		out->state = BISECT_SKIPPED;
		out->why = strdup("the build failed");
		return 0;
	}
	out->code = line->code[to] ? strdup(line->code[to]) : NULL;
	if (line->code[to] && line->code[from] && line->found[to] == line->found[from] &&
	    !strcmp(line->code[to], line->code[from])) {
		out->state = BISECT_IDENTICAL;
		out->verdict = VERDICT_IDENTICAL;
		return 0;
	}
	out->state = BISECT_MEASURED;
	out->pairs = 25;
	if (line->draw) {
		line->draw(line, truth, effort, out);
		line->n_pairs += (int)out->pairs;
		return 0;
	}
	out->theta = truth;
	out->low = truth - line->arm[effort];
	out->high = truth + line->arm[effort];
	out->confidence = 0.9999; /* as it is: nothing is widened */
	out->verdict = line_verdict(line, out);
	return 0;
}

/* As git does on a straight line: what halves the rest first. */
__attribute__((unused)) static int line_cuts(void *ctx, const struct strv *good, const char *bad,
					     bool on_path, struct strv *out, struct err *err)
{
	int low = 0, high = line_at(bad), best, i;
	size_t k;

	(void)ctx;
	(void)on_path;
	for (k = 0; k < good->n; k++)
		if (line_at(good->v[k]) > low)
			low = line_at(good->v[k]);
	for (best = (high - low) / 2; best >= 0; best--)
		for (i = low + 1; i <= high; i++) {
			int above = i - low, below = high - i;
			char id[OID_TEXT];

			if ((above < below ? above : below) == best &&
			    strv_add(out, line_id(i, id), err))
				return -1;
		}
	return 0;
}

__attribute__((unused)) static int line_parent(void *ctx, const char *commit, char out[OID_TEXT],
					       struct err *err)
{
	(void)ctx;
	(void)err;
	line_id(line_at(commit) - 1, out);
	return 0;
}

/* A line has no merges. */
__attribute__((unused)) static int line_sides(void *ctx, const char *from, const char *commit,
					      char out_parent[OID_TEXT], struct strv *out_sides,
					      struct err *err)
{
	(void)from;
	(void)out_sides;
	return line_parent(ctx, commit, out_parent, err);
}

__attribute__((unused)) static void line_tell(void *ctx, const struct bisect_step *step)
{
	struct line *line = ctx;

	line->n_steps++;
	line->last = *step;
}

__attribute__((unused)) static struct bisect_request line_request(struct line *line)
{
	return (struct bisect_request){ .good = line->good,
					.bad = line->bad,
					.ctx = line,
					.measure = line_measure,
					.cuts = line_cuts,
					.sides = line_sides,
					.parent = line_parent,
					.tell = line_tell };
}

/* A whole bisection with a fresh log; release both. */
__attribute__((unused)) static void line_bisect(struct line *line, struct bisect_log *log,
						struct bisect_answer *out)
{
	struct bisect_request rq = line_request(line);
	struct err err = ERR_INIT;

	*log = (struct bisect_log)BISECT_LOG_INIT;
	if (bisect(&rq, log, out, &err))
		fail_msg("%s", err.text);
}

#endif
