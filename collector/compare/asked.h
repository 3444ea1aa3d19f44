/*
 * asked - two given programs of the same code that ask for other files: by their own names,
 * or by where they lie.
 *
 * Both run in the same folder on the same arguments, so that what they open is the same, unless its
 * name comes from their own.  So each is run once, where it lies and not as a copy, and the names
 * are compared; of one that reads its own file, the files.
 */
#ifndef PAWL_COLLECTOR_COMPARE_ASKED_H
#define PAWL_COLLECTOR_COMPARE_ASKED_H

#include "collector/compare/extent.h"

/*
 * Lets each identical unit be measured whose sides ask for files of other names, or of which that
 * cannot be seen; why is in its changes.
 * Errors: ERR_STOPPED, ERR_NOMEM.  Cost: a run of each side, of as many iterations.
 */
int compare_asked(const struct extent_request *rq, struct plan *plan, struct err *err);

#endif
