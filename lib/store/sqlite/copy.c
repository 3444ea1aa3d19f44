/* A copy of a database that others write meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/store/sqlite/sqlite.h"

#include "lib/base/banned.h"

static int sync_path(const char *path, int flags, struct err *err)
{
	int fd = open(path, flags | O_CLOEXEC);
	int result = fd < 0 || fsync(fd) ? -1 : 0;

	if (result)
		err_sys(err, errno == ENOSPC ? ERR_FULL : ERR_IO, "cannot write '%s'", path);
	if (fd >= 0)
		close(fd);
	return result;
}

static int sync_folder(const char *path, struct err *err)
{
	char *copy = str_dup(path, err);
	int result = copy ? sync_path(dirname(copy), O_RDONLY | O_DIRECTORY, err) : -1;

	free(copy);
	return result;
}

/* An empty file that nobody else may read; SQLite fills it. */
static int make_part(const char *part, struct err *err)
{
	int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_sys(err, ERR_IO, "cannot create '%s'", part);
	close(fd);
	return 0;
}

static int fill(struct db *db, const char *part, const char *to, struct err *err)
{
	/* Of a handle that only reads; the copy is written by it all the same. */
	if (db_exec(db, "PRAGMA query_only=OFF", err) ||
	    db_run(db, err, "VACUUM INTO ?1", "t", part) || sync_path(part, O_RDONLY, err))
		return -1;
	/* Unlike rename(), this takes nothing away that came meanwhile. */
	if (link(part, to))
		return err_sys(err, ERR_IO, "cannot create '%s'", to);
	return sync_folder(to, err);
}

/* What SQLite would take for a part of a database of that name. */
static int check_beside(const char *to, struct err *err)
{
	static const char *const endings[] = { "-wal", "-shm", "-journal" };
	struct buf name = BUF_INIT;
	struct stat st;
	int result = 0;
	size_t i;

	for (i = 0; !result && i < sizeof(endings) / sizeof(endings[0]); i++) {
		buf_reset(&name);
		buf_addf(&name, "%s%s", to, endings[i]);
		if (buf_check(&name, err)) {
			result = -1;
		} else if (!lstat(buf_str(&name), &st)) {
			err_set(err, ERR_IO, "'%s' is there already", buf_str(&name));
			result = err_hint(err,
					  "it is of a store that was there before: move it "
					  "away, with any '%s-*' beside it",
					  to);
		}
	}
	buf_release(&name);
	return result;
}

int sqlite_copy(struct db *db, const char *to, struct err *err)
{
	struct buf part = BUF_INIT;
	struct stat st;
	int result = -1;

	if (!lstat(to, &st)) {
		err_set(err, ERR_IO, "'%s' is there already", to);
		return err_hint(err, "name a file that is not there");
	}
	if (check_beside(to, err))
		return -1;
	buf_addf(&part, "%s.%ld.part", to, (long)getpid());
	if (!buf_check(&part, err) && !make_part(buf_str(&part), err)) {
		result = fill(db, buf_str(&part), to, err);
		unlink(buf_str(&part));
	}
	buf_release(&part);
	return result;
}
