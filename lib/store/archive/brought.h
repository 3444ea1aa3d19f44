/*
 * brought - what an import leaves in the log of a project, and what the log says of what it brings.
 */
#ifndef PAWL_STORE_ARCHIVE_BROUGHT_H
#define PAWL_STORE_ARCHIVE_BROUGHT_H

#include "lib/base/strv.h"
#include "lib/store/db.h"
#include "lib/store/ledger/ledger.h"

/*
 * 1: somebody here, or an import, has hidden or shown that already.  -1: those of db_get().
 */
int brought_is_decided(struct db *db, const struct retraction *r, struct err *err);

/* A summary of a project came: *list has each project, and the last that came.  Errors: ERR_NOMEM.
 */
int brought_add(struct strv *list, const char *project, const char *id, struct err *err);

/*
 * An entry in the log of each: a server that runs beside the import remembers what was so before,
 * until the log has changed.  Errors: those of db_run().
 */
int brought_log(struct db *db, const struct strv *list, struct err *err);

#endif
