/* How long what is asked of a database may take. */
#include "lib/base/when.h"
#include "lib/store/engine.h"

#include "lib/base/banned.h"

bool db_is_over(struct db *db)
{
	uint64_t ends_ns = atomic_load(&db->ends_ns);

	return ends_ns && when_monotonic_ns() >= ends_ns;
}

void db_budget(struct db *db, uint64_t within_ns)
{
	atomic_store(&db->ends_ns, within_ns ? when_monotonic_ns() + within_ns : 0);
	db->engine->limit(db, within_ns);
}

void db_stop(struct db *db)
{
	if (atomic_load(&db->ends_ns))
		atomic_store(&db->ends_ns, 1);
}
