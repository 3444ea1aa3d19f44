/*
 * batch - what has piled up goes many summaries a request.
 */
#ifndef PAWL_REPORTER_DELIVER_BATCH_H
#define PAWL_REPORTER_DELIVER_BATCH_H

#include "reporter/deliver/local.h"

/* At most so many summaries, and so many bytes of them, in one request. */
#define BATCH_MOST 64
#define BATCH_MOST_BYTES (4u << 20)

/*
 * Posts the oldest entries that are due in one request, and notes what became of each.  Where there
 * are fewer than two, the server knows no batches, or the request as a whole fails, r->is_single is
 * set: they are to go one by one.  *out_go_on as run_goes_on().
 *
 * Errors: those of the transport and of the store.
 */
int batch_send(struct run *r, bool *out_go_on, struct err *err);

#endif
