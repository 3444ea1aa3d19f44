/* Fresh copies of both sides: same bytes, same length of path, gone at the end. */
#include "tests/unit/collector/code/stage_fixture.h"

#include "collector/code/stage_folder.h"

#include "lib/base/banned.h"

static ino_t inode_of(const char *path)
{
	struct stat st;

	assert_int_equal(0, stat(path, &st));
	return st.st_ino;
}

static void assert_same_bytes(const char *a, const char *b)
{
	char one[DIGEST_HEX], other[DIGEST_HEX];

	assert_int_equal(0, digest_of_file(a, one, NULL));
	assert_int_equal(0, digest_of_file(b, other, NULL));
	assert_string_equal(one, other);
}

static void equal_executables_get_a_copy_each_at_paths_of_equal_length(void **state)
{
	(void)state;
	place(0);
	assert_same_bytes(at.head->exe, unit.head.exe);
	assert_same_bytes(at.base->exe, unit.base.exe);
	assert_string_not_equal(at.head->exe, at.base->exe);
	assert_true(inode_of(at.head->exe) != inode_of(at.base->exe));
	assert_int_equal(strlen(at.head->exe), strlen(at.base->exe));
	assert_int_equal(0, access(at.head->exe, X_OK));
	assert_null(at.head->library_path);
	assert_null(stage.failure);
}

static void a_copy_serves_five_pairs_and_is_then_made_anew(void **state)
{
	char first[300];
	size_t i;

	(void)state;
	stage.every = 5;
	place(0);
	snprintf(first, sizeof(first), "%s", at.head->exe);
	for (i = 1; i < 5; i++) {
		place(i);
		assert_string_equal(first, at.head->exe);
	}
	place(5);
	assert_string_not_equal(first, at.head->exe);
	assert_int_equal(strlen(first), strlen(at.head->exe));
	assert_int_equal(0, access(first, F_OK)); /* its pages are not given to the next one */
	assert_same_bytes(at.head->exe, unit.head.exe);
	assert_int_equal(0, str_set(&unit.name, "c", NULL));
	place(4); /* a unit that lags behind takes what is there */
	assert_string_not_equal(first, at.head->exe);
	assert_int_equal(2, stage.n_made);
	place(10);
	assert_int_equal(-1, access(first, F_OK));
}

static void place_layout(size_t pair, unsigned layout, const char *base, const char *head)
{
	struct stage_job wanted = job(pair);
	struct strv base_instead = STRV_INIT, head_instead = STRV_INIT;

	assert_int_equal(0, strv_add(&base_instead, unit.base.exe, NULL));
	assert_int_equal(0, strv_add(&base_instead, base, NULL));
	assert_int_equal(0, strv_add(&head_instead, unit.head.exe, NULL));
	assert_int_equal(0, strv_add(&head_instead, head, NULL));
	wanted.layout = layout;
	wanted.base_instead = &base_instead;
	wanted.head_instead = &head_instead;
	if (stage_place(&stage, &wanted, &at, &err))
		fail_msg("stage_place: %s", err.text);
	strv_release(&base_instead);
	strv_release(&head_instead);
}

static void another_layout_is_copied_in_place_of_the_executables(void **state)
{
	char base[300], head[300];

	(void)state;
	snprintf(base, sizeof(base), "%s", in_dir("base"));
	snprintf(head, sizeof(head), "%s", in_dir("head"));
	put("base", "1", 0755);
	put("head", "2", 0755);
	stage.every = 5;
	place_layout(0, 3, base, head);
	assert_int_equal(at.layout, 3);
	assert_same_bytes(at.base->exe, base);
	assert_same_bytes(at.head->exe, head);
	place_layout(1, 4, head, base); /* a layout of its own, copied anew */
	assert_int_equal(at.layout, 4);
	assert_same_bytes(at.base->exe, head);
	place(2);
	assert_int_equal(at.layout, 0);
	assert_same_bytes(at.head->exe, unit.head.exe);
	unit.head.stays = true; /* of another entry: it moves only where it has layouts */
	assert_int_equal(0, str_set(&unit.head.dir, dir, NULL));
	place(3);
	assert_int_equal(at.layout, 0);
	assert_string_equal(at.head->exe, unit.head.exe);
	place_layout(4, 3, base, head);
	assert_int_equal(at.layout, 3);
	assert_same_bytes(at.base->exe, base);
}

static void every_pair_has_copies_of_its_own_unless_they_are_large(void **state)
{
	char first[300];
	int fd;

	(void)state;
	place(0);
	snprintf(first, sizeof(first), "%s", at.head->exe);
	place(1);
	assert_string_not_equal(first, at.head->exe);
	assert_int_equal(0, mkdir(in_dir("entry"), 0755));
	put("entry/exe", "executable", 0755);
	fd = open(in_dir("entry/exe"), O_WRONLY | O_CLOEXEC);
	assert_int_equal(0, ftruncate(fd, STAGE_LARGE));
	close(fd);
	set_side(&unit.head, in_dir("entry/exe"), in_dir("entry"));
	place(0);
	snprintf(first, sizeof(first), "%s", at.head->exe);
	place(4);
	assert_string_equal(first, at.head->exe);
	place(5);
	assert_string_not_equal(first, at.head->exe);
}

static void units_of_one_executable_share_the_copies(void **state)
{
	char first[300];

	(void)state;
	place(0);
	snprintf(first, sizeof(first), "%s", at.head->exe);
	assert_int_equal(0, str_set(&unit.name, "other", NULL));
	place(0);
	assert_string_equal(first, at.head->exe);
}

static void a_script_runs_where_it_lies_and_so_does_the_other_side(void **state)
{
	(void)state;
	put("script", "#!/bin/sh\n", 0755);
	set_side(&unit.base, in_dir("script"), NULL);
	place(0);
	assert_ptr_equal(&unit.head, at.head);
	assert_ptr_equal(&unit.base, at.base);
	assert_null(stage.failure);
	place(1);
	assert_ptr_equal(&unit.base, at.base);
}

static void what_has_no_identity_runs_where_it_lies(void **state)
{
	(void)state;
	free(unit.head.binary_id);
	unit.head.binary_id = NULL;
	place(0);
	assert_ptr_equal(&unit.head, at.head);
	assert_ptr_equal(&unit.base, at.base);
}

static void cached_objects_are_copied_and_looked_for_beside_the_copy(void **state)
{
	char object[300];

	(void)state;
	assert_int_equal(0, mkdir(in_dir("entry"), 0755));
	put("entry/exe", "executable", 0555);
	put("entry/libx.so.1", "object", 0555);
	put("entry/sums", "list", 0644);
	set_side(&unit.head, in_dir("entry/exe"), in_dir("entry"));
	assert_int_equal(0, str_set(&unit.head.preload, in_dir("entry/libx.so.1"), NULL));
	assert_int_equal(0, str_set(&unit.head.dir, "/tmp", NULL));
	place(0);
	assert_null(stage.failure);
	snprintf(object, sizeof(object), "%s/libx.so.1", at.head->library_path);
	assert_same_bytes(object, in_dir("entry/libx.so.1"));
	assert_string_equal(object, at.head->preload);
	assert_string_equal("/tmp", at.head->dir);
	snprintf(object, sizeof(object), "%s/sums", at.head->library_path);
	assert_int_equal(-1, access(object, F_OK));
	assert_null(at.base->library_path);
}

static void a_head_alone_is_copied_too(void **state)
{
	(void)state;
	unit.has_base = false;
	side_release(&unit.base);
	place(0);
	assert_string_not_equal(at.head->exe, unit.head.exe);
	assert_same_bytes(at.head->exe, unit.head.exe);
}

static void a_copy_that_cannot_be_made_is_told_and_all_run_where_they_lie(void **state)
{
	(void)state;
	place(0);
	assert_int_equal(0, file_remove_tree(stage.dir, NULL));
	place(1);
	assert_non_null(stage.failure);
	assert_ptr_equal(&unit.head, at.head);
	assert_ptr_equal(&unit.base, at.base);
	place(6);
	assert_ptr_equal(&unit.head, at.head);
}

static void an_executable_that_is_gone_is_told(void **state)
{
	(void)state;
	assert_int_equal(0, mkdir(in_dir("entry"), 0755));
	set_side(&unit.head, in_dir("entry/exe"), in_dir("entry"));
	place(0);
	assert_non_null(strstr(stage.failure, "cannot open"));
	assert_ptr_equal(&unit.head, at.head);
}

/* Another build may take the place of what is measured, or empty it. */
static void what_was_copied_once_is_copied_as_it_was(void **state)
{
	(void)state;
	assert_int_equal(0, mkdir(in_dir("entry"), 0755));
	put("entry/exe", "one", 0755);
	put("entry/empty", "", 0755);
	put("one", "one", 0755);
	set_side(&unit.head, in_dir("entry/exe"), in_dir("entry"));
	place(0);
	assert_same_bytes(at.head->exe, in_dir("one"));
	put("entry/exe", "another one", 0755);
	place(1);
	assert_same_bytes(at.head->exe, in_dir("one"));
	assert_int_equal(0, unlink(in_dir("entry/exe")));
	place(2);
	assert_null(stage.failure);
	assert_same_bytes(at.head->exe, in_dir("one"));
	assert_int_equal(0, access(file_in(at.head->library_path, "empty"), X_OK));
}

static void without_a_stage_everything_runs_where_it_lies(void **state)
{
	const struct stage_job wanted = job(0);
	struct stage closed = STAGE_INIT;

	(void)state;
	assert_int_equal(0, stage_place(NULL, &wanted, &at, &err));
	assert_ptr_equal(&unit.head, at.head);
	assert_int_equal(0, at.padding);
	assert_int_equal(0, stage_place(&closed, &wanted, &at, &err));
	assert_ptr_equal(&unit.base, at.base);
}

static void the_padding_differs_from_pair_to_pair_and_repeats_with_the_seed(void **state)
{
	unsigned seen[40];
	size_t i, k, equal = 0;

	(void)state;
	stage.padding = true;
	for (i = 0; i < 40; i++) {
		place(i);
		seen[i] = at.padding;
		assert_true(at.padding < STAGE_PADDING_MAX);
		assert_int_equal(0, at.padding % STAGE_PADDING_STEP);
		for (k = 0; k < i; k++)
			equal += seen[k] == seen[i];
	}
	assert_true(equal <= 12); /* of 780; 3 are expected of 256 equally likely ones */
	for (i = 0; i < 40; i++) {
		place(i);
		assert_int_equal(seen[i], at.padding);
	}
	stage.padding = false;
	place(0);
	assert_int_equal(0, at.padding);
}

/* A head and a base whose copies come to lie in memory, where this system has any for programs. */
static void copies_are_in_memory_and_large_ones_on_disk(void **state)
{
	char *memory = stage_folder_memory();
	size_t n;
	int fd;

	(void)state;
	if (!memory) {
		print_message("no program may run from /dev/shm\n");
		skip();
	}
	n = strlen(memory);
	stage_close(&stage);
	stage_begin(in_dir("state"), 7, NULL, &stage);
	assert_string_equal(in_dir("state"), stage.state_dir);
	place(0);
	assert_memory_equal(memory, at.head->exe, n);
	assert_memory_equal(memory, at.base->exe, n);
	assert_int_equal(0, mkdir(in_dir("entry"), 0755));
	put("entry/exe", "executable", 0755);
	fd = open(in_dir("entry/exe"), O_WRONLY | O_CLOEXEC);
	assert_int_equal(0, ftruncate(fd, STAGE_LARGE));
	close(fd);
	set_side(&unit.head, in_dir("entry/exe"), in_dir("entry"));
	place(1);
	assert_memory_equal(in_dir("state/run"), at.head->exe, strlen(in_dir("state/run")));
	assert_memory_equal(in_dir("state/run"), at.base->exe, strlen(in_dir("state/run")));
	assert_null(stage.failure);
	free(memory);
}

static void folders_of_killed_pawls_are_removed_and_one_in_use_stays(void **state)
{
	struct stage other;

	(void)state;
	place(0);
	assert_int_equal(0, mkdir(in_dir("state/run/killed"), 0700));
	put("state/run/killed/exe", "left", 0500);
	assert_int_equal(0, stage_open(in_dir("state"), 8, &other, &err));
	assert_int_equal(-1, access(in_dir("state/run/killed"), F_OK));
	assert_int_equal(0, access(at.head->exe, X_OK));
	stage_close(&other);
	assert_int_equal(0, access(at.head->exe, X_OK));
}

static void a_link_among_the_leftovers_is_not_followed(void **state)
{
	struct stage other;

	(void)state;
	assert_int_equal(0, mkdir(in_dir("precious"), 0700));
	put("precious/file", "x", 0644);
	assert_int_equal(0, symlink(in_dir("precious"), in_dir("state/run/link")));
	assert_int_equal(0, stage_open(in_dir("state"), 8, &other, &err));
	stage_close(&other);
	assert_int_equal(0, access(in_dir("precious/file"), F_OK));
}

static void closing_leaves_nothing(void **state)
{
	char was[300];

	(void)state;
	place(0);
	place(5);
	snprintf(was, sizeof(was), "%s", stage.dir);
	stage_close(&stage);
	assert_int_equal(-1, access(was, F_OK));
	assert_int_equal(0, rmdir(in_dir("state/run")));
	stage_close(&stage);
}

static void a_state_folder_that_cannot_be_made_is_an_error(void **state)
{
	struct stage other;

	(void)state;
	put("file", "x", 0644);
	assert_int_equal(-1, stage_open(in_dir("file"), 8, &other, &err));
	assert_int_equal(ERR_IO, err.code);
	stage_close(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_executables_get_a_copy_each_at_paths_of_equal_length),
		TEST(a_copy_serves_five_pairs_and_is_then_made_anew),
		TEST(another_layout_is_copied_in_place_of_the_executables),
		TEST(every_pair_has_copies_of_its_own_unless_they_are_large),
		TEST(units_of_one_executable_share_the_copies),
		TEST(a_script_runs_where_it_lies_and_so_does_the_other_side),
		TEST(what_has_no_identity_runs_where_it_lies),
		TEST(cached_objects_are_copied_and_looked_for_beside_the_copy),
		TEST(a_head_alone_is_copied_too),
		TEST(a_copy_that_cannot_be_made_is_told_and_all_run_where_they_lie),
		TEST(an_executable_that_is_gone_is_told),
		TEST(what_was_copied_once_is_copied_as_it_was),
		TEST(without_a_stage_everything_runs_where_it_lies),
		TEST(the_padding_differs_from_pair_to_pair_and_repeats_with_the_seed),
		TEST(copies_are_in_memory_and_large_ones_on_disk),
		TEST(folders_of_killed_pawls_are_removed_and_one_in_use_stays),
		TEST(a_link_among_the_leftovers_is_not_followed),
		TEST(closing_leaves_nothing),
		TEST(a_state_folder_that_cannot_be_made_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
