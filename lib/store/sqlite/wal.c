/* What SQLite writes before it gets to the file. */
#include <sys/stat.h>

#include "lib/base/buf.h"
#include "lib/base/when.h"
#include "lib/store/sqlite/sqlite.h"

#include "lib/base/banned.h"

/* Behind an attempt that waited 100 ms in vain: a fiftieth of the time at most. */
#define TRIM_PAUSE_NS 5000000000u

int64_t sqlite_wal_size(const char *path)
{
	struct buf name = BUF_INIT;
	struct stat st;
	int64_t size = 0;

	buf_addf(&name, "%s-wal", path);
	if (!name.failed && !stat(buf_str(&name), &st))
		size = st.st_size;
	buf_release(&name);
	return size;
}

void sqlite_trim(struct db *db, int64_t limit_bytes)
{
	uint64_t now_ns = when_monotonic_ns();
	int code;

	if (now_ns < db->trim_ns || sqlite_wal_size(db->path) <= limit_bytes)
		return;
	sqlite3_busy_timeout(db->handle, 100);
	code = sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	db->trim_ns = code == SQLITE_OK ? 0 : now_ns + TRIM_PAUSE_NS;
}
