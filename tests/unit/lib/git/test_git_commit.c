/* Commit objects as bytes: well formed, odd and damaged. */
#include "tests/unit/test_git_fixture.h"

#include "lib/git/backend.h"

#include "lib/base/banned.h"

#define ID "1111111111111111111111111111111111111111"
#define TREE "2222222222222222222222222222222222222222"
#define PARENT "3333333333333333333333333333333333333333"

static int parse(const char *text, size_t n, struct git_commit *out, struct err *err)
{
	struct buf raw = BUF_INIT;
	int result;

	buf_add(&raw, text, n);
	result = commit_parse(ID, &raw, out, err);
	buf_release(&raw);
	return result;
}

static struct git_commit good(const char *text)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;

	if (parse(text, strlen(text), &c, &err))
		fail_msg("%s", err.text);
	return c;
}

static void signed_commit_keeps_its_own_fields(void **state)
{
	struct git_commit c = good("tree " TREE "\nparent " PARENT "\n"
				   "author A > B <a@b> 12 +0000\ncommitter C <c> -34 +0100\n"
				   "mergetag object " ID "\n tree " ID "\n parent " ID "\n"
				   " author X <x> 99 +0000\n\n\n \t\n  the subject \t\r\nbody\n");

	(void)state;
	assert_string_equal(c.tree, TREE);
	assert_int_equal(c.parents.n, 1);
	assert_string_equal(c.parents.v[0], PARENT);
	assert_int_equal(c.author_time_us, 12000000);
	assert_int_equal(c.commit_time_us, -34000000);
	assert_string_equal(c.subject, "the subject");
	git_commit_release(&c);
}

static void message_may_be_missing_or_empty_or_no_utf8(void **state)
{
	struct git_commit c = good("tree " TREE "\nauthor A <a> 1 +0\ncommitter A <a> 1 +0");

	(void)state;
	assert_string_equal(c.subject, "");
	git_commit_release(&c);
	c = good("tree " TREE "\n\n\n\n");
	assert_string_equal(c.subject, "");
	assert_int_equal(c.parents.n, 0);
	git_commit_release(&c);
	c = good("tree " TREE "\nencoding latin1\n\nGr\xfc\xdf"
		 "e\nx");
	assert_string_equal(c.subject, "Gr\xfc\xdf"
				       "e");
	git_commit_release(&c);
}

static void wrong_dates_count_as_1970(void **state)
{
	static const char *const dates[] = { "A <a> 99999999999999999999 +0000",
					     "A <a> 9223372036854775807 +0000",
					     "A <a> never",
					     "A <a>",
					     "A",
					     "" };
	char text[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
		struct git_commit c;

		snprintf(text, sizeof(text), "tree " TREE "\nauthor %s\ncommitter %s\n\ns\n",
			 dates[i], dates[i]);
		c = good(text);
		assert_int_equal(c.author_time_us, 0);
		assert_int_equal(c.commit_time_us, 0);
		git_commit_release(&c);
	}
}

static void damaged_commits_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"tree\n\nx",
		"tree 22\n\nx",
		"tree " TREE "2\n\nx",
		"tree " TREE "\nparent nonsense\n\nx",
		"tree " TREE "\nparent " PARENT " \n\nx",
		"tree " TREE TREE "\n\nx",
		"\ntree " TREE "\n",
		" tree " TREE "\n",
	};
	struct git_commit c = GIT_COMMIT_INIT;
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(parse(texts[i], strlen(texts[i]), &c, &err), -1);
		assert_int_equal(err.code, ERR_GIT);
		assert_string_equal(err.text, "commit " ID " is damaged");
		assert_null(c.id);
	}
}

static void every_cut_of_a_commit_is_read_or_refused(void **state)
{
	static const char text[] = "tree " TREE "\nparent " PARENT
				   "\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\nsub\0ject\n";
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(text); n++) {
		struct git_commit c = GIT_COMMIT_INIT;
		struct err err = ERR_INIT;

		if (parse(text, n, &c, &err))
			assert_int_equal(err.code, ERR_GIT);
		else
			assert_string_equal(c.id, ID);
		git_commit_release(&c);
	}
}

static void ids_have_40_or_64_digits(void **state)
{
	(void)state;
	assert_true(oid_is_whole(ID));
	assert_true(
		oid_is_whole("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	assert_false(oid_is_whole(""));
	assert_false(oid_is_whole(ID "1"));
	assert_false(oid_is_whole("A111111111111111111111111111111111111111"));
	assert_false(oid_is_whole(ID " "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signed_commit_keeps_its_own_fields),
		cmocka_unit_test(message_may_be_missing_or_empty_or_no_utf8),
		cmocka_unit_test(wrong_dates_count_as_1970),
		cmocka_unit_test(damaged_commits_are_refused),
		cmocka_unit_test(every_cut_of_a_commit_is_read_or_refused),
		cmocka_unit_test(ids_have_40_or_64_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
