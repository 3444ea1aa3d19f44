/* Time that one of several threads loses: real threads, each on made-up clocks of its own. */
#include "tests/unit/harness/test_harness_fake.h"

#include "harness/engine/team.h"

#include "lib/base/banned.h"

#define MS 1000000u
#define SECOND (1000 * MS)
#define THREADS 4
#define ROUNDS 10

static struct engine e;
static struct measured m;

/* What the last thread does in an operation of 1 ms, beyond it. */
static uint64_t lost_ns;
/* All threads wait for as long as they work; the last one is then kept from the processor. */
static bool waits;
static double delay_ns;

static _Thread_local struct mine {
	uint64_t wall_ns, cpu_ns;
	struct usage usage;
} mine;

static uint64_t read_wall(void)
{
	return mine.wall_ns;
}

static uint64_t read_cpu(void)
{
	return mine.cpu_ns;
}

/* Called as often on each thread, so that their clocks show the same when a round begins. */
static void read_usage(struct usage *out)
{
	mine.wall_ns = (mine.wall_ns / SECOND + 1) * SECOND;
	*out = mine.usage;
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	bool last = pawl_thread(r) == THREADS - 1;
	(void)ctx;
	mine.cpu_ns += n * MS;
	mine.wall_ns += n * MS + (last ? n * lost_ns : 0);
	if (!waits)
		return;
	mine.wall_ns += n * MS;
	mine.usage.voluntary_switches += 1;
	mine.usage.run_delay_ns += last ? delay_ns : 0;
}

static const struct clock_row wall_row = FAKE_ROW("wall", KIND_WALL, read_wall);
static const struct clock_row cpu_row = FAKE_ROW("cpu", KIND_THREAD, read_cpu);

/* Ten rounds of one operation on each thread. */
static void measure(void)
{
	struct instruments in = fake_instruments(0);
	struct pawl_bench bench = PAWL_BENCH("t", run);
	struct slice slice;
	bench.threads = THREADS;
	memset(&mine, 0, sizeof(mine));
	in.wall.row = &wall_row;
	in.thread.row = &cpu_row;
	in.process.state = -1;
	in.usage = read_usage;
	assert_int_equal(pawl_engine_open(&e, &in, &bench), 0);
	assert_int_equal(pawl_engine_staff(&e), 0);
	pawl_engine_slice(&e, ROUNDS * THREADS, &slice);
	pawl_engine_result(&e, &m);
	pawl_engine_close(&e);
}

/* The round lasts as long as its slowest thread: 5 % more, of which all lose 1.2 %. */
static void one_thread_that_loses_time_makes_the_batch_longer(void **state)
{
	(void)state;
	waits = false;
	lost_ns = MS / 20;
	measure();
	assert_true(m.wall_ns == ROUNDS * 1.05 * MS);
	assert_int_equal(m.clean.n, 0);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], ROUNDS);
}

static void a_thread_may_lose_2_percent(void **state)
{
	(void)state;
	waits = false;
	lost_ns = MS / 51;
	measure();
	assert_int_equal(m.clean.n, ROUNDS);
	lost_ns = MS / 48;
	measure();
	assert_int_equal(m.clean.n, 0);
}

/* Of 2 ms 2 % are 40 us, and 5 us are for the one switch. */
static void a_thread_that_waits_may_be_delayed_by_2_percent(void **state)
{
	(void)state;
	waits = true;
	lost_ns = 0;
	delay_ns = 44000;
	measure();
	assert_int_equal(m.clean.n, ROUNDS);
	assert_int_equal(m.waiting, ROUNDS);
	delay_ns = 46000;
	measure();
	assert_int_equal(m.clean.n, 0);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_that_loses_time_makes_the_batch_longer),
		cmocka_unit_test(a_thread_may_lose_2_percent),
		cmocka_unit_test(a_thread_that_waits_may_be_delayed_by_2_percent),
	};
	return cmocka_run_group_tests_name("harness/team_lost", tests, NULL, NULL);
}
