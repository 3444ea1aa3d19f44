/* Opening a repository by one that reads its objects, and closing it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/git/backend.h"

#include "lib/base/banned.h"

static void set_shallow(struct repo *repo)
{
	char *path = path_join(repo->common_dir, "shallow", NULL);
	struct stat st;

	repo->is_shallow = path && !stat(path, &st) && st.st_size > 0;
	free(path);
}

/* libgit2 ends folders with a slash, git does not. */
static void cut_slash(char *path)
{
	size_t n = path ? strlen(path) : 0;

	while (n > 1 && path[n - 1] == '/')
		path[--n] = '\0';
}

int repo_open_with(const struct git_backend *backend, const char *path, struct repo **out,
		   struct err *err)
{
	struct repo *repo = calloc(1, sizeof(*repo));

	if (!repo)
		return err_nomem(err);
	repo->backend = backend;
	if (backend->open(repo, path, err)) {
		repo_close(repo);
		return -1;
	}
	cut_slash(repo->top);
	cut_slash(repo->git_dir);
	cut_slash(repo->common_dir);
	set_shallow(repo);
	*out = repo;
	return 0;
}

int repo_open_reader(const char *path, struct repo **out, struct err *err)
{
	struct err first = ERR_INIT, second = ERR_INIT;
	int result = repo_open_with(&backend_libgit2, path, out, &first);

	if (result && first.code == ERR_GIT) {
		/* Git knows formats libgit2 does not, and its word on ownership is final. */
		result = repo_open_with(&backend_cli, path, out, &second);
		if (result && (second.code == ERR_GIT || err_is_fatal(&second)))
			first = second;
		else if (result && second.hint[0]) /* no git: how to get it */
			err_hint(&first, "%s", second.hint);
	}
	if (result && err)
		*err = first;
	return result;
}

void repo_close(struct repo *repo)
{
	if (!repo)
		return;
	repo->backend->close(repo);
	free(repo->top);
	free(repo->git_dir);
	free(repo->common_dir);
	free(repo);
}
