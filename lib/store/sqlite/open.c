/* How a database file is opened. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "lib/store/sqlite/sqlite.h"

#include "lib/base/banned.h"

/* Refuses a link and anything that is not a file.  1: it is a file; 0: there is none. */
static int look_at(const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : err_sys(err, ERR_IO, "cannot open '%s'", path);
	if (S_ISLNK(st.st_mode))
		return err_set(err, ERR_IO, "cannot open '%s': it is a symbolic link", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_IO, "cannot open '%s': it is not a file", path);
	return 1;
}

/* Of those that SQLite keeps beside it, it opens even a pipe, and waits for whoever writes. */
static int look_beside(const char *path, struct err *err)
{
	static const char *const ends[] = { "-journal", "-wal", "-shm" };
	struct buf name = BUF_INIT;
	int result = 0;
	size_t i;

	for (i = 0; result >= 0 && i < sizeof(ends) / sizeof(ends[0]); i++) {
		buf_reset(&name);
		buf_addf(&name, "%s%s", path, ends[i]);
		result = buf_check(&name, err) ? -1 : look_at(buf_str(&name), err);
	}
	buf_release(&name);
	if (result < 0)
		err_hint(err, "see what it is, and remove it: such files are made anew");
	return result < 0 ? -1 : 0;
}

/* Creates the file for nobody else to read. */
static int ready_file(const char *path, enum db_mode mode, struct err *err)
{
	int there = look_at(path, err), fd;

	if (there < 0)
		return -1;
	if (there)
		return look_beside(path, err);
	if (mode != DB_WRITE)
		return err_sys(err, ERR_ABSENT, "cannot open '%s'", path);
	/* O_EXCL: closing any other descriptor of an open database would drop its locks. */
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 && errno == EEXIST)
		return 0;
	if (fd < 0)
		return err_sys(err, ERR_IO, "cannot create '%s'", path);
	close(fd);
	return 0;
}

static void add_uri(struct buf *out, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-~";

	buf_adds(out, "file:");
	for (; *path; path++)
		if (strchr(plain, *path))
			buf_addc(out, *path);
		else
			buf_addf(out, "%%%02x", (unsigned char)*path);
	buf_adds(out, "?immutable=1");
}

static int open_handle(struct db *db, const char *name, int flags, struct err *err)
{
	sqlite3 *handle = NULL;
	int code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, NULL);

	db->handle = handle;
	if (code != SQLITE_OK)
		return sqlite_fault(db, code, "open", err);
	sqlite3_extended_result_codes(db->handle, 1);
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	/* None of ours has one: another's could eat what is stored, or show what never was. */
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	/* Unmapped: a page that the disk cannot give would end the process, not the question. */
	return db_exec(db,
		       "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
		       "PRAGMA foreign_keys=ON; PRAGMA synchronous=FULL;",
		       err);
}

/* Looks at the file for the first time: opening alone reads nothing. */
static int touch(struct db *db, struct err *err)
{
	int64_t n;

	return db_get(db, &n, err, "SELECT count(*) FROM sqlite_schema", "") < 0 ? -1 : 0;
}

/*
 * SQLite does not wait when two processes turn the same new file into a WAL at once
 * (one of them cannot get the lock it needs without a deadlock), so the wait is here.
 */
static int use_wal(struct db *db, struct err *err)
{
	/* A WAL's index is memory that all who have it open share, which no network gives. */
	const char *mode = file_is_on_network(db->path)
				   ? "PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA"
				   : "PRAGMA journal_mode=WAL";
	struct timespec pause = { 0, 10 * 1000 * 1000 };
	int tries;

	for (tries = DB_BUSY_MS / 10; tries > 0; tries--) {
		if (!db_exec(db, mode, err))
			return 0;
		if (!err || err->code != ERR_BUSY)
			return -1;
		nanosleep(&pause, NULL);
	}
	return -1;
}

static int open_writable(struct db *db, struct err *err)
{
	if (open_handle(db, db->path, SQLITE_OPEN_READWRITE, err))
		return -1;
	if (sqlite3_db_readonly(db->handle, "main") == 1)
		return err_set(err, ERR_IO, "cannot write '%s': %s", db->path, strerror(EACCES));
	return touch(db, err) || use_wal(db, err) ? -1 : 0;
}

static void drop_handle(struct db *db)
{
	db_drop(db);
	db->read_only = true;
}

static bool worth_another_way(const struct err *err)
{
	return err->code == ERR_IO || err->code == ERR_FULL;
}

static int open_readable(struct db *db, struct err *err)
{
	struct err mine = ERR_INIT;
	struct buf uri = BUF_INIT;
	int result;

	result = open_handle(db, db->path, SQLITE_OPEN_READWRITE, &mine) || touch(db, &mine);
	if (result && worth_another_way(&mine)) {
		drop_handle(db);
		result = open_handle(db, db->path, SQLITE_OPEN_READONLY, &mine) || touch(db, &mine);
	}
	if (result && worth_another_way(&mine) && !sqlite_wal_size(db->path)) {
		drop_handle(db);
		add_uri(&uri, db->path);
		result = buf_check(&uri, &mine) ||
			 open_handle(db, buf_str(&uri), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
				     &mine) ||
			 touch(db, &mine);
	}
	buf_release(&uri);
	if (result) {
		if (err)
			*err = mine;
		return -1;
	}
	return db_exec(db, "PRAGMA query_only=ON", err);
}

int db_open(struct db *db, const char *path, enum db_mode mode, const char *cure, struct err *err)
{
	struct err mine = ERR_INIT;
	int result;

	*db = (struct db)DB_INIT;
	db->engine = &sqlite_engine;
	db->cure = cure;
	db->read_only = mode == DB_READ;
	if (ready_file(path, mode, err))
		return -1;
	/* ":memory:" and its like are names to SQLite, not files. */
	db->path = path[0] == ':' ? NULL : str_dup(path, err);
	if (!db->path)
		return path[0] == ':' ? err_set(err, ERR_IO, "cannot open '%s': not a file", path)
				      : -1;
	result = mode == DB_READ ? open_readable(db, &mine) : open_writable(db, &mine);
	if (result) {
		if (err)
			*err = mine;
		db_close(db);
		return -1;
	}
	return 0;
}
