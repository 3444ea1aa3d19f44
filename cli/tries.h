/*
 * tries - whether what failed fails again: of the commit, or of the machine at that time.
 */
#ifndef PAWL_CLI_TRIES_H
#define PAWL_CLI_TRIES_H

#define TRIES_MOST 2 /* that a commit has */

/*
 * How many of the tries that a commit has are used up by a failure, by its reason: all by a build
 * that fails by itself, one by a run, or where a program is not found; none by what the machine
 * brought about (no memory, a kill, no network), or by parts of the commit that are not here.
 */
unsigned tries_of(const char *why);

#endif
