/* Two commits beside each other: what was recorded, and no verdict beyond that. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include <math.h>

static void prefix_must_name_one_commit(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_plain(p->writer, 2, "aaaa999999999999999999999999999999999999", false);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", COMMIT_A, false, &out, &err),
			 -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_non_null(strstr(err.text, "more than one"));
	buf_reset(&out);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa9", "aaaa4", false, &out, &err), 0);
	buf_release(&out);
}

static void compare_gives_the_recorded_delta_and_else_no_verdict(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"delta\":{\"ratio\":1.034,\"ci\":[1.024,1.044],"
			      "\"verdict\":\"regressed\",\"suspect\":false,"));
	/* The wall was not judged: its medians are all there is. */
	assert_true(has(&out, "\"verdict\":null,\"how\":\"stored\""));
	buf_reset(&out);
	/* The other way round nothing was recorded. */
	assert_int_equal(ledger_compare(p->reader, "zlib", "bbbb", "aaaa", false, &out, NULL), 0);
	assert_false(has(&out, "regressed"));
	assert_int_equal(times(&out, "\"how\":\"stored\""), 2);
	buf_release(&out);
}

/* From 0 to 5 there is no ratio, and a verdict all the same. */
static void a_verdict_by_difference_is_shown_without_a_ratio(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel moved;
	struct delta *d;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&moved.s, 2, COMMIT_B);
	assert_int_equal(str_set(&moved.s.baseline.commit, COMMIT_A, NULL), 0);
	assert_int_equal(str_set(&moved.s.baseline.how, "rebuilt", NULL), 0);
	judge(&moved.s.benchmarks[0].metrics[0], 1, VERDICT_REGRESSED);
	d = &moved.s.benchmarks[0].metrics[0].delta;
	d->ratio = d->low = d->high = (double)NAN;
	d->by_difference = true;
	d->difference = d->difference_low = d->difference_high = 5;
	assert_int_equal(post(p->writer, &moved, false), POST_CREATED);
	summary_release(&moved.s);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"delta\":{\"ratio\":null,\"verdict\":\"regressed\""));
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_true(has(&out, "\"ratio\":null"));
	buf_release(&out);
}

/* What is stored for it is from another day, and not what the change is of. */
static void the_base_beside_a_recorded_change_is_the_one_that_was_run_again(void **state)
{
	static const double again[] = { 991, 989, 1001, 990 };
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel judged;
	struct metric *m;
	size_t i;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&judged.s, 2, COMMIT_B);
	assert_int_equal(str_set(&judged.s.baseline.commit, COMMIT_A, NULL), 0);
	assert_int_equal(str_set(&judged.s.baseline.how, "rerun", NULL), 0);
	m = &judged.s.benchmarks[0].metrics[0];
	judge(m, 1.0115, VERDICT_UNCHANGED);
	for (i = 0; i < 4; i++)
		assert_int_equal(samples_add(&m->baseline_samples, &m->n_baseline, again[i], NULL),
				 0);
	assert_int_equal(post(p->writer, &judged, false), POST_CREATED);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"base\":{\"status\":\"ok\",\"median\":990.5,\"ci\":[null,null],"
			      "\"n\":4}"));
	assert_true(has(&out, "\"median\":1002"));
	/* The wall was not judged. */
	assert_int_equal(times(&out, "\"how\":\"stored\""), 1);
	assert_int_equal(times(&out, "\"ci\":[null,null]"), 1);
	summary_release(&judged.s);
	buf_release(&out);
}

static void where_its_samples_are_not_kept_the_change_leads_back_to_it(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	/* 1002 / 1.034 */
	assert_true(has(&out, "\"base\":{\"status\":\"ok\",\"median\":969.052"));
	assert_true(has(&out, "\"n\":0}"));
	buf_release(&out);
}

static void compare_prefers_the_run_that_was_measured_against_that_base(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	post_plain(p->writer, 3, COMMIT_B, false);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"verdict\":\"regressed\""));
	assert_true(has(&out, "\"median\":1002"));
	buf_release(&out);
}

static void compare_says_what_failed_and_what_is_on_one_side_only(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel broken;
	struct bench *b;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&broken.s, 2, COMMIT_B);
	broken.s.benchmarks[0].status = BENCH_TIMEOUT;
	b = summary_add_bench(&broken.s, "inflate", NULL);
	add_metric(b, "cpu", 5);
	assert_int_equal(post(p->writer, &broken, false), POST_CREATED);
	summary_release(&broken.s);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_true(has(&out, "\"head\":{\"status\":\"timeout\"},\"delta\":null"));
	assert_true(has(&out, "\"base\":null,\"head\":{\"status\":\"ok\",\"median\":5"));
	assert_true(has(&out, "\"head_failures\":[{\"name\":\"deflate/6\""));
	assert_true(has(&out, "\"base_failures\":[]"));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(prefix_must_name_one_commit),
		ONE(compare_gives_the_recorded_delta_and_else_no_verdict),
		ONE(a_verdict_by_difference_is_shown_without_a_ratio),
		ONE(the_base_beside_a_recorded_change_is_the_one_that_was_run_again),
		ONE(where_its_samples_are_not_kept_the_change_leads_back_to_it),
		ONE(compare_prefers_the_run_that_was_measured_against_that_base),
		ONE(compare_says_what_failed_and_what_is_on_one_side_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
