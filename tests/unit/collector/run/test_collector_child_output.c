/* The digest of all that a child writes to stdout, also of what is not kept. */
#include "tests/unit/collector/child_fixture.h"

#include <math.h>
#include <fcntl.h>

#include "lib/base/digest.h"
#include "tests/helpers/fixture.h"

#include "lib/base/banned.h"

static void run_hashed(const char *mode, const char *first, const char *second)
{
	rig_start(mode, first, second);
	rig.spec.digest_output = true;
	if (rig_run())
		fail_msg("child_run: %s", rig.err.text);
}

/* SHA-256 of "abc" by FIPS 180-4, appendix B.1. */
static void the_digest_is_the_start_of_the_sha_256(void **state)
{
	(void)state;
	rig_start("abc", NULL, NULL);
	rig.spec.exe = "/usr/bin/printf";
	rig.spec.digest_output = true;
	assert_int_equal(0, rig_run());
	assert_true(rig.result.has_output);
	assert_string_equal("ba7816bf8f01cfea", rig.result.output);
}

static void every_byte_counts_also_those_that_are_not_kept(void **state)
{
	static const size_t sizes[] = { 1, 65535, 65536, 65537, 131073, 5000003 };
	char text[32], expected[DIGEST_HEX];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *bytes = malloc(sizes[i]);

		assert_non_null(bytes);
		for (k = 0; k < sizes[i]; k++)
			bytes[k] = (char)fixture_byte(k);
		assert_int_equal(0, digest_of(bytes, sizes[i], expected, NULL));
		free(bytes);
		expected[CHILD_DIGEST_HEX - 1] = '\0';
		snprintf(text, sizeof(text), "%zu", sizes[i]);
		run_hashed("print", text, "70000"); /* and that to stderr, which is not meant */
		assert_true(rig.result.has_output);
		assert_string_equal(expected, rig.result.output);
		child_release(&rig.child);
	}
}

static void nothing_printed_is_known_and_empty(void **state)
{
	(void)state;
	run_hashed("print", "0", "10");
	assert_true(rig.result.has_output);
	assert_string_equal("", rig.result.output);
}

static void without_being_asked_nothing_is_hashed(void **state)
{
	(void)state;
	run_fixture("print", "10", NULL);
	assert_false(rig.result.has_output);
	assert_string_equal("", rig.result.output);
}

static void a_flood_that_is_hashed_does_not_hide_the_deadline(void **state)
{
	(void)state;
	rig_start("flood", NULL, NULL);
	rig.spec.digest_output = true;
	rig.spec.timeout_ns = 200 * MS;
	assert_int_equal(0, rig_run());
	assert_true(rig.result.timed_out);
	assert_int_equal(CHILD_OUTPUT_HEAD, rig.child.out.head.len);
	assert_int_equal(CHILD_OUTPUT_TAIL, rig.child.out.tail.len);
}

static void a_child_that_is_given_up_leaks_no_digest(void **state)
{
	(void)state;
	rig_start("flood", NULL, NULL);
	rig.spec.digest_output = true;
	rig.spec.timeout_ns = 50 * MS;
	assert_int_equal(0, child_start(&rig.spec, &rig.child, &rig.err));
	assert_int_equal(CHILD_TIMEOUT, child_poll(&rig.child, false));
	child_release(&rig.child);
}

static void migrations_are_a_count_or_not_known(void **state)
{
	(void)state;
	run_fixture("burn", "5", NULL);
	if (access("/proc/self/sched", R_OK))
		assert_true(isnan(rig.result.migrations));
	else
		assert_true(rig.result.migrations >= 0 && rig.result.migrations < 1e6);
}

#define TEST(name) cmocka_unit_test_teardown(name, rig_release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_digest_is_the_start_of_the_sha_256),
		TEST(every_byte_counts_also_those_that_are_not_kept),
		TEST(nothing_printed_is_known_and_empty),
		TEST(without_being_asked_nothing_is_hashed),
		TEST(a_flood_that_is_hashed_does_not_hide_the_deadline),
		TEST(a_child_that_is_given_up_leaks_no_digest),
		TEST(migrations_are_a_count_or_not_known),
	};

	return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
