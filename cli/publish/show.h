/*
 * publish_show - what pawl publish would send, for a reader or as JSON.
 */
#ifndef PAWL_CLI_PUBLISH_SHOW_H
#define PAWL_CLI_PUBLISH_SHOW_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "reporter/publish/publish.h"

/* Appends it; json: one document.  No line is a command to a CI.  Errors: ERR_NOMEM. */
int publish_show(const struct publish_request *rq, bool json, struct buf *out, struct err *err);

#endif
