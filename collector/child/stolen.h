/*
 * stolen - what a hypervisor takes of the processor from a child while it runs.
 *
 * CPU time leaves that out, the clock does not: without it a computation looks as if it waited.
 * The task clock of perf_event_open(2) runs as long as a processor is given to a thread, taken
 * away from below or not; what it tells beyond the CPU time was taken, by a hypervisor or an
 * interrupt.  /proc/stat has steal in ticks of 10 ms, of all processes, which is too coarse.
 */
#ifndef PAWL_COLLECTOR_CHILD_STOLEN_H
#define PAWL_COLLECTOR_CHILD_STOLEN_H

#include <sys/types.h>

/*
 * From here on the main thread of that process is watched.  Returns a descriptor, to be closed, or
 * -1: it is over, or the system does not allow it, which is not asked again.  Cost: a system call.
 */
int stolen_watch(pid_t pid);

/*
 * ns that were taken from it since, of a thread that is over and took cpu_ns in all: some tens of
 * microseconds less than it was, for what it worked before it was watched; never more.  NaN: not
 * known.
 */
double stolen_ns(int fd, double cpu_ns);

#endif
