/*
 * narrow - a stored summary cut down to one benchmark before it is decoded.
 *
 * A history reads one benchmark out of a thousand documents that hold dozens; building the whole
 * tree of each would be most of its time.
 */
#ifndef PAWL_RECORD_NARROW_H
#define PAWL_RECORD_NARROW_H

#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Appends the document json[0..n) with no other element in "benchmarks" than the first one of that
 * name.  Only nesting and strings are looked at: summary_decode() is still to judge the rest.
 *
 * Shape:  as summary_encode() writes it; the name is found as that writes it.
 * Errors: ERR_ABSENT there is no such benchmark; ERR_SYNTAX the nesting is broken or there are no
 *         benchmarks; ERR_NOMEM.  out is then as it was.
 * Cost:   O(n), one pass.
 */
int summary_narrow(const char *json, size_t n, const char *name, struct buf *out, struct err *err);

#endif
