#include "cli/backfill/parts_here.h"

#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define DEPTH_MOST 12

/* Git writes in other folders for every status. */
static void look(struct buf *path, bool in_objects, int depth, int64_t *newest)
{
	size_t n = path->len;
	struct dirent *entry;
	struct stat st;
	int64_t us;
	DIR *dir;

	if (depth > DEPTH_MOST || buf_check(path, NULL) || lstat(buf_str(path), &st) ||
	    !S_ISDIR(st.st_mode))
		return;
	us = (int64_t)st.st_mtim.tv_sec * 1000000 + st.st_mtim.tv_nsec / 1000;
	if (in_objects && us > *newest)
		*newest = us;
	dir = opendir(buf_str(path));
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' ||
		    (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN))
			continue;
		buf_addf(path, "/%s", entry->d_name);
		look(path, in_objects || !strcmp(entry->d_name, "objects"), depth + 1, newest);
		buf_truncate(path, n);
	}
	if (dir)
		closedir(dir);
}

int64_t parts_newest_us(const char *common)
{
	static const char *const folders[] = { "modules", "lfs" };
	int64_t newest = 0;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		struct buf path = BUF_INIT;

		buf_addf(&path, "%s/%s", common, folders[i]);
		look(&path, false, 0, &newest);
		buf_release(&path);
	}
	return newest;
}
