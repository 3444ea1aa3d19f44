/* The result line, and the collector's reader of it. */
#include "tests/unit/harness/test_harness_fake.h"

#include "harness/session/session.h"
#include "harness/speak/record.h"
#include "lib/record/line.h"

#include "lib/base/banned.h"

#define UNKNOWN __builtin_nan("")

static struct text t;
static char memory[SESSION_MEMORY];
static struct counter counters[COUNTER_MAX];
static struct measured m;

static int fill(void **state)
{
	(void)state;
	pawl_text_init(&t, memory, sizeof(memory));
	m = (struct measured){ .iterations = 8,
			       .wall_ns = 40,
			       .mean_ns = 5,
			       .estimate_ns = 4,
			       .net_ns = 3.5,
			       .throughput_per_s = 2.5e8,
			       .cpu_ratio = 0.5,
			       .strategy = STRATEGY_BATCHES,
			       .estimated = ESTIMATE_CLEAN,
			       .dropped = 10,
			       .waiting = 4 };
	m.clean = (struct spread_figures){ 12, 3, 4, 4.5, 1, 6, 7, 4.25, 4.75 };
	for (int i = 0; i < CAUSE_N; i++)
		m.dropped_by[i] = (uint64_t)i + 1;
	for (int i = 0; i < COUNTER_MAX; i++)
		counters[i] = (struct counter){ .name = pawl_counter_name((size_t)i),
						.state = COUNTER_OK,
						.simulated = i % 2,
						.value = i + 1 };
	return 0;
}

static void write_result(double empty_ns, const struct counter *counted)
{
	struct pawl_bench bench = fake_bench;
	bench.items = 16;
	bench.bytes = 128;
	pawl_record_result(&t, &bench, &m, empty_ns, counted);
	assert_false(t.full);
}

static void has(const char *part)
{
	if (!strstr(t.at, part))
		fail_msg("no %s in %s", part, t.at);
}

static void the_collector_reads(size_t n_counters)
{
	struct line line;
	struct err err = ERR_INIT;
	if (line_parse(t.at, t.used, &line, &err))
		fail_msg("%s", err.text);
	assert_int_equal(line.type, LINE_RESULT);
	assert_true(line.iterations == 8 && line.wall_ns == 40);
	assert_int_equal(line.n_counters, n_counters);
	line_release(&line);
}

static void a_full_result_carries_everything(void **state)
{
	(void)state;
	m.notes = NOTE_APART | NOTE_JUMPED;
	write_result(0.5, counters);
	has("\"strategy\":\"batches\",\"estimate_ns\":4,\"estimate_of\":\"clean\","
	    "\"throughput_per_s\":250000000,\"net_ns\":3.5,\"empty_ns\":0.5,\"mean_ns\":5,");
	has("\"items_per_s\":4000000000,\"bytes_per_s\":32000000000,\"cpu_ratio\":0.5,");
	has("\"clean\":{\"n\":12,\"dropped\":10,\"waiting\":4,\"min_ns\":3,\"median_ns\":4,\"mean_"
	    "ns\":4.5,"
	    "\"sd_ns\":1,\"p99_ns\":6,\"max_ns\":7,\"ci95_low_ns\":4.25,\"ci95_high_ns\":4.75,"
	    "\"clock\":1,\"failed\":2,\"migrated\":3,\"preempted\":4}");
	has("\"notes\":[\"the time was over before 11 clean batches agreed within 1 %\","
	    "\"the clock jumped; batches in which it did are left out\"]");
	has("{\"name\":\"cycles\",\"state\":\"ok\",\"value\":1,\"reason\":null}");
	has("{\"name\":\"instructions\",\"state\":\"ok\",\"value\":2,\"reason\":null,"
	    "\"simulated\":true}");
	/* Branches are counted and their misses simulated: no ratio of the two. */
	assert_null(strstr(t.at, "\"branch-miss-ratio\""));
	the_collector_reads(COUNTER_MAX);
}

static void ratios_are_among_the_derived(void **state)
{
	(void)state;
	for (int i = 0; i < COUNTER_MAX; i++)
		counters[i].simulated = true;
	counters[3].state = COUNTER_SCALED;
	write_result(0.5, counters);
	has("\"derived\":[{\"name\":\"ipc\",\"value\":2,\"scaled\":false,\"simulated\":true},"
	    "{\"name\":\"branch-miss-ratio\",\"value\":1.3333333333333333,\"scaled\":true,"
	    "\"simulated\":true},");
	the_collector_reads(COUNTER_MAX);
}

static void what_cannot_be_had_is_null(void **state)
{
	(void)state;
	m.mean_ns = m.estimate_ns = m.net_ns = m.throughput_per_s = m.cpu_ratio = UNKNOWN;
	m.clean.low = m.clean.high = m.clean.max = UNKNOWN;
	write_result(UNKNOWN, NULL);
	has("\"estimate_ns\":null,\"estimate_of\":\"clean\",\"throughput_per_s\":null,"
	    "\"net_ns\":null,\"empty_ns\":null,\"mean_ns\":null,"
	    "\"items_per_s\":null,"
	    "\"bytes_per_s\":null,\"cpu_ratio\":null,");
	has("\"max_ns\":null,\"ci95_low_ns\":null,\"ci95_high_ns\":null,");
	has("\"notes\":[],\"counters\":[],\"derived\":[]}");
	the_collector_reads(0);
}

static void the_longest_result_fits(void **state)
{
	static char name[256];
	struct pawl_bench bench = fake_bench;
	(void)state;
	memset(name, '"', sizeof(name) - 1); /* twice as long in JSON */
	bench.name = name;
	m.notes = 2 * NOTE_LAST - 1;
	for (int i = 0; i < COUNTER_MAX; i++) {
		counters[i].state = COUNTER_ABSENT;
		memset(counters[i].reason, '"', COUNTER_REASON - 1);
		counters[i].value = -1.2345678901234567e-300;
	}
	pawl_record_result(&t, &bench, &m, 1, counters);
	assert_false(t.full);
	assert_true(t.used < SESSION_MEMORY - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_full_result_carries_everything, fill),
		cmocka_unit_test_setup(ratios_are_among_the_derived, fill),
		cmocka_unit_test_setup(what_cannot_be_had_is_null, fill),
		cmocka_unit_test_setup(the_longest_result_fits, fill),
	};
	return cmocka_run_group_tests_name("harness/result", tests, NULL, NULL);
}
