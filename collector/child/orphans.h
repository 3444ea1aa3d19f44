/*
 * orphans - what children started and left behind: it is adopted by us (child_adopt_orphans()), and
 * ended when they are.
 */
#ifndef PAWL_COLLECTOR_CHILD_ORPHANS_H
#define PAWL_COLLECTOR_CHILD_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* That child of ours is none, until orphans_unspare().  Beyond CHILD_SPARED of them it is not
 * heard. */
void orphans_spare(pid_t pid);

/* That child, which is over, is not spared any more; nothing happens where it was not. */
void orphans_unspare(pid_t pid);

/*
 * Kills and reaps all children of ours but keep (0: none) and those that are spared, and what
 * becomes ours by that.  Returns how many it was that ended them; *out_any: there were such
 * children, if only to be reaped.
 */
int orphans_reap(pid_t keep, bool *out_any);

#endif
