/* The cache of old executables: entries are whole or not there. */
#include "tests/unit/collector/child_fixture.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>

#include "collector/code/cache.h"

#include "lib/base/banned.h"

static char dir[] = "/tmp/pawl-cache.XXXXXX";
static struct side side;
static struct err err;

#define in_dir(name) file_in(dir, name)

static int open_dir(void **state)
{
	(void)state;
	memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
	return mkdtemp(dir) ? 0 : -1;
}

static int close_dir(void **state)
{
	(void)state;
	side_release(&side);
	umount2(in_dir("cache"), MNT_DETACH); /* of the full disk, also after a failure */
	return file_remove_tree(dir, NULL);
}

/* A bundle of one file of n bytes and one object, with an id of 64 times this digit. */
static struct bundle make_bundle(char digit, size_t n)
{
	struct bundle b;
	struct buf text = BUF_INIT;

	memset(&b, 0, sizeof(b));
	memset(b.id, digit, DIGEST_HEX - 1);
	buf_addn(&text, digit, n);
	assert_int_equal(0, file_write_whole(in_dir("prog"), text.data, n, 0755, NULL));
	assert_int_equal(0, file_write_whole(in_dir("libx.so"), text.data, 1, 0755, NULL));
	buf_release(&text);
	assert_int_equal(0, str_set(&b.exe, in_dir("prog"), NULL));
	assert_int_equal(0, strv_add(&b.objects, in_dir("libx.so"), NULL));
	return b;
}

static int put(const struct bundle *b)
{
	side_release(&side);
	err_clear(&err);
	return cache_put(in_dir("cache"), b, &side, &err);
}

static void put_digit(char digit, size_t n)
{
	struct bundle b = make_bundle(digit, n);

	if (put(&b))
		fail_msg("cache_put: %s", err.text);
	bundle_release(&b);
}

static bool has(char digit)
{
	char id[DIGEST_HEX] = "";
	struct side found;
	bool there;

	memset(id, digit, DIGEST_HEX - 1);
	memset(&found, 0, sizeof(found));
	there = !cache_get(in_dir("cache"), id, &found, NULL);
	side_release(&found);
	return there;
}

static int count_files(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		n += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

/* Makes an entry look as if it was used that long ago. */
static void set_age(const char *path, time_t seconds)
{
	struct timespec times[2] = { { time(NULL) - seconds, 0 }, { time(NULL) - seconds, 0 } };

	assert_int_equal(0, utimensat(AT_FDCWD, path, times, 0));
}

static void age(char digit, time_t seconds)
{
	char name[8 + DIGEST_HEX] = "cache/";

	memset(name + 6, digit, DIGEST_HEX - 1);
	set_age(in_dir(name), seconds);
}

static void an_entry_holds_the_program_and_its_objects(void **state)
{
	struct buf text = BUF_INIT;
	struct stat st;

	(void)state;
	put_digit('a', 1000);
	assert_int_equal(0, file_read_whole(side.exe, 2000, &text, NULL));
	assert_int_equal(1000, text.len);
	assert_int_equal('a', text.data[999]);
	buf_release(&text);
	assert_int_equal(0, stat(side.exe, &st));
	assert_int_equal(0555, st.st_mode & 0777);
	assert_non_null(side.library_path);
	assert_int_equal(3, count_files(side.library_path)); /* and the digests */
	assert_null(side.preload);
}

static void the_same_code_is_one_entry(void **state)
{
	struct bundle b;

	(void)state;
	put_digit('a', 100);
	b = make_bundle('a', 50); /* other bytes, such as debug information, and the same code */
	assert_int_equal(0, put(&b));
	bundle_release(&b);
	assert_int_equal(1, count_files(in_dir("cache")));
}

static void what_is_not_there_is_absent(void **state)
{
	(void)state;
	assert_int_equal(-1, cache_get(in_dir("cache"), "abc", &side, &err));
	assert_int_equal(ERR_ABSENT, err.code);
	assert_null(side.exe);
	assert_int_equal(-1, cache_get(in_dir("cache"), "", &side, &err));
	put_digit('a', 10);
	assert_false(has('b'));
}

static void it_is_remembered_how_an_entry_was_built(void **state)
{
	static const char one[] = "0123456789abcdef", two[] = "fedcba9876543210";
	char id[DIGEST_HEX] = "";

	(void)state;
	memset(id, '1', DIGEST_HEX - 1);
	put_digit('1', 10);
	assert_false(cache_was_built_by(in_dir("cache"), id, one)); /* not known */
	cache_built_by(in_dir("cache"), id, one);
	assert_true(cache_was_built_by(in_dir("cache"), id, one));
	assert_false(cache_was_built_by(in_dir("cache"), id, two));
	cache_built_by(in_dir("cache"), id, two);
	cache_built_by(in_dir("cache"), id, two);
	assert_true(cache_was_built_by(in_dir("cache"), id, one));
	assert_true(cache_was_built_by(in_dir("cache"), id, two));
	assert_true(has('1')); /* and it is as whole as before */
	for (int i = 0; i < 1000; i++) {
		char way[17];

		snprintf(way, sizeof(way), "%016x", i);
		cache_built_by(in_dir("cache"), id, way);
	}
	assert_true(cache_was_built_by(in_dir("cache"), id, "00000000000003e7"));
	assert_true(has('1'));
}

/* Ids come from stored results: none of them may lead out of the cache. */
static void an_id_that_is_a_path_is_absent(void **state)
{
	char id[2 * DIGEST_HEX] = "../cache/";

	(void)state;
	put_digit('a', 10);
	side_release(&side);
	memset(id + 9, '/', DIGEST_HEX);
	memset(id + 9 + DIGEST_HEX - 20, 'a', DIGEST_HEX - 1);
	assert_int_equal(-1, cache_get(in_dir("cache"), id, &side, &err));
	assert_int_equal(ERR_ABSENT, err.code);
}

/* The id of a stored result has its inputs behind the code: the code alone names the entry. */
static void only_the_code_names_an_entry(void **state)
{
	char id[] =
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-0123456789abcdef";

	(void)state;
	put_digit('a', 10);
	side_release(&side);
	assert_int_equal(0, cache_get(in_dir("cache"), id, &side, &err));
}

static void the_remains_of_an_entry_are_replaced(void **state)
{
	char rest[9 + DIGEST_HEX] = "cache/";
	struct bundle b = make_bundle('a', 10);

	(void)state;
	memset(rest + 6, 'a', DIGEST_HEX - 1);
	assert_int_equal(0, file_make_dirs(in_dir(rest), 0755, NULL));
	rest[6 + DIGEST_HEX - 1] = '/';
	rest[7 + DIGEST_HEX - 1] = 'x';
	assert_int_equal(0, file_copy(in_dir("libx.so"), in_dir(rest), 0755, NULL));
	assert_false(has('a'));
	if (put(&b))
		fail_msg("cache_put: %s", err.text);
	bundle_release(&b);
	assert_true(has('a'));
	assert_int_equal(1, count_files(in_dir("cache")));
}

static void a_program_that_vanished_leaves_no_entry(void **state)
{
	struct bundle b = make_bundle('a', 10);

	(void)state;
	assert_int_equal(0, unlink(in_dir("libx.so")));
	assert_int_equal(-1, put(&b));
	bundle_release(&b);
	assert_int_equal(0, count_files(in_dir("cache")));
	assert_false(has('a'));
}

static void trimming_drops_what_was_used_longest_ago(void **state)
{
	const struct strv none = STRV_INIT;

	(void)state;
	put_digit('a', 1000);
	put_digit('b', 1000);
	put_digit('c', 1000);
	age('a', 10);
	age('b', 30);
	age('c', 20);
	assert_int_equal(0, cache_trim(in_dir("cache"), 2600, &none, &err));
	assert_false(has('b'));
	assert_true(has('a') && has('c')); /* which makes them used now */
	age('a', 10);
	assert_int_equal(0, cache_trim(in_dir("cache"), 1800, &none, &err));
	assert_true(has('c'));
	assert_false(has('a'));
	assert_int_equal(1, count_files(in_dir("cache")));
}

static void a_use_makes_an_entry_new(void **state)
{
	const struct strv none = STRV_INIT;

	(void)state;
	put_digit('a', 1000);
	put_digit('b', 1000);
	age('a', 100);
	age('b', 50);
	assert_true(has('a'));
	assert_int_equal(0, cache_trim(in_dir("cache"), 1800, &none, &err));
	assert_true(has('a'));
	assert_false(has('b'));
}

static void what_is_in_use_is_kept_though_it_is_too_much(void **state)
{
	struct strv keep = STRV_INIT;
	char id[DIGEST_HEX] = "";

	(void)state;
	put_digit('a', 1000);
	put_digit('b', 1000);
	age('a', 100);
	age('b', 50);
	memset(id, 'a', DIGEST_HEX - 1);
	assert_int_equal(0, strv_add(&keep, id, NULL));
	assert_int_equal(0, cache_trim(in_dir("cache"), 0, &keep, &err));
	strv_release(&keep);
	assert_true(has('a'));
	assert_false(has('b'));
}

static void trimming_needs_no_cache(void **state)
{
	const struct strv none = STRV_INIT;

	(void)state;
	assert_int_equal(0, cache_trim(in_dir("nowhere"), 0, &none, &err));
}

/* Whatever a killed pawl was in the middle of is removed later, and only that. */
static void left_overs_are_removed(void **state)
{
	const struct strv none = STRV_INIT;

	(void)state;
	put_digit('a', 10);
	assert_int_equal(0, file_make_dirs(in_dir("cache/tmp.old"), 0700, NULL));
	assert_int_equal(0, file_write_whole(in_dir("cache/tmp.old/exe"), "x", 1, 0755, NULL));
	assert_int_equal(0, file_make_dirs(in_dir("cache/tmp.new"), 0700, NULL));
	assert_int_equal(0, file_write_whole(in_dir("cache/pawl-anchor"), "x", 1, 0755, NULL));
	set_age(in_dir("cache/tmp.old"), 7200);
	set_age(in_dir("cache/pawl-anchor"), 7200);
	assert_int_equal(0, cache_trim(in_dir("cache"), 1 << 20, &none, &err));
	assert_false(file_exists(in_dir("cache/tmp.old")));
	assert_true(file_exists(in_dir("cache/tmp.new")));
	assert_true(file_exists(in_dir("cache/pawl-anchor")));
	assert_true(has('a'));
}

static void four_at_once_leave_one_entry(void **state)
{
	struct bundle b = make_bundle('a', 300000);
	pid_t pids[4];
	int i, status, round;

	(void)state;
	for (round = 0; round < 10; round++) {
		file_remove_tree(in_dir("cache"), NULL);
		for (i = 0; i < 4; i++) {
			pids[i] = fork();
			assert_true(pids[i] >= 0);
			if (pids[i] == 0)
				_exit(put(&b) || !side.exe ? 1 : 0);
		}
		for (i = 0; i < 4; i++) {
			assert_int_equal(pids[i], waitpid(pids[i], &status, 0));
			assert_int_equal(0, status);
		}
		assert_int_equal(1, count_files(in_dir("cache")));
		assert_true(has('a'));
	}
	bundle_release(&b);
}

static void a_full_disk_leaves_the_cache_as_it_was(void **state)
{
	struct bundle b;

	(void)state;
	assert_int_equal(0, mkdir(in_dir("cache"), 0755));
	if (mount("tmpfs", in_dir("cache"), "tmpfs", 0, "size=256k")) {
		print_message("# skipped: only root can mount a small file system\n");
		skip();
	}
	put_digit('a', 20000);
	b = make_bundle('b', 1000000);
	assert_int_equal(-1, put(&b));
	assert_int_equal(ERR_FULL, err.code);
	bundle_release(&b);
	assert_false(has('b'));
	assert_true(has('a'));
	assert_int_equal(1, count_files(in_dir("cache")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_dir, close_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_entry_holds_the_program_and_its_objects),
		TEST(the_same_code_is_one_entry),
		TEST(what_is_not_there_is_absent),
		TEST(it_is_remembered_how_an_entry_was_built),
		TEST(an_id_that_is_a_path_is_absent),
		TEST(only_the_code_names_an_entry),
		TEST(the_remains_of_an_entry_are_replaced),
		TEST(a_program_that_vanished_leaves_no_entry),
		TEST(trimming_drops_what_was_used_longest_ago),
		TEST(a_use_makes_an_entry_new),
		TEST(what_is_in_use_is_kept_though_it_is_too_much),
		TEST(trimming_needs_no_cache),
		TEST(left_overs_are_removed),
		TEST(four_at_once_leave_one_entry),
		TEST(a_full_disk_leaves_the_cache_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
