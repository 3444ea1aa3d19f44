/*
 * How often a bisection names the right commit, on noise like the measured one: seeded, so that
 * every count is repeatable.  PAWL_TEST_SLOW in the environment runs 10 times as many.
 *
 * A pair's log-ratio has a normal core of 1.5 or 2.9 % (the estimate from 25 pairs then scatters by
 * 0.3 or 0.6 %, as the quietest and the loudest of the programs measured for 0003-verdict-rule.md)
 * and now and then an exponential spike on one side.  `layout` moves each commit's own level by a
 * normal draw that no number of pairs averages out: where the linker happens to put the code.
 */
#include "tests/unit/collector/bisect/bisect_fixture.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/dist.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

static const double SPIKE_SHARE = 0.06, SPIKE_MEAN = 0.03;

struct noise {
	struct coin coin;
	double core;
};

struct count {
	int n, right, wrong, range_with, range_without, none, comparisons, pairs;
	double suspects; /* of the ranges, all together */
};

static double normal(struct coin *coin)
{
	return normal_quantile(coin_fraction(coin));
}

static double spike(struct coin *coin)
{
	return coin_fraction(coin) < SPIKE_SHARE ? -SPIKE_MEAN * log(coin_fraction(coin)) : 0;
}

static void draw(struct line *line, double truth, int effort, struct bisect_evidence *out)
{
	static const size_t pairs[BISECT_EFFORTS] = { 10, 40, 25, 100, 400 };
	static const enum verdict verdicts[] = { [CALL_REGRESSED] = VERDICT_REGRESSED,
						 [CALL_IMPROVED] = VERDICT_IMPROVED,
						 [CALL_UNCHANGED] = VERDICT_UNCHANGED,
						 [CALL_INCONCLUSIVE] = VERDICT_INCONCLUSIVE };
	struct noise *noise = line->more;
	struct judgement j;
	double d[400];
	const struct judge_terms terms = { line->threshold, 1, 1 };
	size_t n = pairs[effort], i;

	for (i = 0; i < n; i++)
		d[i] = truth + noise->core * normal(&noise->coin) + spike(&noise->coin) -
		       spike(&noise->coin);
	assert_int_equal(judge_pairs(d, n, &terms, &j, NULL), 0);
	out->theta = j.theta;
	out->low = j.low;
	out->high = j.high;
	out->confidence = VERDICT_CONFIDENCE;
	out->verdict = verdicts[j.call];
	out->pairs = n;
}

static void bisect_once(struct noise *noise, int n, double step, double layout, struct count *count)
{
	struct bisect_log log;
	struct bisect_answer answer = BISECT_ANSWER_INIT;
	struct line line;
	int first = 1 + (int)coin_below(&noise->coin, (uint32_t)n), i;
	char id[OID_TEXT];
	bool has;

	line_init(&line, n, first, step);
	for (i = 0; i <= n; i++)
		line.level[i] += layout * normal(&noise->coin);
	line.draw = draw;
	line.more = noise;
	line_bisect(&line, &log, &answer);
	count->n++;
	count->comparisons += line.n_measured;
	count->pairs += line.n_pairs;
	has = strv_has(&answer.suspects, line_id(first, id));
	if (answer.outcome == BISECT_FOUND) {
		*(line_at(answer.commit) == first ? &count->right : &count->wrong) += 1;
	} else if (answer.outcome == BISECT_RANGE) {
		*(has ? &count->range_with : &count->range_without) += 1;
		count->suspects += (double)answer.suspects.n;
	} else {
		count->none++;
	}
	bisect_answer_release(&answer);
	bisect_log_release(&log);
}

static struct count bisect_many(uint64_t seed, double core, double step, double layout)
{
	static const int sizes[] = { 16, 64, 256 };
	int times = getenv("PAWL_TEST_SLOW") ? 334 : 34, i, k, ranges;
	struct count count = { 0 };
	struct noise noise = { .core = core };

	coin_init(&noise.coin, seed);
	for (i = 0; i < 3; i++)
		for (k = 0; k < times; k++)
			bisect_once(&noise, sizes[i], step, layout, &count);
	ranges = count.range_with + count.range_without;
	print_message(
		"# step %.1f %%, pairs %.1f %%, layout %.1f %%: of %d right %.1f %%, wrong "
		"%.1f %%, range %.1f %% (%.1f commits, without it %.1f %%), no answer %.1f %%; "
		"%.1f comparisons, %.0f pairs\n",
		100 * step, 100 * core, 100 * layout, count.n, 100.0 * count.right / count.n,
		100.0 * count.wrong / count.n, 100.0 * ranges / count.n,
		ranges ? count.suspects / ranges : 0, 100.0 * count.range_without / count.n,
		100.0 * count.none / count.n, (double)count.comparisons / count.n,
		(double)count.pairs / count.n);
	return count;
}

static void holds(const struct count *count, double least_right, double most_wrong)
{
	assert_true(count->right >= least_right * count->n);
	assert_true(count->wrong + count->range_without <= most_wrong * count->n);
}

static void step_of_five_percent_is_found(void **state)
{
	struct count count;

	(void)state;
	count = bisect_many(11, 0.015, 0.05, 0);
	holds(&count, 0.97, 0.01);
	count = bisect_many(12, 0.029, 0.05, 0);
	holds(&count, 0.97, 0.01);
}

static void step_of_two_percent_is_found(void **state)
{
	struct count count;

	(void)state;
	count = bisect_many(21, 0.015, 0.02, 0);
	holds(&count, 0.95, 0.01);
	count = bisect_many(22, 0.029, 0.02, 0);
	holds(&count, 0.95, 0.02);
}

static void luck_of_layout_seldom_names_a_wrong_commit(void **state)
{
	struct count count;

	(void)state;
	count = bisect_many(31, 0.015, 0.05, 0.003);
	holds(&count, 0.97, 0.01);
	count = bisect_many(32, 0.015, 0.02, 0.003);
	holds(&count, 0.82, 0.05);
	count = bisect_many(33, 0.015, 0.02, 0.006);
	holds(&count, 0.30, 0.30);
}

static void no_change_is_hardly_ever_looked_into(void **state)
{
	struct count count;

	(void)state;
	count = bisect_many(41, 0.015, 0, 0);
	assert_true(count.none >= 0.97 * count.n);
	count = bisect_many(42, 0.029, 0, 0);
	assert_true(count.none >= 0.97 * count.n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_of_five_percent_is_found),
		cmocka_unit_test(step_of_two_percent_is_found),
		cmocka_unit_test(luck_of_layout_seldom_names_a_wrong_commit),
		cmocka_unit_test(no_change_is_hardly_ever_looked_into),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
