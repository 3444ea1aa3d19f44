/*
 * The levels of lib/stats/sequential.c, found again: under "no change" the signs of the pairs are
 * fair coins whatever their sizes, so every schedule is played with random signs and random ranks
 * of the sizes, and judged by the exact signed-rank p at each look.
 *
 * PAWL_TEST_SLOW in the environment plays 1,000,000 runs of each plan, else 10,000.  The counts
 * come from a seed, so a bound that holds once holds always.
 */
#include "tests/unit/test_stats_near.h"

#include "lib/stats/coin.h"
#include "lib/stats/sequential.h"
#include "lib/stats/walsh.h"

#include "lib/base/banned.h"

enum { PAIRS_MOST = 400 };

static int runs(void)
{
	return getenv("PAWL_TEST_SLOW") ? 1000000 : 10000;
}

struct play {
	const struct sequential_plan *plan;
	double *tail[SEQUENTIAL_LOOKS_MAX]; /* null distribution of each look */
	size_t order[PAIRS_MOST];	    /* pairs from the smallest size to the greatest */
	bool up[PAIRS_MOST];
	struct coin coin;
};

static void play_init(struct play *p, const struct sequential_plan *plan)
{
	memset(p, 0, sizeof(*p));
	p->plan = plan;
	for (size_t k = 0; k < plan->n_looks; k++) {
		size_t n = plan->pairs[k];

		p->tail[k] = calloc(n * (n + 1) / 4 + 1, sizeof(double));
		assert_non_null(p->tail[k]);
		walsh_null(n, p->tail[k]);
	}
	for (size_t i = 0; i < PAIRS_MOST; i++)
		p->order[i] = i;
	coin_init(&p->coin, 77);
}

static void play_release(struct play *p)
{
	for (size_t k = 0; k < p->plan->n_looks; k++)
		free(p->tail[k]);
}

/* The p value of look k: ranks among the first pairs[k] of the sizes. */
static double p_at(const struct play *p, size_t k, size_t n_all)
{
	size_t n = p->plan->pairs[k], rank = 0, positive = 0, other;

	for (size_t i = 0; i < n_all; i++) {
		size_t pair = p->order[i];

		if (pair >= n)
			continue;
		rank++;
		positive += p->up[pair] ? rank : 0;
	}
	other = n * (n + 1) / 2 - positive;
	return fmin(1, 2 * p->tail[k][positive < other ? positive : other]);
}

/* One run: the least share of a look's level that would have been enough to reject; 1: its own. */
static double play_once(struct play *p)
{
	size_t n = p->plan->pairs[p->plan->n_looks - 1];
	double least = HUGE_VAL;

	coin_shuffle(&p->coin, p->order, n);
	for (size_t i = 0; i < n; i++)
		p->up[i] = coin_toss(&p->coin);
	for (size_t k = 0; k < p->plan->n_looks; k++)
		least = fmin(least, p_at(p, k, n) / p->plan->level);
	return least;
}

/*
 * The greatest share of the levels that rejects at most alpha of the sorted runs.  p values come in
 * steps: where one step crosses alpha, all of it goes.
 */
static double fitting(const double *least, int total, double alpha)
{
	int at = (int)(alpha * total);
	double crosses = least[at];

	while (at > 0 && least[at] >= crosses)
		at--;
	return least[at];
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Plays one plan and tells what share of its runs was rejected at some look. */
static double share_rejected(const struct sequential_plan *plan, double *out_error)
{
	struct play p;
	int total = runs(), rejected = 0;
	double *least = calloc((size_t)total, sizeof(*least)), share;

	assert_non_null(least);
	play_init(&p, plan);
	for (int i = 0; i < total; i++) {
		least[i] = play_once(&p);
		rejected += least[i] <= 1;
	}
	qsort(least, (size_t)total, sizeof(*least), by_value);
	share = (double)rejected / total;
	*out_error = sqrt(plan->alpha * (1 - plan->alpha) / total);
	print_message("# %.2f, %zu looks to %u: rejected %.3f %% (error %.3f), level %.5f, "
		      "would fit %.5f\n",
		      plan->alpha, plan->n_looks, plan->pairs[plan->n_looks - 1], 100 * share,
		      100 * *out_error, plan->level,
		      plan->level * fitting(least, total, plan->alpha));
	play_release(&p);
	free(least);
	return share;
}

/* True when the plan's levels hold, and are not much lower than they could be. */
static bool holds(double alpha, const unsigned *pairs, size_t n)
{
	struct sequential_plan plan;
	double share, error;

	assert_int_equal(sequential_plan_find(alpha, pairs, n, &plan, NULL), 0);
	share = share_rejected(&plan, &error);
	return share <= alpha + 3 * error && share >= 0.93 * alpha - 3 * error;
}

static const struct {
	double alpha;
	size_t n;
	unsigned pairs[SEQUENTIAL_LOOKS_MAX];
} schedules[] = {
	{ .05, 3, { 20, 25, 30 } },  { .05, 5, { 10, 15, 20, 25, 30 } },
	{ .05, 3, { 25, 50, 100 } }, { .05, 5, { 25, 50, 100, 200, 400 } },
	{ .01, 3, { 20, 25, 30 } },  { .01, 5, { 10, 15, 20, 25, 30 } },
	{ .01, 3, { 25, 50, 100 } }, { .01, 5, { 25, 50, 100, 200, 400 } },
};

static void every_plan_keeps_its_overall_level(void **state)
{
	bool all = true;

	(void)state;
	for (size_t i = 0; i < sizeof(schedules) / sizeof(schedules[0]); i++)
		all &= holds(schedules[i].alpha, schedules[i].pairs, schedules[i].n);
	assert_true(all);
}

/* Where the time ran out the number of pairs reached stands in for all looks behind it. */
static void a_plan_that_is_cut_off_keeps_its_level(void **state)
{
	static const struct {
		size_t plan;
		unsigned cut;
	} cases[] = { { 0, 12 }, { 0, 21 }, { 0, 29 }, { 1, 11 },  { 1, 27 },
		      { 2, 26 }, { 2, 75 }, { 3, 26 }, { 3, 399 }, { 4, 24 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t at = cases[i].plan, n = 0;
		struct sequential_plan plan;
		double share, error;

		assert_int_equal(sequential_plan_find(schedules[at].alpha, schedules[at].pairs,
						      schedules[at].n, &plan, NULL),
				 0);
		while (plan.pairs[n] < cases[i].cut)
			n++;
		plan.pairs[n] = cases[i].cut;
		plan.n_looks = n + 1;
		share = share_rejected(&plan, &error);
		assert_at_most(share, plan.alpha + 3 * error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_plan_keeps_its_overall_level),
		cmocka_unit_test(a_plan_that_is_cut_off_keeps_its_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
