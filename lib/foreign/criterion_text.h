/*
 * criterion_text - the lines of `cargo bench` with Criterion.rs: an estimate of each benchmark.
 *
 * Internal to lib/foreign.
 */
#ifndef PAWL_FOREIGN_CRITERION_TEXT_H
#define PAWL_FOREIGN_CRITERION_TEXT_H

#include <stdbool.h>

#include "lib/foreign/doc.h"
#include "lib/foreign/sink.h"

bool criterion_text_is(const struct foreign_doc *doc);

/* One sample, ns, of each benchmark a line tells.  Errors: ERR_RANGE no name, ERR_LIMIT, ERR_NOMEM.
 */
int criterion_text_parse(const struct foreign_doc *doc, struct foreign_sink *to, struct err *err);

#endif
