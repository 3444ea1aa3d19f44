/* A metric that is 0 at an end has no ratio: the commit is found by differences. */
#include "tests/unit/collector/bisect/bisect_fixture.h"

#include "collector/bisect/steps.h"

#include "lib/base/banned.h"

/* line->level holds counts; a ratio is there where neither side is 0. */
static int measure_counts(void *ctx, const char *base, const char *head, int effort,
			  struct bisect_evidence *out, struct err *err)
{
	struct line *line = ctx;
	double from = line->level[line_at(base)], to = line->level[line_at(head)];

	(void)effort;
	(void)err;
	line->n_measured++;
	out->state = BISECT_MEASURED;
	out->pairs = 25;
	out->confidence = 0.9999;
	if (from > 0 && to > 0) {
		out->theta = log(to / from);
		out->low = out->theta - 0.001;
		out->high = out->theta + 0.001;
	}
	out->difference = to - from;
	out->difference_low = to - from - 0.25;
	out->difference_high = to - from + 0.25;
	out->unit = strdup("1");
	out->verdict = to > from   ? VERDICT_REGRESSED
		       : to < from ? VERDICT_IMPROVED
				   : VERDICT_UNCHANGED;
	return 0;
}

static struct bisect_request request(struct line *line)
{
	struct bisect_request rq = line_request(line);

	rq.measure = measure_counts;
	return rq;
}

static void found(struct line *line, int wanted, double change)
{
	struct bisect_log log = BISECT_LOG_INIT;
	struct bisect_answer answer = BISECT_ANSWER_INIT;
	struct bisect_request rq = request(line);

	assert_int_equal(bisect(&rq, &log, &answer, NULL), 0);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), wanted);
	assert_true(answer.by_difference);
	assert_true(answer.delta->difference == change);
	assert_true(answer.low <= change && answer.high >= change);
	assert_true(line->last.by_difference);
	bisect_answer_release(&answer);
	bisect_log_release(&log);
}

static void the_first_allocation_is_found(void **state)
{
	struct line line;

	(void)state;
	line_init(&line, 60, 23, 5);
	found(&line, 23, 5);
}

/* GOOD has 5 and BAD none: half of the way has a ratio, and is compared by its difference still. */
static void the_commit_that_freed_the_last_one_is_found(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 60, 60, 0);
	for (i = 0; i <= 60; i++)
		line.level[i] = i < 41 ? 5 : 0;
	found(&line, 41, -5);
}

/* Against its parent that commit has a ratio, which is of another scale than the whole. */
static void a_parent_that_is_not_0_is_compared_on_the_same_scale(void **state)
{
	struct line line;

	(void)state;
	line_init(&line, 60, 30, 100);
	line.level[28] = line.level[29] = 1;
	found(&line, 30, 99);
}

static void every_step_is_told_on_its_own_scale(void **state)
{
	struct line line;
	struct bisect_log log = BISECT_LOG_INIT;
	struct bisect_steps steps;
	struct bisect_request rq;
	int i;

	(void)state;
	line_init(&line, 9, 3, 4);
	for (i = 7; i <= 9; i++)
		line.level[i] = 6;
	rq = request(&line);
	assert_int_equal(bisect_steps(&rq, &log, &steps, NULL), 0);
	assert_int_equal(steps.n, 2);
	assert_true(steps.v[0].by_difference && steps.v[0].evidence->difference == 4);
	assert_true(!steps.v[1].by_difference && steps.v[1].evidence->difference == 2);
	assert_true(fabs(steps.v[1].evidence->theta - 0.405465108108164) < 1e-12); /* ln 1.5, bc */
	bisect_steps_release(&steps);
	bisect_log_release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_allocation_is_found),
		cmocka_unit_test(the_commit_that_freed_the_last_one_is_found),
		cmocka_unit_test(a_parent_that_is_not_0_is_compared_on_the_same_scale),
		cmocka_unit_test(every_step_is_told_on_its_own_scale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
