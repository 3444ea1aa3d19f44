#include "collector/machine/holder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/file.h"

#include "lib/base/banned.h"

#define LOCKS_BYTES (1 << 20)
#define FOLDER_BYTES 512

/* Of "7: FLOCK  ADVISORY  WRITE 812 fe:00:91736 0 EOF"; one that waits has "->".  0: another
 * file's. */
static long holder_in(const char *line, const struct stat *of)
{
	unsigned long long inode;
	unsigned first, second;
	long pid;

	if (sscanf(line, "%*[^:]: FLOCK %*s WRITE %ld %x:%x:%llu", &pid, &first, &second, &inode) !=
		    4 ||
	    inode != of->st_ino || first != major(of->st_dev) || second != minor(of->st_dev))
		return 0;
	return pid;
}

long holder_of(int fd)
{
	struct buf locks = BUF_INIT;
	struct stat st;
	const char *line;
	long pid = 0;

	if (fstat(fd, &st) || file_read_whole("/proc/locks", LOCKS_BYTES, &locks, NULL))
		goto out;
	for (line = buf_str(&locks); pid <= 0 && line; line = strchr(line, '\n')) {
		line += *line == '\n';
		pid = holder_in(line, &st);
	}
out:
	buf_release(&locks);
	return pid > 0 ? pid : 0;
}

void holder_name(int fd, struct buf *out)
{
	char link[64], folder[FOLDER_BYTES];
	long pid = holder_of(fd);
	ssize_t n;

	if (!pid)
		return;
	snprintf(link, sizeof(link), "/proc/%ld/cwd", pid);
	n = readlink(link, folder, sizeof(folder));
	buf_addf(out, " (process %ld", pid);
	if (n > 0 && (size_t)n < sizeof(folder))
		buf_addf(out, ", in '%.*s'", (int)n, folder);
	buf_addc(out, ')');
}
