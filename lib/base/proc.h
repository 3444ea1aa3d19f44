/*
 * proc - runs a short helper program (git) and captures what it prints.
 *
 * For builds and benchmarks use collector/child.h, which supervises.
 */
#ifndef PAWL_BASE_PROC_H
#define PAWL_BASE_PROC_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Runs argv[0] (found in PATH) in folder dir (NULL: here) with nothing on stdin, and
 * appends stdout to out and the end of stderr to out_errors (either may be NULL).
 * No shell is involved.  *out_status gets the exit status, 128 + n for a signal.
 *
 * Errors: ERR_ABSENT when argv[0] does not exist, ERR_TIMEOUT (it is killed), ERR_LIMIT
 *         beyond max bytes of output (killed), ERR_IO.  An exit status != 0 is no error.
 */
int proc_capture(const char *dir, char *const *argv, size_t max, uint64_t timeout_ns,
		 struct buf *out, struct buf *out_errors, int *out_status, struct err *err);

#endif
