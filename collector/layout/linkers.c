#include "collector/layout/linkers.h"

#include <string.h>
#include <unistd.h>

#include "lib/base/banned.h"

const char *const linkers_names[LINKERS_NAMES] = { "ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold" };

static bool is_program(const char *path, const struct linkers_ours *ours)
{
	struct stat st;
	size_t i;

	if (access(path, X_OK) || stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	for (i = 0; i < ours->n; i++)
		if (st.st_dev == ours->v[i].st_dev && st.st_ino == ours->v[i].st_ino)
			return false;
	return true;
}

bool linkers_search(const char *folders, const char *name, const struct linkers_ours *ours,
		    struct buf *out)
{
	while (folders && *folders) {
		size_t n = strcspn(folders, ":");

		buf_reset(out);
		buf_add(out, folders, n);
		buf_addf(out, "%s%s", n && folders[n - 1] == '/' ? "" : "/", name);
		if (n && !buf_check(out, NULL) && is_program(buf_str(out), ours))
			return true;
		folders += n;
		folders += *folders == ':';
	}
	return false;
}
