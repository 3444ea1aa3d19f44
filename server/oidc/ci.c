#include "server/oidc/ci.h"

#include <string.h>

#include "lib/base/banned.h"

struct ci {
	const char *name, *repository, *repository_id, *event;
	const char *const own[4]; /* of its events */
	const char *(*ref)(const struct jtree *claims, bool *is_branch);
};

static const char *text_of(const struct jtree *claims, const char *name)
{
	return jtree_text(jtree_get(claims, name));
}

/* As GITHUB_REF_NAME. */
static const char *ref_of_github(const struct jtree *claims, bool *is_branch)
{
	static const char *const kinds[] = { "refs/heads/", "refs/tags/", "refs/pull/" };
	const char *ref = text_of(claims, "ref");
	size_t i;

	for (i = 0; ref && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		*is_branch = i == 0;
		if (!strncmp(ref, kinds[i], strlen(kinds[i])))
			return ref + strlen(kinds[i]);
	}
	*is_branch = false;
	return NULL;
}

/* As CI_COMMIT_REF_NAME. */
static const char *ref_of_gitlab(const struct jtree *claims, bool *is_branch)
{
	const char *type = text_of(claims, "ref_type");

	*is_branch = type && !strcmp(type, "branch");
	return text_of(claims, "ref");
}

static const struct ci forges[] = {
	/* In pull_request_target "ref" is the branch of the base, and what runs may be the head. */
	{ "github",
	  "repository",
	  "repository_id",
	  "event_name",
	  { "push", "schedule", "workflow_dispatch", NULL },
	  ref_of_github },
	/* The branch of a merge request may be one of a fork with the name of ours. */
	{ "gitlab",
	  "project_path",
	  "project_id",
	  "pipeline_source",
	  { "push", "schedule", "web", NULL },
	  ref_of_gitlab },
};

const struct ci *ci_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(forges) / sizeof(forges[0]); i++)
		if (!strcmp(forges[i].name, name))
			return &forges[i];
	return NULL;
}

static bool is_commit(const char *text)
{
	size_t n = text ? strlen(text) : 0;

	return (n == 40 || n == 64) && strspn(text, "0123456789abcdef") == n;
}

int ci_read(const struct ci *ci, const struct jtree *claims, struct ci_job *out, struct err *err)
{
	const char *event = text_of(claims, ci->event);
	bool is_branch = false;
	size_t i;

	*out = (struct ci_job){ .repository = text_of(claims, ci->repository),
				.commit = text_of(claims, "sha"),
				.ref = ci->ref(claims, &is_branch) };
	if (!out->repository || !is_commit(out->commit))
		return err_set(err, ERR_REFUSED,
			       "the signed token names no repository, or no commit");
	out->repository_id = claims_text(claims, ci->repository_id, out->room);
	for (i = 0; is_branch && event && ci->own[i]; i++)
		out->is_own = out->is_own || !strcmp(ci->own[i], event);
	return 0;
}
