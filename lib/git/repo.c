#include "lib/git/backend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

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
	char *whole = whole_path(path, err);
	int result;

	if (!whole)
		return -1;
	result = repo_open_with(&backend_plain, whole, out, NULL) &&
				 repo_open_reader(whole, out, err)
			 ? -1
			 : 0;
	free(whole);
	return result;
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
