/* What a repository's own files say of its benchmarks. */
#include "tests/unit/collector/build/trees_fixture.h"

#include "collector/survey/places.h"
#include "collector/survey/sources.h"

#include "lib/base/banned.h"

static enum source_part part;

/* The options that a description with this text gives. */
static const char *options_of(const char *file, const char *what, const char *text)
{
	static char out[512];
	struct strv tracked = STRV_INIT;
	char *options = NULL;

	run(".", "rm", "-rf", "top");
	run(".", "mkdir", "top");
	put(at("top/%s", file), text);
	assert_int_equal(0, strv_add(&tracked, file, &fault));
	assert_int_equal(0,
			 source_options(at("top"), &tracked, "", 0, what, part, &options, &fault));
	snprintf(out, sizeof(out), "%s", options);
	free(options);
	strv_release(&tracked);
	return out;
}

static void options_of_cmake_that_build_benchmarks_are_switched_on(void **state)
{
	const char *file = "CMakeLists.txt";

	(void)state;
	assert_string_equal(options_of(file, file, "option(X_BENCHMARKS \"all (of) it\" OFF)\n"),
			    " -DX_BENCHMARKS=ON");
	assert_string_equal(
		options_of(file, file, "  OPTION ( BUILD_BENCH\n  \"bench\"\n  OFF )\n"),
		" -DBUILD_BENCH=ON");
	assert_string_equal(options_of(file, file, "option(WITH_BENCHMARK \"without a value\")\n"),
			    " -DWITH_BENCHMARK=ON");
	assert_string_equal(
		options_of(file, file, "option(A_BENCH \"\" OFF)\noption(B_BENCH \"\" FALSE)\n"),
		" -DA_BENCH=ON -DB_BENCH=ON");
	assert_string_equal(options_of(file, file, "option(X_BENCHMARKS \"on already\" ON)\n"), "");
	assert_string_equal(options_of(file, file, "option(BENCHMARK_ENABLE_LTO \"x\" OFF)\n"), "");
	assert_string_equal(options_of(file, file, "option(X_NO_BENCH \"x\" OFF)\n"), "");
	assert_string_equal(options_of(file, file, "option(DISABLE_BENCH \"x\" OFF)\n"), "");
	assert_string_equal(options_of(file, file, "# option(X_BENCH \"x\" OFF)\n"), "");
	assert_string_equal(options_of(file, file, "option(X_BENCH \"never closed"), "");
	assert_string_equal(options_of(file, file, "option()\noption( )\noption(X_BENCH)\n"), "");
	assert_string_equal(options_of(file, "meson.build", "option(X_BENCH \"x\" OFF)\n"), "");
}

static void those_that_build_tests_are_apart(void **state)
{
	const char *file = "CMakeLists.txt",
		   *text = "option(X_BENCH \"\" OFF)\noption(X_BUILD_TESTS \"\" OFF)\n";

	(void)state;
	assert_string_equal(options_of(file, file, text), " -DX_BENCH=ON");
	part = PART_TESTS;
	assert_string_equal(options_of(file, file, text), " -DX_BUILD_TESTS=ON");
	assert_string_equal(options_of(file, file, "option(INSTALL_TESTS \"x\" OFF)\n"), "");
	assert_string_equal(options_of(file, file, "option(LATEST \"x\" OFF)\n"), "");
	assert_string_equal(options_of("meson_options.txt", "meson.build",
				       "option('tests', type : 'boolean', value : false)\n"),
			    " -Dtests=true");
	part = PART_BENCHMARKS;
}

static void options_of_meson_are_too(void **state)
{
	const char *file = "meson_options.txt", *what = "meson.build";

	(void)state;
	assert_string_equal(
		options_of(file, what, "option('bench', type : 'boolean', value : false)\n"),
		" -Dbench=true");
	assert_string_equal(
		options_of(file, what, "option('benchmarks', type: 'feature', value: 'auto')\n"),
		" -Dbenchmarks=enabled");
	assert_string_equal(
		options_of(file, what, "option('bench', type : 'boolean', value : true)\n"), "");
	assert_string_equal(options_of(file, what, "option('x', type : 'boolean')\n"), "");
	assert_string_equal(options_of(file, what, "option("), "");
}

static void names_tell_what_is_a_benchmark(void **state)
{
	(void)state;
	assert_true(place_is_benchmark("bench"));
	assert_true(place_is_benchmark("build/json-bench"));
	assert_true(place_is_benchmark("x/benchmarks/parse"));
	assert_true(place_is_benchmark("benchmark_main"));
	assert_false(place_is_benchmark("workbenches/x"));
	assert_false(place_is_benchmark("superperformer"));
	assert_true(place_is_foreign("vendor/x/bench"));
	assert_true(place_is_foreign("a/third_party/x"));
	assert_false(place_is_foreign("vendor"));
	assert_true(place_is_aside("tests/Makefile"));
	assert_int_equal(place_folder("a/b/c"), 3);
	assert_int_equal(place_folder("c"), 0);
	assert_int_equal(place_depth("a/b/c"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_of_cmake_that_build_benchmarks_are_switched_on),
		cmocka_unit_test(those_that_build_tests_are_apart),
		cmocka_unit_test(options_of_meson_are_too),
		cmocka_unit_test(names_tell_what_is_a_benchmark),
	};

	return cmocka_run_group_tests(tests, trees_begin, trees_end);
}
