/*
 * form - a field of a form as browsers and urllib send it; of any length.
 */
#ifndef PAWL_SERVER_OTHERS_FORM_H
#define PAWL_SERVER_OTHERS_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"

/* Appends the first field of that name, decoded; false: there is none. */
bool form_field(const char *body, size_t n, const char *name, struct buf *out);

#endif
