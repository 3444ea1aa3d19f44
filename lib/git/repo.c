#include "lib/git/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"

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

/* The absolute name of a folder.  Errors: ERR_ABSENT. */
static char *whole_path(const char *path, struct err *err)
{
	char *whole = realpath(path, NULL);
	struct stat st;

	if (!whole) {
		err_sys(err, errno == ENOENT ? ERR_ABSENT : ERR_GIT, "cannot open '%s'", path);
		return NULL;
	}
	if (stat(whole, &st) || !S_ISDIR(st.st_mode)) {
		err_set(err, ERR_ABSENT, "'%s' is not a folder", path);
		free(whole);
		return NULL;
	}
	return whole;
}

int repo_open(const char *path, struct repo **out, struct err *err)
{
	struct err first = ERR_INIT, second = ERR_INIT;
	char *whole = whole_path(path, err);
	int result;

	if (!whole)
		return -1;
	result = repo_open_with(&backend_libgit2, whole, out, &first);
	if (result && first.code == ERR_GIT) {
		/* Git knows formats libgit2 does not, and its word on ownership is final. */
		result = repo_open_with(&backend_cli, whole, out, &second);
		if (result && second.code == ERR_GIT)
			first = second;
		else if (result && second.hint[0]) /* no git: how to get it */
			err_hint(&first, "%s", second.hint);
	}
	if (result && err)
		*err = first;
	free(whole);
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

const char *repo_top(const struct repo *repo)
{
	return repo->top;
}

const char *repo_git_dir(const struct repo *repo)
{
	return repo->git_dir;
}

const char *repo_common_dir(const struct repo *repo)
{
	return repo->common_dir;
}

bool repo_is_shallow(const struct repo *repo)
{
	return repo->is_shallow;
}

const char *repo_reader(const struct repo *repo)
{
	return repo->backend->name;
}

int repo_is_dirty(struct repo *repo, bool *out, struct err *err)
{
	if (repo->top)
		return repo->backend->is_dirty(repo, out, err);
	*out = false;
	return 0;
}

int repo_branch(struct repo *repo, char **out, struct err *err)
{
	static const char heads[] = "refs/heads/";
	char *name;

	if (repo->backend->head_ref(repo, &name, err))
		return -1;
	if (name && str_starts(name, heads))
		memmove(name, name + strlen(heads), strlen(name) - strlen(heads) + 1);
	*out = name;
	return 0;
}
