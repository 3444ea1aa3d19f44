/*
 * document - one summary document of another job, from a file or from standard input.
 */
#ifndef PAWL_CLI_DOCUMENT_H
#define PAWL_CLI_DOCUMENT_H

#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * path "-" is standard input; a pipe of another name is refused.  *out is initialised here.
 * Errors: ERR_REFUSED what is no result; those of reading; ERR_NOMEM.
 */
int document_read(const char *path, struct summary *out, struct err *err);

#endif
