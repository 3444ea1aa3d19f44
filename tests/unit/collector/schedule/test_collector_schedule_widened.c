/* Where a comparison ends whose sides have one layout each, and it is known what layouts do. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "collector/schedule/fill_runs.h"
#include "reporter/judge/judge.h"

#include "lib/base/banned.h"

#define ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

enum { UNITS = 4 };

/* 1 % between two layouts, of 16 pairs of them, for each benchmark: by their CPU time. */
static struct calibrated known[UNITS];
static struct calibrations all = { known, UNITS };
static double log_ratio = 0.001;
static double apart[] = { 0.02, -0.01, 0.01, 0.02, -0.02 }; /* of identical code */

/* +3 %, of which hardly anything is noise. */
static double three_percent(int call)
{
	return 0.03 + 0.02 * wide(call);
}

static double ten_percent(int call)
{
	return 0.1 + 0.02 * wide(call);
}

static double half_more(int call)
{
	return 0.5 + 0.02 * wide(call);
}

static unsigned of_200(int call)
{
	return 1 + (unsigned)call;
}

static void begin(const char *layouts_metric)
{
	static char names[UNITS][2] = { "a", "b", "c", "d" }, metric[8];
	size_t i;

	fake_init(UNITS);
	fake.schedule.runs_min = 12;
	fake.schedule.runs_max = 200;
	fake.schedule.known = &all;
	snprintf(metric, sizeof(metric), "%s", layouts_metric);
	for (i = 0; i < UNITS; i++) {
		known[i] = (struct calibrated){ .name = names[i],
						.log_ratios = &log_ratio,
						.n_log_ratios = 1,
						.layouts = { .n = 16, .scatter = 0.01 },
						.layouts_metric = metric };
		fake.plan[i].log_ratio = three_percent;
		assert_int_equal(0, str_set(&fake.units[i].head.binary_id, ID_A, NULL));
		assert_int_equal(0, str_set(&fake.units[i].base.binary_id, ID_B, NULL));
	}
}

/* What the report says of what was run. */
static enum verdict reported(size_t i)
{
	struct history none = HISTORY_INIT;
	const char *gate = "cpu";
	enum verdict verdict;
	struct summary s;
	struct bench *b;

	summary_init(&s);
	b = summary_add_bench(&s, fake.units[i].name, NULL);
	assert_non_null(b);
	assert_int_equal(0,
			 fill_runs(&fake.units[i], b, NULL) || str_set(&b->gate, gate, NULL) ||
				 str_set(&b->binary_id, fake.units[i].head.binary_id, NULL) ||
				 str_set(&b->base_binary_id, fake.units[i].base.binary_id, NULL));
	b->paired = true;
	b->looks = fake.units[i].looks;
	b->threshold = fake.config[i].threshold;
	s.settings.confidence = 0.95;
	calibrations_apply(&all, &s);
	assert_int_equal(0, judge(&s, &none, NULL));
	verdict = bench_verdict(b);
	summary_release(&s);
	return verdict;
}

/*
 * Student's t of 15 degrees at 0.99 is 2.602480: +-2.6 % around 3 %, for any number of pairs.  It
 * is no decision, and none will come; +10 % is one, and so is +3 % where layouts were drawn, or
 * where both sides are one build.
 */
static void it_ends_when_the_report_is_decided(void **state)
{
	(void)state;
	begin("cpu");
	fake.plan[1].log_ratio = ten_percent;
	fake.plan[2].layout = of_200;
	assert_int_equal(0, str_set(&fake.units[3].base.binary_id, ID_A "-2", NULL));
	assert_int_equal(0, fake_schedule());
	assert_int_equal(CALL_INCONCLUSIVE, fake.units[0].judged.call);
	assert_int_equal(24, fake.units[0].n_pairs); /* it gives up, where it knows the spread */
	assert_int_equal(VERDICT_INCONCLUSIVE, reported(0));
	assert_int_equal(CALL_REGRESSED, fake.units[1].judged.call);
	assert_int_equal(17, fake.units[1].n_pairs);
	assert_int_equal(VERDICT_REGRESSED, reported(1));
	assert_int_equal(CALL_REGRESSED, fake.units[2].judged.call);
	assert_int_equal(VERDICT_REGRESSED, reported(2));
	assert_int_equal(CALL_REGRESSED, fake.units[3].judged.call);
	assert_int_equal(VERDICT_REGRESSED, reported(3));
	fake_release();
}

static void what_is_known_of_another_metric_widens_nothing(void **state)
{
	(void)state;
	begin("wall");
	assert_int_equal(0, fake_schedule());
	assert_int_equal(CALL_REGRESSED, fake.units[0].judged.call);
	assert_int_equal(17, fake.units[0].n_pairs);
	assert_int_equal(VERDICT_REGRESSED, reported(0));
	fake_release();
}

/*
 * Of five comparisons the median is 2 %, which makes a bound of some 12: +3 % is within it, and no
 * number of pairs gets it out.  Both sides are one build: layouts have no part in it.
 */
static void what_identical_code_differs_by_is_no_decision(void **state)
{
	size_t i;

	(void)state;
	begin("cpu");
	for (i = 0; i < UNITS; i++) {
		known[i].log_ratios = apart;
		known[i].n_log_ratios = 5;
		assert_int_equal(0, str_set(&fake.units[i].base.binary_id, ID_A "-2", NULL));
	}
	fake.plan[1].log_ratio = half_more;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(CALL_INCONCLUSIVE, fake.units[0].judged.call);
	assert_int_equal(24, fake.units[0].n_pairs);
	assert_int_equal(VERDICT_INCONCLUSIVE, reported(0));
	assert_int_equal(CALL_REGRESSED, fake.units[1].judged.call);
	assert_int_equal(VERDICT_REGRESSED, reported(1));
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_ends_when_the_report_is_decided),
		cmocka_unit_test(what_is_known_of_another_metric_widens_nothing),
		cmocka_unit_test(what_identical_code_differs_by_is_no_decision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
