#include "lib/net/job.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

#define QUEUE "queue:"
#define ENTRY "gh-readonly-queue/" /* a branch of GitHub's merge queue: TARGET/pr-5-COMMIT */

/* NULL where it is not set, or empty. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* As the claim "ref" of its signed tokens: of the base in pull_request_target, but so is the
 * commit. */
static void branch_of_github(struct buf *out)
{
	static const char *const kinds[] = { "refs/heads/", "refs/pull/" };
	const char *ref = variable("GITHUB_REF");
	size_t i;

	for (i = 0; ref && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_starts(ref, kinds[i]))
			buf_adds(out, ref + strlen(kinds[i]));
}

static void branch_of_gitlab(struct buf *out)
{
	const char *branch = variable("CI_COMMIT_BRANCH");
	const char *from = variable("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH");
	const char *to = variable("CI_MERGE_REQUEST_PROJECT_PATH");
	const char *tip = variable("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA");
	const char *kind = variable("CI_MERGE_REQUEST_EVENT_TYPE");
	const char *target = variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME");

	if (branch) {
		buf_adds(out, branch);
		return;
	}
	if (kind && target && !strcmp(kind, "merge_train")) {
		buf_addf(out, QUEUE "%s", target);
		return;
	}
	branch = variable("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME");
	/* The "main" of a fork is not ours. */
	if (branch && from && to && strcmp(from, to) != 0)
		buf_addf(out, "%s:", from);
	/* Merged with the target, it is no commit of the branch. */
	else if (branch && tip && strcmp(tip, variable("CI_COMMIT_SHA")) != 0)
		buf_adds(out, "merge:");
	if (branch)
		buf_adds(out, branch);
}

static void branch_of_jenkins(struct buf *out)
{
	const char *branch = variable("BRANCH_NAME");

	if (branch && !variable("TAG_NAME"))
		buf_adds(out, branch);
}

/* Others set some variables of the same names with other meanings: Woodpecker's CI_COMMIT_BRANCH is
 * the target of a pull request. */
static const struct {
	const char *there, *commit;
	void (*branch)(struct buf *out);
} kinds[] = {
	{ "GITHUB_ACTIONS", "GITHUB_SHA", branch_of_github },
	{ "GITLAB_CI", "CI_COMMIT_SHA", branch_of_gitlab },
	{ "JENKINS_URL", "GIT_COMMIT", branch_of_jenkins },
};

/* One that is gone when its entry is merged or refused, also for those who mirror GitHub. */
static int name_queue(struct buf *name, struct err *err)
{
	const char *target = str_starts(buf_str(name), ENTRY) ? name->data + strlen(ENTRY) : NULL;
	const char *end = target ? strrchr(target, '/') : NULL;
	struct buf queue = BUF_INIT;
	int result;

	if (!end || end == target || !str_starts(end, "/pr-"))
		return 0;
	buf_addf(&queue, QUEUE "%.*s", (int)(end - target), target);
	result = buf_check(&queue, err);
	buf_release(name);
	*name = queue;
	return result;
}

int job_branch(const char *commit, char **out, struct err *err)
{
	struct buf name = BUF_INIT;
	const char *said;
	size_t i;

	*out = NULL;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		said = variable(kinds[i].there) ? variable(kinds[i].commit) : NULL;
		if (!said || strcmp(said, commit) != 0)
			continue;
		kinds[i].branch(&name);
		break;
	}
	if (buf_check(&name, err) || name_queue(&name, err)) {
		buf_release(&name);
		return -1;
	}
	if (name.len)
		*out = buf_detach(&name);
	buf_release(&name);
	return 0;
}
