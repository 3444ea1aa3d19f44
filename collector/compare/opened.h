/*
 * opened - benchmarks of the same machine code that find other files on both sides: a
 * helper that they start, a plugin, a script, data that no configuration names.
 *
 * The same code does the same with the same files.  So it is run once, the file that was built in
 * the tree of the base and no copy of it, and
 * the system tells which files of the tree it opens, and which it asks for.  Where each of them is
 * the same in the tree of the head, both sides do the same; else it is measured.
 */
#ifndef PAWL_COLLECTOR_COMPARE_OPENED_H
#define PAWL_COLLECTOR_COMPARE_OPENED_H

#include "collector/compare/extent.h"

/*
 * Lets each identical unit be measured that may do something else in the head's tree; why is in its
 * changes.  Where it cannot be seen what it opens, the same.  What was seen is kept beside both
 * trees, for later comparisons.
 * Errors: ERR_STOPPED, ERR_NOMEM.  Cost: a run of each whose files are not known yet, calibrated
 * where it is inside of a program: what it opens in a late iteration is one of them.
 */
int compare_opened(const struct extent_request *rq, struct plan *plan, struct err *err);

#endif
