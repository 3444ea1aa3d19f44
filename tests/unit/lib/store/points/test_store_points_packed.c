/* Packed points: what goes in comes out, and bytes that are not what was stored are refused. */
#include "tests/unit/store_fixture.h"

#include <float.h>
#include <math.h>

#include "lib/store/points/chunk.h"
#include "lib/store/points/sheet.h"

#define N 200

/* Numbers that are near each other, far away, none, and of either sign. */
static double figure(unsigned i)
{
	static const double odd[] = { 0,      -1.5,	 DBL_MAX, -DBL_MIN,
				      1e-300, 0.1 + 0.2, 4096,	  (double)NAN };

	return i % 3 ? 1000 + i / 7.0 : odd[i / 3 % 8];
}

static struct ledger_point point(unsigned i)
{
	return (struct ledger_point){ .project = 3,
				      .series = 40 + i % 5 * 1000 - i % 7,
				      .t = INT64_C(1700000000000000) + (i % 9 ? i * 60000000u : 0),
				      .run = 1 + 3 * (int64_t)i,
				      .n = i % 4 ? 30 : i * 100000u,
				      .flags = i % 16,
				      .verdict = i % 10,
				      .base = i % 6 ? 7 + i % 2 : 0,
				      .v = i % 3 ? 1000 + i / 7.0 : i,
				      .low = figure(i + 1),
				      .high = figure(i + 2),
				      .ratio = figure(i + 3),
				      .ratio_low = figure(i + 4),
				      .ratio_high = figure(i + 5) };
}

/* All points of a run stand at its place. */
static struct ledger_point of_run(unsigned i)
{
	struct ledger_point p = point(i);

	p.run = 77;
	p.t = 5;
	return p;
}

static const char *how_of(unsigned i)
{
	static const char *const hows[] = { "rerun", NULL, "stored" };

	return hows[i % 3];
}

static void same_point(const struct ledger_point *a, const struct ledger_point *b)
{
	assert_int_equal(point_crc(a), point_crc(b));
}

static struct buf make_sheet(void)
{
	struct sheet_maker m = { .n = 0 };
	struct buf out = BUF_INIT;
	unsigned i;

	for (i = 0; i < N; i++) {
		struct ledger_point p = of_run(i);

		sheet_add(&m, &p, how_of(i), i == 50);
	}
	sheet_finish(&m, 3, 77, 5, &out);
	sheet_maker_release(&m);
	assert_int_equal(buf_check(&out, NULL), 0);
	return out;
}

static void sheet_gives_back_its_points_and_refuses_the_damaged_one(void **state)
{
	struct buf bytes = make_sheet();
	struct ledger_point p, wanted;
	struct sheet s;
	struct err err = ERR_INIT;
	const char *how;
	unsigned i = 0;
	size_t n;

	(void)state;
	assert_int_equal(sheet_open(&s, 3, 77, 5, bytes.data, bytes.len, NULL), 0);
	assert_int_equal(s.n, N);
	for (; sheet_next(&s); i++) {
		wanted = of_run(i);
		assert_int_equal(s.series, wanted.series);
		if (i == 50) {
			assert_int_equal(sheet_read(&s, &p, &how, &n, &err), -1);
			assert_int_equal(err.code, ERR_CORRUPT);
			continue;
		}
		assert_int_equal(sheet_read(&s, &p, &how, &n, NULL), 0);
		same_point(&p, &wanted);
		if (wanted.base && how_of(i))
			assert_true(n == strlen(how_of(i)) && !memcmp(how, how_of(i), n));
		else
			assert_int_equal(n, 0);
	}
	assert_int_equal(i, N);
	buf_release(&bytes);
}

/* Whichever byte it is, and wherever it ends. */
static void no_other_bytes_pass_for_a_sheet(void **state)
{
	struct buf bytes = make_sheet();
	struct ledger_point p;
	struct sheet s;
	size_t i, n_alone = 0;

	(void)state;
	for (i = 0; i < bytes.len; i++)
		assert_int_equal(sheet_open(&s, 3, 77, 5, bytes.data, i, NULL), -1);
	for (i = 0; i < bytes.len; i++) {
		unsigned bad = 0;

		bytes.data[i] ^= 16;
		if (sheet_open(&s, 3, 77, 5, bytes.data, bytes.len, NULL))
			bad = 2;
		while (bad < 2 && sheet_next(&s))
			bad += sheet_read(&s, &p, NULL, NULL, NULL) != 0;
		/* One was damaged before; a flip in that one is no more than that. */
		n_alone += bad < 2;
		bytes.data[i] ^= 16;
	}
	assert_in_range(n_alone, 1, 64);
	assert_int_equal(sheet_open(&s, 4, 77, 5, bytes.data, bytes.len, NULL), -1);
	assert_int_equal(sheet_open(&s, 3, 78, 5, bytes.data, bytes.len, NULL), -1);
	assert_int_equal(sheet_open(&s, 3, 77, 6, bytes.data, bytes.len, NULL), -1);
	buf_release(&bytes);
}

static struct ledger_point of_series(unsigned i)
{
	struct ledger_point p = point(i);

	p.series = 12;
	p.t = 1000 + i / 3;
	return p;
}

static struct buf make_chunk(struct chunk_key *out_key)
{
	struct ledger_point points[N];
	struct buf out = BUF_INIT;
	unsigned i;

	for (i = 0; i < N; i++)
		points[i] = of_series(i);
	*out_key = chunk_key_of(points, N);
	chunk_write(points, N, &out);
	assert_int_equal(buf_check(&out, NULL), 0);
	return out;
}

static void chunk_gives_back_what_is_shown_of_its_points(void **state)
{
	struct ledger_point wanted;
	struct chunk_key key;
	struct buf bytes = make_chunk(&key);
	struct chunk c;
	unsigned i;

	(void)state;
	assert_int_equal(chunk_open(&c, &key, bytes.data, bytes.len, NULL), 0);
	for (i = 0; i < N; i++) {
		wanted = of_series(i);
		wanted = point_shown(&wanted);
		assert_int_equal(chunk_next(&c, NULL), 1);
		same_point(&c.last, &wanted);
		assert_true(isfinite(c.last.ratio_low) <= point_is_change(&c.last));
	}
	assert_int_equal(chunk_next(&c, NULL), 0);
	buf_release(&bytes);
}

static void no_other_bytes_pass_for_a_chunk(void **state)
{
	struct chunk_key key, other;
	struct buf bytes = make_chunk(&key);
	struct chunk c;
	size_t i;

	(void)state;
	for (i = 0; i < bytes.len; i++) {
		assert_int_equal(chunk_open(&c, &key, bytes.data, i, NULL), -1);
		bytes.data[i] ^= 16;
		assert_int_equal(chunk_open(&c, &key, bytes.data, bytes.len, NULL), -1);
		bytes.data[i] ^= 16;
	}
	for (i = 0; i < 6; i++) {
		int64_t *const parts[] = { &other.project, &other.series, &other.t0,
					   &other.run0,	   &other.t1,	  &other.run1 };

		other = key;
		++*parts[i];
		assert_int_equal(chunk_open(&c, &other, bytes.data, bytes.len, NULL), -1);
	}
	assert_int_equal(chunk_open(&c, &key, bytes.data, bytes.len, NULL), 0);
	buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sheet_gives_back_its_points_and_refuses_the_damaged_one),
		cmocka_unit_test(no_other_bytes_pass_for_a_sheet),
		cmocka_unit_test(chunk_gives_back_what_is_shown_of_its_points),
		cmocka_unit_test(no_other_bytes_pass_for_a_chunk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
