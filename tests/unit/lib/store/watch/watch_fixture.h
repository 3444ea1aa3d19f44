/*
 * watch_fixture - results over commits, and looks at their histories.
 */
#ifndef PAWL_TESTS_UNIT_STORE_WATCH_FIXTURE_H
#define PAWL_TESTS_UNIT_STORE_WATCH_FIXTURE_H

#include "tests/unit/lib/store/alerts/alerts_fixture.h"

#include "lib/store/watch/watch.h"

/* Results of a commit, and the branch that they name; NULL: none. */
static unsigned each = 1;
static const char *on_branch = "main";

/* What a result that is judged was measured to be, of its base. */
static double judged = 1.1;

/* Result number n, with that median and, where there is one, that verdict.
 */
static inline void measure_at(struct place *p, unsigned n, unsigned commit, double median,
			      enum verdict verdict)
{
	struct parcel parcel;
	struct metric *cpu;
	char sha[41];

	snprintf(sha, sizeof(sha), "%040x", commit);
	fill_summary(&parcel.s, n, sha);
	parcel.s.commit.commit_time_us = MONDAY_US + commit * (int64_t)1000000;
	assert_int_equal(str_set(&parcel.s.commit.branch, on_branch ? on_branch : "", NULL), 0);
	if (!on_branch) {
		free(parcel.s.commit.branch);
		parcel.s.commit.branch = NULL;
	}
	cpu = &parcel.s.benchmarks[0].metrics[0];
	cpu->samples[0] = median - 1;
	cpu->samples[1] = median;
	cpu->samples[2] = median + 1;
	cpu->mean = cpu->median = median;
	cpu->min = cpu->ci_low = median - 1;
	cpu->max = cpu->p99 = cpu->ci_high = median + 1;
	if (verdict) {
		snprintf(sha, sizeof(sha), "%040x", commit - 1);
		assert_int_equal(str_set(&parcel.s.baseline.commit, sha, NULL), 0);
		assert_int_equal(str_set(&parcel.s.baseline.how, "rerun", NULL), 0);
		judge(cpu, judged, verdict);
	}
	assert_int_equal(post(p->writer, &parcel, false), POST_CREATED);
	summary_release(&parcel.s);
}

static inline void measure(struct place *p, unsigned n, double median, enum verdict verdict)
{
	measure_at(p, n, n / each + 1, median, verdict);
}

/* Looks at what is new until nothing is; returns how often. */
static inline unsigned look(struct place *p)
{
	struct watch w = { .n = 0 };
	int64_t last = 0;
	unsigned n = 0;
	int none;

	while (!(none = watch_look(p->reader, &last, &w, NULL))) {
		assert_int_equal(watch_settle(p->writer, &w, NULL), 0);
		watch_release(&w);
		n++;
	}
	assert_int_equal(none, 1);
	return n;
}

/* Quiet points around a level: 1,000 and what the number scatters it by, less than 0.3 %. */
static inline double near(double level, unsigned n)
{
	return level + (double)(n * 7 % 5) - 2;
}

static inline void levels(struct place *p, unsigned from, unsigned to, double level)
{
	unsigned n;

	for (n = from; n < to; n++) {
		measure(p, n, near(level, n), VERDICT_NONE);
		look(p);
	}
}

#endif
