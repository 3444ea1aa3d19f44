/* What is retracted is in no answer, and restored all are what they were. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/points/fold.h"

static void retract(struct place *p, unsigned n, const char *benchmark, bool restore)
{
	char id[27];
	struct retraction what = { .project = "zlib",
				   .id = id_of(n, id),
				   .benchmark = benchmark,
				   .is_restored = restore,
				   .who = "test" };
	bool changed = false;

	assert_int_equal(ledger_retract(p->writer, &what, &changed, NULL), 0);
	assert_true(changed);
}

static size_t count_regressions(struct place *p)
{
	struct buf out = BUF_INIT;
	size_t n;

	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	n = times(&out, "\"verdict\"");
	buf_release(&out);
	return n;
}

static void retracted_judgement_takes_nothing_back(void **state)
{
	struct place *p = *state;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	assert_int_equal(count_regressions(p), 1);
	post_judged(p->writer, 3, VERDICT_UNCHANGED, false);
	assert_int_equal(count_regressions(p), 0);
	retract(p, 3, "deflate/6", false);
	assert_int_equal(count_regressions(p), 1);
	retract(p, 2, NULL, false);
	assert_int_equal(count_regressions(p), 0);
	retract(p, 2, NULL, true);
	assert_int_equal(count_regressions(p), 1);
	retract(p, 3, "deflate/6", true);
	assert_int_equal(count_regressions(p), 0);
}

/* As many as are folded, from n_ns on in another unit. */
static void post_folded(struct place *p, unsigned n_ns)
{
	struct parcel *parcels = calloc(FOLD_RUNS, sizeof(*parcels));
	struct post *posts[FOLD_RUNS];
	bool more = true;
	unsigned i;

	assert_non_null(parcels);
	for (i = 0; i < FOLD_RUNS; i++) {
		struct metric *cpu;

		fill_summary(&parcels[i].s, i, COMMIT_A);
		cpu = &parcels[i].s.benchmarks[0].metrics[0];
		if (i >= n_ns)
			assert_int_equal(str_set(&cpu->unit, "bytes", NULL), 0);
		wrap(&parcels[i], false);
		posts[i] = &parcels[i].post;
	}
	assert_int_equal(ledger_post(p->writer, posts, FOLD_RUNS, NULL), 0);
	while (more)
		assert_int_equal(ledger_fold(p->writer, &more, NULL), 0);
	for (i = 0; i < FOLD_RUNS; i++) {
		buf_release(&parcels[i].json);
		summary_release(&parcels[i].s);
	}
	free(parcels);
}

/* Where they lie makes no difference, and pages are as long as was asked for. */
static void folded_points_are_hidden_too(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_folded(p, FOLD_RUNS);
	retract(p, 1, NULL, false);
	retract(p, 3, "deflate/6", false);
	retract(p, FOLD_RUNS - 1, NULL, false);
	q.limit = 4;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1000,1002,1004,1005]"));
	q.newest = true;
	q.limit = 2;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1253,1254]"));
	q.branch = "main";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1253,1254]"));
	buf_release(&out);
}

/* However many are hidden, folded or not: the unit that came first is the first that is shown. */
static void hidden_points_do_not_decide_the_unit(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	unsigned i;

	post_folded(p, 56);
	q.limit = 1;
	q.newest = true;
	for (i = 0; i < 56; i++) {
		history(p, &q, &out);
		assert_true(has(&out, "\"unit\":\"ns\",\"better\":\"lower\",\"other_units\""));
		retract(p, i, i % 2 ? NULL : "deflate/6", false);
	}
	history(p, &q, &out);
	assert_true(has(&out, "\"unit\":\"bytes\",\"better\":\"lower\",\"other_units\""));
	assert_true(has(&out, "\"value\":[1255]"));
	assert_true(has(&out, "\"commit\":null,\"time\":null,\"newer\":false}]"));
	post_plain(p->writer, FOLD_RUNS, COMMIT_A, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1256]"));
	retract(p, FOLD_RUNS, NULL, false);
	retract(p, 4, "deflate/6", true);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1004]"));
	retract(p, 4, NULL, false);
	for (i = 56; i < FOLD_RUNS; i++)
		retract(p, i, NULL, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"unit\":\"ns\"") && has(&out, "\"value\":[]"));
	buf_release(&out);
}

/* The document stays whole, where a benchmark of it is looked at it is hidden. */
static void summary_is_not_given_for_a_retracted_benchmark(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	char id[27];

	post_plain(p->writer, 1, COMMIT_A, false);
	id_of(1, id);
	assert_int_equal(ledger_summary_for(p->reader, "zlib", id, "deflate/6", &out, NULL), 0);
	retract(p, 1, "deflate/6", false);
	assert_int_equal(ledger_summary_for(p->reader, "zlib", id, "deflate/6", &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(ledger_summary_for(p->reader, "zlib", id, "other", &out, NULL), 0);
	assert_int_equal(ledger_summary(p->reader, "zlib", id, false, &out, NULL), 0);
	retract(p, 1, NULL, false);
	assert_int_equal(ledger_summary_for(p->reader, "zlib", id, "other", &out, &err), -1);
	assert_int_equal(ledger_summary(p->reader, "zlib", id, false, &out, &err), -1);
	buf_release(&out);
}

static void untrusted_one_of_the_same_id_is_another(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct retraction what = { .project = "zlib", .untrusted = true, .who = "test" };
	char id[27];
	bool changed = false;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_plain(p->writer, 1, COMMIT_A, true);
	what.id = id_of(1, id);
	assert_int_equal(ledger_retract(p->writer, &what, &changed, NULL), 0);
	q.untrusted = true;
	history(p, &q, &out);
	assert_true(has(&out, "\"untrusted\":[false]"));
	buf_reset(&out);
	assert_int_equal(ledger_project(p->reader, "zlib", &out, NULL), 0);
	assert_true(has(&out, "\"summaries\":1") && has(&out, "\"untrusted\":0"));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(retracted_judgement_takes_nothing_back),
		ONE(folded_points_are_hidden_too),
		ONE(hidden_points_do_not_decide_the_unit),
		ONE(summary_is_not_given_for_a_retracted_benchmark),
		ONE(untrusted_one_of_the_same_id_is_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
