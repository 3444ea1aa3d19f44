/* What a job of CI says about the commit that it checked out, and when it is not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "lib/net/job.h"

#define A "aaaa456789abcdef0123456789abcdef01234567"
#define B "bbbb456789abcdef0123456789abcdef01234567"

static const char *const names[] = {
	"GITHUB_ACTIONS",
	"GITHUB_SHA",
	"GITHUB_REF",
	"GITLAB_CI",
	"CI_COMMIT_SHA",
	"CI_COMMIT_BRANCH",
	"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
	"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
	"CI_MERGE_REQUEST_SOURCE_PROJECT_PATH",
	"CI_MERGE_REQUEST_PROJECT_PATH",
	"CI_MERGE_REQUEST_EVENT_TYPE",
	"CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
	"JENKINS_URL",
	"GIT_COMMIT",
	"BRANCH_NAME",
	"TAG_NAME",
};

static int no_job(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	return 0;
}

/* given: NAME, VALUE, ..., NULL.  wanted: NULL, none. */
static void expect(const char *wanted, const char *const *given)
{
	struct err err = ERR_INIT;
	char *branch = NULL;

	no_job(NULL);
	for (; *given; given += 2)
		setenv(given[0], given[1], 1);
	assert_int_equal(job_branch(A, &branch, &err), 0);
	if (wanted)
		assert_string_equal(branch ? branch : "(none)", wanted);
	else
		assert_null(branch);
	free(branch);
}

#define EXPECT(wanted, ...) expect(wanted, (const char *const[]){ __VA_ARGS__, NULL })

static void github_says_the_branch_or_the_pull_request(void **state)
{
	(void)state;
	EXPECT("main", "GITHUB_ACTIONS", "true", "GITHUB_SHA", A, "GITHUB_REF", "refs/heads/main");
	EXPECT("a/b", "GITHUB_ACTIONS", "true", "GITHUB_SHA", A, "GITHUB_REF", "refs/heads/a/b");
	EXPECT("5/merge", "GITHUB_ACTIONS", "true", "GITHUB_SHA", A, "GITHUB_REF",
	       "refs/pull/5/merge");
}

static void gitlab_says_the_branch_and_of_which_fork(void **state)
{
	(void)state;
	EXPECT("main", "GITLAB_CI", "true", "CI_COMMIT_SHA", A, "CI_COMMIT_BRANCH", "main");
	EXPECT("feature", "GITLAB_CI", "true", "CI_COMMIT_SHA", A,
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature",
	       "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", "g/zlib", "CI_MERGE_REQUEST_PROJECT_PATH",
	       "g/zlib");
	EXPECT("me/zlib:main", "GITLAB_CI", "true", "CI_COMMIT_SHA", A,
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "main",
	       "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", "me/zlib", "CI_MERGE_REQUEST_PROJECT_PATH",
	       "g/zlib");
}

static void merged_result_of_gitlab_is_not_of_the_branch(void **state)
{
	(void)state;
	EXPECT("merge:main", "GITLAB_CI", "true", "CI_COMMIT_SHA", A,
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "main", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
	       B);
	EXPECT("main", "GITLAB_CI", "true", "CI_COMMIT_SHA", A,
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "main", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
	       A);
}

static void entry_of_a_merge_queue_is_of_the_queue_of_its_target(void **state)
{
	(void)state;
	EXPECT("queue:main", "GITHUB_ACTIONS", "true", "GITHUB_SHA", A, "GITHUB_REF",
	       "refs/heads/gh-readonly-queue/main/pr-12-" B);
	EXPECT("queue:release/pr-1", "JENKINS_URL", "http://ci/", "GIT_COMMIT", A, "BRANCH_NAME",
	       "gh-readonly-queue/release/pr-1/pr-12-" B);
	EXPECT("queue:main", "GITLAB_CI", "true", "CI_COMMIT_SHA", A,
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature",
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", B, "CI_MERGE_REQUEST_EVENT_TYPE",
	       "merge_train", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
}

static void branch_that_only_resembles_a_queue_keeps_its_name(void **state)
{
	(void)state;
	EXPECT("gh-readonly-queue/main", "GITHUB_ACTIONS", "true", "GITHUB_SHA", A, "GITHUB_REF",
	       "refs/heads/gh-readonly-queue/main");
	EXPECT("gh-readonly-queue//pr-1", "GITHUB_ACTIONS", "true", "GITHUB_SHA", A, "GITHUB_REF",
	       "refs/heads/gh-readonly-queue//pr-1");
	EXPECT("my/gh-readonly-queue/main/pr-1-" B, "GITHUB_ACTIONS", "true", "GITHUB_SHA", A,
	       "GITHUB_REF", "refs/heads/my/gh-readonly-queue/main/pr-1-" B);
	EXPECT("merge:feature", "GITLAB_CI", "true", "CI_COMMIT_SHA", A,
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "feature",
	       "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", B, "CI_MERGE_REQUEST_EVENT_TYPE",
	       "merged_result", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
}

static void jenkins_says_the_branch_or_the_change(void **state)
{
	(void)state;
	EXPECT("main", "JENKINS_URL", "http://ci/", "GIT_COMMIT", A, "BRANCH_NAME", "main");
	EXPECT("PR-5", "JENKINS_URL", "http://ci/", "GIT_COMMIT", A, "BRANCH_NAME", "PR-5");
}

static void tag_is_no_branch(void **state)
{
	(void)state;
	EXPECT(NULL, "GITHUB_ACTIONS", "true", "GITHUB_SHA", A, "GITHUB_REF", "refs/tags/main");
	EXPECT(NULL, "GITLAB_CI", "true", "CI_COMMIT_SHA", A, "CI_COMMIT_TAG", "main");
	EXPECT(NULL, "JENKINS_URL", "http://ci/", "GIT_COMMIT", A, "BRANCH_NAME", "main",
	       "TAG_NAME", "main");
}

static void another_commit_is_of_no_known_branch(void **state)
{
	(void)state;
	EXPECT(NULL, "GITHUB_ACTIONS", "true", "GITHUB_SHA", B, "GITHUB_REF", "refs/heads/main");
	EXPECT(NULL, "GITLAB_CI", "true", "CI_COMMIT_SHA", B, "CI_COMMIT_BRANCH", "main");
	EXPECT(NULL, "JENKINS_URL", "http://ci/", "GIT_COMMIT", "", "BRANCH_NAME", "main");
}

static void variables_of_no_known_job_say_nothing(void **state)
{
	(void)state;
	EXPECT(NULL, "CI_COMMIT_SHA", A, "CI_COMMIT_BRANCH", "main", "GITHUB_SHA", A, "GITHUB_REF",
	       "refs/heads/main", "GIT_COMMIT", A, "BRANCH_NAME", "main");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(github_says_the_branch_or_the_pull_request),
		cmocka_unit_test(gitlab_says_the_branch_and_of_which_fork),
		cmocka_unit_test(merged_result_of_gitlab_is_not_of_the_branch),
		cmocka_unit_test(entry_of_a_merge_queue_is_of_the_queue_of_its_target),
		cmocka_unit_test(branch_that_only_resembles_a_queue_keeps_its_name),
		cmocka_unit_test(jenkins_says_the_branch_or_the_change),
		cmocka_unit_test(tag_is_no_branch),
		cmocka_unit_test(another_commit_is_of_no_known_branch),
		cmocka_unit_test(variables_of_no_known_job_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, no_job);
}
