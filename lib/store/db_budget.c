/* How long what is asked of a database may take. */
#include "lib/store/db.h"

#include <sqlite3.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

/* So many steps of SQLite's machine take some 100 microseconds. */
#define STEPS_BETWEEN_LOOKS 2000

bool db_is_over(struct db *db)
{
	uint64_t ends_ns = atomic_load(&db->ends_ns);

	return ends_ns && when_monotonic_ns() >= ends_ns;
}

static int is_over(void *arg)
{
	return db_is_over(arg);
}

void db_budget(struct db *db, uint64_t within_ns)
{
	uint64_t wait_ms = within_ns / 1000000;

	atomic_store(&db->ends_ns, within_ns ? when_monotonic_ns() + within_ns : 0);
	sqlite3_progress_handler(db->handle, within_ns ? STEPS_BETWEEN_LOOKS : 0, is_over, db);
	sqlite3_busy_timeout(db->handle,
			     within_ns && wait_ms < DB_BUSY_MS ? (int)wait_ms : DB_BUSY_MS);
}

void db_stop(struct db *db)
{
	if (atomic_load(&db->ends_ns))
		atomic_store(&db->ends_ns, 1);
}
