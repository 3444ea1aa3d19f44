/*
 * passed_over - damaged results that another one was taken for: told, and written into the answer.
 */
#ifndef PAWL_CLI_PASSED_OVER_H
#define PAWL_CLI_PASSED_OVER_H

#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/store/local/store.h"

/* Warns of each damaged result that the store has passed over, once; of none when it is NULL. */
void passed_over_tell(const struct talk *talk, const struct store *store);

/*
 * Puts what the store has passed over, but its first `before`, among the summary's warnings; of
 * many the first few.  store may be NULL.  Errors: ERR_NOMEM.
 */
int passed_over_note(const struct store *store, size_t before, struct summary *s, struct err *err);

/*
 * store_latest(), and in the summary's warnings what was passed over for it.  Errors: those of
 * store_latest().
 */
int passed_over_latest(struct store *store, const char *project, const char *commit,
		       struct summary *out, struct err *err);

/*
 * The same of the newest result without uncommitted changes; where there is none, of the newest.
 * Errors: those of store_latest().
 */
int passed_over_clean(struct store *store, const char *project, const char *commit,
		      struct summary *out, struct err *err);

#endif
