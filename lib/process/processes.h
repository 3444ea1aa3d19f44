/*
 * processes - all processes of this machine, and which of them descend from this one: what /proc
 * tells, at one moment.
 */
#ifndef PAWL_PROCESS_PROCESSES_H
#define PAWL_PROCESS_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid, parent;
	uint64_t ticks; /* of a processor (_SC_CLK_TCK): its own and of those it waited for */
	long n_threads;
	char state; /* 'R', 'S', ... of its first thread */
	bool is_ours;
};

struct processes {
	struct process *v;
	size_t n, size;
};

#define PROCESSES_INIT \
	{ \
		NULL, 0, 0 \
	}

/*
 * Fills *all anew: with none where there is no /proc, with as many as memory holds.
 * Cost: reads a file of every process of the machine, milliseconds.
 */
void processes_look(struct processes *all);
void processes_release(struct processes *all);

#endif
