/* The second start, with shell scripts in valgrind's place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/counter/callgrind.h"
#include "harness/counter/valgrind.h"
#include "harness/counter/valgrind_child.h"

#include "lib/base/banned.h"

#define PATH_SIZE 300

static char dir[] = "/tmp/pawl-test.XXXXXX";
static char left[PATH_SIZE]; /* TMPDIR: where nothing may be left */
static struct counter counters[COUNTER_MAX];
static struct valgrind_counts counts;
static char why[COUNTER_REASON];

static int make_dir(void **state)
{
	char path[PATH_SIZE * 2];
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	(void)snprintf(left, sizeof(left), "%s/left", dir);
	(void)snprintf(path, sizeof(path), "%s:%s", dir, getenv("PATH"));
	return mkdir(left, 0700) || setenv("TMPDIR", left, 1) || setenv("PATH", path, 1);
}

static int remove_dir(void **state)
{
	static const char *const names[] = { "valgrind", "counts", "pid" };
	char path[PATH_SIZE];
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		(void)unlink(path);
	}
	return rmdir(left) || rmdir(dir);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	char path[PATH_SIZE];
	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, mode), 0);
}

static void nothing_is_left(void)
{
	DIR *d = opendir(left);
	int n = 0;
	assert_non_null(d);
	while (readdir(d))
		n++;
	(void)closedir(d);
	assert_int_equal(n, 2); /* . and .. */
}

/* Counts with a script as valgrind; $PAWL_COUNT is the folder. */
static bool count_with(const char *script, int patience_ms)
{
	char text[4096];
	(void)snprintf(text, sizeof(text), "#!/bin/sh\ndir=%s\n%s\n", dir, script);
	write_file("valgrind", text, 0700);
	why[0] = '\0';
	bool good = pawl_valgrind_count("a/benchmark", patience_ms, &counts, why, sizeof(why));
	nothing_is_left();
	return good;
}

#define WHOLE \
	"n 4 0\nIr 100 180\nDr 40 60\nDw 1 1\nI1mr 3 3\nD1mr 8 16\nD1mw 0 4\nILmr 1 1\n" \
	"DLmr 0 2\nDLmw 0 0\nBc 10 18\nBcm 5 5\nBi 2 6\nBim 7 3\nend 0 0\n"

static double of(const char *name)
{
	const struct counter *c = pawl_counter_valued(counters, name);
	if (!c)
		fail_msg("%s has no value", name);
	assert_int_equal(c->state, COUNTER_OK);
	assert_true(c->simulated);
	return c->value;
}

static void counters_are_slopes_between_n_and_2n(void **state)
{
	(void)state;
	write_file("counts", WHOLE, 0600);
	char path[PATH_SIZE];
	(void)snprintf(path, sizeof(path), "%s/counts", dir);
	assert_true(pawl_valgrind_read(path, &counts, why, sizeof(why)));
	pawl_valgrind_report(&counts, counters);
	assert_true(of("instructions") == 20);
	assert_true(of("branches") == 3); /* Bc and Bi: (18 + 6 - 10 - 2) / 4 */
	assert_true(of("l1d-reads") == 5);
	assert_true(of("l1d-misses") == 2 && of("llc-loads") == 2);
	assert_true(of("llc-misses") == 0.5);
	assert_true(of("cache-references") == 3); /* I1mr, D1mr, D1mw: (23 - 11) / 4 */
	assert_true(of("cache-misses") == 0.5);
	/* 12 misses in 4 iterations and 8 in 8: no slope, so the mean of the longer region. */
	assert_true(of("branch-misses") == 1);
	assert_null(pawl_counter_valued(counters, "cycles"));
	assert_null(pawl_counter_valued(counters, "page-faults"));
	assert_string_equal(counters[0].reason, "callgrind does not simulate it");
}

static void counts_that_are_not_whole_are_refused(void **state)
{
	static const char *const bad[] = {
		"", "n 0 0\n", "n 4 0\n", "n 4\n", "Ir 1 2\n", "n 4 0\nIr 100\n", "n x 0\n",
	};
	char path[PATH_SIZE], cut[sizeof(WHOLE)];
	(void)state;
	(void)snprintf(path, sizeof(path), "%s/counts", dir);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_file("counts", bad[i], 0600);
		assert_false(pawl_valgrind_read(path, &counts, why, sizeof(why)));
		assert_string_equal(why, "the counts of the second start are not whole");
	}
	for (size_t n = 0; n < sizeof(WHOLE) - 1; n++) {
		(void)snprintf(cut, sizeof(cut), "%.*s", (int)n, WHOLE);
		write_file("counts", cut, 0600);
		assert_false(pawl_valgrind_read(path, &counts, why, sizeof(why)));
	}
	write_file("counts", "error setup failed with code 7\n", 0600);
	assert_false(pawl_valgrind_read(path, &counts, why, sizeof(why)));
	assert_string_equal(why, "setup failed with code 7");
}

static void the_second_start_is_told_what_to_do(void **state)
{
	(void)state;
	assert_true(count_with("[ \"$PAWL_BENCHMARK\" = a/benchmark ] || exit 5\n"
			       "[ -z \"$PAWL_FD$SECRET\" ] || exit 6\n"
			       "[ -w \"$PAWL_COUNT\" ] || exit 7\n"
			       "case \" $* \" in *' --instr-atstart=no '*) ;; *) exit 8 ;; esac\n"
			       "case \" $* \" in *' --LL=8388608,16,64 '*) ;; *) exit 8 ;; esac\n"
			       "printf '" WHOLE "' >$PAWL_COUNT/counts; : >$PAWL_COUNT/out.1\n",
			       60000));
	assert_int_equal(counts.n, 4);
	assert_int_equal(counts.twice[0], 180);
}

static void whatever_goes_wrong_is_a_reason(void **state)
{
	static const struct {
		const char *script, *reason;
	} bad[] = {
		{ "exit 0", "the program ended before its benchmark was counted" },
		{ "exit 3", "the program ended with status 3 under valgrind" },
		{ "printf '" WHOLE "' >$PAWL_COUNT/counts; exit 3",
		  "the program ended with status 3 under valgrind" },
		{ "kill -ABRT $$", "the program was ended by signal 6 under valgrind" },
		{ "echo n 4 >$PAWL_COUNT/counts", "the counts of the second start are not whole" },
		{ "echo error bad >$PAWL_COUNT/counts", "bad" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_false(count_with(bad[i].script, 60000));
		assert_string_equal(why, bad[i].reason);
	}
}

static void one_that_hangs_is_killed_with_its_children(void **state)
{
	char path[PATH_SIZE], wanted[64];
	int pid = 0, seconds;
	FILE *file = NULL;
	(void)state;
	(void)snprintf(path, sizeof(path), "%s/pid", dir);
	/* Until it is long enough for the script to start, however busy the machine. */
	for (seconds = 1; !file && seconds < 1000; seconds *= 2) {
		assert_false(count_with("sleep 1000 & echo $! >$dir/pid.new; "
					"mv $dir/pid.new $dir/pid; wait",
					1000 * seconds));
		(void)snprintf(wanted, sizeof(wanted), "took longer than %d s under valgrind",
			       seconds);
		assert_string_equal(why, wanted);
		file = fopen(path, "re");
	}
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%9d", &pid), 1);
	(void)fclose(file);
	for (int i = 0; i < 30000 && kill(pid, 0) == 0; i++)
		(void)usleep(10000);
	assert_int_equal(kill(pid, 0), -1);
}

static void without_a_folder_or_valgrind_the_cure_is_told(void **state)
{
	char path[PATH_SIZE + 16], *before;
	(void)state;
	before = strdup(getenv("PATH"));
	assert_non_null(before);
	(void)snprintf(path, sizeof(path), "%s::relative", left);
	assert_int_equal(setenv("PATH", path, 1), 0);
	assert_false(pawl_valgrind_count("x", 1000, &counts, why, sizeof(why)));
	assert_int_equal(setenv("PATH", before, 1), 0);
	free(before);
	assert_string_equal(why, "valgrind is not installed: install it, or say --counters=perf");
	write_file("valgrind", "#!/bin/sh\n", 0700);
	assert_int_equal(setenv("TMPDIR", "/nowhere", 1), 0);
	assert_false(pawl_valgrind_count("x", 1000, &counts, why, sizeof(why)));
	assert_int_equal(setenv("TMPDIR", left, 1), 0);
	assert_string_equal(why, "cannot make a folder in /nowhere: No such file or directory");
}

/* As under ulimit -n: nothing more can be opened. */
static void without_a_descriptor_the_limit_is_the_reason(void **state)
{
	struct rlimit before, none;
	char path[PATH_SIZE];
	int first;
	bool counted, read;
	(void)state;
	write_file("valgrind", "#!/bin/sh\n", 0700);
	(void)snprintf(path, sizeof(path), "%s/valgrind", dir);
	first = open("/dev/null", O_RDONLY);
	assert_true(first >= 0 && close(first) == 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = (rlim_t)first;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	why[0] = '\0';
	read = pawl_valgrind_read(path, &counts, why, sizeof(why));
	char read_why[COUNTER_REASON];
	memcpy(read_why, why, sizeof(why));
	counted = pawl_valgrind_count("x", 1000, &counts, why, sizeof(why));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_false(read || counted);
	assert_string_equal(why, "cannot start this program again: Too many open files");
	assert_string_equal(read_why,
			    "cannot read the counts of the second start: Too many open files");
	nothing_is_left();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_slopes_between_n_and_2n),
		cmocka_unit_test(counts_that_are_not_whole_are_refused),
		cmocka_unit_test(the_second_start_is_told_what_to_do),
		cmocka_unit_test(whatever_goes_wrong_is_a_reason),
		cmocka_unit_test(one_that_hangs_is_killed_with_its_children),
		cmocka_unit_test(without_a_descriptor_the_limit_is_the_reason),
		cmocka_unit_test(without_a_folder_or_valgrind_the_cure_is_told),
	};
	return cmocka_run_group_tests_name("harness/valgrind", tests, make_dir, remove_dir);
}
