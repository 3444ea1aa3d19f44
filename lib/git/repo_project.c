/* What a repository is called. */
#include "lib/git/backend.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

static bool is_origin_url(const char *key)
{
	return !strcmp(key, "remote.origin.url");
}

/* Where the path of a remote starts: behind "scheme://host/" or "host:", else at once. */
static const char *path_of_url(const char *url)
{
	const char *at = strstr(url, "://"), *colon, *slash;

	if (at) {
		slash = strchr(at + 3, '/');
		return slash ? slash : "";
	}
	colon = strchr(url, ':');
	slash = strchr(url, '/');
	return colon && (!slash || colon < slash) ? colon + 1 : url;
}

static size_t without_end(const char *path, size_t n, const char *end)
{
	size_t length = strlen(end);

	return n >= length && !memcmp(path + n - length, end, length) ? n - length : n;
}

/* The last part of path, without "/.git" and ".git" behind it; NULL when nothing is left. */
static char *last_part(const char *path, struct err *err)
{
	size_t n = strlen(path), before, start;
	char *name;

	do {
		before = n;
		n = without_end(path, n, "/");
		n = without_end(path, n, "/.git");
	} while (n != before);
	n = without_end(path, n, ".git");
	for (start = n; start && path[start - 1] != '/';)
		start--;
	if (start == n)
		return NULL;
	name = strndup(path + start, n - start);
	if (!name)
		err_nomem(err);
	return name;
}

int repo_project_name(struct repo *repo, char **out, struct err *err)
{
	struct gitconfig config = GITCONFIG_INIT;
	struct err fault = ERR_INIT;
	const char *url = NULL;
	char *name = NULL;
	int result = -1;

	if (repo->backend->read_config(repo, is_origin_url, &config, &fault))
		goto out;
	if (config.n)
		url = config.v[config.n - 1].value;
	if (url)
		name = last_part(path_of_url(url), &fault);
	/* The common folder, so that all worktrees of a project bear one name. */
	if (!name && !fault.code)
		name = last_part(repo->common_dir, &fault);
	if (!name && !fault.code)
		err_set(&fault, ERR_ABSENT, "repository '%s' has no name", repo->common_dir);
	if (!name)
		goto out;
	*out = name;
	result = 0;
out:
	if (result && err)
		*err = fault;
	gitconfig_release(&config);
	return result;
}
