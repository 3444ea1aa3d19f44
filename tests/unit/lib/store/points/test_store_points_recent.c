/* What a reader keeps of a tail: it is never old, and never large. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/points/fold.h"
#include "lib/store/points/recent.h"

/* A project with the summaries of the fixture is number 1. */
#define PROJECT 1

static void add_sheet(struct db *db, int64_t run, int64_t first_series, size_t n)
{
	struct sheet_maker m = { .n = 0 };
	struct buf bytes = BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct ledger_point p = { .project = PROJECT,
						.series = first_series + (int64_t)i,
						.t = run * 10,
						.run = run,
						.v = (double)run };

		sheet_add(&m, &p, NULL, false);
	}
	sheet_finish(&m, PROJECT, run, run * 10, &bytes);
	assert_int_equal(db_run(db, NULL, "INSERT INTO sheet VALUES (?1,?2,?3,?4,?5)", "iiiib",
				(int64_t)PROJECT, run, run * 10, (int64_t)n,
				(const void *)buf_str(&bytes), bytes.len),
			 0);
	sheet_maker_release(&m);
	buf_release(&bytes);
}

/* The sum of the values of both series, which are those of the runs. */
static double ask_sum(struct recent **kept, struct db *db, int64_t one, int64_t two)
{
	const int64_t series[] = { one, two };
	struct point_list list = { .n = 0 };
	struct folded folded;
	double sum = 0;
	size_t i;

	assert_int_equal(folded_read(db, PROJECT, &folded, NULL), 0);
	assert_int_equal(recent_points(kept, db, PROJECT, &folded, series, 2, &list, NULL), 0);
	for (i = 0; i < list.n; i++)
		sum += list.points[i].v;
	free(list.points);
	return sum;
}

static void open_both(struct place *p, struct db *writer, struct db *reader)
{
	post_plain(p->writer, 1, COMMIT_A, false);
	meddle(p->path, "DELETE FROM sheet");
	assert_int_equal(db_open(writer, p->path, DB_WRITE, "", NULL), 0);
	assert_int_equal(db_open(reader, p->path, DB_READ, "", NULL), 0);
}

static void what_comes_and_what_is_folded_is_seen(void **state)
{
	struct db writer, reader;
	struct recent *kept = NULL;
	struct place *p = *state;

	open_both(p, &writer, &reader);
	add_sheet(&writer, 100, 5, 10);
	assert_true(ask_sum(&kept, &reader, 7, 14) == 200);
	/* One that has the first alone, and so many points that the list is sorted. */
	add_sheet(&writer, 101, 1, 7);
	assert_true(ask_sum(&kept, &reader, 7, 14) == 301);
	add_sheet(&writer, 102, 5, 2000);
	assert_true(ask_sum(&kept, &reader, 7, 14) == 505);
	add_sheet(&writer, 103, 14, 1);
	assert_true(ask_sum(&kept, &reader, 7, 14) == 608);
	meddle(p->path, "UPDATE project SET fold_to=101, fold_at=9");
	assert_true(ask_sum(&kept, &reader, 7, 14) == 102 + 100 + 102 + 103);
	meddle(p->path, "UPDATE project SET folded=102, fold_to=102, fold_at=0");
	assert_true(ask_sum(&kept, &reader, 7, 14) == 103);
	meddle(p->path, "UPDATE project SET folded=0, fold_to=0");
	assert_true(ask_sum(&kept, &reader, 7, 14) == 608);
	recent_free(kept);
	db_close(&reader);
	db_close(&writer);
}

static void tail_that_is_too_long_is_not_kept_and_read_all_the_same(void **state)
{
	struct db writer, reader;
	struct recent *kept = NULL;
	struct place *p = *state;
	int i;

	open_both(p, &writer, &reader);
	add_sheet(&writer, 100, 5, 10);
	assert_true(ask_sum(&kept, &reader, 7, 14) == 200);
	add_sheet(&writer, 101, 1, RECENT_MOST);
	for (i = 0; i < 2; i++)
		assert_true(ask_sum(&kept, &reader, 7, RECENT_MOST) == 302);
	meddle(p->path, "UPDATE project SET folded=101, fold_to=101");
	assert_true(ask_sum(&kept, &reader, 7, RECENT_MOST) == 0);
	add_sheet(&writer, 102, 5, 10);
	assert_true(ask_sum(&kept, &reader, 7, RECENT_MOST) == 102);
	recent_free(kept);
	db_close(&reader);
	db_close(&writer);
}

static void repair_of_damage_is_seen_at_once(void **state)
{
	struct point_list list = { .n = 0 };
	const int64_t series[] = { 14 };
	struct recent *kept = NULL;
	struct db writer, reader;
	struct place *p = *state;
	struct folded folded;

	open_both(p, &writer, &reader);
	add_sheet(&writer, 100, 5, 10);
	flip(p->path, "sheet", "points", 1, -1);
	assert_int_equal(folded_read(&reader, PROJECT, &folded, NULL), 0);
	assert_int_equal(recent_points(&kept, &reader, PROJECT, &folded, series, 1, &list, NULL),
			 -1);
	free(list.points);
	assert_true(ask_sum(&kept, &reader, 7, 8) == 200);
	flip(p->path, "sheet", "points", 1, -1);
	assert_true(ask_sum(&kept, &reader, 7, 14) == 200);
	recent_free(kept);
	db_close(&reader);
	db_close(&writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(what_comes_and_what_is_folded_is_seen),
		ONE(tail_that_is_too_long_is_not_kept_and_read_all_the_same),
		ONE(repair_of_damage_is_seen_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
