/* What a benchmark sees of our environment: what is on the list, and no secrets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/child/env.h"

#include "lib/base/banned.h"

static struct strv env;
static char **ours; /* cmocka reads it */

static int begin(void **state)
{
	(void)state;
	ours = environ;
	environ = NULL;
	return 0;
}

static int end(void **state)
{
	(void)state;
	strv_release(&env);
	clearenv();
	environ = ours;
	return 0;
}

static void what_is_on_the_list_is_passed_on(void **state)
{
	(void)state;
	assert_int_equal(0, setenv("PATH", "/bin", 1) | setenv("LC_NUMERIC", "C", 1) |
				    setenv("BENCH_SIZE", "9", 1) | setenv("CFLAGS", "", 1));
	assert_int_equal(0, child_env(&env, NULL));
	assert_int_equal(4, env.n);
	assert_true(strv_has(&env, "PATH=/bin"));
	assert_true(strv_has(&env, "LC_NUMERIC=C"));
	assert_true(strv_has(&env, "BENCH_SIZE=9"));
	assert_true(strv_has(&env, "CFLAGS="));
}

/* A hook's GIT_DIR would make a build look at another work tree; a token is nobody's business. */
static void secrets_and_hook_variables_are_not(void **state)
{
	static const char *const bad[] = { "PAWL_TOKEN",
					   "PAWL_FD",
					   "PAWL_SERVER",
					   "GIT_DIR",
					   "GIT_PREFIX",
					   "LD_PRELOAD",
					   "AWS_SECRET_ACCESS_KEY",
					   "PATHS",
					   "XPATH",
					   "path",
					   "LC" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(0, setenv(bad[i], "x", 1));
	assert_int_equal(0, child_env(&env, NULL));
	assert_int_equal(0, env.n);
}

static void what_builds_of_other_languages_need_is_passed_on(void **state)
{
	static const char *const good[] = { "CARGO_HOME",   "RUSTUP_HOME",	 "GOFLAGS",
					    "GOCACHE",	    "CMAKE_PREFIX_PATH", "CPATH",
					    "LIBRARY_PATH", "PKG_CONFIG_PATH",	 "CCACHE_DIR",
					    "JAVA_HOME",    "CGO_CFLAGS" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_int_equal(0, setenv(good[i], "x", 1));
	assert_int_equal(0, setenv("CARGO_TARGET_DIR", "x", 1)); /* both sides would share it */
	assert_int_equal(0, child_env(&env, NULL));
	assert_int_equal(sizeof(good) / sizeof(good[0]), env.n);
}

static void so_are_those_that_are_named(void **state)
{
	struct strv names = STRV_INIT;

	(void)state;
	assert_int_equal(0, setenv("MY_SDK", "/sdk", 1) | setenv("MY_SDK_2", "/sdk", 1));
	assert_int_equal(0, strv_add(&names, "MY_SDK", NULL));
	assert_int_equal(0, child_env_also(&names, NULL));
	assert_int_equal(0, child_env(&env, NULL));
	assert_int_equal(1, env.n);
	assert_string_equal("MY_SDK=/sdk", env.v[0]);
	assert_true(child_env_is_named("MY_SDK=/sdk"));
	assert_false(child_env_is_named("MY_SDK_2=/sdk"));
	strv_release(&names);
	assert_int_equal(0, child_env_also(&names, NULL));
	assert_false(child_env_is_named("MY_SDK=/sdk"));
}

static void an_empty_environment_stays_one(void **state)
{
	struct side side;

	(void)state;
	memset(&side, 0, sizeof(side));
	assert_int_equal(0, child_env_of_side(&side, &env, NULL));
	assert_int_equal(0, env.n);
}

static void cached_objects_come_before_all_others(void **state)
{
	char path[] = "/cache/aa", preload[] = "/cache/aa/libx.so";
	struct side side = { .library_path = path };

	(void)state;
	assert_int_equal(0, child_env_of_side(&side, &env, NULL));
	assert_int_equal(1, env.n);
	assert_string_equal("LD_LIBRARY_PATH=/cache/aa", env.v[0]);
	strv_release(&env);
	assert_int_equal(0, setenv("LD_LIBRARY_PATH", "/ours", 1) | setenv("HOME", "/h", 1));
	side.preload = preload;
	assert_int_equal(0, child_env_of_side(&side, &env, NULL));
	assert_int_equal(3, env.n);
	assert_true(strv_has(&env, "HOME=/h"));
	assert_true(strv_has(&env, "LD_LIBRARY_PATH=/cache/aa:/ours"));
	assert_true(strv_has(&env, "LD_PRELOAD=/cache/aa/libx.so"));
}

static void variables_of_a_side_are_over_all_others(void **state)
{
	char path[] = "/cache/aa", preload[] = "/cache/aa/libx.so";
	struct side side = { .library_path = path, .preload = preload };

	(void)state;
	assert_int_equal(0, setenv("HOME", "/h", 1) | setenv("LD_LIBRARY_PATH", "/ours", 1));
	assert_int_equal(0, strv_add(&side.env, "HOME=/other", NULL));
	assert_int_equal(0, strv_add(&side.env, "LD_LIBRARY_PATH=/asked", NULL));
	assert_int_equal(0, strv_add(&side.env, "LD_PRELOAD=/my.so", NULL));
	assert_int_equal(0, child_env_of_side(&side, &env, NULL));
	assert_int_equal(3, env.n);
	assert_true(strv_has(&env, "HOME=/other"));
	assert_true(strv_has(&env, "LD_LIBRARY_PATH=/asked:/cache/aa"));
	assert_true(strv_has(&env, "LD_PRELOAD=/my.so:/cache/aa/libx.so"));
	strv_release(&side.env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_on_the_list_is_passed_on, begin, end),
		cmocka_unit_test_setup_teardown(secrets_and_hook_variables_are_not, begin, end),
		cmocka_unit_test_setup_teardown(what_builds_of_other_languages_need_is_passed_on,
						begin, end),
		cmocka_unit_test_setup_teardown(so_are_those_that_are_named, begin, end),
		cmocka_unit_test_setup_teardown(an_empty_environment_stays_one, begin, end),
		cmocka_unit_test_setup_teardown(cached_objects_come_before_all_others, begin, end),
		cmocka_unit_test_setup_teardown(variables_of_a_side_are_over_all_others, begin,
						end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
