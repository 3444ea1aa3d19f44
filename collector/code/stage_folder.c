#include "collector/code/stage_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/process/lock.h"

#include "lib/base/banned.h"

#define MEMORY "/dev/shm"
#define MEMORY_FREE ((uint64_t)512 << 20) /* bytes, at least: six copies of each executable */

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static int lock_folder(const char *path, int *out_fd, struct err *err)
{
	*out_fd = open_folder(path);
	if (*out_fd < 0)
		return err_sys(err, ERR_IO, "cannot open '%s'", path);
	return lock_wait(*out_fd, path, err);
}

static void remove_left(const char *run_dir)
{
	DIR *d = opendir(run_dir);
	const struct dirent *entry;

	while (d && (entry = readdir(d))) {
		struct buf path = BUF_INIT;
		int fd = -1;

		if (entry->d_name[0] == '.')
			continue;
		buf_addf(&path, "%s/%s", run_dir, entry->d_name);
		if (!buf_check(&path, NULL))
			fd = open_folder(buf_str(&path));
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
			file_remove_tree(buf_str(&path), NULL);
		file_close(&fd);
		buf_release(&path);
	}
	if (d)
		closedir(d);
}

/* Ours alone: whoever else could write there would choose what we run. */
static bool is_ours(const char *path)
{
	struct stat st;

	return (!mkdir(path, 0700) || errno == EEXIST) && !lstat(path, &st) &&
	       S_ISDIR(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077);
}

char *stage_folder_memory(void)
{
	struct buf path = BUF_INIT;
	struct statfs fs;
	char *dir = NULL;

	if (statfs(MEMORY, &fs) || fs.f_type != TMPFS_MAGIC || (fs.f_flags & ST_NOEXEC) ||
	    (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize < MEMORY_FREE)
		return NULL;
	buf_addf(&path, MEMORY "/pawl-%u", (unsigned)geteuid());
	if (!buf_check(&path, NULL) && is_ours(buf_str(&path)))
		dir = buf_detach(&path);
	buf_release(&path);
	return dir;
}

int stage_folder_make(const char *state_dir, char **out, int *out_lock_fd, struct err *err)
{
	struct buf run = BUF_INIT, dir = BUF_INIT;
	int run_fd = -1, fd = -1, result = -1;

	buf_addf(&run, "%s/run", state_dir);
	buf_addf(&dir, "%s/run/XXXXXX", state_dir);
	if (buf_check(&run, err) || buf_check(&dir, err) ||
	    file_make_dirs(buf_str(&run), 0700, err))
		goto out;
	/* One at a time: between its making and its lock a folder looks like a leftover. */
	if (lock_folder(buf_str(&run), &run_fd, err))
		goto out;
	remove_left(buf_str(&run));
	if (!mkdtemp(dir.data)) {
		err_sys(err, ERR_IO, "cannot create a folder in '%s'", buf_str(&run));
		goto out;
	}
	if (lock_folder(buf_str(&dir), &fd, err)) {
		file_remove_tree(buf_str(&dir), NULL);
		goto out;
	}
	*out = buf_detach(&dir);
	*out_lock_fd = fd;
	result = 0;
out:
	if (result)
		file_close(&fd);
	file_close(&run_fd);
	buf_release(&run);
	buf_release(&dir);
	return result;
}
