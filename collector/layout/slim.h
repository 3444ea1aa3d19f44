/*
 * slim - a shared library that is there to be linked with: of its symbols only those of some names.
 *
 * GNU ld takes in all symbols of each library that a program is linked with, most of the time of a
 * small link: libc has 3,000.
 *
 * Source: System V ABI, Tool Interface Standard ELF 1.2; symbol versions: LSB 5.0.  The library is
 * not trusted: every offset is checked.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_SLIM_H
#define PAWL_COLLECTOR_LAYOUT_SLIM_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/*
 * Writes to a new file what a link reads of the library: its name, its versions, where its symbols
 * lie and how large they are, which ones it asks others for; no code, no data.  names: sorted
 * (strcmp), without versions.  *out_dropped: how many symbols it has no more.
 * Errors: ERR_ABSENT no such file, or it has no symbols to link with; ERR_SYNTAX it is no ELF file,
 *         or damaged; ERR_IO, ERR_FULL, ERR_NOMEM.
 */
int slim_write(const char *library, const struct strv *names, const char *path, size_t *out_dropped,
	       struct err *err);

#endif
