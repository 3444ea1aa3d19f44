/* Points of a picture: no peak and no change is lost, whatever the width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/record/summary.h"
#include "lib/store/history/thin.h"

static struct ledger_point point(double v, bool moved)
{
	return (struct ledger_point){ .v = v,
				      .flags = POINT_GATE,
				      .verdict = moved ? VERDICT_REGRESSED : VERDICT_UNCHANGED,
				      .ratio = moved ? 1.1 : 1.0 };
}

/* Values as they are given. */
struct given {
	double v[64];
	size_t n;
};

static int take(void *ctx, const struct ledger_point *p, struct err *err)
{
	struct given *given = ctx;

	(void)err;
	assert_in_range(given->n, 0, 63);
	given->v[given->n++] = p->v;
	return 0;
}

static struct given thinned(size_t most, const double *v, size_t n, size_t moved)
{
	struct given given = { .n = 0 };
	struct thin *t = NULL;
	size_t i;

	assert_int_equal(thin_open(most, 8, &t, NULL), 0);
	for (i = 0; i < n; i++) {
		struct ledger_point p = point(v[i], i == moved);

		assert_int_equal(thin_add(t, &p, NULL), 0);
	}
	assert_int_equal(thin_total(t), n);
	assert_true(thin_buckets(t) <= most);
	assert_int_equal(thin_visit(t, take, &given, NULL), 0);
	thin_close(t);
	return given;
}

static void a_peak_is_kept_at_every_width_and_place(void **state)
{
	size_t most, at;

	(void)state;
	for (most = 1; most <= 12; most++)
		for (at = 0; at < 30; at++) {
			double v[30];
			struct given given;
			size_t i, n_peaks = 0, n_dips = 0;

			for (i = 0; i < 30; i++)
				v[i] = (double)i;
			v[at] = 1000;
			v[29 - at] = -1000;
			given = thinned(most, v, 30, 99);
			for (i = 0; i < given.n; i++) {
				n_peaks += given.v[i] == 1000;
				n_dips += given.v[i] == -1000;
			}
			assert_int_equal(n_peaks, 1);
			assert_int_equal(n_dips, 1);
			assert_true(given.n <= 2 * most + 2);
			assert_true(given.v[0] == v[0]);
			assert_true(given.v[given.n - 1] == v[29]);
		}
}

static void a_change_is_kept_wherever_it_is(void **state)
{
	static const double v[] = { 1, 5, 4, 3, 4, 2, 6, 1 };
	struct given given = thinned(1, v, 8, 3);

	(void)state;
	/* First, greatest, the change, last; of equal ones the first is the least. */
	assert_int_equal(given.n, 4);
	assert_true(given.v[0] == 1 && given.v[1] == 3 && given.v[2] == 6 && given.v[3] == 1);
}

static void fewer_points_than_buckets_all_stay(void **state)
{
	static const double v[] = { 3, 3, 3, 2, 9 };
	struct given given = thinned(5, v, 5, 99);

	(void)state;
	assert_int_equal(given.n, 5);
}

static void nothing_is_nothing(void **state)
{
	struct given given = thinned(3, NULL, 0, 0);

	(void)state;
	assert_int_equal(given.n, 0);
}

static void too_many_changes_are_refused(void **state)
{
	struct ledger_point p = point(1, true);
	struct err err = ERR_INIT;
	struct thin *t = NULL;
	int i;

	(void)state;
	assert_true(point_is_change(&p));
	assert_int_equal(thin_open(4, 8, &t, NULL), 0);
	for (i = 0; i < 8; i++)
		assert_int_equal(thin_add(t, &p, &err), 0);
	assert_int_equal(thin_add(t, &p, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	thin_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_peak_is_kept_at_every_width_and_place),
		cmocka_unit_test(a_change_is_kept_wherever_it_is),
		cmocka_unit_test(fewer_points_than_buckets_all_stay),
		cmocka_unit_test(nothing_is_nothing),
		cmocka_unit_test(too_many_changes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
