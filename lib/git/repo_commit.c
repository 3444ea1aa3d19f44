/* Which commit a name stands for, and where history ends. */
#include "lib/git/backend.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

static bool speaks_of_head(const char *rev)
{
	return str_starts(rev, "HEAD") || (rev[0] == '@' && rev[1] != '{');
}

/* Whether HEAD stands for a branch that has no commit yet; its name goes to *branch. */
static bool head_is_unborn(struct repo *repo, char **branch)
{
	char id[OID_TEXT];
	struct err ignored = ERR_INIT;

	*branch = NULL;
	if (!repo->backend->resolve(repo, "HEAD", id, &ignored) || ignored.code != ERR_ABSENT)
		return false;
	return !repo_branch(repo, branch, NULL) && *branch;
}

#define REMOTE "origin/"

static bool is_origin_url(const char *key)
{
	return !strcmp(key, "remote.origin.url");
}

static bool has_origin(struct repo *repo)
{
	struct gitconfig config = GITCONFIG_INIT;
	bool has = !repo->backend->read_config(repo, is_origin_url, &config, NULL) && config.n;

	gitconfig_release(&config);
	return has;
}

/* Where rev speaks of a branch of origin that this clone has not: hints how to fetch it. */
static bool lacks_remote_branch(struct repo *repo, const char *rev, struct err *err)
{
	struct buf ref = BUF_INIT;
	const char *branch;
	char id[OID_TEXT];
	bool lacks = false;
	size_t n;

	if (!str_starts(rev, REMOTE))
		return false;
	branch = rev + strlen(REMOTE);
	if (*branch == '-')
		return false;
	n = strcspn(branch, "~^:@");
	if (!n || strspn(branch, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789-_./+") < n)
		return false;
	buf_addf(&ref, "refs/remotes/" REMOTE "%.*s", (int)n, branch);
	if (!buf_check(&ref, NULL) && has_origin(repo) &&
	    repo->backend->resolve(repo, buf_str(&ref), id, NULL)) {
		err_hint(err,
			 "git fetch origin %.*s:%s brings that branch: this clone has not got it",
			 (int)n, branch, buf_str(&ref));
		lacks = true;
	}
	buf_release(&ref);
	return lacks;
}

/* Says more about an unknown rev than the backend knows.  Returns -1. */
static int explain_absent(struct repo *repo, const char *rev, struct err *err)
{
	char *branch = NULL;

	if (speaks_of_head(rev) && head_is_unborn(repo, &branch)) {
		err_set(err, ERR_ABSENT, "branch '%s' has no commit yet", branch);
		err_hint(err, "git commit");
	} else if (!lacks_remote_branch(repo, rev, err) && repo->is_shallow) {
		err_hint(err, "this clone is shallow: `git fetch --deepen=1` brings one more "
			      "commit, `git fetch --unshallow` all");
	}
	free(branch);
	return -1;
}

/* A first '-' or '^' names no commit in git; it must not look like an option either. */
int repo_resolve(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err)
{
	struct err fault = ERR_INIT;
	int result = -1;

	if (!*rev || *rev == '-' || *rev == '^' || strpbrk(rev, "\r\n"))
		err_set(&fault, ERR_ABSENT, "unknown revision '%s'", rev);
	else
		result = repo->backend->resolve(repo, rev, out, &fault);
	if (result && fault.code == ERR_ABSENT)
		explain_absent(repo, rev, &fault);
	if (result && err)
		*err = fault;
	return result;
}

/* Whether the commit is here.  Errors: those of read_commit but absence. */
static int has_commit(struct repo *repo, const char *id, bool *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct buf raw = BUF_INIT;
	int result = repo->backend->read_commit(repo, id, &raw, &fault);

	buf_release(&raw);
	*out = !result;
	if (!result || fault.code == ERR_ABSENT)
		return 0;
	if (err)
		*err = fault;
	return -1;
}

static int read_commit(struct repo *repo, const char *id, struct git_commit *out, struct err *err)
{
	struct buf raw = BUF_INIT;
	int result = -1;

	if (!repo->backend->read_commit(repo, id, &raw, err))
		result = commit_parse(id, &raw, out, err);
	buf_release(&raw);
	return result;
}

int repo_commit(struct repo *repo, const char *rev, struct git_commit *out, struct err *err)
{
	struct git_commit commit = GIT_COMMIT_INIT;
	char id[OID_TEXT];
	bool here = true;
	size_t i;
	int result = -1;

	if (repo_resolve(repo, rev, id, err) || read_commit(repo, id, &commit, err))
		goto out;
	for (i = 0; repo->is_shallow && here && i < commit.parents.n; i++)
		if (has_commit(repo, commit.parents.v[i], &here, err))
			goto out;
	commit.truncated = !here;
	*out = commit;
	commit = (struct git_commit)GIT_COMMIT_INIT;
	result = 0;
out:
	git_commit_release(&commit);
	return result;
}

int repo_first_parent(struct repo *repo, const char *id, char out[OID_TEXT], struct err *err)
{
	struct git_commit commit = GIT_COMMIT_INIT;
	const char *parent;
	bool here;
	int result = -1;

	if (!oid_is_whole(id))
		return err_set(err, ERR_ABSENT, "'%s' is not a commit id", id);
	if (read_commit(repo, id, &commit, err))
		goto out;
	if (!commit.parents.n) {
		err_set(err, ERR_ABSENT, "commit %.12s has no parent: it is the first one", id);
		goto out;
	}
	parent = commit.parents.v[0];
	if (has_commit(repo, parent, &here, err))
		goto out;
	if (here) {
		memcpy(out, parent, strlen(parent) + 1);
		result = 0;
	} else if (repo->is_shallow) {
		err_set(err, ERR_ABSENT, "the parent of commit %.12s is not in this shallow clone",
			id);
		err_hint(err, "git fetch --deepen=1");
	} else {
		err_set(err, ERR_GIT, "commit %s, parent of %.12s, is missing", parent, id);
		err_hint(err, "git fsck");
	}
out:
	git_commit_release(&commit);
	return result;
}
