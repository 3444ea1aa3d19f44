/* The project's own shared objects belong to the code, and the cache runs the old ones. */
#include "tests/unit/collector/compile_fixture.h"

#include <sys/stat.h>

#include "collector/child/env.h"
#include "collector/code/cache.h"

#include "lib/base/banned.h"

static struct err err;
static struct bundle one, two;
static struct side side;

static int forget(void **state)
{
	bundle_release(&one);
	bundle_release(&two);
	side_release(&side);
	unsetenv("LD_LIBRARY_PATH");
	file_remove_tree(in_workshop("lib"), NULL);
	file_remove_tree(in_workshop("cache"), NULL);
	return rig_release(state);
}

/* lib/libnumber.so whose number() gives this one. */
static void make_number(int n, const char *flags)
{
	char text[80];
	struct buf words = BUF_INIT;

	needs_compiler();
	mkdir(in_workshop("lib"), 0755);
	snprintf(text, sizeof(text), "int number(void);\nint number(void) { return %d; }\n", n);
	write_source("number.c", text);
	buf_addf(&words, "-O1 -shared -fPIC -o lib/libnumber.so %s number.c", flags);
	compile_words(buf_str(&words));
	buf_release(&words);
}

/* A program that prints number(), linked with these words. */
static void make_program(const char *words)
{
	struct buf all = BUF_INIT;

	write_source("main.c", "#include <stdio.h>\nint number(void);\n"
			       "int main(void) { printf(\"%d\\n\", number()); return 0; }\n");
	buf_addf(&all, "-O1 -o prog main.c %s", words);
	compile_words(buf_str(&all));
	buf_release(&all);
}

static void identify(struct bundle *out)
{
	bundle_release(out);
	if (bundle_of(in_workshop("prog"), NULL, out, &err))
		fail_msg("bundle_of: %s", err.text);
}

static void put(const struct bundle *b)
{
	side_release(&side);
	if (cache_put(in_workshop("cache"), b, &side, &err))
		fail_msg("cache_put: %s", err.text);
}

/* What the side prints when it is run as a benchmark is. */
static void assert_prints(const char *expected)
{
	struct strv env = STRV_INIT;

	assert_int_equal(0, child_env_of_side(&side, &env, &err));
	rig_start(NULL, NULL, NULL);
	rig.spec.exe = side.exe;
	rig.spec.env = env.v;
	rig.spec.dir = "/";
	if (rig_run())
		fail_msg("%s: %s", side.exe, err.text);
	strv_release(&env);
	if (rig.result.exit_status)
		fail_msg("%s", explained());
	assert_string_equal(expected, buf_str(&rig.child.out.head));
	child_release(&rig.child);
}

/* Version 1 into the cache, version 2 over it: the cached side still is version 1. */
static void check_old_copy_runs(const char *library_flags)
{
	identify(&one);
	assert_int_equal(1, one.objects.n);
	put(&one);
	assert_prints("1\n");
	make_number(2, library_flags);
	assert_prints("1\n");
	identify(&two);
	assert_string_not_equal(one.id, two.id);
	put(&two);
	assert_prints("2\n");
	side_release(&side);
	assert_int_equal(0, cache_get(in_workshop("cache"), one.id, &side, &err));
	assert_prints("1\n");
	file_remove_tree(in_workshop("lib"), NULL);
	assert_prints("1\n");
}

static void an_object_found_by_runpath_is_kept(void **state)
{
	(void)state;
	make_number(1, "-Wl,-soname,libnumber.so");
	make_program("-Llib -lnumber -Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib'");
	check_old_copy_runs("-Wl,-soname,libnumber.so");
}

static void an_object_found_by_origin_in_braces_is_kept(void **state)
{
	(void)state;
	make_number(1, "-Wl,-soname,libnumber.so");
	make_program("-Llib -lnumber -Wl,--enable-new-dtags,-rpath,'/nowhere:${ORIGIN}/./lib'");
	check_old_copy_runs("-Wl,-soname,libnumber.so");
}

/* The old-style path is searched before LD_LIBRARY_PATH: such copies are loaded beforehand. */
static void an_object_found_by_rpath_is_kept(void **state)
{
	(void)state;
	make_number(1, "-Wl,-soname,libnumber.so");
	make_program("-Llib -lnumber -Wl,--disable-new-dtags,-rpath,'$ORIGIN/lib'");
	check_old_copy_runs("-Wl,-soname,libnumber.so");
	assert_true(one.rpath);
	assert_non_null(side.preload);
}

static void an_object_without_a_soname_is_kept(void **state)
{
	(void)state;
	make_number(1, "");
	make_program("-Llib -lnumber -Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib'");
	check_old_copy_runs("");
}

static void an_object_found_by_library_path_is_kept(void **state)
{
	(void)state;
	make_number(1, "-Wl,-soname,libnumber.so");
	make_program("-Llib -lnumber");
	setenv("LD_LIBRARY_PATH", in_workshop("lib"), 1);
	check_old_copy_runs("-Wl,-soname,libnumber.so");
}

/* libouter.so, which the program asks for, brings in libnumber.so. */
static void make_outer(const char *flags)
{
	struct buf words = BUF_INIT;

	write_source("outer.c", "int number(void); int outer(void);\n"
				"int outer(void) { return number(); }\n");
	buf_addf(&words, "-O1 -shared -fPIC -o lib/libouter.so outer.c -Llib -lnumber %s", flags);
	compile_words(buf_str(&words));
	buf_release(&words);
	write_source("main.c", "#include <stdio.h>\nint outer(void);\n"
			       "int main(void) { printf(\"%d\\n\", outer()); return 0; }\n");
}

static void check_chain(void)
{
	identify(&one);
	assert_int_equal(2, one.objects.n);
	put(&one);
	assert_prints("1\n");
	make_number(2, "");
	identify(&two);
	assert_string_not_equal(one.id, two.id);
	assert_prints("1\n");
}

static void an_object_of_an_object_is_found_by_its_own_runpath(void **state)
{
	(void)state;
	make_number(1, "");
	make_outer("-Wl,--enable-new-dtags,-rpath,'$ORIGIN'");
	COMPILE("-o prog main.c -Llib -louter "
		"-Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib',-rpath-link,lib");
	check_chain();
}

/* An old-style path of the program serves what its objects ask for, too. */
static void an_object_of_an_object_is_found_by_the_rpath_of_the_program(void **state)
{
	(void)state;
	make_number(1, "");
	make_outer("");
	COMPILE("-o prog main.c -Llib -louter "
		"-Wl,--disable-new-dtags,-rpath,'$ORIGIN/lib',-rpath-link,lib");
	check_chain();
}

static void the_system_s_objects_are_left_to_the_system(void **state)
{
	(void)state;
	needs_compiler();
	write_source("main.c", "#include <math.h>\n"
			       "int main(int c, char **v) { (void)v; return (int)cos(c); }\n");
	COMPILE("-O0 -o prog main.c -lm -Wl,-rpath,/usr/lib/x86_64-linux-gnu");
	identify(&one);
	assert_int_equal(0, one.objects.n);
	put(&one);
	assert_null(side.library_path);
	assert_null(side.preload);
}

/* Where the loader may take one object's functions from another. */
static void check_filter(const char *flag)
{
	struct buf words = BUF_INIT;

	make_number(1, "-Wl,-soname,libnumber.so");
	COMPILE("-O1 -shared -fPIC -Wl,-soname,libfast.so -o lib/libfast.so number.c");
	buf_addf(&words,
		 "-O1 -shared -fPIC -Wl,-soname,libnumber.so -o lib/libnumber.so number.c"
		 " -Wl,%s,libfast.so -Wl,-rpath,'$ORIGIN'",
		 flag);
	compile_words(buf_str(&words));
	buf_release(&words);
	make_program("-Llib -lnumber -Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib',-rpath-link,lib");
	identify(&one);
	assert_int_equal(2, one.objects.n);
	write_source("number.c", "int number(void);\nint number(void) { return 2; }\n");
	COMPILE("-O1 -shared -fPIC -Wl,-soname,libfast.so -o lib/libfast.so number.c");
	identify(&two);
	assert_string_not_equal(one.id, two.id);
}

static void what_an_object_filters_belongs_to_it(void **state)
{
	(void)state;
	check_filter("-f"); /* DT_AUXILIARY */
	check_filter("-F"); /* DT_FILTER */
}

static void assert_no_identity(const char *part)
{
	assert_int_equal(-1, bundle_of(in_workshop("prog"), NULL, &one, &err));
	assert_int_equal(ERR_SYNTAX, err.code);
	if (!strstr(err.text, part))
		fail_msg("'%s' does not say '%s'", err.text, part);
	assert_null(one.exe);
}

/* No copy could stand in for such an object: the old program would load the new one. */
static void an_object_loaded_by_its_path_leaves_no_identity(void **state)
{
	(void)state;
	make_number(1, "");
	make_program("lib/libnumber.so");
	assert_no_identity("lib/libnumber.so");
}

static void a_path_that_depends_on_the_machine_leaves_no_identity(void **state)
{
	(void)state;
	make_number(1, "");
	make_program("-Llib -lnumber -Wl,-rpath,'$ORIGIN/$LIB'");
	assert_no_identity("$LIB");
}

/* Another one is loaded on another machine: a copy in one folder is no longer a choice. */
static void objects_for_some_processors_leave_no_identity(void **state)
{
	(void)state;
	make_number(1, "");
	make_program("-Llib -lnumber -Wl,-rpath,'$ORIGIN/lib/'");
	assert_int_equal(0, shell("mkdir lib/glibc-hwcaps"));
	assert_no_identity("glibc-hwcaps");
	assert_int_equal(0, shell("rmdir lib/glibc-hwcaps && mkdir -p lib/tls/x86_64"));
	identify(&one);
	assert_int_equal(0, shell("cp lib/libnumber.so lib/tls/x86_64"));
	bundle_release(&one);
	assert_no_identity("libnumber.so");
}

static void a_script_has_no_identity(void **state)
{
	(void)state;
	write_source("prog",
		     "#!/bin/sh\nexec true # and more text than a header has bytes ......\n");
	assert_no_identity("not an ELF file");
}

static void objects_that_need_each_other_are_listed_once(void **state)
{
	(void)state;
	make_number(1, "");
	make_outer("-Wl,--enable-new-dtags,-rpath,'$ORIGIN'");
	COMPILE("-O1 -shared -fPIC -o lib/libnumber.so number.c -Wl,--no-as-needed -Llib -louter "
		"-Wl,--enable-new-dtags,-rpath,'$ORIGIN'");
	COMPILE("-o prog main.c -Llib -louter "
		"-Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib',-rpath-link,lib");
	identify(&one);
	assert_int_equal(2, one.objects.n);
}

#define TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_object_found_by_runpath_is_kept),
		TEST(an_object_found_by_origin_in_braces_is_kept),
		TEST(an_object_found_by_rpath_is_kept),
		TEST(an_object_without_a_soname_is_kept),
		TEST(an_object_found_by_library_path_is_kept),
		TEST(an_object_of_an_object_is_found_by_its_own_runpath),
		TEST(an_object_of_an_object_is_found_by_the_rpath_of_the_program),
		TEST(the_system_s_objects_are_left_to_the_system),
		TEST(an_object_loaded_by_its_path_leaves_no_identity),
		TEST(a_path_that_depends_on_the_machine_leaves_no_identity),
		TEST(what_an_object_filters_belongs_to_it),
		TEST(objects_for_some_processors_leave_no_identity),
		TEST(a_script_has_no_identity),
		TEST(objects_that_need_each_other_are_listed_once),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
