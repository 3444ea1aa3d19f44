/* Which regressions pass for what was accepted, and which go beyond it. */
#include "tests/unit/test_git_fixture.h"

#include <math.h>

#include "collector/accept.h"

#include "lib/base/banned.h"

#define THRESHOLD 0.01

static struct repo *repo;
static struct accepted a;
static struct summary s;
static char *id[3]; /* of the commits "one", "two", "three" */

static int begin(void **state)
{
	int i;

	if (fixture_begin(state))
		return -1;
	make_repo("r");
	for (i = 0; i < 3; i++)
		id[i] = git_says("r", "rev-parse",
				 i == 0	  ? "HEAD~2"
				 : i == 1 ? "HEAD~1"
					  : "HEAD",
				 NULL);
	return repo_open(at("r"), &repo, NULL);
}

static int end(void **state)
{
	int i;

	for (i = 0; i < 3; i++)
		free(id[i]);
	repo_close(repo);
	return fixture_end(state);
}

static int forget(void **state)
{
	(void)state;
	accepted_release(&a);
	summary_release(&s);
	unlink(at("r/.pawlaccepted"));
	return 0;
}

/* commit_of: 1 or 2; metric NULL: a time */
static void accept_metric_for(int commit_of, const char *name, double size, char *metric)
{
	char benchmark[20], because[] = "why";
	struct accepted_change c = { .commit = id[commit_of],
				     .benchmark = benchmark,
				     .metric = metric,
				     .because = because,
				     .authored_us = INT64_MIN,
				     .change = size };
	struct err err = ERR_INIT;

	snprintf(benchmark, sizeof(benchmark), "%s", name);
	if (accepted_add(at("r/.pawlaccepted"), &c, &err))
		fail_msg("%s", err.text);
	accepted_release(&a);
	assert_int_equal(accepted_load(repo, &a, NULL), 0);
}

static void accept_for(int commit_of, const char *name, double size)
{
	accept_metric_for(commit_of, name, size, NULL);
}

/* Benchmark "x" of the third commit, held against the first. */
static struct delta *compared(enum better better, double low, double high, enum verdict verdict)
{
	struct bench *b;
	struct metric *m;

	summary_release(&s);
	summary_init(&s);
	assert_int_equal(0, str_set(&s.commit.id, id[2], NULL));
	assert_int_equal(0, str_set(&s.baseline.commit, id[0], NULL));
	b = summary_add_bench(&s, "x", NULL);
	assert_non_null(b);
	b->status = BENCH_OK;
	b->paired = true;
	b->threshold = THRESHOLD;
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	m = bench_add_metric(b, "cpu", "ns", better, NULL);
	assert_non_null(m);
	m->has_delta = true;
	m->delta.ratio = sqrt(low * high);
	m->delta.low = low;
	m->delta.high = high;
	m->delta.verdict = verdict;
	return &m->delta;
}

static const struct delta *regressed(double low, double high)
{
	return compared(BETTER_LOWER, low, high, VERDICT_REGRESSED);
}

static bool passes(void)
{
	struct err err = ERR_INIT;

	if (apply_accepted(repo, &a, &s, &err))
		fail_msg("%s", err.text);
	return s.benchmarks[0].accepted.commit != NULL;
}

/* Benchmark "x" of the third commit, of which a metric of another unit decides. */
static void regressed_in(const char *name, const char *unit)
{
	struct bench *b;

	regressed(1.04, 1.05);
	b = &s.benchmarks[0];
	assert_int_equal(0, str_set(&b->gate, name, NULL));
	assert_int_equal(0, str_set(&b->metrics[0].name, name, NULL));
	assert_int_equal(0, str_set(&b->metrics[0].unit, unit, NULL));
}

/* A slower program was accepted: not one that takes more memory. */
static void what_was_accepted_is_of_one_metric(void **state)
{
	char memory[] = "peak-rss";

	(void)state;
	accept_for(1, "x", 0.06);
	regressed_in("peak-rss", "bytes");
	assert_false(passes());
	regressed_in("wall",
		     "ns"); /* CPU time or wall time: which of them decides, the machine says */
	assert_true(passes());
	accept_metric_for(2, "x", 0.06, memory);
	regressed_in("peak-rss", "bytes");
	assert_true(passes());
	regressed_in("allocs", "allocs");
	assert_false(passes());
	regressed(1.08, 1.09); /* 1.06 of the time alone */
	assert_false(passes());
}

static void what_was_accepted_passes_and_no_more(void **state)
{
	const struct delta *d;

	(void)state;
	accept_for(1, "x", 0.06);
	d = regressed(1.04, 1.08);
	assert_true(passes());
	assert_string_equal(s.benchmarks[0].accepted.because, "why");
	assert_string_equal(s.benchmarks[0].accepted.commit, id[1]);
	assert_null(d->note);
	/* 1.06 * 1.01 = 1.0706 */
	regressed(1.0705, 1.0705);
	assert_true(passes());
	regressed(1.0707, 1.0707);
	assert_false(passes());
	/* the near end is what is proved */
	regressed(1.07, 1.12);
	assert_true(passes());
	regressed(1.071, 1.12);
	assert_false(passes());
	/* the case that was found: 6 % accepted, three times as slow */
	d = regressed(3.18, 3.3);
	assert_false(passes());
	assert_null(s.benchmarks[0].accepted.because);
	assert_non_null(d->note);
	assert_non_null(strstr(d->note, "beyond what was accepted: +6% in "));
	assert_non_null(strstr(d->note, "at least 200.0 % worse")); /* 3.18 / 1.06 */
	assert_int_equal(bench_verdict(&s.benchmarks[0]), VERDICT_REGRESSED);
}

static void sizes_in_the_range_multiply(void **state)
{
	const struct delta *d;

	(void)state;
	accept_for(1, "x", 0.5);
	accept_for(2, "x", 0.2);
	/* 1.5 * 1.2 * 1.01 = 1.818 */
	regressed(1.817, 1.9);
	assert_true(passes());
	assert_string_equal(s.benchmarks[0].accepted.commit, id[2]);
	d = regressed(1.98, 2.1);
	assert_false(passes());
	assert_non_null(strstr(d->note, "+80% in 2 commits"));
	assert_non_null(strstr(d->note, "at least 10.0 % worse")); /* 1.98 / 1.8 */
	/* with a base of its own the benchmark is held against the second commit only */
	regressed(1.4, 1.6);
	assert_true(passes());
	assert_int_equal(0, str_set(&s.benchmarks[0].baseline_commit, id[1], NULL));
	assert_false(passes());
}

static void any_size_is_any(void **state)
{
	(void)state;
	accept_for(1, "x", (double)INFINITY);
	accept_for(2, "x", 0.01);
	regressed(300, 400);
	assert_true(passes());
}

static void where_more_is_better_less_is_worse(void **state)
{
	double size = -1;

	(void)state;
	accept_for(1, "x", 0.25); /* base / head: 1.25 * 1.01, a ratio down to 0.7921 */
	compared(BETTER_HIGHER, 0.7, 0.793, VERDICT_REGRESSED);
	assert_true(passes());
	compared(BETTER_HIGHER, 0.7, 0.79, VERDICT_REGRESSED);
	assert_false(passes());
	assert_true(accept_size(&s.benchmarks[0], &size));
	assert_true(fabs(size - 0.429) < 1e-9); /* 1 / 0.7 = 1.42857 */
}

static void only_a_regression_of_a_commit_is_accepted(void **state)
{
	(void)state;
	accept_for(1, "x", (double)INFINITY);
	compared(BETTER_LOWER, 0.8, 0.9, VERDICT_IMPROVED);
	assert_false(passes());
	compared(BETTER_LOWER, 0.99, 1.3, VERDICT_INCONCLUSIVE);
	assert_false(passes());
	regressed(1.1, 1.2);
	assert_true(passes());
	s.commit.dirty = true;
	assert_false(passes());
	/* an end that is not known cannot prove that it is small */
	forget(state);
	accept_for(1, "x", 0.06);
	regressed((double)NAN, (double)NAN);
	s.benchmarks[0].metrics[0].delta.ratio = 3;
	assert_false(passes());
}

static void what_has_no_ratio_passes_as_any_only(void **state)
{
	struct delta *d;

	accept_for(1, "x", 0.06);
	d = compared(BETTER_LOWER, (double)NAN, (double)NAN, VERDICT_REGRESSED);
	d->by_difference = true;
	d->difference = d->difference_low = d->difference_high = 5;
	assert_false(passes());
	assert_null(strstr(d->note, "nan"));
	assert_non_null(strstr(d->note, ", and this has no ratio to compare with it"));
	forget(state);
	accept_for(1, "x", (double)INFINITY);
	d = compared(BETTER_LOWER, (double)NAN, (double)NAN, VERDICT_REGRESSED);
	d->by_difference = true;
	assert_true(passes());
}

static void a_stored_note_is_not_told_twice(void **state)
{
	struct delta *d;
	char *first;

	(void)state;
	accept_for(1, "x", 0.06);
	d = compared(BETTER_LOWER, 3, 3.3, VERDICT_REGRESSED);
	assert_int_equal(0, str_set(&d->note, "tails differ", NULL));
	assert_false(passes());
	assert_int_equal(strncmp(d->note, "tails differ; beyond", 20), 0);
	first = str_dup(d->note, NULL);
	assert_false(passes());
	assert_string_equal(d->note, first);
	free(first);
	accept_for(2, "x", (double)INFINITY);
	assert_true(passes());
	assert_string_equal(d->note, "tails differ");
}

static void a_size_is_the_worse_end_rounded_up(void **state)
{
	struct bench *b;
	double size = -1;

	(void)state;
	regressed(1.04, 1.0601);
	b = &s.benchmarks[0];
	assert_true(accept_size(b, &size));
	assert_true(fabs(size - 0.061) < 1e-9);
	b->metrics[0].delta.high = 1.06;
	assert_true(accept_size(b, &size));
	assert_true(fabs(size - 0.06) < 1e-9);
	compared(BETTER_LOWER, 0.8, 0.9, VERDICT_IMPROVED);
	assert_true(accept_size(&s.benchmarks[0], &size));
	assert_true(size == 0);
	size = -1;
	s.benchmarks[0].paired = false;
	assert_false(accept_size(&s.benchmarks[0], &size));
	regressed(1.04, (double)NAN);
	assert_false(accept_size(&s.benchmarks[0], &size));
	regressed(1.04, 1.06);
	s.benchmarks[0].metrics[0].has_delta = false;
	assert_false(accept_size(&s.benchmarks[0], &size));
	assert_true(size == -1);
}

/* Commits a file with so many entries for each commit. */
static size_t told_of(int first, int second, int third)
{
	const int n[3] = { first, second, third };
	struct buf text = BUF_INIT;
	size_t told;
	char *head;
	int i, k;

	for (i = 0; i < 3; i++)
		for (k = 0; k < n[i]; k++)
			buf_addf(&text, "[accept \"%s\"]\n\tbenchmark = %c%d\n\tbecause = x\n",
				 id[i], 'a' + i, k);
	put(at("r/.pawlaccepted"), buf_str(&text));
	buf_release(&text);
	run("r", "git", "add", ".pawlaccepted");
	run("r", "git", "commit", "-qm", "accept");
	head = git_says("r", "rev-parse", "HEAD", NULL);
	summary_init(&s);
	assert_int_equal(str_set(&s.commit.id, head, NULL), 0);
	free(head);
	assert_int_equal(note_accepted(repo, &s, NULL), 0);
	assert_string_equal(s.accepted[s.n_accepted - 1].commit, id[2]);
	told = s.n_accepted;
	summary_release(&s);
	return told;
}

/* An alert whose entry a server never hears of stays open. */
static void all_of_a_commit_is_told(void **state)
{
	(void)state;
	assert_int_equal(told_of(1, 2, 3), 6);
	assert_int_equal(told_of(5, 0, 200), 200);
	assert_int_equal(told_of(5, 100, 10), 110);
	assert_int_equal(told_of(5, 100, 64), 64);
	assert_int_equal(told_of(0, 0, 1100), SUMMARY_MAX_ACCEPTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_was_accepted_passes_and_no_more, forget),
		cmocka_unit_test_teardown(what_was_accepted_is_of_one_metric, forget),
		cmocka_unit_test_teardown(sizes_in_the_range_multiply, forget),
		cmocka_unit_test_teardown(any_size_is_any, forget),
		cmocka_unit_test_teardown(where_more_is_better_less_is_worse, forget),
		cmocka_unit_test_teardown(only_a_regression_of_a_commit_is_accepted, forget),
		cmocka_unit_test_teardown(what_has_no_ratio_passes_as_any_only, forget),
		cmocka_unit_test_teardown(a_stored_note_is_not_told_twice, forget),
		cmocka_unit_test_teardown(a_size_is_the_worse_end_rounded_up, forget),
		cmocka_unit_test_teardown(all_of_a_commit_is_told, forget),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
