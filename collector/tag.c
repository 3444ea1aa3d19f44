#include "collector/tag.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/config/values.h"
#include "lib/net/job.h"

#include "lib/base/banned.h"

int tag_folder(char **slot, struct err *err)
{
	char *folder = getcwd(NULL, 0);
	const char *name = folder ? path_base(folder) : "";
	int result = str_set(slot, name_is_valid(name) ? name : "commands", err);

	free(folder);
	return result;
}

int tag_project(struct repo *repo, const struct config *config, struct summary *out,
		struct err *err)
{
	if (config->project)
		return str_set(&out->project, config->project, err);
	if (!repo)
		return tag_folder(&out->project, err);
	free(out->project);
	out->project = NULL;
	return repo_project_name(repo, &out->project, err);
}

/* Jobs check out a commit, not a branch. */
static int tag_branch(struct repo *repo, const char *commit, char **out, struct err *err)
{
	char *branch = NULL;

	if (repo_branch(repo, &branch, err) || (!branch && job_branch(commit, &branch, err)))
		return -1;
	free(*out);
	*out = branch;
	return 0;
}

bool tag_is_branch(struct repo *repo, const char *name)
{
	char branch[OID_TEXT], id[OID_TEXT];
	struct buf ref = BUF_INIT;
	bool is;

	buf_addf(&ref, "refs/heads/%s", name);
	is = !buf_check(&ref, NULL) && !strpbrk(name, "@~^:") &&
	     !repo_resolve(repo, buf_str(&ref), branch, NULL) &&
	     !repo_resolve(repo, name, id, NULL) && !strcmp(branch, id);
	buf_release(&ref);
	return is;
}

int tag_named_branch(struct repo *repo, const char *rev, const char *otherwise, struct summary *s,
		     struct err *err)
{
	char now[OID_TEXT];

	if (otherwise)
		return str_set(&s->commit.branch, otherwise, err);
	if (!repo_resolve(repo, "HEAD", now, NULL) && !strcmp(now, s->commit.id))
		return 0;
	return str_set(&s->commit.branch, tag_is_branch(repo, rev) ? rev : NULL, err);
}

int tag_commit(struct repo *repo, const struct git_commit *commit, struct summary *out,
	       struct err *err)
{
	struct commit_tag *to = &out->commit;

	if (str_set(&to->id, commit->id, err) || str_set(&to->tree, commit->tree, err) ||
	    str_set(&to->subject, commit->subject, err) ||
	    (commit->parents.n && strv_add_all(&to->parents, commit->parents.v, err)) ||
	    tag_branch(repo, commit->id, &to->branch, err))
		return -1;
	to->author_time_us = commit->author_time_us;
	to->commit_time_us = commit->commit_time_us;
	to->truncated = commit->truncated;
	return 0;
}
