/* What stands at a path. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

bool file_exists(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

int file_is_in(const char *folder, const char *name, bool *out, struct err *err)
{
	char *path = path_join(folder, name, err);

	*out = path && file_exists(path);
	free(path);
	return path ? 0 : -1;
}

bool file_is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

bool file_is_on_network(const char *path)
{
	/* NFS, SMB, CIFS, SMB 2, 9P, AFS, Ceph, Coda, FUSE, GFS 2, Lustre, OCFS 2, BeeGFS, GPFS */
	static const unsigned long types[] = { 0x6969,	   0x517b,     0xff534d42, 0xfe534d42,
					       0x01021997, 0x5346414f, 0x00c36400, 0x73757245,
					       0x65735546, 0x01161970, 0x0bd00bd0, 0x7461636f,
					       0x19830326, 0x47504653 };
	struct statfs fs;
	size_t i;

	if (statfs(path, &fs))
		return false;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (((unsigned long)fs.f_type & 0xffffffff) == types[i])
			return true;
	return false;
}
