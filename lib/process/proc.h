/*
 * proc - runs a short helper program (git) and captures what it prints.
 *
 * For builds and benchmarks use collector/child/child.h, which supervises.  Descriptors 0, 1
 * and 2 of the caller must be open (main sees to it).
 */
#ifndef PAWL_PROCESS_PROC_H
#define PAWL_PROCESS_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

#define PROC_GRACE_NS 2000000000u
#define PROC_ERRORS_KEPT 8192 /* bytes of the end of stderr */

/* How to run it; whatever is left out (0, NULL) takes the meaning said here. */
struct proc_options {
	const char *dir;	  /* folder to run in; NULL: here */
	const void *input;	  /* what it finds on stdin; NULL: nothing */
	size_t n_input;		  /* bytes */
	char *const *environment; /* "NAME=value" to set, NULL-terminated; NULL: as it is */
	bool no_other;		  /* environment is all it gets, not on top of ours */
	size_t max;		  /* bytes of output */
	uint64_t timeout_ns;	  /* UINT64_MAX: none */
	bool apart; /* in a group of its own, which a terminal's Ctrl-C does not reach; with stops
		       it has PROC_GRACE_NS to end by itself: for what leaves halves when it is cut
		       off */
	bool stops; /* it is killed when a signal asks us to stop (lib/process/stop.h), with what it
		       started */
	bool spares; /* daemons that it starts are the user's: they outlive it, and us */
	bool graced; /* with stops: what is asked while we put things in order, behind the signal,
			is needed: it has PROC_GRACE_NS */
};

/*
 * Runs argv[0] (found in PATH) and appends its stdout to out and the end of its stderr to
 * out_errors (either may be NULL).  No shell is involved; SIGPIPE and SIGXFSZ have their default
 * effect in the program.  *out_status gets the exit status, 128 + n for a signal.  The call is over
 * when the program is, also when something it left behind keeps the pipes open.
 *
 * Errors: ERR_ABSENT when argv[0] or the folder does not exist, ERR_TIMEOUT, ERR_LIMIT
 *         beyond max bytes of output, ERR_STOPPED (it is killed with what it started), ERR_IO,
 *         ERR_NOMEM.  An exit status other than 0 is no error.
 */
int proc_run(const struct proc_options *options, char *const *argv, struct buf *out,
	     struct buf *out_errors, int *out_status, struct err *err);

/* proc_run() of a question in folder dir with nothing on stdin; a signal ends it, graced. */
int proc_capture(const char *dir, char *const *argv, size_t max, uint64_t timeout_ns,
		 struct buf *out, struct buf *out_errors, int *out_status, struct err *err);

#endif
