#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/series/changepoint.h"
#include "lib/stats/dist.h"
#include "lib/stats/series/energy.h"

#include "lib/base/banned.h"

static const double Z[10] = { 1.00, 1.02, .99, 1.01, 1.00, 1.06, 1.05, 1.07, 1.04, 1.06 };

/*
 * By the definition: 2/(m+n) S_xy - 2m/((m+n)(n-1)) S_x - 2n/((m+n)(m-1)) S_y of x[0..tau) and
 * x[tau..kappa), n points before and m after, S sums of |x_i - x_j| over pairs; the term of a side
 * with one point is 0.
 */
static double energy_distance(const double *x, size_t tau, size_t kappa)
{
	double n = (double)tau, m = (double)(kappa - tau), q = 0;

	for (size_t i = 0; i < kappa; i++) {
		for (size_t j = i + 1; j < kappa; j++) {
			double apart = fabs(x[i] - x[j]);

			if (j < tau)
				q -= 2 * m / ((m + n) * (n - 1)) * apart;
			else if (i >= tau)
				q -= 2 * n / ((m + n) * (m - 1)) * apart;
			else
				q += 2 / (m + n) * apart;
		}
	}
	return q;
}

static void energy_distance_is_the_published_one(void **state)
{
	static const char *const known[9] = { ".03250000000000", ".0177142857143",
					      ".06400000000000", ".10480000000000",
					      ".19000000000000", ".10480000000000",
					      ".06400000000000", ".0177142857143",
					      ".03250000000000" };
	(void)state;
	for (size_t tau = 1; tau <= 9; tau++)
		assert_near(energy_distance(Z, tau, 10), known[tau - 1]);
}

static void best_candidate_is_the_published_one(void **state)
{
	size_t tau = 0, kappa = 0;
	double q = 0;

	(void)state;
	for (size_t least = 1; least <= 3; least++) {
		assert_int_equal(energy_candidate(Z, 10, least, &tau, &kappa, &q, NULL), 0);
		assert_int_equal(tau, 5);
		assert_int_equal(kappa, 10);
		assert_near(q, ".19000000000000");
	}
}

/* The prefix sums against the plain double loop, over every tau and kappa. */
static void candidate_is_the_largest_of_all(void **state)
{
	struct coin coin;
	double x[40];

	(void)state;
	coin_init(&coin, 6);
	for (int round = 0; round < 20; round++) {
		size_t n = 6 + (size_t)round, tau = 0, kappa = 0;
		double q = 0, best = -1;

		for (size_t i = 0; i < n; i++)
			x[i] = coin_fraction(&coin);
		for (size_t t = 2; t + 2 <= n; t++)
			for (size_t k = t + 2; k <= n; k++)
				best = fmax(best, energy_distance(x, t, k));
		assert_int_equal(energy_candidate(x, n, 2, &tau, &kappa, &q, NULL), 0);
		assert_true(fabs(q - best) < 1e-12);
		assert_true(fabs(energy_distance(x, tau, kappa) - best) < 1e-12);
	}
}

static size_t find(const double *x, size_t n, struct change_point **out)
{
	const struct changepoint_terms terms = CHANGEPOINT_TERMS;
	size_t found = 99;

	*out = NULL;
	assert_int_equal(changepoint_find(x, n, &terms, out, &found, NULL), 0);
	assert_int_equal(*out != NULL, found > 0);
	return found;
}

static void known_series_changes_at_5(void **state)
{
	struct change_point *point;

	(void)state;
	assert_int_equal(find(Z, 10, &point), 1);
	assert_int_equal(point[0].at, 5);
	assert_near(point[0].t, "-7.21110255093");
	assert_near(point[0].p, "9.14536560511e-05");
	assert_near(point[0].before, "1.00400000000000");
	assert_near(point[0].after, "1.05600000000000");
	free(point);
}

/* Roughly normal noise without libm differences that matter: twelve uniforms. */
static double noise(struct coin *coin)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += coin_fraction(coin);
	return sum - 6;
}

static void steps_in_a_long_series_are_found_once_each(void **state)
{
	static const size_t at[4] = { 30, 104, 148, 260 };
	static const double level[5] = { 0, 0.1, 0.05, 0.2, -0.1 };
	struct change_point *point;
	struct coin coin;
	double x[330];

	(void)state;
	coin_init(&coin, 31);
	for (size_t i = 0; i < 330; i++) {
		size_t stretch = 0;

		while (stretch < 4 && i >= at[stretch])
			stretch++;
		x[i] = level[stretch] + 0.005 * noise(&coin);
	}
	assert_int_equal(find(x, 330, &point), 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(point[i].at, at[i]);
		assert_true(fabs(point[i].before - level[i]) < 0.01);
		assert_true(fabs(point[i].after - level[i + 1]) < 0.01);
	}
	free(point);
}

static void step_without_noise_is_certain(void **state)
{
	struct change_point *point;
	double x[12];

	(void)state;
	for (int i = 0; i < 12; i++)
		x[i] = i < 7 ? 1 : 2;
	assert_int_equal(find(x, 12, &point), 1);
	assert_int_equal(point[0].at, 7);
	assert_same(point[0].p, 0);
	free(point);
}

static void level_series_has_no_change(void **state)
{
	struct change_point *point;
	double x[120] = { 0 };
	unsigned alarms = 0;
	struct coin coin;

	(void)state;
	assert_int_equal(find(x, 120, &point), 0);
	coin_init(&coin, 77);
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 120; i++)
			x[i] = 0.02 * noise(&coin);
		alarms += find(x, 120, &point) > 0;
		free(point);
	}
	assert_in_range(alarms, 0, 8);
}

/* Neighbours that have half in common: a long series seemed full of steps. */
static void a_drift_from_point_to_point_is_no_change(void **state)
{
	static double x[1000];
	struct change_point *point;
	unsigned alarms = 0;
	struct coin coin;

	(void)state;
	coin_init(&coin, 78);
	for (int round = 0; round < 20; round++) {
		double at = noise(&coin);

		for (int i = 0; i < 1000; i++) {
			at = 0.5 * at + sqrt(0.75) * noise(&coin);
			x[i] = 0.02 * at;
		}
		alarms += find(x, 1000, &point) > 0;
		free(point);
	}
	assert_in_range(alarms, 0, 2);
}

/* A step of 2.5 standard deviations in the middle of such a drift. */
static void a_step_in_a_drift_is_found(void **state)
{
	static double x[300];
	struct change_point *point;
	unsigned found = 0;
	struct coin coin;

	(void)state;
	coin_init(&coin, 79);
	for (int round = 0; round < 20; round++) {
		double at = noise(&coin);

		for (int i = 0; i < 300; i++) {
			at = 0.3 * at + sqrt(0.91) * noise(&coin);
			x[i] = 0.02 * at + (i < 150 ? 0 : 0.05);
		}
		found += find(x, 300, &point) == 1 && labs((long)point[0].at - 150) <= 3;
		free(point);
	}
	assert_in_range(found, 15, 20);
}

static void step_below_the_magnitude_is_left_out(void **state)
{
	struct change_point *point;
	struct coin coin;
	double x[60];

	(void)state;
	coin_init(&coin, 5);
	for (int i = 0; i < 60; i++)
		x[i] = (i < 30 ? 0 : 0.008) + 0.001 * noise(&coin);
	assert_int_equal(find(x, 60, &point), 0);
	for (int i = 30; i < 60; i++)
		x[i] += 0.006;
	assert_int_equal(find(x, 60, &point), 1);
	assert_int_equal(point[0].at, 30);
	free(point);
}

static void one_spike_is_no_change(void **state)
{
	struct change_point *point;
	struct coin coin;
	double x[60];

	(void)state;
	coin_init(&coin, 15);
	for (int i = 0; i < 60; i++)
		x[i] = 0.005 * noise(&coin);
	x[20] = 3;
	assert_int_equal(find(x, 60, &point), 0);
}

static void short_series_have_no_change(void **state)
{
	static const double x[5] = { 0, 0, 9, 9, 9 };
	struct change_point *point;

	(void)state;
	for (size_t n = 0; n <= 5; n++)
		assert_int_equal(find(x, n, &point), 0);
}

static void bad_input_is_refused(void **state)
{
	struct changepoint_terms terms = CHANGEPOINT_TERMS;
	struct change_point *point = NULL;
	struct err err = ERR_INIT;
	size_t n = 7, kappa;
	double bad[10], q = 0;

	(void)state;
	memcpy(bad, Z, sizeof(bad));
	bad[5] = HUGE_VAL;
	assert_int_equal(changepoint_find(bad, 10, &terms, &point, &n, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	terms.least = 1;
	assert_int_equal(changepoint_find(Z, 10, &terms, &point, &n, &err), -1);
	terms = (struct changepoint_terms)CHANGEPOINT_TERMS;
	terms.step = 0;
	assert_int_equal(changepoint_find(Z, 10, &terms, &point, &n, &err), -1);
	terms.step = 51;
	assert_int_equal(changepoint_find(Z, 10, &terms, &point, &n, &err), -1);
	terms = (struct changepoint_terms)CHANGEPOINT_TERMS;
	terms.window = 1001;
	assert_int_equal(changepoint_find(Z, 10, &terms, &point, &n, &err), -1);
	terms = (struct changepoint_terms)CHANGEPOINT_TERMS;
	terms.min_magnitude = (double)NAN;
	assert_int_equal(changepoint_find(Z, 10, &terms, &point, &n, &err), -1);
	assert_int_equal(energy_candidate(Z, 10, 6, &n, &kappa, &q, &err), -1);
	assert_int_equal(energy_candidate(Z, 10, 0, &n, &kappa, &q, &err), -1);
	assert_int_equal(energy_candidate(bad, 10, 3, &n, &kappa, &q, &err), -1);
	assert_int_equal(n, 7);
	assert_null(point);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(energy_distance_is_the_published_one),
		cmocka_unit_test(best_candidate_is_the_published_one),
		cmocka_unit_test(candidate_is_the_largest_of_all),
		cmocka_unit_test(known_series_changes_at_5),
		cmocka_unit_test(steps_in_a_long_series_are_found_once_each),
		cmocka_unit_test(step_without_noise_is_certain),
		cmocka_unit_test(level_series_has_no_change),
		cmocka_unit_test(a_drift_from_point_to_point_is_no_change),
		cmocka_unit_test(a_step_in_a_drift_is_found),
		cmocka_unit_test(step_below_the_magnitude_is_left_out),
		cmocka_unit_test(one_spike_is_no_change),
		cmocka_unit_test(short_series_have_no_change),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
