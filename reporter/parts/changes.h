/*
 * changes - what changed in the code of a benchmark, and what it executes of it, in words.
 */
#ifndef PAWL_REPORTER_PARTS_CHANGES_H
#define PAWL_REPORTER_PARTS_CHANGES_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/summary.h"

/*
 * "of 1240 functions 3 changed, none is executed by it (usage, version, help)"; of one that
 * executes something that changed, where that was asked for or verbose, what it is.  Nothing else.
 */
void changes_note(const struct bench *b, bool verbose, struct buf *out);

/*
 * Each reason why it could not be told, once, with whom it holds for; and who was measured for data
 * or code alone that is one part of an object, with the compiler's option that tells it apart.
 * Errors: ERR_NOMEM.
 */
int changes_remarks(const struct summary *s, struct strv *out, struct err *err);

#endif
