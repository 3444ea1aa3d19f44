/*
 * anchor - two small fixed benchmarks that run between the rounds of the project's own.
 *
 * Their times say how fast the machine was in that round, so that results of different
 * days can be brought to one level (the screen against stored samples).  The program is a
 * copy of pawl itself, made once per store and kept, so that a newer pawl does not move it.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_ANCHOR_H
#define PAWL_COLLECTOR_SCHEDULE_ANCHOR_H

#include "lib/base/err.h"

#define ANCHOR_PROGRAM "pawl-anchor"  /* argv[0] under which pawl is the anchor program */
#define ANCHOR_ALU "anchor-alu"	      /* a chain of dependent multiplications */
#define ANCHOR_MALLOC "anchor-malloc" /* a mix of allocations */

/* The anchor program's main(). */
int anchor_main(int argc, char **argv);

/*
 * The path of the anchor executable under dir, copied there from the running program when
 * it is not there yet.  free() it.  Errors: ERR_FULL, ERR_IO, ERR_NOMEM.
 */
int anchor_install(const char *dir, char **out_path, struct err *err);

#endif
