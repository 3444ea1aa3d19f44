/*
 * record - which functions a program enters in one run.
 *
 * A breakpoint stands at the entry of each function and is taken away when it is reached first, so
 * that a run takes little longer than without.  Threads and processes that it starts are followed.
 * Of a run that came before, what it did not enter can be filled with breakpoints: where somebody
 * comes into it by another way than its entry, that is seen.
 *
 * Source: ptrace(2).
 */
#ifndef PAWL_COLLECTOR_ENTER_RECORD_H
#define PAWL_COLLECTOR_ENTER_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/child/child.h"
#include "lib/base/buf.h"
#include "lib/base/err.h"

struct named_files;

struct record_request {
	const struct child_spec *spec; /* what is run */
	const uint64_t *entries;       /* addresses in the program, in ascending order */
	size_t n;
	const bool *passed;	   /* those that a run entered; NULL: there was none before */
	const uint64_t *ends;	   /* of each function; only with passed */
	bool *inside;		   /* set where one was come into, but not by its entry */
	uint64_t start;		   /* the address at which the program starts */
	const char *says;	   /* what it finds in its record socket; NULL: nothing */
	struct buf *answers;	   /* gets what it wrote there; NULL: it has none */
	struct named_files *named; /* gets the files that it asks for outside of spec->dir; NULL */
	bool *ended_well; /* set when it ran to its end and did not fail, whatever it did; NULL */
};

/*
 * Runs it and sets hit[i] where entries[i] was entered; other hit[i] stay.  No other child of ours
 * is there.
 * Errors: ERR_ABSENT nothing can be told of this run, and why: tracing is refused, the run failed,
 *         it started other programs, unwound its stack, opened its own file, ran code of no file or
 * of a library that is not the system's; ERR_CHILD it cannot be started; ERR_STOPPED; ERR_IO,
 * ERR_NOMEM.
 */
int record_run(const struct record_request *rq, bool *hit, struct err *err);

#endif
