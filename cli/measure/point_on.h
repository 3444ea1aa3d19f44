/*
 * point_on - where to look next after a regression: the commands, to be copied.
 */
#ifndef PAWL_CLI_MEASURE_POINT_ON_H
#define PAWL_CLI_MEASURE_POINT_ON_H

#include "cli/command.h"
#include "lib/base/buf.h"
#include "lib/record/summary.h"

/*
 * Notes 'pawl why', of a range of several commits 'pawl bisect', and 'pawl accept' for the first
 * benchmark that got worse and was not accepted, and for all where there are several;
 * nothing of uncommitted work, which has no commit to name.  Where benchmarks are configured in the
 * environment alone, by a build system's targets, 'pawl init' goes first.
 */
void point_on(const struct options *o, const struct context *c, const struct summary *s);

/* Notes how to take another base, where this one does not build. */
void point_on_base(const struct options *o, const struct context *c, const struct summary *s);

/* Hints how a program that was given alone, and that ended with an error, gets its arguments. */
void point_on_arguments(const struct options *o, const struct summary *s);

#define ACCEPT_COMMANDS_BYTES 2500 /* of the commands; the last one may go beyond */

/*
 * Appends a 'pawl accept' a line for all that got worse, up to so many bytes; nothing where nothing
 * did.  A fault is kept in out.
 */
void accept_commands(const struct summary *s, struct buf *out);

#endif
