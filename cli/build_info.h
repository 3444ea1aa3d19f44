/*
 * build_info - what this pawl is made of: for bug reports.
 */
#ifndef PAWL_CLI_BUILD_INFO_H
#define PAWL_CLI_BUILD_INFO_H

#include "lib/base/buf.h"

/* Appends a line each: versions of pawl, the compiler, the libraries as loaded, formats. */
void build_info(struct buf *out);

#endif
