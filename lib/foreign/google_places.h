/*
 * google_places - where the benchmarks of google-benchmark's JSON are registered in their program.
 *
 * Internal to lib/foreign.
 */
#ifndef PAWL_FOREIGN_GOOGLE_PLACES_H
#define PAWL_FOREIGN_GOOGLE_PLACES_H

#include "lib/base/err.h"
#include "lib/json/jtree.h"

/*
 * Whether all entries of one name are of one benchmark.  Versions before 1.6 do not say where one
 * is registered: then they are.
 *
 * Errors: ERR_CONFLICT with the entry that is of another one, ERR_NOMEM.
 * Cost:   O(n log n).
 */
int google_places_check(const struct jtree *benchmarks, struct err *err);

#endif
