/*
 * session_fixture - one libpawl session with tests/helpers/fixture as a broken program, or with
 * an example as a good one.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_RUN_SESSION_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_RUN_SESSION_FIXTURE_H

#include "tests/unit/collector/child_fixture.h"

#include "collector/run/session.h"

#define HELLO "{\"type\":\"hello\",\"protocol\":1}"
#define READY(n) "{\"type\":\"ready\",\"slice\":" #n "}"
#define SLICE(n, wall) \
	"{\"type\":\"slice\",\"slice\":" #n ",\"iterations\":10,\"wall_ns\":" #wall \
	",\"cpu_ns\":" #wall "}"
#define RESULT(n) \
	"{\"type\":\"result\",\"name\":\"b\",\"iterations\":" #n \
	",\"wall_ns\":1000,\"cpu_ns\":900," \
	"\"process_cpu_ns\":900}"
#define CALIBRATION(n) \
	"{\"type\":\"calibration\",\"name\":\"b\",\"iterations\":" #n ",\"wall_ns\":1000," \
	"\"cpu_ns\":900}"
#define BENCHMARK(name) "{\"type\":\"benchmark\",\"name\":\"" name "\"}"
#define ERROR(text) "{\"type\":\"error\",\"name\":null,\"message\":\"" text "\"}"
#define END "{\"type\":\"end\"}"

static struct talking {
	struct session session;
	struct child_result result;
	struct buf why;
	struct err err;
} talking;

/* The session's program says these words; the list ends with NULL. */
#define SCRIPT(...) ((const char *const[]){ __VA_ARGS__, NULL })

static inline void start_script(const char *const *words)
{
	size_t i;

	rig_start("records", NULL, NULL);
	for (i = 0; words[i]; i++) {
		assert_true(i + 3 < FIXTURE_WORDS);
		rig.words[i + 2] = (char *)(uintptr_t)words[i];
		rig.words[i + 3] = NULL;
	}
	rig.spec.record = true;
	rig.spec.timeout_ns = 60000u * (uint64_t)MS;
	err_clear(&talking.err);
	buf_reset(&talking.why);
	session_init(&talking.session);
	if (session_start(&talking.session, &rig.spec, &talking.err))
		fail_msg("session_start: %s", talking.err.text);
}

static inline void step(void)
{
	if (session_step(&talking.session, &talking.err))
		fail_msg("session_step: %s", talking.err.text);
}

static inline void turn(void)
{
	if (session_turn(&talking.session, &talking.err))
		fail_msg("session_turn: %s", talking.err.text);
}

static inline void finish(void)
{
	session_finish(&talking.session, NULL, rig.spec.timeout_ns, &talking.result, &talking.why);
	assert_int_equal(0, buf_check(&talking.why, NULL));
}

/* Start, read to the end or the first turn, finish. */
static inline void play_script(const char *const *words)
{
	start_script(words);
	step();
	finish();
}

static inline void assert_why(const char *part)
{
	if (!strstr(buf_str(&talking.why), part))
		fail_msg("'%s' does not say '%s'", buf_str(&talking.why), part);
}

static inline int session_teardown(void **state)
{
	session_release(&talking.session);
	buf_release(&talking.why);
	return rig_release(state);
}

#endif
