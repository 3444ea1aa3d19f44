/*
 * backfill_parts_here - whether submodules, or files of Git LFS, came to this machine.
 */
#ifndef PAWL_CLI_BACKFILL_PARTS_HERE_H
#define PAWL_CLI_BACKFILL_PARTS_HERE_H

#include <stdint.h>

/*
 * When an object of one was last added, in microseconds since 1970; 0: none is here, or it cannot
 * be told.  common: the repository's common folder.  Not of a submodule whose repository lies in
 * the work tree, as an old git made it.  Cost: a stat() of each folder of their objects.
 */
int64_t parts_newest_us(const char *common);

#endif
