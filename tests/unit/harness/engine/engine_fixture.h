/*
 * engine_fixture - one engine on the fake clocks.
 */
#ifndef PAWL_TESTS_UNIT_HARNESS_ENGINE_FIXTURE_H
#define PAWL_TESTS_UNIT_HARNESS_ENGINE_FIXTURE_H

#include "tests/unit/harness/test_harness_fake.h"

#define MS 1000000u

static struct engine engine;
static struct instruments in;

static inline void open_engine(const struct pawl_bench *bench)
{
	assert_int_equal(pawl_engine_open(&engine, &in, bench), 0);
}

/* Opens it for the fake benchmark and makes the first call. */
static inline void open_first(void)
{
	open_engine(&fake_bench);
	pawl_engine_first(&engine);
}

/* What that benchmark gives in batches; the engine is closed. */
static inline int batches(double longest_ns, struct measured *out)
{
	int error;

	open_first();
	error = pawl_engine_batches(&engine, longest_ns);
	pawl_engine_result(&engine, out);
	pawl_engine_close(&engine);
	return error;
}

#endif
