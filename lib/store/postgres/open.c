/* How a database of PostgreSQL is opened. */
#include "lib/store/db.h"

#ifdef PAWL_LIBPQ

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* Secrets have other ways, which nobody on the machine sees. */
static int check_address(const char *address, struct err *err)
{
	PQconninfoOption *options = pq.conninfoParse(address, NULL), *o;
	bool has_secret = false;

	if (!options) {
		err_set(err, ERR_USAGE, "the store's address is none of PostgreSQL");
		return err_hint(err, "for example postgresql://USER@HOST/DATABASE");
	}
	for (o = options; o->keyword; o++)
		has_secret |= o->val && (!strcmp(o->keyword, "password") ||
					 !strcmp(o->keyword, "sslpassword"));
	pq.conninfoFree(options);
	if (!has_secret)
		return 0;
	err_set(err, ERR_USAGE,
		"a password in the store's address can be read by everybody on this machine");
	return err_hint(err, "leave it out and use PGPASSWORD, PGPASSFILE or PGSERVICE");
}

int db_connect(struct db *db, const char *address, enum db_mode mode, const char *cure,
	       struct err *err)
{
	struct link *l;

	*db = (struct db)DB_INIT;
	if (libpq_open(err) || check_address(address, err))
		return -1;
	db->engine = &postgres_engine;
	db->cure = cure;
	db->read_only = mode == DB_READ;
	db->path = str_dup(address, err);
	l = calloc(1, sizeof(*l));
	if (!db->path || !l) {
		free(l);
		db_close(db);
		return err_nomem(err);
	}
	db->handle = l;
	l->is_server = mode == DB_WRITE;
	if (getrandom(&l->owner, sizeof(l->owner), 0) < 0)
		l->owner = (int64_t)when_monotonic_ns();
	if (link_connect(db, err)) {
		db_close(db);
		return -1;
	}
	return 0;
}

#else

#include "lib/base/banned.h"

int db_connect(struct db *db, const char *address, enum db_mode mode, const char *cure,
	       struct err *err)
{
	(void)address;
	(void)mode;
	(void)cure;
	*db = (struct db)DB_INIT;
	err_set(err, ERR_USAGE, "this pawld was built without PostgreSQL");
	return err_hint(err, "install libpq-dev and build it again, or use sqlite:PATH");
}

#endif
