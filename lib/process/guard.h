/*
 * guard - what we started does not outlive us, however we end.
 *
 * A small process of its own waits until we are gone and then kills the process groups that are
 * still written down: also after SIGKILL, which leaves us no time, and where the death signal
 * reaches the first process of a group only.  Where we did not end by ourselves it kills what left
 * its group, too, as daemons do: it is known by its mark.  It costs a run nothing: the groups stand
 * in memory that both share, and nobody is woken to read them.
 */
#ifndef PAWL_PROCESS_GUARD_H
#define PAWL_PROCESS_GUARD_H

#include <stdint.h>
#include <sys/types.h>

#define GUARD_GROUPS 64 /* at once; what is more is not guarded */

/*
 * Starts the guard; the first call does.  It has a session of its own, keeps no descriptor of ours
 * but its end of a socket, and is no child of ours.  Where it cannot be had (no process, no memory;
 * in a namespace of which we are the first process, whose end ends all) nothing is guarded: that is
 * no error.  Cost: two forks, once.
 */
void guard_open(void);

/* A free place for a group, or NULL.  The child itself writes its number into it, before its exec.
 */
volatile pid_t *guard_place(void);

/* What the child sets on itself before its exec (marked_set()); 0 where nothing is guarded. */
uint64_t guard_mark(void);

/* The group is gone: to be called while its number is still held, before it is waited for. */
void guard_forget(pid_t group);

/* SIGKILL to every group that is written down.  For signal handlers too. */
void guard_kill(void);

#endif
