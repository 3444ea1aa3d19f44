/*
 * matrix_tell - values of a matrix that did not reach the build.
 */
#ifndef PAWL_CLI_WAYS_MATRIX_TELL_H
#define PAWL_CLI_WAYS_MATRIX_TELL_H

#include "cli/ways/matrix.h"

/*
 * Adds a warning to s, the comparison of combination i with the first one, where both built the
 * same code and the Makefile of the work tree sets a variable whose value differs: what make is
 * told by the environment alone loses against it.  Errors: ERR_NOMEM.
 */
int matrix_tell_overridden(const struct matrix *m, size_t i, const struct compare_request *rq,
			   struct summary *s, struct err *err);

#endif
