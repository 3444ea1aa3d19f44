/*
 * marked - processes that carry a mark, in whatever session they are.
 *
 * The mark is a limit that no program reaches or asks for, of the processor time of a realtime
 * process (RLIMIT_RTTIME): children and other programs inherit it, and nothing that is measured
 * depends on it, as it might on an entry of the environment.
 *
 * For the guard: marked_kill() makes system calls only and asks for no memory.
 */
#ifndef PAWL_PROCESS_MARKED_H
#define PAWL_PROCESS_MARKED_H

#include <stdint.h>

#define MARKED_SPARES \
	"pawl-guard" /* whose name is this, of another pawl: it has work to do itself */

/* A mark of this process, of some thousand years; below that of a pawl which started this one. */
uint64_t marked_new(void);

/* Sets it on this process.  Where that is not allowed, it has none: that is no error. */
void marked_set(uint64_t mark);

/*
 * What this process starts between the two calls has the mark, and it has none itself: for what is
 * started where no code of ours runs in the child.  A program could take it off.  Not while threads
 * start something.
 */
void marked_begin(uint64_t mark);
void marked_end(void);

/*
 * SIGKILL to every process of this user with that mark, and to those that they start meanwhile.
 * Cost: reads a file of every process of the machine, milliseconds.
 */
void marked_kill(uint64_t mark);

/* The same, but what has left our session lives on. */
void marked_kill_near(uint64_t mark);

#endif
