/* Threads of one benchmark that do not start at once. */
#include "tests/unit/harness/engine/team_fixture.h"

#include "lib/base/banned.h"

static pid_t first_thread;
static atomic_uint first_began; /* its rounds */

/* The wall clock, which the first thread says that it has read. */
static uint64_t read_and_tell(void)
{
	uint64_t now = real.wall.row->begin();
	if (gettid() == first_thread)
		atomic_fetch_add(&first_began, 1);
	return now;
}

/*
 * The CPU clock, which all but the first thread come to 2 ms behind its beginning: a neighbour that
 * holds up the first one makes none of them early.
 */
static uint64_t read_late(void)
{
	static unsigned rounds; /* of the second thread alone */
	if (gettid() != first_thread) {
		uint64_t from = real.wall.row->begin();
		while (atomic_load(&first_began) == rounds &&
		       (double)(real.wall.row->end() - from) < real.wall.hz)
			(void)sched_yield();
		rounds = atomic_load(&first_began);
		spend(2000000);
	}
	return real.thread.row->end();
}

/* Two threads that are busy for 1 us an operation, of which one starts 2 ms behind the other. */
static void a_thread_that_starts_late_makes_no_clean_batch(void **state)
{
	struct clock_row late, telling;
	struct instruments in;
	struct slice slice;
	struct measured m;
	int tries = 0;
	(void)state;
	assert_int_equal(open_engine(2), 0);
	pawl_engine_close(&e);
	late = *real.thread.row;
	late.begin = read_late;
	telling = *real.wall.row;
	telling.begin = read_and_tell;
	in = real;
	in.thread.row = &late;
	in.wall.row = &telling;
	first_thread = gettid();
	/*
	 * What passed before the start is no reason to call few iterations a batch.  A neighbour
	 * that took the processor from the first batch is one, but not time and again.
	 */
	do {
		assert_int_equal(pawl_engine_open(&e, &in, &bench), 0);
		assert_int_equal(pawl_engine_staff(&e), 0);
		pawl_engine_slice(&e, 40000, &slice);
		pawl_engine_result(&e, &m);
		pawl_engine_close(&e);
	} while (e.step < 200 && ++tries < 20);
	assert_true(e.step >= 200);
	if (!m.pinned) {
		print_message("# skipped: there are not two processors\n");
		skip();
	}
	assert_int_equal(m.clean.n, 0);
	assert_true(m.dropped_by[CAUSE_PREEMPTED] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_starts_late_makes_no_clean_batch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
