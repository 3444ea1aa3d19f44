#include "cli/exec_path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

/* The real path of folder/rest, when the step is there; NULL: it is not. */
static char *find(const char *folder, const char *rest)
{
	struct buf path = BUF_INIT;
	char *real = NULL;
	size_t n;

	buf_addf(&path, "%s/%s", folder, rest);
	n = path.len;
	buf_adds(&path, "/ci/shell/pawl-step");
	if (!buf_check(&path, NULL) && !access(buf_str(&path), X_OK)) {
		buf_truncate(&path, n);
		real = realpath(buf_str(&path), NULL);
	}
	buf_release(&path);
	return real;
}

int exec_path(struct buf *out, struct err *err)
{
	static const char *const places[] = { "../share/pawl", "../.." };
	char self[4096], *slash, *found = NULL;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (i = 0; slash && !found && i < sizeof(places) / sizeof(places[0]); i++)
		found = find(self, places[i]);
	if (!found) {
		err_set(err, ERR_ABSENT,
			"the files that are installed with pawl are not beside '%s'", self);
		return err_hint(err, "install pawl whole: 'make install', or its package");
	}
	buf_adds(out, found);
	free(found);
	return buf_check(out, err);
}
