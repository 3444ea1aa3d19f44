/* What is said of a repository that belongs to somebody else. */
#include "lib/git/backend.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

/* Whether folder is where git's search upwards from below would stop. */
static bool is_repository(const char *folder)
{
	static const char *const marks[] = { ".git", "objects" };
	size_t i;

	for (i = 0; i < 2; i++) {
		char *path = path_join(folder, marks[i], NULL);
		bool found = path && file_exists(path);

		free(path);
		if (found)
			return true;
	}
	return false;
}

int repo_foreign_owner(const char *path, struct err *err)
{
	struct buf at = BUF_INIT;
	char *slash;

	buf_adds(&at, path);
	while (!at.failed && !is_repository(at.data) && (slash = strrchr(at.data, '/')) &&
	       slash != at.data)
		buf_truncate(&at, (size_t)(slash - at.data));
	if (buf_check(&at, err))
		return -1;
	if (!is_repository(at.data)) {
		buf_reset(&at);
		buf_adds(&at, path);
	}
	err_set(err, ERR_GIT, "repository '%s' is owned by another user", buf_str(&at));
	buf_addc(&at, '\0');
	err_hint(err, "git config --global --add safe.directory '%s'", buf_str(&at));
	buf_release(&at);
	return -1;
}
