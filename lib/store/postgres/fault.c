/* What PostgreSQL's faults are called here. */
#ifdef PAWL_LIBPQ

#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* By how an SQLSTATE starts; the first that fits. */
static const struct {
	const char *state;
	enum err_code code;
} kinds[] = {
	{ "53100", ERR_FULL },	  { "53", ERR_BUSY },	/* memory, connections */
	{ "57014", ERR_TIMEOUT }, { "57P", ERR_NET },	/* it is shut down, or starts */
	{ "08", ERR_NET },	  { "25P03", ERR_NET }, /* idle in a transaction for too long */
	{ "40", ERR_BUSY }, /* a deadlock, or it could not be in any order */
	{ "55", ERR_BUSY }, /* somebody else has it locked */
	{ "XX001", ERR_CORRUPT }, { "XX002", ERR_CORRUPT },
	{ "58", ERR_IO },	  { "25006", ERR_IO }, /* a standby: it is read only */
	{ "28", ERR_IO },	  { "3D", ERR_IO },    /* no such database */
	{ "42501", ERR_IO },	  { "54", ERR_LIMIT },
};

static enum err_code kind_of(const char *state)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_starts(state, kinds[i].state))
			return kinds[i].code;
	return ERR_STORE;
}

int postgres_lost(struct db *db, struct err *err)
{
	struct link *l = db->handle;

	err_set(err, ERR_NET, "cannot use '%s': %s", db->path, pq.errorMessage(l->conn));
	link_lose(l);
	return -1;
}

int postgres_fault(struct db *db, const PGresult *result, struct err *err)
{
	const char *state = pq.resultErrorField(result, PG_DIAG_SQLSTATE);
	const char *why = pq.resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	enum err_code kind = state ? kind_of(state) : ERR_NET;

	/* Without a budget it is the server's own limit. */
	if (kind == ERR_TIMEOUT && !atomic_load(&db->ends_ns))
		kind = ERR_BUSY;
	if (kind == ERR_NET)
		link_lose(db->handle);
	/* Of a limit the one who posts is told: where the store is, is not his. */
	err_set(err, kind, "cannot use '%s': %s", kind == ERR_LIMIT ? "the store" : db->path,
		why ? why : pq.resultErrorMessage(result));
	if (kind == ERR_FULL)
		err_hint(err, "make room where PostgreSQL keeps its files; nothing that was stored "
			      "is lost");
	if (kind == ERR_CORRUPT)
		err_hint(err, "%s", db->cure);
	return -1;
}

#else
typedef int libpq_is_absent;
#endif
