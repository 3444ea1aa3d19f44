/* What SQLite's faults are called here. */
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include "lib/store/sqlite/sqlite.h"

#include "lib/base/banned.h"

static bool is_out_of_space(int number)
{
	return number == ENOSPC || number == EDQUOT;
}

static enum err_code code_of(int code, int number)
{
	switch (code & 0xff) {
	case SQLITE_FULL:
		return ERR_FULL;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return ERR_BUSY;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return ERR_CORRUPT;
	case SQLITE_NOMEM:
		return ERR_NOMEM;
	case SQLITE_INTERRUPT:
		return ERR_TIMEOUT;
	case SQLITE_TOOBIG:
		return ERR_LIMIT;
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return is_out_of_space(number) ? ERR_FULL : ERR_IO;
	default:
		return ERR_STORE;
	}
}

/*
 * Where a file beside the database cannot be made, SQLite tries to open it all the same, and that
 * there is none is the reason it keeps.  Whether there was no room for it.
 */
static bool lacks_room_for_files(const struct db *db, int code, int number)
{
	struct statvfs fs;

	return (code & 0xff) == SQLITE_CANTOPEN && number == ENOENT && db->path &&
	       !statvfs(db->path, &fs) && ((fs.f_files && !fs.f_favail) || !fs.f_bavail);
}

int sqlite_fault(struct db *db, int code, const char *doing, struct err *err)
{
	int number = db->handle ? sqlite3_system_errno(db->handle) : 0;
	bool no_files = lacks_room_for_files(db, code, number);
	enum err_code kind = no_files ? ERR_FULL : code_of(code, number);
	const char *why = db->handle ? sqlite3_errmsg(db->handle) : sqlite3_errstr(code);

	if (kind == ERR_NOMEM)
		return err_nomem(err);
	if (kind == ERR_CORRUPT) {
		err_set(err, kind, "'%s' is damaged: %s", db->path, why);
		return err_hint(err, "%s", db->cure);
	}
	/* SQLite's words for these are about itself; the system's reason is what helps. */
	if ((kind == ERR_IO || kind == ERR_FULL) && number)
		why = strerror(no_files ? ENOSPC : number);
	err_set(err, kind, "cannot %s '%s': %s", doing, db->path, why);
	if (no_files)
		err_hint(err, "no file can be made beside it: remove some, see 'df' and 'df -i'; "
			      "nothing that was stored is lost");
	if (kind == ERR_FULL)
		err_hint(err, "make room on that file system; nothing that was stored is lost");
	if ((code & 0xff) == SQLITE_ERROR) /* a table is missing, say, or a view in its place */
		err_hint(err, "%s", db->cure);
	if (kind == ERR_BUSY)
		err_hint(err, "another program is writing to it; try again");
	return -1;
}
